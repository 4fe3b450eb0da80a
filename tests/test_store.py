"""What every store does, on every engine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from narrowing import narrow, value
from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    QueryTriples,
)

from trustgraph_prov.namespaces import XSD
from trustgraph_prov.stores import Store

A, B, P, G, H = (NamedNode(f"urn:test:{name}") for name in "abpgh")
ONE = Quad(A, P, Literal("one"), G)
TWO = Quad(A, P, Literal("two"), H)
DEFAULT = Quad(B, P, A)


def rows(store: Store, query: str) -> list[tuple[str, ...]]:
    result = store.query(query)
    assert isinstance(result, QuerySolutions)
    return [tuple(str(term) for term in row) for row in result]


def test_insert_then_read(store: Store) -> None:
    store.insert([ONE, TWO, DEFAULT])
    assert set(store.quads()) == {ONE, TWO, DEFAULT}
    assert list(store.quads("urn:test:g")) == [ONE]
    assert list(store.quads("")) == [DEFAULT]
    assert list(store.quads("urn:test:none")) == []


def test_insert_again_changes_nothing(store: Store) -> None:
    store.insert([ONE, ONE])
    store.insert(iter([ONE]))
    assert list(store.quads()) == [ONE]


def test_insert_of_nothing(store: Store) -> None:
    store.insert([])
    assert list(store.quads()) == []


def test_insert_that_raises_in_the_middle_leaves_nothing(store: Store) -> None:
    store.insert([TWO])

    def half() -> Iterator[Quad]:
        yield from (Quad(A, P, Literal(str(n)), G) for n in range(1000))
        raise LookupError("the source broke off")

    with pytest.raises(LookupError, match="broke off"):
        store.insert(half())
    assert list(store.quads()) == [TWO]


def test_insert_may_read_the_same_store(store: Store) -> None:
    store.insert([ONE])
    store.insert(Quad(quad.subject, quad.predicate, quad.object, H) for quad in store.quads())
    assert len(list(store.quads())) == 2


def test_select(store: Store) -> None:
    store.insert([ONE, TWO])
    result = store.query("SELECT ?g ?o ?none { GRAPH ?g { <urn:test:a> ?p ?o } } ORDER BY ?o")
    assert isinstance(result, QuerySolutions)
    assert [variable.value for variable in result.variables] == ["g", "o", "none"]
    assert [(row["g"], row["o"], row["none"]) for row in result] == [
        (G, Literal("one"), None),
        (H, Literal("two"), None),
    ]


def test_select_star_names_variables_in_one_order(store: Store) -> None:
    result = store.query("SELECT * { GRAPH ?zebra { ?yak ?xerus ?wolf } }")
    assert isinstance(result, QuerySolutions)
    assert [variable.value for variable in result.variables] == ["wolf", "xerus", "yak", "zebra"]


def test_select_serialises(store: Store) -> None:
    store.insert([ONE])
    result = narrow(store.query("SELECT ?o { GRAPH <urn:test:g> { ?s ?p ?o } }"), QuerySolutions)
    assert result.serialize(format=QueryResultsFormat.CSV) == b"o\r\none\r\n"


def test_ask(store: Store) -> None:
    store.insert([ONE])
    yes = store.query("ASK { GRAPH <urn:test:g> { ?s ?p ?o } }")
    assert isinstance(yes, QueryBoolean)
    assert yes
    assert not store.query("ASK { GRAPH <urn:test:h> { ?s ?p ?o } }")


def test_construct(store: Store) -> None:
    store.insert([ONE, Quad(BlankNode("b1"), P, Literal("bonjour", language="fr"), G)])
    result = store.query("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <urn:test:g> { ?s ?p ?o } }")
    assert isinstance(result, QueryTriples)
    assert {str(triple.object) for triple in result} == {'"one"', '"bonjour"@fr'}


def test_default_graph_is_no_union(store: Store) -> None:
    store.insert([ONE, DEFAULT])
    assert rows(store, "SELECT ?s { ?s ?p ?o }") == [("<urn:test:b>",)]


def test_result_outlives_the_store(store: Store) -> None:
    store.insert([Quad(A, P, Literal(str(n)), G) for n in range(500)])
    solutions = store.query("SELECT ?o { GRAPH <urn:test:g> { ?s ?p ?o } }")
    triples = store.query("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <urn:test:g> { ?s ?p ?o } }")
    store.close()
    assert not isinstance(solutions, QueryBoolean)
    assert not isinstance(triples, QueryBoolean)
    assert len(list(solutions)) == len(list(triples)) == 500


@pytest.mark.parametrize(
    "literal",
    [
        Literal("2026-03-02T10:15:00Z", datatype=NamedNode(XSD + "dateTime")),
        Literal("2026-03-02T10:15:00.12Z", datatype=NamedNode(XSD + "dateTime")),
        Literal("0.875", datatype=NamedNode(XSD + "decimal")),
        Literal("7", datatype=NamedNode(XSD + "integer")),
        Literal("true", datatype=NamedNode(XSD + "boolean")),
        Literal("not a date", datatype=NamedNode(XSD + "dateTime")),
        Literal("x", datatype=NamedNode("urn:test:type")),
        Literal("Rua da Aurora", language="pt-br"),
        Literal(""),
        Literal('quote " backslash \\ newline \n return \r tab \t nul \x00 bell \x07 \U0001f600'),
        Literal("long " * 200_000),
    ],
    ids=lambda literal: repr(literal.value[:12]),
)
def test_literals_come_back_as_they_were(store: Store, literal: Literal) -> None:
    store.insert([Quad(A, P, literal, G)])
    assert [quad.object for quad in store.quads()] == [literal]
    result = store.query("SELECT ?o { GRAPH <urn:test:g> { ?s ?p ?o } }")
    assert isinstance(result, QuerySolutions)
    assert [row["o"] for row in result] == [literal]


def test_update_inserts_and_deletes(store: Store) -> None:
    store.insert([ONE, DEFAULT])
    store.update(
        "DELETE { GRAPH ?g { ?s ?p ?o } } INSERT { GRAPH <urn:test:h> { ?s ?p 'two' } } "
        "WHERE { VALUES ?s { <urn:test:a> } GRAPH ?g { ?s ?p ?o } }"
    )
    assert set(store.quads()) == {TWO, DEFAULT}


def test_update_keeps_lexical_forms(store: Store) -> None:
    store.update(
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> INSERT DATA { GRAPH <urn:test:g> { "
        "<urn:test:a> <urn:test:p> '2026-03-02T10:15:00Z'^^xsd:dateTime, '0.50'^^<urn:test:t> } }"
    )
    assert {value(quad.object) for quad in store.quads("urn:test:g")} == {
        "2026-03-02T10:15:00Z",
        "0.50",
    }


@pytest.mark.parametrize(
    ("update", "left"),
    [
        ("INSERT DATA { <urn:test:b> <urn:test:p> <urn:test:a> }", {ONE, TWO, DEFAULT}),
        ("DELETE DATA { <urn:test:b> <urn:test:p> <urn:test:a> }", {ONE, TWO}),
        ("DELETE WHERE { ?s ?p ?o }", {ONE, TWO}),
        ("DELETE WHERE { GRAPH <urn:test:g> { ?s ?p ?o } }", {TWO, DEFAULT}),
        ("WITH <urn:test:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", {TWO, DEFAULT}),
        ("CLEAR DEFAULT", {ONE, TWO}),
        ("DROP DEFAULT", {ONE, TWO}),
        ("CLEAR NAMED", {DEFAULT}),
        ("CLEAR GRAPH <urn:test:g>", {TWO, DEFAULT}),
        ("DROP GRAPH <urn:test:g>", {TWO, DEFAULT}),
        ("CLEAR ALL", set()),
        ("COPY DEFAULT TO <urn:test:g>", {Quad(B, P, A, G), TWO, DEFAULT}),
        ("MOVE <urn:test:g> TO DEFAULT", {Quad(A, P, Literal("one")), TWO}),
        ("MOVE DEFAULT TO <urn:test:g>", {Quad(B, P, A, G), TWO}),
        ("ADD DEFAULT TO <urn:test:g>", {Quad(B, P, A, G), ONE, TWO, DEFAULT}),
        (
            "INSERT { ?s ?p ?o } USING <urn:test:g> WHERE { ?s ?p ?o }",
            {Quad(A, P, Literal("one")), ONE, TWO, DEFAULT},
        ),
    ],
)
def test_update_touches_no_other_graph(store: Store, update: str, left: set[Quad]) -> None:
    store.insert([ONE, TWO, DEFAULT])
    store.update(update)
    assert set(store.quads()) == left


def test_flush_reopen_close(store: Store) -> None:
    store.insert([ONE])
    store.flush()
    store.reopen()
    assert list(store.quads()) == [ONE]
    store.close()
    store.close()


def test_context_manager_gives_the_store_and_closes_it(store: Store) -> None:
    with store as same:
        assert same is store
    with pytest.raises(Exception, match="is closed"):
        store.insert([ONE])


def test_result_rows_of_a_federated_default(store: Store) -> None:
    """FROM a graph that is not there is an empty graph, never fetched from the network."""
    assert rows(store, "SELECT ?s FROM <http://127.0.0.1:9/none> { ?s ?p ?o }") == []


def test_a_triple_in_two_graphs_is_read_from_the_one_asked_for(store: Store) -> None:
    node = NamedNode("urn:a")
    quads = [Quad(node, node, node, NamedNode(name)) for name in ("urn:g:1", "urn:g:2")]
    store.insert([*quads, Quad(node, node, node)])
    assert list(store.quads("urn:g:1")) == quads[:1]
    assert list(store.quads("")) == [Quad(node, node, node)]
    assert len(list(store.quads())) == 3
