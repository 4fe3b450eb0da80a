"""What a store refuses for good is kept with the reason, and the rest arrives."""

from __future__ import annotations

import errno
import json
import logging
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pyoxigraph as ox
import pytest
from outbox_cases import PATIENCE, Endpoint, HttpStore, quad, until
from pyoxigraph import NamedNode, Quad, QuerySolutions

from trustgraph_prov.errors import InvalidTermError, StoreError, StorePendingError
from trustgraph_prov.n_quads import decode, encode
from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.outbox.faults import QUEUE_FILE, DiskFullError
from trustgraph_prov.outbox.files import write_whole
from trustgraph_prov.outbox.journal import Journal
from trustgraph_prov.outbox.refusals import PROBE
from trustgraph_prov.stores import Store, open_store

POISON = "p0ison"


def letters(folder: Path) -> tuple[set[Quad], list[dict[str, object]]]:
    """The statements and the lines in the dead-letter folder."""
    files = sorted((folder / "dead-letters").iterdir())
    quads = {one for file in files if file.suffix == ".nq" for one in ox.parse(path=str(file))}
    texts = [file.read_text() for file in files if file.suffix == ".jsonl"]
    return quads, [json.loads(line) for text in texts for line in text.splitlines()]


def test_a_refused_statement_is_kept_and_does_not_block_the_rest(
    endpoint: Endpoint, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    endpoint.fail(mark=POISON)
    bad = [quad(33, POISON), quad(34, f"{POISON} again"), quad(90, POISON)]
    endpoint.kill()
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox") as store:
        for number in range(30):
            store.insert([quad(number)])
        store.insert([quad(30), quad(31), *bad[:2], quad(35)])  # one call, two bad statements
        store.insert(bad[2:])  # a call of its own
        store.insert([quad(99)])
        endpoint.start()
        store.flush(PATIENCE)
    good = {quad(number) for number in (*range(32), 35, 99)}
    assert endpoint.quads() == good
    quads, lines = letters(tmp_path / "outbox")
    assert quads == set(bad)
    assert [(line["statements"], line["reason"]) for line in lines] == [
        (2, f"{store.name}: 400: no such thing as {POISON}"),
        (1, f"{store.name}: 400: no such thing as {POISON}"),
    ]
    assert {line["store"] for line in lines} == {store.name}
    assert all(str(line["time"]).endswith("Z") for line in lines)
    assert [file.name for file in outbox_status(tmp_path / "outbox").refused] == [
        line["file"] for line in lines
    ]
    told = [each.getMessage() for each in caplog.records if each.levelno == logging.ERROR]
    assert len(told) == 2
    assert "2 statements refused for good, kept in" in told[0]


def test_only_the_refused_call_is_taken_apart(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.fail(mark=POISON)
    endpoint.kill()
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox") as store:
        for number in range(128):
            store.insert([quad(number, POISON if number == 77 else "")])
        endpoint.start()
        store.flush(PATIENCE)
    received = [one for _, one in endpoint.received() if one.subject != NamedNode(PROBE)]
    assert received == [quad(number) for number in range(128) if number != 77]
    assert endpoint.quads() == set(received)  # the probe that asked what else is taken is removed


def test_what_is_too_large_at_once_is_sent_in_parts(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.fail(largest=1_000)
    statements = {quad(number, "x" * 300 + str(number)) for number in range(40)}
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox") as store:
        store.insert(statements)
        store.insert([quad(99, "y" * 2_000)])
        store.flush(PATIENCE)
    assert endpoint.quads() == statements
    assert letters(tmp_path / "outbox")[0] == {quad(99, "y" * 2_000)}


def test_an_endpoint_that_dies_while_a_call_is_taken_apart_loses_nothing(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    sent = []

    class Dying(HttpStore):
        def insert(self, quads: Iterable[Quad]) -> None:
            sent.append(list(quads))
            if len(sent) == 4:
                endpoint.kill()
            super().insert(sent[-1])

    endpoint.fail(mark=POISON)
    with OutboxStore(Dying(endpoint.port), tmp_path / "outbox") as store:
        store.insert(quad(number, POISON if number == 5 else "") for number in range(16))
        until(lambda: len(sent) > 4, "a request after the death")
        endpoint.start()
        store.flush(PATIENCE)
    assert endpoint.quads() == {quad(number) for number in range(16) if number != 5}
    quads, lines = letters(tmp_path / "outbox")
    assert quads == {quad(5, POISON)}
    assert len(lines) == 1


def test_a_store_that_calls_the_data_invalid_refuses_for_good(tmp_path: Path) -> None:
    class Strict(HttpStore):
        def insert(self, quads: Iterable[Quad]) -> None:
            for one in quads:
                raise InvalidTermError(str(one.object), "not in this house")

    with OutboxStore(Strict(9), tmp_path / "outbox") as store:
        store.insert([quad(1)])
        store.flush(PATIENCE)
    assert "not in this house" in str(letters(tmp_path / "outbox")[1][0]["reason"])


def test_an_unexpected_error_is_tried_again_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tries = []

    def opener() -> Store:
        tries.append(1)
        if len(tries) < 3:
            raise ZeroDivisionError("a fault of the program")
        return open_store(tmp_path / "store")

    with OutboxStore(opener, tmp_path / "outbox", name="store") as store:
        store.insert([quad(1)])
        store.flush(PATIENCE)
        assert set(store.quads()) == {quad(1)}
    assert "a fault of the program" in caplog.text
    assert "sending failed unexpectedly; it is tried again" in caplog.text


def test_a_damaged_row_is_kept_as_it_is_and_does_not_block_the_rest(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "outbox", "memory:")
    journal.append(b"<urn:a> garbage")
    journal.close()
    with OutboxStore(open_store("memory:"), tmp_path / "outbox") as store:
        store.insert([quad(1)])
        store.flush(PATIENCE)
        assert set(store.quads()) == {quad(1)}
    (kept,) = outbox_status(tmp_path / "outbox").refused
    assert kept.read_bytes() == b"<urn:a> garbage"
    assert letters(tmp_path / "outbox")[1][0]["file"] == kept.name


@pytest.mark.parametrize("error", [MemoryError("no more"), ValueError("odd"), RuntimeError()])
def test_a_call_that_cannot_be_read_for_any_reason_is_kept_and_does_not_block_the_rest(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text over 16 MiB ended in a MemoryError, again and again, and nothing was sent any more."""

    def decode_or_fail(payload: bytes) -> Iterator[Quad]:
        if b"step 1" in payload:
            raise error
        return decode(payload)

    monkeypatch.setattr("trustgraph_prov.outbox.sender.decode", decode_or_fail)
    with OutboxStore(open_store("memory:"), tmp_path / "outbox") as store:
        store.insert([quad(1)])
        store.insert([quad(2)])
        store.flush(PATIENCE)
        assert set(store.quads()) == {quad(2)}
    (kept,) = outbox_status(tmp_path / "outbox").refused
    assert kept.read_bytes() == encode([quad(1)])
    assert letters(tmp_path / "outbox")[1][0]["reason"] == (str(error) or "RuntimeError")


def test_a_text_over_16_mib_is_delivered(tmp_path: Path) -> None:
    long = "a word and \n" * 1_500_000
    with OutboxStore(open_store("memory:"), tmp_path / "outbox") as store:
        store.insert([quad(1, long), quad(2)])
        store.insert([quad(3)])
        store.flush(PATIENCE)
        assert set(store.quads()) == {quad(1, long), quad(2), quad(3)}
        rows = store.query("SELECT ?o { GRAPH ?g { <urn:step:0:1> ?p ?o } }")
        assert isinstance(rows, QuerySolutions)
        assert [row[0].value for row in rows] == [long]
    assert not outbox_status(tmp_path / "outbox").refused


def test_a_row_that_has_changed_its_type_does_not_block_the_rest(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "outbox", "memory:")
    journal.append(b"?")
    journal.close()
    with closing(sqlite3.connect(tmp_path / "outbox" / QUEUE_FILE)) as queue, queue:
        queue.execute("UPDATE call SET payload = CAST(x'fffe' AS TEXT), queued = 'when?'")
    with OutboxStore(open_store("memory:"), tmp_path / "outbox") as store:
        store.insert([quad(1)])
        store.flush(PATIENCE)
        assert set(store.quads()) == {quad(1)}
    (kept,) = outbox_status(tmp_path / "outbox").refused
    assert kept.read_bytes() == b"\xff\xfe"
    assert kept.name.startswith("19700101T000000Z")


def test_what_another_store_refuses_in_the_same_folder_is_not_counted(tmp_path: Path) -> None:
    """`tg-prov record` ended with 1 for it."""

    class Strict(HttpStore):
        def insert(self, quads: Iterable[Quad]) -> None:
            raise InvalidTermError("x", "not in this house")

    strict, kind = Strict(9), open_store("memory:")
    with OutboxStore(strict, tmp_path) as refusing, OutboxStore(kind, tmp_path) as taking:
        refusing.insert([quad(1)])
        refusing.flush(PATIENCE)
        (letter,) = refusing.refused()
        assert taking.refused() == ()
        assert outbox_status(tmp_path).refused == (letter,)
        for line in ('["no object"]', "{}", "no JSON", ""):  # whose it is nobody can tell
            letter.with_suffix(".jsonl").write_text(line)
            assert taking.refused() == refusing.refused() == (letter,)
        letter.with_suffix(".jsonl").unlink()
        assert taking.refused() == refusing.refused() == (letter,)


def test_dead_letters_can_be_imported_once_the_reason_is_gone(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.fail(mark=POISON)
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox") as store:
        store.insert([quad(1, POISON)])
        store.flush(PATIENCE)
        endpoint.fail()
        (letter,) = outbox_status(tmp_path / "outbox").refused
        store.insert(ox.parse(path=str(letter)))
        store.flush(PATIENCE)
    assert endpoint.quads() == {quad(1, POISON)}


def test_a_dead_letter_that_cannot_be_written_keeps_the_call_in_the_queue(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.fail(mark=POISON)
    outbox = tmp_path / "outbox"
    outbox.mkdir()
    (outbox / "dead-letters").write_text("a file where the folder should be")
    with OutboxStore(HttpStore(endpoint.port), outbox) as store:
        store.insert([quad(1, POISON)])
        with pytest.raises(StoreError, match=r"1 insert not delivered yet \(.*cannot write"):
            store.flush(1)
        (outbox / "dead-letters").unlink()
        store.flush(PATIENCE)
    assert letters(outbox)[0] == {quad(1, POISON)}


@pytest.mark.parametrize("payload", [b"<urn:a> garbage", encode([quad(1, POISON)])])
def test_a_full_disk_keeps_a_refused_call_in_the_queue_and_says_no_more(
    payload: bytes, endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sender meets it, and nobody waits who could record the call again."""

    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    endpoint.fail(mark=POISON)
    monkeypatch.setattr("trustgraph_prov.stores.drafts.os.fsync", full)
    target = HttpStore(endpoint.port)
    journal = Journal(tmp_path / "outbox", target.name)
    journal.append(payload)
    journal.close()
    letters = tmp_path / "outbox" / "dead-letters"
    with OutboxStore(target, tmp_path / "outbox", longest_pause=0.1) as store:
        until(lambda: outbox_status(tmp_path / "outbox").targets[0].trouble, "the trouble")
        with pytest.raises(StorePendingError) as caught:
            store.flush(0.1)
        assert re.search(
            rf"not delivered yet \(the disk of {letters} is full \(.+ MB free\); make space\); "
            "what waits is kept in",
            str(caught.value),
        )
        assert list(letters.iterdir()) == []
        monkeypatch.undo()
        store.flush(PATIENCE)
    assert len(list(letters.iterdir())) == 2


def test_a_full_disk_queues_nothing_of_a_call_whose_text_is_kept_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("trustgraph_prov.stores.drafts.os.fsync", full)
    with OutboxStore(open_store("memory:"), tmp_path / "outbox", max_text_bytes=64) as store:
        with pytest.raises(StoreError, match="make space and record it again: nothing of this"):
            store.insert([quad(1, "0123456789" * 7)])
        assert store.pending() == 0


def test_a_full_disk_is_known_by_its_number_in_any_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, "Auf dem Gerät ist kein Speicherplatz mehr verfügbar")

    monkeypatch.setattr("trustgraph_prov.stores.drafts.os.fsync", full)
    with pytest.raises(DiskFullError, match=rf"the disk of {tmp_path} is full \(.*; make space$"):
        write_whole("store", tmp_path / "letter.nq", b"")
