"""What another service sends is kept while the store is away, and indexed when it is back."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from outbox_cases import PATIENCE, Endpoint, HttpStore, until
from sparql_cases import Handler, Seen, impatient, server

from trustgraph_prov import ProvWarning, index, list_traces, open_store, rows, trace
from trustgraph_prov.agent import StoreProducer
from trustgraph_prov.indexing import IndexReport
from trustgraph_prov.messages import Metadata, Triple, Triples
from trustgraph_prov.namespaces import (
    PROV_STARTED_AT_TIME,
    PROV_WAS_DERIVED_FROM,
    RDF_TYPE,
    TG_ANALYSIS,
    TG_ANSWER,
    TG_CONCLUSION,
    TG_QUERY,
    TGP_USER,
    TGP_WAITING_TEXT,
)
from trustgraph_prov.outbox import OutboxStore
from trustgraph_prov.recorder import look_up
from trustgraph_prov.text_places import waiting

RUN = "urn:trustgraph:agent:x"
ABOUT = Metadata(id=RUN, user="ana", collection="books")
QUESTION = {TG_QUERY: "Why?", PROV_STARTED_AT_TIME: "2026-03-02T08:15:00Z"}
STEP = {RDF_TYPE: TG_ANALYSIS, PROV_WAS_DERIVED_FROM: RUN}
FINAL = {RDF_TYPE: TG_CONCLUSION, TG_ANSWER: "Paris", PROV_WAS_DERIVED_FROM: f"{RUN}/i1"}


def sent(producer: StoreProducer, node: str, said: dict[str, str]) -> None:
    message = Triples(ABOUT, [Triple(node, property, value) for property, value in said.items()])
    asyncio.run(producer.send(message))


def test_messages_are_queued_while_the_store_is_away_and_indexed_when_it_is_back(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.kill()
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox", wait=PATIENCE) as store:
        producer = StoreProducer(store)
        with pytest.warns(ProvWarning, match=r"is queued, and indexed later, .*no answer"):
            sent(producer, RUN, QUESTION)
        sent(producer, f"{RUN}/i1", STEP)  # which warns of nothing more
        assert store.pending() == 2
        endpoint.start()
        store.flush(PATIENCE)
        sent(producer, f"{RUN}/final", FINAL)
        (listed,) = list_traces(store).traces
        assert (listed.uri, listed.user, listed.collection) == (RUN, "ana", "books")
        assert [node.uri for node in trace(store, RUN).steps] == [f"{RUN}/i1", f"{RUN}/final"]
        assert index(store) == IndexReport()


def test_what_waits_is_indexed_with_a_message_that_has_its_own_index(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.kill()
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox", wait=PATIENCE) as store:
        producer = StoreProducer(store)
        with pytest.warns(ProvWarning, match="indexed later"):
            sent(producer, RUN, QUESTION)
        endpoint.start()
        store.flush(PATIENCE)
        sent(producer, f"{RUN}/i1", {TG_ANSWER: "Paris"})
        assert [listed.uri for listed in list_traces(store).traces] == [RUN]
        assert index(store) == IndexReport()


@pytest.mark.parametrize("queued", [False, True], ids=["direct", "outbox"])
def test_a_run_keeps_the_owner_that_was_told_first(queued: bool, tmp_path: Path) -> None:
    with open_store("memory:") as store:
        outbox = OutboxStore(lambda: store, tmp_path / "outbox", name="x") if queued else store
        producer = StoreProducer(outbox)
        for user in ("", "ana", "bob"):
            triples = [Triple(RUN, property, value) for property, value in QUESTION.items()]
            asyncio.run(producer.send(Triples(Metadata(user=user), triples)))
        if isinstance(outbox, OutboxStore):
            outbox.flush(PATIENCE)
        assert [listed.user for listed in list_traces(store).traces] == ["trustgraph"]
        users = [quad for quad in store.quads() if quad.predicate.value == TGP_USER]
        assert len(users) == 1
        if isinstance(outbox, OutboxStore):
            outbox.close()


def test_a_node_that_is_sent_again_while_it_is_indexed_waits_on(tmp_path: Path) -> None:
    """What is said of it then could not be indexed with what was said before."""
    store = open_store("memory:")
    with OutboxStore(lambda: store, tmp_path / "outbox", name="x") as outbox:
        producer = StoreProducer(outbox)
        indexing = producer._index_when_it_can

        def meanwhile(nodes: set[str], glance: look_up.Glance) -> None:
            attempt = glance.attempt

            def late(work: Any) -> Any:
                done = attempt(work)
                producer._waiting[RUN] = next(producer._sent)
                return done

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(glance, "attempt", late)
                indexing(nodes, glance)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(producer, "_index_when_it_can", meanwhile)
            sent(producer, RUN, QUESTION)
        assert set(producer._waiting) == {RUN}
        sent(producer, f"{RUN}/i1", STEP)
        assert not producer._waiting


class Slow:
    """A store whose updates end when they may."""

    name = "slow"
    read_only = False

    def __init__(self) -> None:
        self.store = open_store("memory:")
        self.may_end = threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def update(self, update: str) -> None:
        self.may_end.wait(PATIENCE)
        self.store.update(update)


def test_an_update_that_hangs_holds_up_a_message_once_and_not_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look_up, "LOOK_UP", 0.3)
    monkeypatch.setattr(look_up, "PAUSE", 0.0)
    slow = Slow()
    slow.store.insert(waiting(f"{RUN}/final", "So.", TGP_WAITING_TEXT))
    remote: Any = slow
    with OutboxStore(remote, tmp_path / "outbox") as store:
        producer = StoreProducer(store)
        with pytest.warns(ProvWarning, match="indexed later, .* update did not end within 0.3 s"):
            sent(producer, f"{RUN}/final", FINAL)
        monkeypatch.setattr(look_up, "LOOK_UP", 2 * PATIENCE)
        sent(producer, f"{RUN}/i1", STEP)  # which would have waited for the update
        assert [str(row["node"]) for row in rows(slow.store, "audit/placeable-texts")]
        slow.may_end.set()

        def indexed() -> bool:
            sent(producer, RUN, QUESTION)
            return not list(rows(store, "audit/unindexed"))

        until(indexed, "the end of the update")
        assert [node.uri for node in trace(store, RUN).steps] == [f"{RUN}/i1", f"{RUN}/final"]
        assert index(store) == IndexReport()


def test_the_owner_of_what_a_process_left_in_its_queue_is_known(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.kill()
    store = OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox", linger=0)
    with store, pytest.warns(ProvWarning, match="indexed later"):
        sent(StoreProducer(store), RUN, QUESTION)
    endpoint.start()
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox") as store:
        store.flush(PATIENCE)
        assert index(store).runs == 1
        assert [listed.user for listed in list_traces(store).traces] == ["ana"]


def test_a_store_that_hangs_holds_up_a_message_once_and_not_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look_up, "LOOK_UP", 0.3)
    monkeypatch.setattr(look_up, "PAUSE", PATIENCE)
    over = threading.Event()

    def hanging(handler: Handler, seen: Seen) -> None:
        over.wait(PATIENCE)
        handler.close_connection = True

    with server(hanging) as running:
        remote = impatient(running.url, timeout=2 * PATIENCE)
        store = OutboxStore(remote, tmp_path / "outbox", linger=0, wait=None)
        producer = StoreProducer(store)
        with pytest.warns(ProvWarning, match="indexed later"):
            sent(producer, RUN, QUESTION)
        monkeypatch.setattr(store, "query", lambda *_, **__: pytest.fail("it was asked again"))
        sent(producer, f"{RUN}/i1", STEP)
        assert store.pending() == 2
        over.set()
        store.close()
