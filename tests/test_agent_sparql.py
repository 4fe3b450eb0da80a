"""`sparql-query` reads, within its time, and reads knowledge alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pyoxigraph as ox
import pytest
from agent_cases import KG, QUESTION, Scripted, knowledge
from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov.agent import KnowledgeQuery, SparqlQuery
from trustgraph_prov.demo import record_demo
from trustgraph_prov.doctor import diagnose
from trustgraph_prov.errors import InvalidValueError, ToolError
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.namespaces import GRAPH_ONTOLOGY, GRAPH_RETRIEVAL, GRAPH_SOURCE
from trustgraph_prov.outbox import OutboxStore
from trustgraph_prov.stores import QueryResult, Store, open_store
from trustgraph_prov.stores.base import Traits, traits_of
from trustgraph_prov.stores.oxigraph import OxigraphStore
from trustgraph_prov.stores.sparql import SparqlStore
from trustgraph_prov.stores.sparql_presets import endpoint

EVIL = "PREFIX : <http://127.0.0.1:1/>"
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
    described = ask(f"CONSTRUCT {{ <{KG}Paris> ?p ?o }} WHERE {{ <{KG}Paris> ?p ?o }}")
    assert described["rows"] == [
        [f"<{KG}Paris>", "<http://www.w3.org/2000/01/rdf-schema#label>", "Paris"]
    ]
    found = ask("SELECT ?s ?nothing { ?s ?p ?o }")
    assert (len(found["rows"]), found["rows"][0][1], found["more"]) == (1, None, True)


SPIES = [
    "SELECT ?s { GRAPH ?g { ?s <https://trustgraph.ai/ns/query> ?o } }",
    "SELECT ?s { GRAPH <urn:graph:retrieval> { ?s ?p ?o } }",
    "SELECT ?s { GRAPH <urn:graph:source> { ?s ?p ?o } }",
    "SELECT ?s FROM <urn:graph:retrieval> { ?s <https://trustgraph.ai/ns/query> ?o }",
    "SELECT ?s FROM NAMED <urn:graph:source> { GRAPH ?g { ?s a ?kind } }",
    "SELECT ?s { ?s <https://trustgraph.ai/ns/query> ?o }",
    "SELECT ?s { ?s a <https://trustgraph.ai/ns/Chunk> }",
    "SELECT ?s { { SELECT ?s { ?s <https://trustgraph.ai/ns/query> ?o } } }",
    "CONSTRUCT WHERE { ?s <https://trustgraph.ai/ns/query> ?o }",
    "CONSTRUCT { ?s a ?o } WHERE { ?s <https://trustgraph.ai/ns/query> ?o } LIMIT 1",
    "SELECT ?s { ?s <https://trustgraph.ai/ns/query>|<urn:none> ?o } ORDER BY ?s",
    "DESCRIBE ?s { ?s <https://trustgraph.ai/ns/query> ?o }",
]


@pytest.mark.parametrize("query", SPIES)
def test_what_agents_did_is_no_knowledge(known: Store, query: str) -> None:
    ask = SparqlQuery(known, timeout=LIMIT)
    if "http" in known.name and re.search("GRAPH|FROM|DESCRIBE", query):
        with pytest.raises(ToolError, match=r"(GRAPH|FROM|DESCRIBE) is not allowed: "):
            ask(query)
    else:
        assert ask(query)["rows"] == []


def test_a_run_is_not_described(known: Store) -> None:
    (run,) = list_traces(known, limit=1).traces
    ask = SparqlQuery(known, timeout=LIMIT)
    assert ask(f"ASK {{ <{run.uri}> ?p ?o }}") == {"answer": False}
    assert ask(f"CONSTRUCT WHERE {{ <{run.uri}> ?p ?o }}")["rows"] == []
    with suppress(ToolError):
        assert ask(f"DESCRIBE <{run.uri}>")["rows"] == []


def test_a_union_named_by_its_url_alone_is_asked_for_a_named_graph_only(known: Store) -> None:
    if traits_of(known).default_graph is None:
        pytest.skip("keeps its default graph apart")
    with open_store(endpoint(known.name).query_url) as plain:
        with pytest.raises(ToolError, match="default graph holds the runs and sources of agents"):
            SparqlQuery(plain, timeout=LIMIT)(CAPITALS)
        found = SparqlQuery(plain, graph="urn:other", timeout=LIMIT)(CAPITALS)
    assert found["rows"] == [[f"<{KG}x>", f"<{KG}y>"]]


def test_another_graph_may_hold_the_knowledge(known: Store) -> None:
    found = SparqlQuery(known, graph="urn:other", timeout=LIMIT)(CAPITALS)
    assert found["rows"] == [[f"<{KG}x>", f"<{KG}y>"]]


def test_an_embedded_store_may_be_asked_for_its_other_graphs() -> None:
    with open_store("memory:") as store:
        store.insert(knowledge(f"<{KG}x> <{KG}capital> <{KG}y> .", "urn:other"))
        named = f"SELECT ?s {{ GRAPH <urn:other> {{ ?s <{KG}capital> ?o }} }}"
        assert SparqlQuery(store, timeout=LIMIT)(named)["rows"] == [[f"<{KG}x>"]]


@pytest.mark.parametrize("kind", ["memory", "folder"])
def test_a_cross_join_ends_in_time(tmp_path: Path, kind: str) -> None:
    pairs = [
        Quad(NamedNode(f"urn:e:{n}"), NamedNode("urn:p"), Literal(f"value {n}"))
        for n in range(40_000)
    ]
    with open_store("memory:" if kind == "memory" else tmp_path / "store") as store:
        store.insert(pairs)
        with pytest.raises(ToolError, match="the query did not end within 2 s; narrow it"):
            SparqlQuery(store, timeout=2)("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f }")


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
        ("SELECT * { # \r SERVICE <http://e/> {} }", "SERVICE is not allowed"),
        ("SELECT * { ?s ?p 1SERVICE<http://e/> {} }", "SERVICE is not allowed"),
        ("SELECT * { ?s ?p 3e1SERVICE<http://e/> {} }", "SERVICE is not allowed"),
        ("SELECT * { ?s ?p trueSERVICE<http://e/> {} }", "SERVICE is not allowed"),
        (f"{EVIL} SELECT * {{ ?s ?p ?o . SERVICE:x {{}} }}", "SERVICE is not allowed"),
        (f"{EVIL} SELECT * {{ ?s ?p 1.SERVICE:x {{}} }}", "SERVICE is not allowed"),
        (f"{EVIL} SELECT * {{ ?s ?p :.SERVICE:x {{}} }}", "SERVICE is not allowed"),
        (f"{EVIL} SELECT * {{ FILTER(?o<1)SERVICE:x#>\n{{}} }}", "read in two ways"),
        (f"{EVIL} SELECT * {{ FILTER(1<'#>')SERVICE:x{{}}FILTER('a'='b') }}", "in two ways"),
        (f"{EVIL} SELECT * {{ ?s :p\\# ?o . SERVICE:x {{}} }}", "SERVICE is not allowed"),
        (f"{EVIL} SELECT * {{ ?s :p\\' ?o . SERVICE:x {{}} FILTER(''='') }}", "not allowed"),
        (f"{EVIL} SELECT * {{ ?s :\u00b7\\# ?o . SERVICE:x {{}}\n }}", "read in two ways"),
        ("SELECT * { SERV\\u0049CE <http://e/> { ?s ?p ?o } }", "write plain characters"),
        ('SELECT * { ?s ?p "\\u0022 . SERVICE <http://e/> {} #" }', "write plain characters"),
        ("SELECT * { SERV\\U00000049CE <http://e/> {} }", "write plain characters"),
        ("SELECT * { ?s ?p 'a\\' } #'\n SERVICE <http://e/> {}", "not allowed|in two ways"),
        ("SELECT * {}\\UFFFFFFFF", "in two ways"),
        ("ASK {}" + " " * 10_000, "longer than 10,000 characters"),
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
        'PREFIX s: <urn:s:> ASK { ?s s:SERVICE """a " SERVICE b""" }',
        "ASK { ?s <http://e/A_(service)> 'caf\\u00e9' FILTER(?s<?service) }",
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


