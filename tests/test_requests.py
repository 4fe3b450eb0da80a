"""How many HTTP requests a list and a run cost: two at most, and one for each run shown."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from explain_cases import Story
from listing_cases import question, say
from pyoxigraph import Literal, NamedNode, Quad
from sparql_cases import Endpoint, FaultyServer, impatient, server

from trustgraph_prov import extraction, list_traces, record_demo, trace
from trustgraph_prov import namespaces as ns
from trustgraph_prov.answers import BATCH
from trustgraph_prov.stores.sparql import SparqlStore

NOON = datetime(2026, 3, 2, 12, tzinfo=timezone.utc)
FULL, HALF = 10, 40


@pytest.fixture
def endpoint() -> Iterator[FaultyServer]:
    """A server with no run."""
    with server(Endpoint()) as running:
        yield running


@pytest.fixture
def remote(endpoint: FaultyServer) -> SparqlStore:
    """A store on it."""
    return impatient(endpoint.url)


def fill(store: SparqlStore, hours: float = 0.1) -> None:
    """Twenty dated runs so many hours apart, with every eighth undated, called or of no index."""
    for n in range(20):
        at, kind = (NOON + timedelta(hours=hours * n)).isoformat(), ("Agent", "DocRAG")[n % 2]
        text = "Where is the heron?" if n % 5 == 0 else "Why?"
        store.insert(question(f"urn:{n:02}", at, kind=kind, user=("ana", "ben")[n % 2], text=text))
    store.insert(say("urn:03/final", (ns.TGP_TRACE, "urn:03"), (ns.TG_ANSWER, Literal("A heron."))))
    store.insert(question("urn:called", NOON.isoformat(), called_from="urn:03/i1"))
    store.insert(question("urn:no-start"))
    store.insert(question("urn:no-index", "2026-03-01T00:00:00Z", index=False))


def asked(endpoint: FaultyServer, store: SparqlStore, **wanted: Any) -> tuple[int, int]:
    """How many runs a list has, and how many requests it took."""
    endpoint.seen.clear()
    return len(list_traces(store, **wanted).traces), len(endpoint.seen)


def test_an_empty_store_takes_two(endpoint: FaultyServer, remote: SparqlStore) -> None:
    assert asked(endpoint, remote) == (0, 2)
    assert asked(endpoint, remote, text="why") == (0, 1)


def test_the_demo_takes_two(endpoint: FaultyServer, remote: SparqlStore) -> None:
    record_demo(remote)
    assert asked(endpoint, remote) == (4, 2)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"limit": FULL}, (10, 1)),
        ({"limit": FULL, "user": "ana"}, (10, 2)),
        ({"limit": 9, "user": "ana"}, (9, 1)),
        ({"limit": 9, "type": "DocRAG"}, (9, 1)),
        ({"limit": FULL, "until": NOON}, (2, 2)),
        ({"limit": FULL, "since": NOON + timedelta(hours=1)}, (10, 2)),
        ({"limit": HALF}, (22, 2)),
        ({"limit": HALF, "called": True}, (23, 2)),
        ({"limit": 1_000}, (22, 1)),
        ({"limit": HALF, "user": "nobody"}, (0, 2)),
        ({"limit": HALF, "type": "GraphRAG"}, (0, 2)),
        ({"limit": HALF, "text": "heron"}, (5, 2)),
        ({"limit": 3, "text": "heron"}, (3, 2)),
        ({"limit": FULL, "text": "w"}, (10, 1)),
        ({"limit": HALF, "text": "heron", "since": NOON}, (5, 2)),
    ],
    ids=str,
)
def test_a_list_takes_two_at_most(
    endpoint: FaultyServer, remote: SparqlStore, wanted: dict[str, Any], expected: tuple[int, int]
) -> None:
    fill(remote)
    assert asked(endpoint, remote, **wanted) == expected


@pytest.mark.parametrize("hours", [0.1, 5, 100])
def test_each_page_takes_two_at_most(
    endpoint: FaultyServer, remote: SparqlStore, hours: float
) -> None:
    fill(remote, hours)
    found, before = [], None
    while True:
        endpoint.seen.clear()
        page = list_traces(remote, limit=4, before=before)
        assert len(endpoint.seen) <= 2
        found += [run.uri for run in page.traces]
        before = page.more
        if before is None:
            break
    assert found == [f"urn:{n:02}" for n in range(19, -1, -1)] + ["urn:no-index", "urn:no-start"]


def test_undated_runs_and_those_of_no_index_take_two(
    endpoint: FaultyServer, remote: SparqlStore
) -> None:
    for n in range(6):
        start = (NOON + timedelta(days=n)).isoformat() if n % 2 else "some day"
        remote.insert(question(f"urn:{n}", start, index=False))
    assert asked(endpoint, remote) == (6, 2)
    assert asked(endpoint, remote, limit=2) == (2, 2)
    assert asked(endpoint, remote, since=NOON) == (3, 2)


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_a_run_takes_one_and_one_for_each_that_it_called(
    endpoint: FaultyServer, remote: SparqlStore, calls: int
) -> None:
    top = Story("urn:trustgraph:agent:top")
    for n in range(calls):
        called = Story(f"urn:trustgraph:question:{n}", ns.TG_GRAPH_RAG_QUESTION)
        called.add(called.uri, {ns.TGP_CALLED_FROM: top.step(f"i{n}")})
        called.answer()
        remote.insert(called.quads())
    top.answer()
    remote.insert(top.quads())
    endpoint.seen.clear()
    run = trace(remote, top.uri)
    assert sum(len(step.called) for step in run.steps) == calls
    assert len(endpoint.seen) == 1 + calls


def wide(edges: int) -> tuple[Story, list[Quad]]:
    """A run that kept so many edges, and their extraction: each from a chunk of one document."""
    run = Story("urn:trustgraph:question:wide", ns.TG_GRAPH_RAG_QUESTION)
    kept = [run.add(f"urn:kept:{n}", {ns.TG_EDGE: f"urn:edge:{n}"}) for n in range(edges)]
    run.step("focus", kind=ns.TG_FOCUS, selectedEdge=kept)
    said = [
        fact
        for n in range(edges)
        for fact in (
            (f"urn:subgraph:{n}", ns.TG_CONTAINS, f"urn:edge:{n}"),
            (f"urn:subgraph:{n}", ns.PROV_WAS_DERIVED_FROM, f"urn:chunk:{n}"),
            (f"urn:chunk:{n}", ns.PROV_WAS_DERIVED_FROM, "urn:document"),
        )
    ]
    source = NamedNode(ns.GRAPH_SOURCE)
    return run, [Quad(NamedNode(s), NamedNode(p), NamedNode(o), source) for s, p, o in said]


@pytest.mark.parametrize(("edges", "requests"), [(1, 4), (BATCH, 4), (BATCH + 1, 6), (2_000, 10)])
def test_what_thousands_of_edges_came_from_is_asked_in_short_queries(
    endpoint: FaultyServer, remote: SparqlStore, edges: int, requests: int
) -> None:
    run, extracted = wide(edges)
    remote.insert([*run.quads(), *extracted])
    endpoint.seen.clear()
    found = trace(remote, run.uri, provenance=True).sources
    assert len(found) == edges
    assert all(edge.origins[0].origins[0].uri == "urn:document" for edge in found.values())
    assert len(endpoint.seen) == requests
    assert max(seen.form["query"].count("<urn:") for seen in endpoint.seen) < BATCH + 10


def test_what_was_made_of_a_document_is_asked_in_short_queries(
    endpoint: FaultyServer, remote: SparqlStore
) -> None:
    remote.insert(wide(1_200)[1])
    endpoint.seen.clear()
    document = extraction.sources(remote, "urn:document")
    assert len(document.parts) == 1_200
    assert max(seen.form["query"].count("<urn:") for seen in endpoint.seen) < BATCH + 10
