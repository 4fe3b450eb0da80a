"""Outboxes that cannot be opened, and waiting in vain: what the messages say."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from outbox_cases import HttpStore, barred, each_call, quad, until
from pyoxigraph import Quad

from trustgraph_prov.errors import (
    InvalidTermError,
    InvalidValueError,
    StoreBusyError,
    StoreError,
    StorePendingError,
)
from trustgraph_prov.n_quads import encode
from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.outbox.faults import QUEUE_FILE
from trustgraph_prov.outbox.journal import Journal
from trustgraph_prov.stores import open_store

NOBODY = HttpStore(9)  # the discard port: nothing answers there


def test_waiting_in_vain_tells_how_much_waits_where_and_why(tmp_path: Path) -> None:
    with OutboxStore(NOBODY, tmp_path / "outbox", wait=0.5) as store:
        store.insert([quad(1)])
        store.insert([quad(2)])
        for call in (
            lambda: store.flush(0.2),
            store.flush,
            lambda: store.query("ASK {}"),
            lambda: store.update("CLEAR ALL"),
            lambda: store.quads(),
        ):
            with pytest.raises(StorePendingError) as caught:
                call()
            assert caught.value.pending == 2
            assert str(caught.value).startswith(
                "http://127.0.0.1:9: 2 inserts not delivered yet (no answer: "
            )
            assert str(caught.value).endswith(
                f"what waits is kept in {tmp_path / 'outbox'} and sent as soon as that works"
            )


def test_a_store_that_has_not_answered_yet(tmp_path: Path) -> None:
    asked = threading.Event()
    answer = threading.Event()

    class Slow(HttpStore):
        def insert(self, quads: object) -> None:
            asked.set()
            answer.wait()

    store = OutboxStore(Slow(9), tmp_path / "outbox", linger=0.2)
    store.insert([quad(1)])
    assert asked.wait(60)
    with pytest.raises(StorePendingError, match=r"1 insert not delivered yet \(the store is still"):
        store.flush(0.2)
    closer = threading.Thread(target=store.close)
    closer.start()
    closer.join(30)  # it goes without the answer
    assert not closer.is_alive()
    answer.set()
    assert outbox_status(tmp_path / "outbox").pending == 1


def test_a_closed_outbox_is_not_used(tmp_path: Path) -> None:
    store = OutboxStore(open_store("memory:"), tmp_path / "outbox")
    store.close()
    for call in each_call(store):
        with pytest.raises(StoreError, match=r"^memory: is closed; open it again$"):
            call()


def test_what_the_iterator_raises_queues_nothing(tmp_path: Path) -> None:
    def quads() -> Iterator[Quad]:
        yield quad(1)
        raise ZeroDivisionError

    with OutboxStore(NOBODY, tmp_path / "outbox") as store:
        with pytest.raises(ZeroDivisionError):
            store.insert(quads())
        assert store.pending() == 0


def test_a_read_only_store_has_no_outbox(tmp_path: Path) -> None:
    with (
        open_store("memory:", read_only=True) as store,
        pytest.raises(InvalidValueError, match="open for writing"),
    ):
        OutboxStore(store, tmp_path / "outbox")


def test_a_store_that_is_opened_later_has_a_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match="name is None; expected the name of the store"):
        OutboxStore(lambda: NOBODY, tmp_path / "outbox")


def test_a_store_that_never_opens_fails_the_call_that_needs_it(tmp_path: Path) -> None:
    def opener() -> HttpStore:
        raise StoreError("nowhere", "there is no such place")

    with OutboxStore(opener, tmp_path / "outbox", name="nowhere") as store:
        with pytest.raises(StoreError, match=r"^nowhere: there is no such place$"):
            store.query("ASK {}")
        store.insert([quad(1)])
        with pytest.raises(StorePendingError, match="there is no such place"):
            store.flush(0.5)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """Its status was empty, as that of an outbox with nothing in it is."""
    (tmp_path / "outbox").write_text("")
    with pytest.raises(StoreError, match=r"^memory: the outbox .* is a file; name a folder$"):
        OutboxStore(open_store("memory:"), tmp_path / "outbox")
    with pytest.raises(StoreError, match=r"outbox: the outbox is a file; name a folder$"):
        outbox_status(tmp_path / "outbox")


def read_only_folder(folder: Path) -> Callable[[], object]:
    """Forbid writing into a folder, to root too; what allows it again."""
    folder.chmod(0o500)
    if not os.access(folder, os.W_OK):
        return lambda: folder.chmod(0o700)
    here = str(folder)
    bind = ["mount", "--bind", here, here]
    try:
        subprocess.run(bind, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user may write into any folder, and mount none")
    remount = ["mount", "-o", "remount,bind,ro", here]
    subprocess.run(remount, check=True)
    return lambda: subprocess.run(["umount", here], check=True)  # noqa: S607 - from the PATH


@pytest.mark.parametrize("used", [False, True])
def test_a_folder_without_permission(used: bool, tmp_path: Path) -> None:
    folder = tmp_path / "outbox"
    folder.mkdir()
    if used:
        with OutboxStore(NOBODY, folder, linger=0) as store:
            store.insert([quad(1)])
    allow = read_only_folder(folder)
    try:
        with pytest.raises(StoreError, match="check the folder and its permissions"):
            OutboxStore(NOBODY, folder)
        if used:
            with pytest.raises(StoreError, match="check the folder and its permissions"):
                outbox_status(folder)
    finally:
        allow()
    with OutboxStore(NOBODY, folder, linger=0) as store:
        assert store.pending() == used


def test_a_clock_that_jumps_changes_no_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([2e9, 1e9, -5.0, 1e99])
    received: list[Quad] = []

    class Strict(HttpStore):
        def insert(self, quads: Iterable[Quad]) -> None:
            received.extend(quads)
            raise InvalidTermError("x", "not in this house")

    journal = Journal(tmp_path, NOBODY.name)
    with monkeypatch.context() as patch:
        patch.setattr("trustgraph_prov.outbox.journal.time.time", lambda: next(times))
        for number in range(4):
            journal.append(encode([quad(number)]))
    journal.close()
    assert outbox_status(tmp_path).targets[0].oldest is not None
    with OutboxStore(Strict(9), tmp_path) as store:
        store.flush()
    assert received[:4] == [quad(number) for number in range(4)]
    assert len(outbox_status(tmp_path).refused) == 4


def test_a_queue_that_is_no_database(tmp_path: Path) -> None:
    folder = tmp_path / "outbox"
    folder.mkdir()
    (folder / QUEUE_FILE).write_text("x" * 5_000)
    with pytest.raises(
        StoreError, match=rf"is damaged \(file is not a database\); keep {QUEUE_FILE} for rescue"
    ):
        OutboxStore(open_store("memory:"), folder)
    with pytest.raises(
        StoreError, match=rf"the outbox is damaged \(file is not a database\); keep {QUEUE_FILE}"
    ):
        outbox_status(folder)


def test_a_page_of_the_queue_is_damaged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log said that what is recorded waits in the folder that is not to be used any more."""
    folder = tmp_path / "outbox"
    journal = Journal(folder, NOBODY.name)
    for number in range(200):
        journal.append(encode([quad(number, "x" * 1_000)]))
    journal.close()
    with (folder / QUEUE_FILE).open("r+b") as queue:
        for page in range(4, 40):
            queue.seek(page * 4_096)
            queue.write(b"\xff" * 4_096)
    damaged = rf"is damaged \(database disk image is malformed\); keep {QUEUE_FILE} for rescue"
    with OutboxStore(NOBODY, folder, linger=0) as store:
        until(lambda: "damaged" in caplog.text, "the damage")
        with pytest.raises(StoreError, match=damaged) as caught:
            store.flush(0.2)
        with pytest.raises(StoreError, match=damaged):
            outbox_status(folder)
    for said in (str(caught.value), caplog.text):
        assert "name another folder" in said
        assert "waits in" not in said
        assert "what waits is kept" not in said


