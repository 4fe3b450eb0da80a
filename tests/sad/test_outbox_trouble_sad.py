"""Why sending fails, when that changes: what is raised and what is logged."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import NoReturn

import pytest
from outbox_cases import PATIENCE, quad, until

from trustgraph_prov.errors import StoreError, StorePendingError
from trustgraph_prov.outbox import OutboxStore
from trustgraph_prov.outbox.faults import QueueError
from trustgraph_prov.outbox.journal import Journal
from trustgraph_prov.stores import Store, open_store


def damaged(self: Journal, *_: object) -> NoReturn:
    raise QueueError(self.target, "the outbox is damaged")


def test_a_fault_of_the_queue_that_is_over_is_not_blamed_for_a_store_that_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The fault stayed, whatever came after it."""
    asked, answered = threading.Event(), threading.Event()

    def hanging() -> Store:
        asked.set()
        assert answered.wait(PATIENCE)
        return open_store("memory:")

    with OutboxStore(hanging, tmp_path, name="memory:", longest_pause=0.05) as store:
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "oldest", damaged)
            store.insert([quad(1)])
            until(lambda: "damaged" in caplog.text, "the damage")
            with pytest.raises(QueueError, match="is damaged"):
                store.flush(0.1)
        assert asked.wait(PATIENCE)
        with pytest.raises(StorePendingError, match="the store is still taking what was queued"):
            store.flush(0.1)
        answered.set()
        store.flush(PATIENCE)


def test_the_log_tells_that_it_is_the_queue_now_and_no_more_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "trustgraph_prov.outbox")
    there = threading.Event()

    def away() -> Store:
        if not there.is_set():
            raise StoreError("memory:", "no answer")
        return open_store("memory:")

    with OutboxStore(away, tmp_path, name="memory:", longest_pause=0.05) as store:
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "remove", damaged)
            store.insert([quad(1)])
            until(lambda: "no answer" in caplog.text, "the trouble")
            there.set()
            until(lambda: "damaged" in caplog.text, "the damage")
        store.flush(PATIENCE)
        until(lambda: "again" in caplog.text, "the end")
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("WARNING", f"memory:: no answer; what is recorded waits in {tmp_path}"),
        ("ERROR", "memory: the outbox is damaged"),
        ("INFO", "memory:: takes what is sent again"),
    ]


def test_an_unexpected_error_is_logged_once_however_often_it_comes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its traceback was logged at every attempt; another error in its place is news."""
    asked: list[Exception] = []
    errors = [ZeroDivisionError("odd")] * 5 + [KeyError("odder")] * 5

    def opener() -> Store:
        if len(asked) < len(errors):
            asked.append(errors[len(asked)])
            raise asked[-1]
        return open_store("memory:")

    with OutboxStore(opener, tmp_path, name="memory:", longest_pause=0.01) as store:
        store.insert([quad(1)])
        store.flush(PATIENCE)
    assert asked == errors
    logged = [record.exc_info[1] for record in caplog.records if record.exc_info]
    assert logged == [errors[0], errors[-1]]
