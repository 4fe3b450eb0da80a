"""One folder and several processes: forks, kills, and readers beside a writer."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from narrowing import rows
from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov.errors import StoreError
from trustgraph_prov.stores import Store, open_store

P, G = NamedNode("urn:p"), NamedNode("urn:g")
OPENS, READERS = 500, 4
MEMORY = Path("/dev/shm")  # noqa: S108 - only used where it is

WRITE = """
import sys
from pyoxigraph import Literal, NamedNode, Quad
from trustgraph_prov.stores import open_store

P, G = NamedNode("urn:p"), NamedNode("urn:g")
store = open_store(sys.argv[1])
size, flush_every, n = int(sys.argv[2]), int(sys.argv[3]), 0
while True:
    store.insert(
        [Quad(NamedNode(f"urn:batch:{n}"), P, Literal(f"{n} {k}"), G) for k in range(size)]
    )
    print(n, flush=True)
    n += 1
    if n % flush_every == 0:
        store.flush()
"""

FORK = """
import os, sys
from pyoxigraph import Literal, NamedNode, Quad
from trustgraph_prov.stores import open_store

P, G = NamedNode("urn:p"), NamedNode("urn:g")

def write(first, last):
    for n in range(first, last):
        store.insert([Quad(NamedNode(f"urn:batch:{n}"), P, Literal(str(k)), G) for k in range(8)])

store = open_store(sys.argv[1])
write(0, 500)
iterator = store.quads()
next(iterator)
if os.fork() == 0:
    for use in (lambda: write(9000, 9001), lambda: store.query("ASK {}"), store.flush, store.quads,
                store.reopen, lambda: store.update("CLEAR ALL")):
        try:
            use()
        except Exception as error:
            print(type(error).__name__, error, flush=True)
    store.close()
    del store, iterator
    sys.exit(7)
