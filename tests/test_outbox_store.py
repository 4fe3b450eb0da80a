"""What is recorded into an outbox arrives, whatever the store at the other end does."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from narrowing import rows
from outbox_cases import PATIENCE, Child, Endpoint, HttpStore, quad, until
from pyoxigraph import BlankNode, NamedNode, Quad
from sparql_cases import Handler, Seen, impatient, server

from trustgraph_prov import (
    ProvWarning,
    Recorder,
    RunExistsError,
    StoreError,
    list_traces,
    trace,
)
from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.stores import QueryResult, open_store
from trustgraph_prov.stores.base import Queue

STEPS = range(300)


def opened(endpoint: Endpoint, folder: Path, **settings: Any) -> OutboxStore:
    return OutboxStore(HttpStore(endpoint.port), folder / "outbox", **settings)


def test_inserts_arrive_in_order_and_once_when_all_is_well(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    with opened(endpoint, tmp_path) as store:
        for number in STEPS:
            store.insert([quad(number)])
        store.flush(PATIENCE)
        assert store.pending() == 0
    assert [received for _, received in endpoint.received()] == [quad(n) for n in STEPS]


def test_reading_sees_what_was_inserted_before(endpoint: Endpoint, tmp_path: Path) -> None:
    with opened(endpoint, tmp_path) as store:
        for number in range(50):
            store.insert([quad(number)])
            assert len(rows(store.query("SELECT * { GRAPH ?g { ?s ?p ?o } }"))) == number + 1
        assert set(store.quads()) == {quad(n) for n in range(50)}


def test_an_update_runs_after_the_inserts_before_it(endpoint: Endpoint, tmp_path: Path) -> None:
    with opened(endpoint, tmp_path) as store:
        store.insert(quad(number) for number in STEPS)
        store.update("CLEAR ALL")
        store.insert([quad(7)])
        store.flush(PATIENCE)
    assert endpoint.quads() == {quad(7)}


def test_stale_reads_do_not_wait(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.fail(status=503)
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox", stale_reads=True) as store:
        store.insert([quad(1)])
        assert not bool(store.query("ASK { GRAPH ?g { ?s ?p ?o } }"))
        assert list(store.quads()) == []


def test_an_endpoint_that_is_down_at_start_gets_all_when_it_comes(tmp_path: Path) -> None:
    endpoint = Endpoint(tmp_path / "server").start()
    endpoint.kill()
    with opened(endpoint, tmp_path) as store:
        for number in STEPS:
            store.insert([quad(number)])
        assert store.pending() == len(STEPS)
        endpoint.start()
        until(lambda: store.pending() == 0, "delivery, without anybody asking for it")
    assert endpoint.quads() == {quad(n) for n in STEPS}
    endpoint.kill()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_an_endpoint_that_dies_in_the_middle_of_a_request_gets_it_again(
    moment: str, endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.fail(die=moment)
    with opened(endpoint, tmp_path) as store:
        store.insert([quad(1), quad(2)])
        endpoint.await_death()
        store.insert([quad(3)])
        endpoint.fail()
        endpoint.start()
        store.flush(PATIENCE)
    assert endpoint.quads() == {quad(1), quad(2), quad(3)}
    sent = [received for _, received in endpoint.received()]
    assert sent.count(quad(1)) == (2 if moment == "after" else 1)


def test_an_endpoint_that_goes_and_comes_back_again_and_again(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    with opened(endpoint, tmp_path) as store:
        for number in STEPS:
            if number % 75 == 20:
                endpoint.kill()
            if number % 75 == 60:
                endpoint.start()
            store.insert([quad(number)])
        store.flush(PATIENCE)
    assert endpoint.quads() == {quad(n) for n in STEPS}


def test_503_ten_times_and_then_fine(endpoint: Endpoint, tmp_path: Path) -> None:
    tries = []

    class Busy(HttpStore):
        def insert(self, quads: Iterable[Quad]) -> None:
            tries.append(1)
            if len(tries) == 10:
                endpoint.fail()
            super().insert(quads)

    endpoint.fail(status=503)
    with OutboxStore(Busy(endpoint.port), tmp_path / "outbox", longest_pause=0.2) as store:
        store.insert([quad(1)])
        store.flush(PATIENCE)
    assert endpoint.quads() == {quad(1)}
    assert len(tries) == 10


def test_a_run_is_recorded_listed_and_explained_through_an_outbox(tmp_path: Path) -> None:
    with OutboxStore(open_store(tmp_path / "store"), tmp_path / "outbox") as store:
        with Recorder(store).agent("What is the capital of France?", session_id="7") as run:
            run.analysis("Look it up.", "knowledge-query", {"question": "capital"}, "Paris")
            run.conclusion("Paris")
        assert [found.uri for found in list_traces(store).traces] == [run.uri]
        assert trace(store, run.uri).status == "finished"
        store.reopen()


def test_a_run_with_a_name_is_recorded_while_the_endpoint_is_down(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.kill()
    with opened(endpoint, tmp_path, wait=10 * PATIENCE) as store:
        for queued in (0, 2):
            assert store.pending() == queued
            with pytest.warns(ProvWarning, match=r"is recorded as a new run, although .*no answer"):
                run = Recorder(store).agent("Where?", session_id=f"session-{queued}")
            run.conclusion("Here.")
        with pytest.raises(StoreError, match="no answer"):  # where it stands cannot be guessed
            Recorder(store).agent("Where?", session_id="session-2", resume=True)
        endpoint.start()
        store.flush(PATIENCE)
        assert len(list_traces(store).traces) == 2
        with pytest.raises(RunExistsError):
            Recorder(store).agent("Where?", session_id="session-2")


def test_a_run_with_a_name_is_recorded_at_once_while_the_store_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each such run waited for as long as a request may take."""
    monkeypatch.setattr("trustgraph_prov.recorder.look_up.LOOK_UP", 0.3)
    over, answered = threading.Event(), []

    def hanging(handler: Handler, seen: Seen) -> None:
        over.wait(PATIENCE)
        answered.append(seen)
        handler.close_connection = True

    with server(hanging) as running:
        remote = impatient(running.url, timeout=2 * PATIENCE)
        store = OutboxStore(remote, tmp_path / "outbox", linger=0, wait=None)
        for number in range(3):
            with pytest.warns(ProvWarning, match="is recorded as a new run, although"):
                run = Recorder(store).agent("Where?", session_id=f"session-{number}")
            run.conclusion("Here.")
        assert running.seen  # what the first run asked
        assert not answered
        assert store.pending() == 6
        over.set()
        store.close()


