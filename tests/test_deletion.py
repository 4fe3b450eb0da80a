"""Removing runs, with what nothing else uses."""

from __future__ import annotations

import pytest
from listing_cases import derive, objects, question, say
from narrowing import subject
from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov import namespaces as ns
from trustgraph_prov.deletion import delete_trace
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.statement import statement_triples
from trustgraph_prov.stores import Store

AT = "2026-03-02T12:00:00Z"
R, SOURCE = NamedNode(ns.GRAPH_RETRIEVAL), NamedNode(ns.GRAPH_SOURCE)
OWN, SHARED, KNOWN = (NamedNode(f"https://example.org/kg/{name}") for name in ("o", "s", "k"))
P = NamedNode("https://example.org/kg/p")


def edge(node: NamedNode) -> list[Quad]:
    return [Quad(t.subject, t.predicate, t.object, R) for t in statement_triples(node, P, node)]


def name(node: NamedNode) -> str:
    return subject(edge(node)[0])


def select(run: str, index: int, statement: str) -> list[Quad]:
    return say(f"{run}/e{index}", (ns.TGP_TRACE, run), (ns.TG_EDGE, statement))


@pytest.fixture
def runs(store: Store) -> Store:
    """Two runs that share an edge and a document; one calls a third; a subgraph holds an edge."""
    store.insert(question("urn:a", AT))
    store.insert(question("urn:b", AT))
    store.insert(question("urn:c", AT, called_from="urn:a/e0"))
    store.insert(say("urn:c", (ns.PROV_WAS_INFORMED_BY, "urn:a")))
    store.insert(edge(OWN) + edge(SHARED) + edge(KNOWN))
    store.insert(select("urn:a", 0, name(OWN)) + select("urn:a", 1, name(SHARED)))
    store.insert(select("urn:a", 2, name(KNOWN)) + select("urn:b", 0, name(SHARED)))
    store.insert(select("urn:c", 0, name(SHARED)))
    contains = NamedNode(ns.TG_CONTAINS)
    store.insert([Quad(NamedNode("urn:subgraph"), contains, NamedNode(name(KNOWN)), SOURCE)])
    for text in ("urn:text:own", "urn:text:shared"):
        store.insert(say(text, (ns.TG_CONTENT, Literal("An answer."))))
        store.insert(say("urn:a/final", (ns.TGP_TRACE, "urn:a"), (ns.TG_DOCUMENT, text)))
    store.insert(say("urn:b/final", (ns.TGP_TRACE, "urn:b"), (ns.TG_DOCUMENT, "urn:text:shared")))
    return store


def test_what_nothing_else_uses_goes_with_a_run(runs: Store) -> None:
    before = set(runs.quads())
    counted = delete_trace(runs, "urn:a", dry_run=True)
    assert set(runs.quads()) == before
    assert counted.dry_run
    report = delete_trace(runs, "urn:a")
    assert (report.traces, report.statements) == (("urn:a",), 1)
    assert report.triples == counted.triples == len(before) - len(set(runs.quads()))
    subjects = {getattr(quad.subject, "value", "") for quad in runs.quads()}
    assert not {"urn:a", "urn:a/e0", "urn:a/final", "urn:text:own", name(OWN)} & subjects
    assert {name(SHARED), name(KNOWN), "urn:text:shared", "urn:subgraph"} <= subjects
    assert len(objects(runs, ns.RDF_OBJECT)) == 2


def test_a_run_it_called_is_listed_from_then_on(runs: Store) -> None:
    assert [run.uri for run in list_traces(runs).traces] == ["urn:a", "urn:b"]
    delete_trace(runs, "urn:a")
    assert [run.uri for run in list_traces(runs).traces] == ["urn:b", "urn:c"]
    assert objects(runs, ns.PROV_WAS_INFORMED_BY) == {}


def test_called_runs_too(runs: Store) -> None:
    before = len(set(runs.quads()))
    report = delete_trace(runs, "urn:a", called=True)
    assert report.traces == ("urn:a", "urn:c")
    assert report.triples == before - len(set(runs.quads()))
    assert [run.uri for run in list_traces(runs, called=True).traces] == ["urn:b"]
    report = delete_trace(runs, "urn:b")
    assert report.statements == 1
    assert objects(runs, ns.RDF_OBJECT).keys() == {name(KNOWN)}


def test_an_edge_that_only_the_removed_runs_share_goes(store: Store) -> None:
    store.insert(question("urn:a", AT))
    store.insert(question("urn:c", AT, called_from="urn:a/e0"))
    store.insert(edge(OWN) + select("urn:a", 0, name(OWN)) + select("urn:c", 0, name(OWN)))
    assert delete_trace(store, "urn:a", called=True).statements == 1
    assert objects(store, ns.RDF_OBJECT) == {}


def test_a_run_that_is_not_indexed(store: Store) -> None:
    store.insert(question("urn:q", AT, index=False))
    store.insert(say("urn:i1", (ns.PROV_WAS_DERIVED_FROM, "urn:q")))
    delete_trace(store, "urn:q")
    assert objects(store, ns.TG_QUERY) == {}
    assert objects(store, ns.PROV_WAS_DERIVED_FROM) == {}


def test_nothing_is_left_of_a_run_that_is_indexed_in_part(store: Store) -> None:
    store.insert(question("urn:q", AT))
    store.insert(say("urn:i1", (ns.PROV_WAS_DERIVED_FROM, "urn:q"), (ns.TGP_TRACE, "urn:q")))
    derive(store, "urn:i2", "urn:i1")
    derive(store, "urn:i3", "urn:i2")
    delete_trace(store, "urn:q")
    assert objects(store, ns.TG_QUERY) == {}
    assert objects(store, ns.PROV_WAS_DERIVED_FROM) == {}


def test_a_called_run_that_another_run_calls_too_stays_with_it(store: Store) -> None:
    for run in ("urn:a", "urn:b"):
        store.insert(question(run, AT))
        store.insert(say(f"{run}/i1", (ns.TGP_TRACE, run)))
    store.insert(question("urn:shared", AT, called_from="urn:a/i1"))
    store.insert(say("urn:shared", (ns.TGP_CALLED_FROM, "urn:b/i1")))
    store.insert(say("urn:shared/i1", (ns.TGP_TRACE, "urn:shared")))
    store.insert(question("urn:below", AT, called_from="urn:shared/i1"))
    store.insert(question("urn:own", AT, called_from="urn:a/i1"))
    assert delete_trace(store, "urn:a", called=True).traces == ("urn:a", "urn:own")
    below = {"urn:shared", "urn:below"}
    assert set(delete_trace(store, "urn:b", called=True).traces) == {"urn:b", *below}