print("child exit", os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
write(500, 1000)
print("acknowledged 1000", flush=True)
sys.stdin.read()
"""


def batches(store: Store) -> dict[int, int]:
    counted = "SELECT ?s (COUNT(*) AS ?n) { GRAPH <urn:g> { ?s <urn:p> ?o } } GROUP BY ?s"
    found = rows(store.query(counted))
    return {int(row["s"].value.rpartition(":")[2]): int(row["n"].value) for row in found}


@contextmanager
def writer(folder: Path, size: int, flush_every: int) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-c", WRITE, folder, str(size), str(flush_every)], stdout=subprocess.PIPE
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_killed_writer_keeps_every_insert_that_returned(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    acknowledged = -1
    for _ in range(3):
        with writer(folder, 38, 100) as process:
            assert process.stdout is not None
            end = time.monotonic() + 0.7
            lines: list[bytes] = []
            while time.monotonic() < end or not lines:
                lines.append(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
            lines.extend(process.stdout.readlines())
        acknowledged = max(acknowledged, int(lines[-1]))
        with open_store(folder) as store:
            found = batches(store)
        assert set(found.values()) == {38}, "a batch is there in part"
        assert set(range(acknowledged + 1)) <= set(found)
    assert acknowledged > 0


def test_forked_child_is_refused_and_parent_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with subprocess.Popen(
        # From 3.12 on, Python warns of a fork beside threads, and the engine has some.
        [sys.executable, "-W", "ignore::DeprecationWarning:__main__", "-c", FORK, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith("acknowledged"):
            line = process.stdout.readline()
            assert line, process.stderr.read()
            lines.append(line.strip())
        process.send_signal(signal.SIGKILL)
        errors = process.stderr.read()
    refusal = f"StoreError {folder}: was opened by process {process.pid} and this is its child"
    assert len(lines) == 8
    assert all(line.startswith(refusal) for line in lines[:6]), lines
    assert lines[6] == "child exit 7", errors
    assert errors == ""
    with open_store(folder) as store:
        assert batches(store) == dict.fromkeys(range(1000), 8)


def test_forked_child_that_just_exits_harms_nothing(tmp_path: Path) -> None:
    """A process pool forks, and its children end without having touched the store."""
    folder = tmp_path / "store"
    with open_store(folder) as store:
        store.insert(Quad(NamedNode(f"urn:batch:{n}"), P, Literal("x"), G) for n in range(100))
        context = multiprocessing.get_context("fork")
        with context.Pool(2) as pool:
            assert pool.map(abs, [-1, -2]) == [1, 2]
        store.insert([Quad(NamedNode("urn:batch:100"), P, Literal("x"), G)])
    with open_store(folder) as store:
        assert set(batches(store)) == set(range(101))


def test_forked_child_reads_through_a_store_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with open_store(folder) as store:
        store.insert([Quad(NamedNode("urn:batch:0"), P, Literal("x"), G)])
        child = os.fork()
        if child == 0:
            try:
                with open_store(folder, read_only=True) as own:
                    found = len(batches(own))
                os._exit(found)
            finally:
                os._exit(99)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def test_forked_child_cannot_open_what_its_parent_writes(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with open_store(folder):
        child = os.fork()
        if child == 0:
            try:
                open_store(folder)
            except StoreError as error:
                os._exit(1 if "or the one it was forked from" in str(error) else 2)
            finally:
                os._exit(99)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Path]:
    """A folder that another process writes to, flushing each 500 batches."""
    folder = tmp_path / "live"
    with writer(folder, 2, 500) as process:
        assert process.stdout is not None
        process.stdout.readline()
        drain = threading.Thread(target=process.stdout.read)
        drain.start()
        try:
            yield folder
            assert process.poll() is None, "the writer ended, so nothing was tried"
        finally:
            process.kill()
            drain.join()


def test_opens_beside_a_live_writer_never_fail(live: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def finds_the_first_batch(number: int) -> bool:
        with open_store(live, read_only=True) as reader:
            return bool(reader.query("ASK { GRAPH <urn:g> { <urn:batch:0> <urn:p> ?o } }"))

    # Most of an open on a disk is the making of links, which are a reader's own.
    if os.access(MEMORY, os.W_OK):
        monkeypatch.setattr("tempfile.tempdir", str(MEMORY))
    with ThreadPoolExecutor(READERS) as pool:
        assert list(pool.map(finds_the_first_batch, range(OPENS))) == [True] * OPENS


def test_reading_a_stale_snapshot_never_fails(live: Path) -> None:
    """The files of a snapshot go away while it is read; what is read is whole batches."""
    with open_store(live, read_only=True) as reader:
        last = 0
        for _ in range(15):
            found = batches(reader)
            assert set(found.values()) == {2}
            assert set(found) == set(range(len(found)))
            assert len(list(reader.quads("urn:g"))) >= 2 * len(found)
            assert len(found) >= last
            last = len(found)


def test_question_to_a_stale_snapshot_ends(tmp_path: Path) -> None:
    """An ASK that met a table deleted since the open went round in circles for ever."""
    folder = tmp_path / "store"
    with open_store(folder) as store:
        for n in range(40):
            store.insert([Quad(NamedNode(f"urn:batch:{n}"), P, Literal("x"), G)])
            store.flush()
        with open_store(folder, read_only=True) as reader:
            for n in range(40, 80):
                store.insert([Quad(NamedNode(f"urn:batch:{n}"), P, Literal("x"), G)])
                store.flush()
            for n in range(80):
                asked = f"ASK {{ GRAPH <urn:g> {{ <urn:batch:{n}> <urn:p> ?o }} }}"
                assert bool(reader.query(asked, timeout=20)) == (n < 40)
            assert set(batches(reader)) == set(range(40))


def test_reader_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, temporary = tmp_path / "store", tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with open_store(folder) as store:
        store.insert([Quad(NamedNode("urn:batch:0"), P, Literal("x"), G)])
    before = sorted(folder.iterdir())
    for _ in range(3):
        with open_store(folder, read_only=True) as reader:
            quads = reader.quads()
            next(quads)
            reader.reopen()
            assert len(batches(reader)) == 1
    assert sorted(folder.iterdir()) == before
    assert list(temporary.iterdir()) == []


def test_reopen_shows_what_was_written_since(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with open_store(folder) as store, open_store(folder, read_only=True) as reader:
        for n in range(5):
            store.insert([Quad(NamedNode(f"urn:batch:{n}"), P, Literal("x"), G)])
            assert len(batches(reader)) == n
            reader.reopen()
            assert len(batches(reader)) == n + 1