@pytest.mark.parametrize("kind", ["virtuoso", "rdf4j"])
def test_behind_an_outbox_a_server_is_asked_for_the_graph_it_has_for_its_default(
    kind: str, tmp_path: Path
) -> None:
    asked: list[str] = []

    known = SparqlStore(f"{kind}+http://127.0.0.1:1").traits

    class Server(OxigraphStore):
        @property
        def traits(self) -> Traits:
            return known

        def __init__(self) -> None:
            super().__init__()
            self.name = "http://127.0.0.1:1"

        def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
            asked.append(query)
            return super().query(query, timeout=timeout)

    with OutboxStore(Server, tmp_path, name="http://127.0.0.1:1") as store:
        assert traits_of(store) == known
        SparqlQuery(store, timeout=LIMIT)(CAPITALS)
        KnowledgeQuery(store, Scripted()).query(QUESTION)
    assert len(asked) == 2
    for query in asked:
        assert f"<{known.default_graph}>" in query


def test_a_store_that_says_nothing_about_itself_is_asked_all_the_same(tmp_path: Path) -> None:
    class Plain:
        """What the protocol asks for, and no more."""

        read_only = False

        def __init__(self) -> None:
            self.name = "plain"
            self.engine = ox.Store()

        def insert(self, quads: Iterable[Quad]) -> None:
            self.engine.extend(quads)

        def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
            return self.engine.query(query)

        def update(self, update: str) -> None:
            self.engine.update(update)

        def quads(self, graph: str | None = None) -> Iterator[Quad]:
            return iter(self.engine)

        def flush(self) -> None: ...

        def reopen(self) -> None: ...

        def close(self) -> None: ...

        def __enter__(self) -> Plain:
            return self

        def __exit__(self, *error: object) -> None: ...

    assert traits_of(Plain()) == Traits()
    with OutboxStore(Plain(), tmp_path) as store:
        store.insert(knowledge())
        assert len(SparqlQuery(store, timeout=LIMIT)(CAPITALS)["rows"]) == 2
        assert {check.outcome for check in diagnose(store).checks} == {"ok", "finding"}
