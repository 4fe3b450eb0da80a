"""What real servers do, on every engine, and what Virtuoso and Fuseki do of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import example_quads, server_of
from narrowing import rows, triples, value
from pyoxigraph import Literal, NamedNode, Quad, parse
from servers import SERVERS

from trustgraph_prov import Recorder, list_traces, open_store, render, trace
from trustgraph_prov.errors import StoreError, StoreRefusedError
from trustgraph_prov.exchange import import_quads
from trustgraph_prov.namespaces import XSD
from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.stores import Store
from trustgraph_prov.stores.sparql import SparqlStore
from trustgraph_prov.stores.sparql_auth import DigestAuth

DATA = Path(__file__).parent / "data" / "trustgraph"
A, P, G = NamedNode("urn:test:a"), NamedNode("urn:test:p"), NamedNode("urn:test:g")


def on_server(name: str, **options: Any) -> SparqlStore:
    """An empty store on a server, or a skip that says what is missing."""
    why = SERVERS[name].missing()
    if why:
        pytest.skip(f"{name}: {why}")
    server = server_of(name, "store")
    server.clear()
    return SparqlStore(server.url, **options)


@pytest.fixture
def wide() -> list[Quad]:
    """A run with a node of 12,000 properties."""
    with open_store("memory:") as memory:
        with Recorder(memory).agent("What is on every shelf?") as run:
            run.analysis("Count.", "count", {}, "Done.")
            run.conclusion("A lot.")
        found = list(memory.quads())
        step = NamedNode(f"{run.uri}/i1")
        graph = found[0].graph_name
        shelves = [
            Quad(step, NamedNode(f"https://example.org/shelf/{n}"), Literal(f"books {n}"), graph)
            for n in range(12_000)
        ]
    return [*found, *shelves]


def test_a_run_of_12000_properties_is_whole_on_virtuoso(wide: list[Quad]) -> None:
    store = on_server("virtuoso")
    store.insert(wide)
    (summary,) = list_traces(store).traces
    shown = json.loads(render.json(trace(store, summary.uri)))
    assert json.dumps(shown).count("https://example.org/shelf/") >= 12_000
    assert len(list(store.quads())) == len(set(wide))
    pattern = "{ GRAPH <urn:graph:retrieval> { ?s ?p ?o } }"
    constructed = triples(store.query(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {pattern}"))
    assert len(constructed) == len(set(wide))
    ordered = rows(store.query(f"SELECT ?o WHERE {pattern} ORDER BY DESC(?o)"))
    assert len(ordered) == len(set(wide))
    assert store.traits.row_cap == 10_000


def test_virtuoso_tells_that_its_own_time_was_over() -> None:
    store = on_server("virtuoso")
    store.insert(Quad(NamedNode(f"urn:s:{n}"), P, Literal(n), G) for n in range(3_000))
    hasty = SparqlStore(store.name + "/sparql?timeout=1000")
    triples = " ".join(f"?s{n} <{P.value}> ?o{n} ." for n in range(3))
    query = (
        f"SELECT (COUNT(*) AS ?n) {{ GRAPH <urn:test:g> {{ {triples} }} FILTER(?o0 + ?o1 > ?o2) }}"
    )
    with pytest.raises(StoreError, match="S1TAT: its own time limit ended the query"):
        hasty.query(query)


def test_virtuoso_takes_texts_up_to_its_limit() -> None:
    store = on_server("virtuoso")
    text = "é" * 1_000_000
    store.insert([Quad(A, P, Literal(text), G)])
    assert [value(quad.object) for quad in store.quads("urn:test:g")] == [text]
    with pytest.raises(StoreRefusedError, match="this server takes 2,000,000"):
        store.insert([Quad(A, P, Literal(text + "e"), G)])


IRI = "https://bucket.example.org/\N{LATIN SMALL LETTER E WITH ACUTE}"
LONGEST = NamedNode(IRI + "a" * (1_880 - len(IRI.encode())))
TOO_LONG = NamedNode(LONGEST.value + "a")


@pytest.mark.parametrize(
    "place",
    [
        lambda iri: Quad(iri, P, A, G),
        lambda iri: Quad(A, iri, A, G),
        lambda iri: Quad(A, P, iri, G),
        lambda iri: Quad(A, P, A, iri),
        lambda iri: Quad(A, P, Literal("x", datatype=iri), G),
    ],
    ids=["subject", "predicate", "object", "graph", "datatype"],
)
def test_virtuoso_takes_iris_up_to_its_limit(place: Callable[[NamedNode], Quad]) -> None:
    store = on_server("virtuoso")
    store.insert([place(LONGEST)])
    assert list(store.quads()) == [place(LONGEST)]
    with pytest.raises(StoreRefusedError, match=r"an IRI of 1,881 bytes, .*keeps the first 1,880"):
        store.insert([place(TOO_LONG)])
    assert list(store.quads()) == [place(LONGEST)]


def test_an_iri_over_the_limit_of_virtuoso_goes_to_the_dead_letters(tmp_path: Path) -> None:
    with OutboxStore(on_server("virtuoso"), tmp_path, linger=0) as outbox:
        outbox.insert([Quad(TOO_LONG, P, A, G), Quad(A, P, A, G)])
        outbox.flush(20)
        assert list(outbox.quads()) == [Quad(A, P, A, G)]
    (refused,) = outbox_status(tmp_path).refused
    assert list(parse(path=str(refused))) == [Quad(TOO_LONG, P, A, G)]


@pytest.mark.parametrize("shape", ["POINT(bogus)", ""])
def test_a_shape_that_virtuoso_cannot_keep_goes_to_the_dead_letters(
    shape: str, tmp_path: Path
) -> None:
    """It held back all that was recorded after it."""
    wkt = NamedNode("http://www.opengis.net/ont/geosparql#wktLiteral")
    bad = Quad(A, P, Literal(shape, datatype=wkt), G)
    with OutboxStore(on_server("virtuoso"), tmp_path, linger=0) as outbox:
        outbox.insert([bad, Quad(A, P, A, G)])
        outbox.insert([Quad(A, P, P, G)])
        outbox.flush(20)
        assert set(outbox.quads()) == {Quad(A, P, A, G), Quad(A, P, P, G)}
    (refused,) = outbox_status(tmp_path).refused
    assert list(parse(path=str(refused))) == [bad]


def test_virtuoso_asks_for_a_digest() -> None:
    url = on_server("virtuoso").name + "/sparql-auth"
    store = SparqlStore(url, auth=DigestAuth("dba", "dba"))
    store.insert([Quad(A, P, Literal("x"), G)])
    assert len(list(store.quads("urn:test:g"))) == 1
    with pytest.raises(StoreError, match="answered 401, it refuses these credentials"):
        SparqlStore(url, auth=DigestAuth("dba", "wrong")).insert([Quad(A, P, Literal("y"), G)])


def test_virtuoso_takes_a_large_insert_cut_into_requests() -> None:
    store = on_server("virtuoso")
    store.insert(Quad(NamedNode(f"urn:s:{n}"), P, Literal(n), G) for n in range(2_500))
    assert store.requests == 3
    assert len(list(store.quads("urn:test:g"))) == 2_500


@pytest.mark.parametrize("file", sorted(DATA.glob("*.nq")), ids=lambda file: file.stem)
def test_real_data_is_listed_and_shown_alike(store: Store, file: Path) -> None:
    with open_store("memory:") as memory:
        for one in (memory, store):
            import_quads(one, file)
        listed = [list_traces(one, called=True).traces for one in (memory, store)]
        assert listed[0] == listed[1] != []
        for summary in listed[0]:
            shown = [json.loads(render.json(trace(one, summary.uri))) for one in (memory, store)]
            assert shown[0] == shown[1]


@pytest.mark.parametrize("form", ["1", "1.0", "0.90", "-10", "0", ".5", "1" + 29 * "0"])
def test_a_score_of_1_can_be_deleted(store: Store, form: str) -> None:
    score = Literal(form, datatype=NamedNode(XSD + "decimal"))
    for _ in range(2):
        store.insert([Quad(A, P, score, G)])
    (quad,) = store.quads()
    assert Decimal(value(quad.object)) == Decimal(form)
    store.update("DELETE WHERE { GRAPH <urn:test:g> { ?s ?p ?o } }")
    assert list(store.quads()) == []


def test_the_page_on_triplestores_names_tests_that_exist() -> None:
    tests = Path(__file__).parent
    page = (tests.parent / "docs" / "triplestores.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    files = [*tests.glob("test_*.py"), *(tests / "sad").glob("test_*.py")]
    there = {
        name for file in files for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
    }
    assert len(named) > 15
    assert named <= there


def test_examples_are_read_back_as_they_are(loaded: Store) -> None:
    assert {str(quad) for quad in loaded.quads()} == {str(quad) for quad in example_quads()}
