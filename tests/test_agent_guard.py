"""A query of a model's is kept to one graph, whatever its form."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from trustgraph_prov.agent.guard import check_query, within

REFUSED = {"GRAPH": "one graph is asked", "SERVICE": "one store is asked"}


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?s { ?s ?p ?o }",
        "SELECT ?s WHERE { ?s ?p ?o } LIMIT 1",
        "# SELECT {\nPREFIX a: <urn:a:> SELECT (COUNT(?s) AS ?n) WHERE { { ?s ?p ?o } }",
        "SELECT (STRLEN('{ WHERE') AS ?n) ?s { ?s ?p ?o { SELECT ?s WHERE { ?s ?p ?o } } }",
        "ASK { ?s ?p ?o }",
        "ASK WHERE { ?s ?p ?o } # WHERE",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "CONSTRUCT { ?s ?p 'WHERE {' } { ?s ?p ?o } ORDER BY ?s",
        "CONSTRUCT WHERE { ?s ?p ?o } LIMIT 3",
        "CONSTRUCT {} WHERE { ?s ?p ?o }",
        "SELECT ?s { VALUES ?s { <urn:in> <urn:out> } ?s ?p ?o } VALUES ?p { <urn:p> }",
    ],
)
def test_one_graph_is_read(query: str) -> None:
    store = ox.Store()
    store.update("INSERT DATA { <urn:out> <urn:p> 1 . GRAPH <urn:g> { <urn:in> <urn:p> 1 } }")
    check_query("t", query, REFUSED)
    text = within(query, "urn:g")
    found = store.query(text)
    plain = store.query(query, default_graph=ox.NamedNode("urn:g"), named_graphs=[])
    if isinstance(found, ox.QueryBoolean):
        assert found == plain
    else:
        assert not isinstance(plain, ox.QueryBoolean)
        assert {str(row) for row in found} == {str(row) for row in plain}
    assert within(query, "") == query


def test_what_is_no_query_is_left_alone() -> None:
    assert within("DROP ALL", "urn:g") == "DROP ALL"


@pytest.mark.parametrize("end", ["", " LIMIT 1", " ORDER BY ?s"])
def test_a_describe_without_a_pattern(end: str) -> None:
    text = within(f"DESCRIBE <urn:in>{end}", "urn:g")
    assert text.split() == f"DESCRIBE <urn:in> FROM <urn:g>{end}".split()


def test_a_comment_at_the_end_hides_no_graph() -> None:
    assert within("DESCRIBE <urn:in> # end", "urn:g").endswith("\nFROM <urn:g>\n")