def test_a_run_with_a_name_is_not_looked_up_while_the_store_is_known_to_be_away(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    asked = []

    class Remote(HttpStore):
        def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
            asked.append(timeout)
            return super().query(query, timeout=timeout)

    endpoint.kill()
    with OutboxStore(Remote(endpoint.port), tmp_path / "outbox") as store:
        store.insert([quad(1)])
        until(store.trouble, "the trouble")
        with pytest.warns(ProvWarning, match="is recorded as a new run, although .*no answer"):
            Recorder(store).agent("Where?", session_id="7")
        assert not asked
        endpoint.start()
        store.flush(PATIENCE)
        assert store.trouble() is None
        with pytest.raises(RunExistsError):
            Recorder(store).agent("Where?", session_id="7")
        (timeout,) = asked
        assert timeout is not None
        assert 0 < timeout <= 2


def test_what_a_process_leaves_is_sent_by_the_next(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.kill()
    with opened(endpoint, tmp_path) as store:
        store.insert([quad(1)])
    endpoint.start()
    with opened(endpoint, tmp_path) as store:
        until(lambda: store.pending() == 0, "delivery by the next process")
    assert endpoint.quads() == {quad(1)}


def test_a_script_that_never_closes_delivers_at_its_end(endpoint: Endpoint, tmp_path: Path) -> None:
    script = Child(
        "-c",
        "import sys; from outbox_cases import *; from trustgraph_prov.outbox import OutboxStore\n"
        "store = OutboxStore(HttpStore(int(sys.argv[1])), sys.argv[2])\n"
        "for number in range(100): store.insert([quad(number)])",
        endpoint.port,
        tmp_path / "outbox",
    )
    assert script.end() == (0, [])
    assert endpoint.quads() == {quad(n) for n in range(100)}


def test_closing_does_not_wait_for_a_store_that_is_away(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.kill()
    store = opened(endpoint, tmp_path, linger=10 * PATIENCE)
    store.insert([quad(1)])
    store.close()
    store.close()
    assert outbox_status(tmp_path / "outbox").pending == 1


def test_a_store_is_opened_when_it_can_be(tmp_path: Path) -> None:
    with open_store(tmp_path / "store"):  # it has the folder open for writing
        outbox = OutboxStore(
            lambda: open_store(tmp_path / "store"), tmp_path / "outbox", name="my store"
        )
        outbox.insert([quad(1)])
        until(lambda: any(at.trouble for at in outbox_status(outbox.folder).targets), "the trouble")
    with outbox:
        outbox.flush(PATIENCE)
        assert set(outbox.quads()) == {quad(1)}
    assert outbox.name == "my store"
    assert repr(outbox) == f"OutboxStore('my store', {str(tmp_path / 'outbox')!r})"


def test_stores_that_share_a_folder_get_their_own(tmp_path: Path) -> None:
    for number in (1, 2):
        name = tmp_path / f"store-{number}"
        with OutboxStore(open_store(name), tmp_path / "outbox") as store:
            store.insert([quad(number)])
            store.flush(PATIENCE)
            assert set(store.quads()) == {quad(number)}


def test_an_empty_insert_queues_nothing(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.kill()
    with opened(endpoint, tmp_path) as store:
        store.insert([])
        assert store.pending() == 0


def test_repeats_change_nothing(endpoint: Endpoint, tmp_path: Path) -> None:
    with opened(endpoint, tmp_path) as store:
        for _ in range(3):
            store.insert([quad(1), quad(1), quad(2)])
        store.flush(PATIENCE)
    assert sorted(str(found.subject) for found in endpoint.quads()) == [
        str(NamedNode("urn:step:0:1")),
        str(NamedNode("urn:step:0:2")),
    ]


def test_a_blank_node_sent_twice_is_one(tmp_path: Path) -> None:
    blank = Quad(BlankNode("b1"), NamedNode("urn:says"), BlankNode("b2"))
    with OutboxStore(open_store("memory:"), tmp_path / "outbox") as store:
        store.insert([blank])
        store.flush(PATIENCE)
        store.insert([blank])
        assert list(store.quads()) == [blank]


@pytest.mark.parametrize(("fsync", "level"), [(True, 2), (False, 1)])
def test_fsync_is_an_argument(fsync: bool, level: int, tmp_path: Path) -> None:
    with OutboxStore(open_store("memory:"), tmp_path / "outbox", fsync=fsync) as store:
        for number in (1, 2):  # and the same after rows were taken out
            store.insert([quad(number)])
            store.flush(PATIENCE)
            with store._journal._using() as queue:
                assert queue.execute("PRAGMA synchronous").fetchone() == (level,)
                assert queue.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_outbox_is_a_queue_and_a_store_and_a_plain_store_is_no_queue(tmp_path: Path) -> None:
    with OutboxStore(open_store("memory:"), tmp_path) as store:
        assert isinstance(store, Queue)
    assert not isinstance(open_store("memory:"), Queue)