def test_the_way_out_is_told_apart_from_what_is_wrong(tmp_path: Path) -> None:
    """It was what stood behind the first semicolon, be that in the name of the folder."""
    file = tmp_path / "one; two"
    file.write_text("")
    with pytest.raises(StoreError) as caught:
        OutboxStore(NOBODY, file)
    error = caught.value
    assert (error.what, error.way_out) == (f"the outbox {file} is a file", "name a folder")
    assert error.why == f"{error.what}; {error.way_out}"
    assert str(error) == f"{NOBODY.name}: {error.why}"


def test_why_is_the_whole_message_where_no_store_is_named() -> None:
    assert InvalidTermError("x", "no IRI").why == str(InvalidTermError("x", "no IRI"))


def test_a_queue_of_a_newer_version(tmp_path: Path) -> None:
    Journal(tmp_path, "store").close()
    with closing(sqlite3.connect(tmp_path / QUEUE_FILE)) as queue:
        queue.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="was made by a newer version of trustgraph-prov; upgrade"):
        OutboxStore(open_store("memory:"), tmp_path)


def test_a_queue_that_another_process_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trustgraph_prov.outbox.journal._BUSY", 0.2)
    journal = Journal(tmp_path, "store")
    with closing(sqlite3.connect(tmp_path / QUEUE_FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError, match="is in use by others all the time"):
            journal.append(b"")
        other.execute("ROLLBACK")
    journal.append(b"")
    journal.close()


def test_a_call_that_ctrl_c_broke_off_does_not_block_the_queue(tmp_path: Path) -> None:
    """The signal can come between the beginning of a transaction and what would end it."""
    journal = Journal(tmp_path, "store")
    with journal._using() as queue:
        queue.execute("BEGIN IMMEDIATE")
        queue.execute("INSERT INTO call (target, queued, payload) VALUES ('store', 0, x'')")
    journal.append(b"whole")
    assert [call.payload for call in journal.oldest(9, 9)] == [b"whole"]
    journal.close()


def test_a_folder_that_is_removed_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "outbox"
    with OutboxStore(NOBODY, folder) as store:
        store.insert([quad(1)])
        for file in folder.iterdir():
            file.unlink()
        store.insert([quad(2)])
        until(lambda: store.pending() == 1, "the second insert in a new queue")


def test_what_waits_for_another_store_is_not_sent_to_this_one(tmp_path: Path) -> None:
    with OutboxStore(NOBODY, tmp_path) as store:
        store.insert([quad(1)])
    with OutboxStore(open_store("memory:"), tmp_path) as store:
        store.insert([quad(2)])
        store.flush()
        assert set(store.quads()) == {quad(2)}
    (left,) = outbox_status(tmp_path).targets
    assert (left.store, left.pending) == (NOBODY.name, 1)
    assert left.size > 0
    assert left.oldest is not None
    assert left.trouble is not None
    assert left.trouble_since is not None


def test_one_outbox_sends_and_the_other_one_knows_why_it_does_not(tmp_path: Path) -> None:
    with OutboxStore(NOBODY, tmp_path) as sending:
        sending.insert([quad(1)])
        until(lambda: outbox_status(tmp_path).targets[0].trouble, "the trouble")
        with OutboxStore(NOBODY, tmp_path, linger=600) as waiting:
            waiting.insert([quad(2)])
            with pytest.raises(StorePendingError, match=r"2 inserts not delivered yet \(no answer"):
                waiting.flush(1)


def test_the_right_to_send_cannot_be_taken_for_a_while(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with OutboxStore(open_store("memory:"), tmp_path, longest_pause=0.1) as store:
        store.insert([quad(1)])
        store.flush()
        lock = barred(tmp_path)
        store.insert([quad(2)])
        with pytest.raises(StorePendingError, match="Is a directory"):
            store.flush(0.5)
        lock.rmdir()
        store.flush(60)
        assert set(store.quads()) == {quad(1), quad(2)}
    assert "sending failed unexpectedly; it is tried again" in caplog.text
