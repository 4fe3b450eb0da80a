"""A dataset in a file with more than one process, and processes that die."""

from __future__ import annotations

import errno
import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest
from narrowing import value
from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from trustgraph_prov.errors import StoreBusyError, StoreError
from trustgraph_prov.stores import open_store
from trustgraph_prov.stores.lease import Lease
from trustgraph_prov.stores.rdflib_file_journal import FileJournal

P, G = NamedNode("urn:p"), NamedNode("urn:g")
TAKE_AWAY = (
    "DELETE { GRAPH ?g { ?s ?p '1' } } INSERT { ?s ?p '3' } WHERE { GRAPH ?g { ?s ?p '1' } }"
)

WRITE = """
import sys
from pyoxigraph import Literal, NamedNode, Quad
from trustgraph_prov.stores import open_store

store = open_store(sys.argv[1])
for text in ("1", "2"):
    store.insert([Quad(NamedNode("urn:a"), NamedNode("urn:p"), Literal(text), NamedNode("urn:g"))])
if len(sys.argv) > 2:
    store.update(sys.argv[2])
print("done", flush=True)
sys.stdin.read()
"""


def quad(text: str) -> Quad:
    return Quad(NamedNode("urn:a"), P, Literal(text), G)


def writer(name: str, *update: str) -> subprocess.Popen[str]:
    """A process that has written and still has the store open."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE, name, *update],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "done\n"
    return process


def kill(process: subprocess.Popen[str], number: int = signal.SIGKILL) -> None:
    with process:
        process.send_signal(number)


def read(name: str) -> set[str]:
    with open_store(name, read_only=True) as store:
        return {value(one.object) for one in store.quads()}


def test_second_writer_is_refused_and_the_first_loses_nothing(
    dataset_name: str, dataset: Path
) -> None:
    process = writer(dataset_name)
    refusal = (
        rf"^{dataset_name}: another process, .* open for writing; wait for it or stop it \(reading"
    )
    with pytest.raises(StoreBusyError, match=refusal):
        open_store(dataset_name)
    assert read(dataset_name) == {"1", "2"}
    process.communicate("")
    assert process.returncode == 0
    with open_store(dataset_name) as store:
        store.insert([quad("3")])
        with pytest.raises(StoreBusyError, match="another store of this one"):
            open_store(dataset_name)
    assert read(dataset_name) == {"1", "2", "3"}
    assert [one.name for one in dataset.parent.iterdir()] == [dataset.name]


def test_two_names_of_one_file_have_one_writer(dataset_name: str, dataset: Path) -> None:
    dataset.write_text("")
    link = dataset.with_name(f"link{dataset.suffix}")
    link.symlink_to(dataset)
    with open_store(dataset_name), pytest.raises(StoreBusyError):
        open_store(f"rdflib:{link}")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_writer_keeps_every_call_that_returned(
    dataset_name: str, dataset: Path, journal: Path, number: int
) -> None:
    for _ in range(2):  # the second finds the journal of the first
        kill(writer(dataset_name, TAKE_AWAY), number)
        assert not dataset.exists()
        assert read(dataset_name) == {"2", "3"}
    with open_store(dataset_name) as store:
        assert {value(one.object) for one in store.quads()} == {"2", "3"}
        store.insert([quad("4")])
    assert {value(one.object) for one in ox.parse(path=str(dataset))} == {"2", "3", "4"}
    assert not journal.exists()


def test_call_that_was_cut_off_is_dropped_whole(dataset_name: str, journal: Path) -> None:
    kill(writer(dataset_name))
    whole = journal.read_bytes()
    kill(writer(dataset_name, TAKE_AWAY))
    longer = journal.read_bytes()
    assert longer.startswith(whole)
    for end in range(len(whole), len(longer)):
        journal.write_bytes(longer[:end])
        assert read(dataset_name) == {"1", "2"}
    with open_store(dataset_name) as store:
        store.insert([quad("4")])
        assert read(dataset_name) == {"1", "2", "4"}


def test_kill_between_the_file_and_its_journal_brings_nothing_back(
    dataset_name: str, dataset: Path, journal: Path
) -> None:
    with open_store(dataset_name) as store:
        store.insert([quad("1"), quad("2")])
        store.update(TAKE_AWAY)
        store.update("DELETE WHERE { GRAPH <urn:g> { ?s ?p '2' } }")
        before = journal.read_bytes()
        store.flush()
        assert journal.read_bytes() == b""
    journal.write_bytes(before)
    assert read(dataset_name) == {"3"}
    open_store(dataset_name).close()
    assert read(dataset_name) == {"3"}
    assert not journal.exists()


def test_texts_and_blank_nodes_come_back_from_the_journal(dataset_name: str) -> None:
    quads = {
        Quad(BlankNode("b1"), P, Literal("a\n#+\n\r\x01 '\"\\ \u2028"), BlankNode("g1")),
        Quad(BlankNode("b1"), P, Literal("#-", language="en")),
    }
    with open_store(dataset_name) as store:
        store.insert(quads)
        with open_store(dataset_name, read_only=True) as reader:
            assert set(reader.quads()) == quads


def test_store_that_is_dropped_unclosed_lets_go_and_keeps_its_calls(dataset_name: str) -> None:
    store = open_store(dataset_name)
    store.insert([quad("1")])
    del store
    gc.collect()
    with open_store(dataset_name) as again:
        assert list(again.quads()) == [quad("1")]


def test_forked_child_does_not_keep_the_lock(dataset_name: str) -> None:
    store = open_store(dataset_name)
    store.insert([quad("1")])
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writing)
        os.read(reading, 1)
        os._exit(0)
    try:
        store.close()
        with open_store(dataset_name) as again:
            again.insert([quad("2")])
    finally:
        os.close(writing)
        os.close(reading)
        os.waitpid(child, 0)
    assert read(dataset_name) == {"1", "2"}


def test_file_that_another_program_changed_is_not_overwritten(
    dataset_name: str, dataset: Path, journal: Path
) -> None:
    dataset.write_text('<urn:a> <urn:p> "old" .\n')
    store = open_store(dataset_name)
    store.insert([quad("1")])
    store.update("DELETE WHERE { ?s ?p 'old' }")
    theirs = '<urn:a> <urn:p> "theirs" .\n<urn:a> <urn:p> "old" .\n'
    dataset.write_text(theirs)
    for end in (store.flush, store.close):
        with pytest.raises(StoreError, match=f"another program changed .* is in {journal.name}"):
            end()
        assert dataset.read_text() == theirs
    assert read(dataset_name) == {"theirs", "1"}
    open_store(dataset_name).close()
    assert {value(one.object) for one in ox.parse(path=str(dataset))} == {"theirs", "1"}


def test_reopening_takes_in_what_another_program_wrote(dataset_name: str, dataset: Path) -> None:
    with open_store(dataset_name) as store:
        store.insert([quad("1")])
        dataset.write_text('<urn:a> <urn:p> "theirs" .\n')
        store.reopen()
        assert {value(one.object) for one in store.quads()} == {"theirs", "1"}
    assert read(dataset_name) == {"theirs", "1"}


def test_full_disk_takes_nothing_of_a_call_and_none_of_those_before(
    dataset_name: str, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(_: int, data: memoryview, at: int) -> int:
        if at > begun:
            raise OSError(errno.ENOSPC, "No space left on device")
        return pwrite(_, data[: len(data) // 2], at)

    pwrite, store = os.pwrite, open_store(dataset_name)
    store.insert([quad("1")])
    begun = dataset.with_name(f"{dataset.name}.journal").stat().st_size
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", half)
        with pytest.raises(StoreError, match=r"cannot be written \(.*No space left"):
            store.insert([quad("2")])
        with pytest.raises(StoreError, match="nothing of this call was"):
            store.update(TAKE_AWAY)
    assert list(store.quads()) == [quad("1")]
    assert read(dataset_name) == {"1"}
    store.insert([quad("3")])
    store.close()
    assert read(dataset_name) == {"1", "3"}


def test_close_that_cannot_write_the_file_keeps_the_journal(
    dataset_name: str, dataset: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    store = open_store(dataset_name)
    store.insert([quad("1")])
    with monkeypatch.context() as patch:
        patch.setattr(ox, "serialize", full)
        with pytest.raises(StoreError, match=rf"as it was; .* is in {journal.name} beside it"):
            store.close()
    assert [one.name for one in dataset.parent.iterdir()] == [journal.name]
    open_store(dataset_name).close()
    assert read(dataset_name) == {"1"}


def test_journal_that_was_removed_stops_writing_and_loses_nothing(
    dataset_name: str, journal: Path
) -> None:
    store = open_store(dataset_name)
    store.insert([quad("1")])
    journal.unlink()
    with pytest.raises(StoreError, match=f"{journal.name} beside it was removed, moved or replac"):
        store.insert([quad("2")])
    store.close()
    assert read(dataset_name) == {"1"}


def test_journal_that_is_another_process_s_now_is_left_to_it(
    dataset_name: str, journal: Path
) -> None:
    store = open_store(dataset_name)
    store.insert([quad("1")])
    journal.unlink()
    with open_store(dataset_name) as other:
        other.insert([quad("2")])
        with pytest.raises(StoreError, match="was removed, moved or replaced"):
            store.close()
    assert read(dataset_name) == {"2"}


def test_journal_is_as_private_as_its_file(dataset_name: str, dataset: Path, journal: Path) -> None:
    dataset.write_text("")
    dataset.chmod(0o600)
    with open_store(dataset_name) as store:
        store.insert([quad("1")])
        assert journal.stat().st_mode & 0o777 == 0o600


def test_call_that_changes_nothing_is_not_written(dataset_name: str, dataset: Path) -> None:
    dataset.write_text("# mine\n<urn:a> <urn:p> <urn:a> .\n")
    with open_store(dataset_name) as store:
        store.insert([Quad(NamedNode("urn:a"), P, NamedNode("urn:a"))])
        store.update("DELETE DATA { <urn:a> <urn:p> 'none' }")
    assert dataset.read_text().startswith("# mine\n")


def test_reader_never_sees_a_file_without_its_journal_or_the_other_way(
    dataset_name: str, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer puts the journal into the file just after a reader has opened that."""

    def text(self: FileJournal) -> bytes:
        if not flushed:
            flushed.append(True)
            store.flush()
        return whole(self)

    flushed, whole = list[bool](), FileJournal.text
    with open_store(dataset_name) as store:
        store.insert([quad("1")])
        store.flush()
        store.insert([quad("2")])
        monkeypatch.setattr(FileJournal, "text", text)
        assert read(dataset_name) == {"1", "2"}
        assert flushed


def test_lease_of_a_file_that_was_removed_is_no_lease(tmp_path: Path) -> None:
    mine, yours = Lease(tmp_path / "lock"), Lease(tmp_path / "lock")
    assert mine.acquire()
    mine.release(remove=True)
    assert not (tmp_path / "lock").exists()
    assert yours.acquire()
    assert yours.in_place()
    (tmp_path / "lock").unlink()
    assert not yours.in_place()
    with pytest.raises(ValueError, match="is not held"):
        _ = mine.descriptor


def test_file_that_is_gone_is_written_again(dataset_name: str, dataset: Path) -> None:
    dataset.write_text('<urn:a> <urn:p> "old" .\n')
    with open_store(dataset_name) as store:
        store.insert([quad("1")])
        dataset.unlink()
    assert read(dataset_name) == {"old", "1"}
