"""What servers say and want in their own way, without such a server at hand."""

from __future__ import annotations

import json

import narrowing
import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, QueryBoolean, QuerySolutions, Triple
from sparql_cases import ASK, ONE, SELECT, A, Endpoint, Handler, P, Seen, fixed, impatient, server

from trustgraph_prov.errors import StoreError, StoreRefusedError
from trustgraph_prov.namespaces import XSD
from trustgraph_prov.stores.sparql import SparqlStore
from trustgraph_prov.stores.sparql_updates import without_blank_nodes


def rows(*terms: dict[str, str], name: str = "s") -> bytes:
    found = {"head": {"vars": [name]}, "results": {"bindings": [{name: one} for one in terms]}}
    return json.dumps(found).encode()


@pytest.mark.parametrize(
    ("answer", "yes"), [((({"type": "typed-literal", "value": "1"}),), True), ((), False)]
)
def test_virtuoso_answers_ask_with_a_row(answer: tuple[dict[str, str], ...], yes: bool) -> None:
    with server(fixed(200, rows(*answer, name="__ASK_RETVAL"))) as running:
        result = impatient(running.url).query(ASK)
    assert isinstance(result, QueryBoolean)
    assert bool(result) == yes


@pytest.mark.parametrize(
    ("datatype", "said", "read"),
    [
        ("boolean", "1", "true"),
        ("boolean", "0", "false"),
        ("boolean", "true", "true"),
        ("dateTime", "2026-03-02T10:15:00.120Z", "2026-03-02T10:15:00.12Z"),
        ("dateTime", "2026-03-02T10:15:00.000+02:00", "2026-03-02T10:15:00+02:00"),
        ("dateTime", "2026-03-02T10:15:00Z", "2026-03-02T10:15:00Z"),
        ("string", "1.000", "1.000"),
    ],
)
def test_virtuoso_values_are_read_in_canonical_form(datatype: str, said: str, read: str) -> None:
    term = {"type": "typed-literal", "datatype": XSD + datatype, "value": said}
    with server(fixed(200, rows(term))) as running:
        (row,) = narrowing.rows(impatient(running.url).query(SELECT))
    assert row["s"] == Literal(read, datatype=NamedNode(XSD + datatype))


@pytest.mark.parametrize("kind", ["integer", "nonNegativeInteger"])
@pytest.mark.parametrize("wide", [2**63, -(2**63) - 1, 10**30])
def test_an_integer_of_more_than_64_bits_is_refused_by_name(kind: str, wide: int) -> None:
    def quad(number: int, datatype: str = kind) -> Quad:
        return Quad(A, P, Literal(str(number), datatype=NamedNode(XSD + datatype)))

    sound = Endpoint()
    with server(sound) as running:
        store = SparqlStore(f"virtuoso+{running.url}")
        with pytest.raises(StoreRefusedError, match=f"the integer {wide} on .* 64 bits"):
            store.insert([quad(1), quad(wide)])
        assert running.seen == []
        store.insert([quad(2**63 - 1), quad(-(2**63)), quad(wide, "decimal")])
        impatient(running.url).insert([quad(wide)])
    assert len(running.seen) == 2


def test_values_of_other_servers_are_read_as_they_are() -> None:
    term = {"type": "literal", "datatype": XSD + "boolean", "value": "1"}
    with server(fixed(200, rows(term))) as running:
        (row,) = narrowing.rows(impatient(running.url).query(SELECT))
    assert row["s"].value == "1"


def test_blank_nodes_with_labels_that_are_none() -> None:
    terms = [{"type": "bnode", "value": value} for value in ("nodeID://b1", "ok", "nodeID://b1")]
    with server(fixed(200, rows(*terms))) as running:
        found = [row["s"] for row in narrowing.rows(impatient(running.url).query(SELECT))]
    assert all(isinstance(term, BlankNode) for term in found)
    assert found[0] == found[2] != found[1]


