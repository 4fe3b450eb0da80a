"""Outboxes that are closed while something goes on: who ends it, and what is used afterwards."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest
from outbox_cases import PATIENCE, HttpStore, nobody_sends, quad, until
from pyoxigraph import Quad

from trustgraph_prov.errors import StoreError
from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.outbox.journal import Journal
from trustgraph_prov.stores import Store, open_store


class Hanging(HttpStore):
    """It answers once it may, and knows whether it was closed."""

    def __init__(self) -> None:
        super().__init__(9)
        self.asked, self.may, self.closed = threading.Event(), threading.Event(), threading.Event()

    def insert(self, quads: Iterable[Quad]) -> None:
        self.asked.set()
        assert self.may.wait(PATIENCE)

    def close(self) -> None:
        self.closed.set()


def test_a_sender_that_can_keep_no_damaged_call_ends_and_lets_the_next_one_send(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It went on trying after `close`, for ever, and nobody else could send."""
    journal = Journal(tmp_path, "memory:")
    journal.append(b"<urn:a> garbage")
    journal.close()
    letters = tmp_path / "dead-letters"
    letters.write_text("a file where the folder should be")
    store = OutboxStore(open_store("memory:"), tmp_path, linger=0, longest_pause=0.05)
    until(lambda: "cannot write" in caplog.text, "the trouble")
    store.close()
    until(lambda: nobody_sends(tmp_path), "the end of the sender")
    letters.unlink()
    with OutboxStore(open_store("memory:"), tmp_path) as following:
        following.flush(PATIENCE)
    assert len(outbox_status(tmp_path).refused) == 1


@pytest.mark.parametrize("fails", [False, True])
def test_a_store_whose_answer_comes_after_close_is_closed_then_and_nothing_is_logged(
    fails: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It stayed open, and the log said that the outbox wants to be opened again."""

    class Remote(Hanging):
        def insert(self, quads: Iterable[Quad]) -> None:
            super().insert(quads)
            if fails:
                raise StoreError(self.name, "no answer")

    caplog.set_level(logging.INFO, "trustgraph_prov.outbox")
    remote = Remote()
    store = OutboxStore(remote, tmp_path, linger=0)
    store.insert([quad(1)])
    assert remote.asked.wait(PATIENCE)
    store.close()
    assert not remote.closed.is_set()  # its request is on its way
    remote.may.set()
    assert remote.closed.wait(PATIENCE)
    assert nobody_sends(tmp_path)
    assert outbox_status(tmp_path).pending == 1
    assert not caplog.records


def test_a_store_that_cannot_be_closed_late_is_told_of_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Remote(Hanging):
        def close(self) -> None:
            super().close()
            raise StoreError("remote", "cannot be closed")

    remote = Remote()
    store = OutboxStore(remote, tmp_path, linger=0)
    store.insert([quad(1)])
    assert remote.asked.wait(PATIENCE)
    store.close()
    remote.may.set()
    until(lambda: "remote: cannot be closed" in caplog.text, "the warning")


def test_a_closed_outbox_does_not_open_its_store_to_tell_its_traits(tmp_path: Path) -> None:
    """It opened it anew, and nobody closed it."""
    opened = []

    def opener() -> Store:
        opened.append(1)
        return open_store("memory:")

    store = OutboxStore(opener, tmp_path, name="memory:")
    store.close()
    with pytest.raises(StoreError, match=r"^memory: is closed; open it again$"):
        _ = store.traits
    assert not opened


def test_a_store_that_opens_while_its_outbox_is_closed_is_closed_too(tmp_path: Path) -> None:
    asked, remote, caught = threading.Event(), Hanging(), []

    def opener() -> Hanging:
        asked.set()
        assert remote.may.wait(PATIENCE)
        return remote

    store = OutboxStore(opener, tmp_path, name="remote")

    def read() -> None:
        with pytest.raises(StoreError, match="is closed") as error:
            store.query("ASK {}")
        caught.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    assert asked.wait(PATIENCE)
    store.close()
    remote.may.set()
    reader.join(PATIENCE)
    assert caught
    assert remote.closed.is_set()
