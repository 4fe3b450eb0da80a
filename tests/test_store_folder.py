"""The embedded store in a folder: memory, threads, reopening after a failure."""

from __future__ import annotations

import _thread
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from narrowing import rows
from pyoxigraph import Literal, NamedNode, Quad

from benchmarks.memory import QUADS, rss, run
from trustgraph_prov.errors import ProvError, StoreBusyError
from trustgraph_prov.stores import Store, interrupt, open_store, oxigraph
from trustgraph_prov.stores.oxigraph import OxigraphStore

PATIENCE = 60
"""Seconds after which what is waited for will not come."""

A, P, G = NamedNode("urn:a"), NamedNode("urn:p"), NamedNode("urn:g")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


def log_size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("*.log"))


def test_store_flushes_itself(folder: Path) -> None:
    with open_store(folder) as store:
        largest = 0
        for number in range(2 * oxigraph.FLUSH_AFTER // QUADS):
            store.insert(run(number))
            largest = max(largest, log_size(folder))
        assert len(list(folder.glob("*.sst"))) > 0
        assert log_size(folder) <= largest < 60_000_000


def test_store_flushes_itself_as_often_as_it_is_told(folder: Path) -> None:
    with oxigraph.OxigraphStore(folder, flush_after=QUADS) as store:
        store.insert(run(1))
        assert list(folder.glob("*.sst"))


def test_long_texts_count_for_the_flush(folder: Path) -> None:
    with open_store(folder) as store:
        for number in range(150):
            store.insert([Quad(A, P, Literal(f"{number} " + "x" * 1_000_000), G)])
        assert log_size(folder) < 75_000_000


def test_updates_count_for_the_flush(folder: Path) -> None:
    with open_store(folder) as store:
        for number in range(oxigraph.FLUSH_AFTER // oxigraph.UPDATE_WEIGHT):
            store.update(f"INSERT DATA {{ <urn:a> <urn:p> {number} }}")
        assert list(folder.glob("*.sst"))


def test_memory_stays_bounded_while_writing(folder: Path) -> None:
    """Without the flushes this grows by about 28 kB a run: 56 MB."""
    with open_store(folder) as store:
        for number in range(1000):
            store.insert(run(number))
        before = rss()
        for number in range(1000, 3000):
            store.insert(run(number))
        assert rss() - before < 40_000_000


def test_close_turns_the_log_into_tables(folder: Path) -> None:
    """So that whoever opens it next has nothing to replay."""
    with open_store(folder) as store:
        store.insert(run(1))
        before = len(list(folder.glob("*.sst")))
    assert len(list(folder.glob("*.sst"))) > before + 3


def test_threads_share_one_store(store: Store) -> None:
    errors: list[BaseException] = []
    found: list[int] = []

    def work(first: int) -> None:
        try:
            for number in range(first, first + 5):
                store.insert(run(number))
                result = store.query(
                    "SELECT ?s { GRAPH ?g { ?s ?p ?o . "
                    f"FILTER(STRSTARTS(STR(?s), 'urn:trustgraph:agent:{number}/')) }} }}"
                )
                found.append(len(rows(result)))
                sum(1 for _ in store.quads())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(first,)) for first in range(0, 20, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert found == [QUADS] * 20
    assert len(list(store.quads())) == 20 * QUADS


def test_store_closed_by_another_thread(store: Store) -> None:
    store.insert(run(1))
    quads = store.quads()
    next(quads)
    thread = threading.Thread(target=store.close)
    thread.start()
    thread.join()
    with pytest.raises(ProvError, match="was closed while its quads were being read"):
        list(quads)


@dataclass
class Pause:
    """Where the first answer that is read pauses, in its first part.

    Attributes:
        begun: the pause has begun.
        over: set to end it.
    """

    begun: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def pause(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pause]:
    made, write = Pause(), interrupt.Answer.write

    def slowly(answer: interrupt.Answer, part: bytes) -> int:
        made.begun.set()
        made.over.wait(PATIENCE)
        return write(answer, part)

    monkeypatch.setattr(interrupt.Answer, "write", slowly)
    yield made
    made.over.set()


def test_query_of_another_thread_ends_well_when_the_store_is_closed(
    folder: Path, pause: Pause
) -> None:
    store = open_store(folder)
    store.insert(run(1))
    counts: list[int] = []

    def ask() -> None:
        result = store.query("SELECT ?a { GRAPH ?g { ?a ?p ?o . ?b ?q ?r } }")
        counts.append(len(rows(result)))

    thread = threading.Thread(target=ask)
    thread.start()
    assert pause.begun.wait(PATIENCE)
    store.close()
    assert counts == []
    pause.over.set()
    thread.join()
    assert counts == [QUADS**2]
    open_store(folder).close()


def test_given_up_query_keeps_the_folder_and_the_message_says_so(
    folder: Path, pause: Pause, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(folder)
    store.insert(run(1))
    before = _thread._count()
    with monkeypatch.context() as patch:  # its time is over once it has begun
        patch.setattr(interrupt._Call, "wait", lambda *_: not pause.begun.wait(PATIENCE))
        with pytest.raises(ProvError, match="did not end within"):
            store.query("SELECT ?a { GRAPH ?g { ?a ?p ?o } }", timeout=1)
    store.close()
    with pytest.raises(StoreBusyError, match="a query that was given up still runs"):
        open_store(folder)
    pause.over.set()
    while _thread._count() > before:
        time.sleep(0.01)
    open_store(folder).close()


def test_names_of_a_store(folder: Path) -> None:
    with open_store(folder) as store, open_store(folder, read_only=True) as reader:
        assert store.name == reader.name == str(folder)
        assert repr(store) == f"OxigraphStore({str(folder)!r})"
        assert repr(reader) == f"OxigraphStore({str(folder)!r}, read_only=True)"


def test_relative_folder_survives_a_change_of_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with OxigraphStore("traces") as store:
        store.insert(run(1))
    reader = OxigraphStore("traces", read_only=True)
    monkeypatch.chdir("/")
    reader.reopen()
    assert len(list(reader.quads())) == QUADS
    reader.close()


@pytest.fixture
def raising() -> Iterator[Quad]:
    def source() -> Iterator[Quad]:
        yield from run(1)
        raise OSError("IO error: No space left on device: the caller's own disk")

    return source()


def test_error_of_the_callers_source_is_the_callers(store: Store, raising: Iterator[Quad]) -> None:
    """An OSError of the iterable is not taken for one of the store."""
    with pytest.raises(OSError, match="the caller's own disk"):
        store.insert(raising)
    store.insert(run(2))
    assert len(list(store.quads())) == QUADS