def test_virtuoso_behind_a_plain_url_is_recognised() -> None:
    sound = Endpoint(cap=20)
    sound.store.extend(Quad(A, P, Literal(n)) for n in range(50))

    def answer(handler: Handler, seen: Seen) -> None:
        handler.server_version, handler.sys_version = "Virtuoso/07.20", ""
        sound(handler, seen)

    with server(answer) as running:
        store = impatient(running.url)
        triples = narrowing.triples(store.query("CONSTRUCT WHERE { ?s ?p ?o }"))
        assert store.traits.row_cap == 20
    assert len(triples) == 50


def test_default_graph_is_kept_under_a_name_where_there_is_none() -> None:
    sound = Endpoint()
    with server(sound) as running:
        url = running.url.replace("http", "virtuoso+http", 1)
        with SparqlStore(url, backoff=0.001) as store:
            store.insert([ONE, Quad(A, P, A)])
            assert set(store.quads()) == {ONE, Quad(A, P, A)}
            assert list(store.quads("")) == [Quad(A, P, A)]
    graphs = {narrowing.value(quad.graph_name) for quad in sound.store}
    assert graphs == {"urn:test:g", "urn:graph:default"}


@pytest.mark.parametrize("kind", ["rdf4j", "graphdb", "blazegraph"])
def test_default_graph_is_read_alone_where_it_is_the_union(kind: str) -> None:
    with server(fixed(200, b"", "application/n-triples")) as running:
        store = SparqlStore(running.url.replace("http", f"{kind}+http", 1) + "/x")
        assert list(store.quads("")) == []
    assert "FROM <http://" in running.seen[0].form["query"]


def test_a_query_of_many_values_is_planned_as_it_stands_on_virtuoso() -> None:
    values = " ".join(f"VALUES ?v{n} {{ UNDEF }}" for n in range(8))
    with server(Endpoint()) as running:
        query = f"SELECT ?v0 {{ {values} }} LIMIT 999999999"
        with pytest.raises(StoreError, match="answered 400"):  # it is no Virtuoso
            SparqlStore("virtuoso+" + running.url).query(query)
        SparqlStore(running.url).query(query)
    sent = [seen.form["query"] for seen in running.seen]
    assert sent[0].startswith('DEFINE sql:select-option "order"\nSELECT ?v0')
    assert "LIMIT" not in sent[0]
    assert sent[-1].startswith("SELECT ?v0")
    assert sent[-1].endswith("LIMIT 999999999")


def test_a_recursive_path_is_planned_as_it_stands_on_virtuoso() -> None:
    with server(Endpoint()) as running:
        store = impatient("virtuoso+" + running.url)
        for query in (
            "SELECT ?s { ?s (<urn:p>/<urn:q>)* <urn:o> }",
            "SELECT ?s { ?s <urn:p>+ ?o }",
        ):
            with pytest.raises(StoreError, match="answered 400"):  # it is no Virtuoso
                store.query(query)
        store.query("SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o FILTER(?o > 2 * 3) }")
    sent = [seen.form["query"].startswith("DEFINE") for seen in running.seen]
    assert sent == [True, True, False]


def test_triple_terms_lose_their_blank_nodes_too() -> None:
    quad = Quad(A, P, Triple(BlankNode("b"), P, Triple(A, P, A)))
    sound = Endpoint()
    with server(sound) as running:
        store = impatient(running.url)
        store.insert([quad])
        (found,) = store.quads()
    assert found == without_blank_nodes(quad)
    assert "<<( <urn:trustgraph-prov:genid:b> " in running.seen[0].body.decode()


def test_reading_ends_when_the_store_is_closed() -> None:
    sound = Endpoint()
    sound.store.extend(Quad(A, P, Literal(n)) for n in range(5))
    with server(sound) as running:
        store = impatient(running.url)
        quads = store.quads()
        next(quads)
        store.close()
        with pytest.raises(StoreError, match="was closed while its quads were being read"):
            next(quads)


def test_select_of_no_variable() -> None:
    sound = Endpoint()
    with server(sound) as running:
        result = impatient(running.url).query("SELECT * { <urn:a> <urn:b> <urn:c> }")
    assert isinstance(result, QuerySolutions)
    assert list(result) == []
