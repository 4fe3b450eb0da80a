"""A run with a name is looked up first, and a store that hangs holds up nobody for long."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from outbox_cases import PATIENCE
from pyoxigraph import Quad

from trustgraph_prov import OutboxStore, ProvWarning, Recorder, RunExistsError, open_store
from trustgraph_prov.recorder import look_up
from trustgraph_prov.recorder.look_up import Names
from trustgraph_prov.stores import QueryResult

SECONDS = 0.5


class Stuck:
    """A store that takes nothing until it is over."""

    name = "http://stuck/ds"
    read_only = False

    def __init__(self) -> None:
        self.over = threading.Event()
        self._store = open_store("memory:")

    def insert(self, quads: Iterable[Quad]) -> None:
        self.over.wait(PATIENCE)
        self._store.insert(quads)

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        return self._store.query(query)

    def flush(self) -> None:
        self._store.flush()

    def close(self) -> None:
        self._store.close()


@pytest.fixture
def stuck() -> Stuck:
    return Stuck()


@pytest.fixture
def outbox(stuck: Stuck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OutboxStore]:
    monkeypatch.setattr(look_up, "LOOK_UP", SECONDS)
    remote: Any = stuck
    with OutboxStore(remote, tmp_path, linger=0, wait=None) as store:
        try:
            yield store
        finally:
            stuck.over.set()


@pytest.mark.filterwarnings("ignore::trustgraph_prov.ProvWarning")
def test_threads_wait_side_by_side_for_a_store_that_hangs(
    outbox: OutboxStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder(outbox)
    recorder.agent("Why?", user="ana")  # waits in the queue, and every look-up behind it
    all_ask = threading.Barrier(8)
    query = outbox.query

    def ask(text: str, *, timeout: float | None = None) -> QueryResult:
        all_ask.wait(PATIENCE)
        return query(text, timeout=timeout)

    monkeypatch.setattr(outbox, "query", ask)
    threads = [
        threading.Thread(target=lambda name=f"s-{n}": recorder.agent("Why?", session_id=name))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not all_ask.broken
    assert outbox.pending() == 9


def test_a_look_up_without_an_answer_in_time_is_not_repeated_for_a_moment(
    outbox: OutboxStore, stuck: Stuck, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder(outbox)
    recorder.agent("Why?")
    with pytest.warns(ProvWarning, match="session-0 is recorded as a new run"):
        recorder.agent("Why?", session_id="session-0")
    monkeypatch.setattr(look_up, "LOOK_UP", PATIENCE)
    for number in range(1, 4):
        with pytest.warns(ProvWarning, match="cannot be looked up now: .*not delivered yet"):
            recorder.agent("Why?", session_id=f"session-{number}")
    monkeypatch.setattr(time, "monotonic", lambda now=time.monotonic: now() + look_up.PAUSE)
    stuck.over.set()
    with pytest.raises(RunExistsError):
        recorder.agent("Why?", session_id="session-3")


def test_of_two_threads_with_one_name_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store("memory:")
    recorder = Recorder(store)
    outcomes: list[str] = []
    asked = threading.Semaphore(0)
    answer = threading.Event()
    query = store.query

    def held(text: str, *, timeout: float | None = None) -> QueryResult:
        found = query(text, timeout=timeout)
        asked.release()
        answer.wait(PATIENCE)
        return found

    monkeypatch.setattr(store, "query", held)

    def ask() -> None:
        try:
            outcomes.append(recorder.agent("Why?", session_id="7").uri)
        except RunExistsError:
            outcomes.append("refused")

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert asked.acquire(timeout=PATIENCE)
    assert not asked.acquire(timeout=SECONDS)  # the other waits for its name first
    answer.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(outcomes) == ["refused", "urn:trustgraph:agent:7"]


def test_a_name_is_let_go_and_may_be_claimed_again_within() -> None:
    names = Names()
    with names.claim("a"), names.claim("b"), names.claim("a"):
        assert set(names._claims) == {"a", "b"}
    assert not names._claims
    with pytest.raises(KeyError), names.claim("a"):
        raise KeyError
    assert not names._claims


def test_a_child_of_a_fork_claims_what_a_thread_of_its_parent_holds() -> None:
    """That thread is not in the child, so nothing there would ever let go of the name."""
    names, held, done = Names(), threading.Event(), threading.Event()

    def hold() -> None:
        with names.claim("urn:a"):
            held.set()
            done.wait(PATIENCE)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(PATIENCE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 and later: of threads
        child = os.fork()
    if not child:
        signal.alarm(int(PATIENCE))
        with names.claim("urn:a"):
            os._exit(7)
    _, status = os.waitpid(child, 0)
    done.set()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 7
