"""`sparql-query` reads, within its time, and reads knowledge alone."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from agent_cases import KG, knowledge
from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov.agent import SparqlQuery
from trustgraph_prov.demo import record_demo
from trustgraph_prov.errors import InvalidValueError, ToolError
from trustgraph_prov.namespaces import GRAPH_ONTOLOGY, GRAPH_RETRIEVAL, GRAPH_SOURCE
from trustgraph_prov.stores import Store, open_store

CAPITALS = f"SELECT ?of ?is {{ ?of <{KG}capital> ?is }} ORDER BY ?of"
LIMIT = 30.0


@pytest.fixture
def known(store: Store) -> Store:
    store.insert(knowledge())
    store.insert(knowledge(f"<{KG}x> <{KG}capital> <{KG}y> .", "urn:other"))
    record_demo(store)
    return store


def test_rows(known: Store) -> None:
    found = SparqlQuery(known, timeout=LIMIT)(CAPITALS)
    assert found == {
        "columns": ["of", "is"],
        "rows": [[f"<{KG}France>", f"<{KG}Paris>"], [f"<{KG}Peru>", f"<{KG}Lima>"]],
    }


def test_forms(known: Store) -> None:
    ask = SparqlQuery(known, timeout=LIMIT, rows=1)
    assert ask(f"ASK {{ <{KG}France> ?p ?o }}") == {"answer": True}
    assert ask(f"DESCRIBE <{KG}Paris>")["rows"] == [
        [f"<{KG}Paris>", "<http://www.w3.org/2000/01/rdf-schema#label>", "Paris"]
    ]
    found = ask("SELECT ?s ?nothing { ?s ?p ?o }")
    assert (len(found["rows"]), found["rows"][0][1], found["more"]) == (1, None, True)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?s { GRAPH ?g { ?s <https://trustgraph.ai/ns/query> ?o } }",
        "SELECT ?s { GRAPH <urn:graph:retrieval> { ?s ?p ?o } }",
        "SELECT ?s FROM <urn:graph:retrieval> { ?s <https://trustgraph.ai/ns/query> ?o }",
        "SELECT ?s FROM NAMED <urn:graph:source> { GRAPH ?g { ?s a ?kind } }",
    ],
)
def test_what_agents_did_is_no_knowledge(known: Store, query: str) -> None:
    assert SparqlQuery(known, timeout=LIMIT)(query)["rows"] == []


def test_another_graph_may_hold_the_knowledge(known: Store) -> None:
    found = SparqlQuery(known, graph="urn:other", timeout=LIMIT)(CAPITALS)
    assert found["rows"] == [[f"<{KG}x>", f"<{KG}y>"]]
    named = f"SELECT ?s {{ GRAPH <urn:other> {{ ?s <{KG}capital> ?o }} }}"
    assert SparqlQuery(known, timeout=LIMIT)(named)["rows"] == [[f"<{KG}x>"]]


@pytest.mark.parametrize("kind", ["memory", "folder"])
def test_a_cross_join_ends_in_time(tmp_path: Path, kind: str) -> None:
    pairs = [
        Quad(NamedNode(f"urn:e:{n}"), NamedNode("urn:p"), Literal(f"value {n}"))
        for n in range(40_000)
    ]
    with open_store("memory:" if kind == "memory" else tmp_path / "store") as store:
        store.insert(pairs)
        began = time.monotonic()
        with pytest.raises(ToolError, match="the query did not end within 2 s; narrow it"):
            SparqlQuery(store, timeout=2)("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f }")
        assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "sparql-query: error at 1:"),
        ("DROP ALL", "sparql-query: error at 1:"),
        ("LOAD <file:///etc/passwd>", "sparql-query: error at 1:"),
        ("Which capital?", "sparql-query: error at 1:"),
        ("", "sparql-query: error at 1:"),
        ("SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "SERVICE is not allowed"),
        ("SELECT * {service silent<http://e/>{ ?s ?p ?o }}", "SERVICE is not allowed"),
        ("SELECT * { SERV\\u0049CE <http://e/> { ?s ?p ?o } }", "SERVICE is not allowed"),
        ('SELECT * { ?s ?p "\\u0022 . SERVICE <http://e/> {} #" }', "SERVICE is not allowed"),
        ("SELECT * { ?s ?p 'a\\' } #'\n SERVICE <http://e/> {}", "SERVICE is not allowed|error at"),
        ("SELECT * {}\\UFFFFFFFF", "sparql-query: error at 1:"),
    ],
)
def test_what_is_refused(query: str, why: str) -> None:
    with open_store("memory:") as store:
        store.insert(knowledge())
        before = set(store.quads())
        with pytest.raises(ToolError, match=why):
            SparqlQuery(store, timeout=LIMIT)(query)
        assert set(store.quads()) == before


@pytest.mark.parametrize(
    "query",
    [
        "ASK { ?s ?p 'service' } # SERVICE",
        "ASK { ?s <urn:service> ?service }",
        'PREFIX service: <urn:s:> ASK { ?s service:SERVICE """a " SERVICE b""" }',
    ],
)
def test_the_word_alone_is_harmless(query: str) -> None:
    with open_store("memory:") as store:
        assert SparqlQuery(store, timeout=LIMIT)(query) == {"answer": False}


def test_a_long_value_is_cut() -> None:
    with open_store("memory:") as store:
        store.insert(knowledge(f'<urn:a> <urn:b> "{"x" * 5000}" .'))
        ((value,),) = SparqlQuery(store, timeout=LIMIT)("SELECT ?o { ?s ?p ?o }")["rows"]
    assert value == "x" * 2000 + "…"


def test_memory_is_limited() -> None:
    value = "'x'"
    for _ in range(4):
        value = f"REPLACE({value}, 'x', '{'x' * 1000}')"
    with open_store("memory:") as store:
        query = f"SELECT ?huge {{ BIND({value} AS ?huge) }}"
        with pytest.raises(ToolError, match=r"took more than it may|did not end within|memory"):
            SparqlQuery(store, timeout=LIMIT)(query)


@pytest.mark.parametrize("graph", [GRAPH_RETRIEVAL, GRAPH_SOURCE, GRAPH_ONTOLOGY])
def test_runs_are_no_domain(graph: str) -> None:
    with pytest.raises(InvalidValueError, match="expected a graph of knowledge"):
        SparqlQuery(open_store("memory:"), graph=graph)


def test_a_time_limit_is_a_time() -> None:
    with pytest.raises(InvalidValueError, match="timeout is 0; expected seconds, more than 0"):
        SparqlQuery(open_store("memory:"), timeout=0)
