"""Answers that a server cuts are read whole, in pages that go on from the last key."""

from __future__ import annotations

import random
from collections.abc import Callable

import narrowing
import pyoxigraph as ox
import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, QuerySolutions, QueryTriples
from sparql_cases import EMPTY, A, Endpoint, G, P, fixed, impatient, server

from trustgraph_prov.errors import InputSyntaxError, QueryTimeoutError, StoreError
from trustgraph_prov.queries import load, stored_queries
from trustgraph_prov.stores.sparql_text import form, parts, repeatable

CAP = 20
ORDERED = "SELECT ?s ?o WHERE { GRAPH <urn:test:g> { ?s ?p ?o } } ORDER BY DESC(?o) ?s"


def data(count: int = 77) -> list[Quad]:
    kinds: list[Callable[[int], Literal | NamedNode]] = [
        lambda n: Literal(f"text {n} \n\"'\\ é"),
        lambda n: Literal(n),
        lambda n: Literal(f"text {n % 5}", language="en"),
        lambda n: NamedNode(f"urn:o:{n}"),
    ]
    return [Quad(NamedNode(f"urn:s:{n % 9}"), P, kinds[n % 4](n), G) for n in range(count)]


def rows(result: object) -> list[tuple[str, ...]]:
    assert isinstance(result, QuerySolutions)
    return [tuple(str(term) for term in row) for row in result]


@pytest.mark.parametrize(
    "query",
    [
        ORDERED,
        ORDERED + " LIMIT 50",
        ORDERED + " LIMIT 20",
        ORDERED + " OFFSET 3 LIMIT 40",
        "SELECT * { GRAPH <urn:test:g> { ?s ?p ?o } }",
        "SELECT DISTINCT ?s ?o { GRAPH <urn:test:g> { ?s ?p ?o } }",
        "SELECT ?s ?none { GRAPH <urn:test:g> { ?s ?p ?o } }",
        "SELECT ?o FROM <urn:test:g> WHERE { ?s ?p ?o } ORDER BY ?o",
        "SELECT ?o (COUNT(?s) AS ?n) { GRAPH <urn:test:g> { ?s ?p ?o } } GROUP BY ?o "
        "HAVING(COUNT(?s) > 0)",
        "PREFIX t: <urn:test:>\n# a { comment\nSELECT ?o { GRAPH t:g { ?s t:p ?o } } # end",
        "SELECT ?o { GRAPH ?g { ?s ?p ?o } } VALUES ?g { <urn:test:g> }",
        "SELECT ?s ?o { GRAPH <urn:test:g> { ?s ?p ?o } OPTIONAL { ?o ?q ?s } }",
    ],
)
def test_select_is_whole(query: str) -> None:
    sound = Endpoint(cap=CAP)
    sound.store.extend(data())
    want = rows(sound.store.query(query))
    with server(sound) as running:
        found = rows(impatient(running.url).query(query))
    if "ORDER BY" in query:
        assert found == want
    else:
        assert sorted(found) == sorted(want)
    assert len(found) >= CAP


def test_limit_that_no_engine_reads_is_refused_with_its_line() -> None:
    sound = Endpoint(cap=CAP)
    sound.store.extend(data())
    query = f"SELECT ?s {{ GRAPH <urn:test:g> {{ ?s ?p ?o }} }}\nLIMIT {'9' * 5000}"
    with server(sound) as running:
        for store in (impatient(running.url), impatient(running.url, max_rows=CAP)):
            with pytest.raises(InputSyntaxError, match=r"query:2: not SPARQL at .* query limit"):
                store.query(query)


@pytest.mark.parametrize("said", ["\u00b2", "9" * 5000, "-3", "0", "many"])
def test_number_of_rows_that_is_none_is_not_believed(said: str) -> None:
    with server(fixed(200, EMPTY, X_SPARQL_MaxRows=said)) as running:
        store = impatient(running.url)
        assert rows(store.query("SELECT ?s { ?s ?p ?o }")) == []
    assert store.traits.row_cap is None


def test_duplicate_rows_are_kept() -> None:
    sound = Endpoint(cap=CAP)
    sound.store.extend(data())
    query = "SELECT ?p ?s { GRAPH <urn:test:g> { ?s ?p ?o } }"
    with server(sound) as running:
        found = rows(impatient(running.url).query(query))
    assert sorted(found) == sorted(rows(sound.store.query(query)))
    assert len(found) == 77


def test_more_equal_rows_than_a_page_are_refused() -> None:
    sound = Endpoint(cap=CAP)
    sound.store.extend(data())
    with (
        server(sound) as running,
        pytest.raises(
            StoreError, match="cuts answers at 20 rows, and as many are equal; ask DISTINCT"
        ),
    ):
        impatient(running.url).query("SELECT ?p { GRAPH <urn:test:g> { ?s ?p ?o } }")


def test_order_by_what_is_not_returned_is_refused() -> None:
    sound = Endpoint(cap=CAP)
    sound.store.extend(data())
    query = "SELECT ?s { GRAPH <urn:test:g> { ?s ?p ?o } } ORDER BY ?o"
    with server(sound) as running:
        store = impatient(running.url)
        with pytest.raises(StoreError, match="orders by what it does not return; return it too"):
            store.query(query)
        assert len(rows(store.query(query + " LIMIT 19"))) == 19


def test_sort_that_virtuoso_refuses_is_done_here() -> None:
    sound = Endpoint(cap=CAP, sorted_top=True)
    sound.store.extend(data())
    want = rows(sound.store.query(ORDERED + " LIMIT 2000"))
    with server(sound) as running:
        assert rows(impatient(running.url, max_rows=CAP).query(ORDERED + " LIMIT 2000")) == want


@pytest.mark.parametrize(
    "query",
    [
        "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <urn:test:g> { ?s ?p ?o } }",
        "CONSTRUCT { ?s <urn:q> ?o . ?o <urn:r> ?s } FROM <urn:test:g> WHERE { ?s ?p ?o }",
        "CONSTRUCT { ?s <urn:q> [ <urn:r> ?o ] } WHERE { GRAPH <urn:test:g> { ?s ?p ?o } }",
        "CONSTRUCT FROM <urn:test:g> WHERE { ?s ?p ?o }",
        "CONSTRUCT { ?s <urn:q> 1 } WHERE { GRAPH <urn:test:g> { ?s ?p ?o } } LIMIT 5",
        "CONSTRUCT { <urn:a> <urn:q> 1 } WHERE { GRAPH <urn:test:g> { ?s ?p ?o } }",
    ],
)
def test_construct_is_whole(query: str) -> None:
    sound = Endpoint(cap=CAP)
    sound.store.extend(data())
    want = sound.store.query(query)
    with server(sound) as running:
        found = impatient(running.url, max_rows=CAP).query(query)
    assert isinstance(found, QueryTriples)
    assert isinstance(want, QueryTriples)
    ours, theirs = list(found), list(want)
    if "[" in query:
        assert len(ours) == len(theirs) == 154
    elif "LIMIT" not in query:
        assert set(ours) == set(theirs)
    assert ours


def test_blank_nodes_survive_pages() -> None:
    sound = Endpoint(cap=5)
    sound.store.extend(Quad(BlankNode(f"b{n}"), P, Literal(str(n)), G) for n in range(12))
    query = "SELECT ?s ?o { GRAPH <urn:test:g> { ?s ?p ?o } } ORDER BY ?o"
    with server(sound) as running:
        store = impatient(running.url, max_rows=5)
        found = narrowing.rows(store.query(query))
        triples = narrowing.triples(
            store.query(f"CONSTRUCT {{ ?s {P} ?o }} WHERE {{ GRAPH {G} {{ ?s {P} ?o }} }}")
        )
        sound.cap = 50
        quads = list(impatient(running.url, max_rows=50).quads())
    assert all(isinstance(row["s"], BlankNode) for row in found)
    assert [row["o"].value for row in found] == sorted(str(n) for n in range(12))
    assert all(isinstance(triple.subject, BlankNode) for triple in triples)
    assert len(triples) == len(quads) == 12


@pytest.mark.parametrize("graph", [None, "", "urn:test:g", "urn:none"])
def test_quads_are_whole(graph: str | None) -> None:
    sound = Endpoint(cap=CAP)
    many = [Quad(A, P, Literal(n), NamedNode("urn:test:h")) for n in range(70)]
    default = [Quad(NamedNode(f"urn:s:{n}"), P, A) for n in range(70)]
    sound.store.extend([*data(), *many, *default])
    wanted = None if graph is None else NamedNode(graph) if graph else ox.DefaultGraph()
    want = set(sound.store.quads_for_pattern(None, None, None, wanted))
    with server(sound) as running:
        for options in ({"max_rows": CAP}, {}):
            sound.cap = options.get("max_rows")
            found = list(impatient(running.url, **options).quads(graph))
            assert len(found) == len(want)
            assert set(found) == want


def test_the_cap_is_learned_and_told() -> None:
    sound = Endpoint(cap=CAP)
    sound.store.extend(data())
    with server(sound) as running:
        store = impatient(running.url)
        assert store.traits.row_cap is None
        store.query(ORDERED)
        assert store.traits.row_cap == CAP
    with server(fixed(200, b"", "application/n-triples", X_Server="v")) as running:
        described = impatient(running.url, max_rows=7).query("DESCRIBE <urn:a>")
        assert narrowing.triples(described) == []


def test_pages_share_the_time_of_the_query() -> None:
    sound = Endpoint(cap=2)
    sound.store.extend(data(400))
    with server(sound) as running, pytest.raises(QueryTimeoutError, match=r"within 0\.3 s"):
        impatient(running.url).query(ORDERED, timeout=0.3)


def test_ordinary_answers_take_one_request() -> None:
    sound = Endpoint(cap=100)
    sound.store.extend(data())
    with server(sound) as running:
        store = impatient(running.url)
        assert len(rows(store.query(ORDERED))) == 77
        assert store.requests == 1


@pytest.mark.parametrize("name", stored_queries())
def test_stored_queries_are_cut_up_and_put_together(name: str) -> None:
    query = load(stored_queries()[name], name)
    found = parts(query.text)
    assert (form(query.text) or "UPDATE") == query.form or query.form == "UPDATE"
    if query.form not in ("SELECT", "CONSTRUCT"):
        assert found is None
        return
    assert found is not None
    pieces = [found.form, found.head, found.datasets, "WHERE", found.where, found.groups]
    ox.Store().query("\n".join([found.prologue, *pieces, found.order, found.values]))


@pytest.mark.parametrize(
    ("text", "order", "limit"),
    [
        ("SELECT ?a { ?a ?b 'LIMIT 3 }' } LIMIT 4", "LIMIT 4", 4),
        ("SELECT ?a { { SELECT ?a { ?a ?b ?c } LIMIT 3 } }", "", None),
        ('SELECT ?a { ?a ?b """x"} ORDER""" } ORDER BY ?a', "ORDER BY ?a", None),
        ("SELECT ?a { ?a order:limit ?c FILTER(?a<?c && ?c>?a) } ORDER BY ?a", "ORDER BY ?a", None),
        ("SELECT ?a { ?a <urn:#limit> ?c } # LIMIT 5\nOFFSET 2", "OFFSET 2", None),
        ("SELECT ?a { ?a ?b ?c } LIMIT " + "0" * 5000 + "7", "LIMIT " + "0" * 5000 + "7", 7),
    ],
)
def test_order_and_limit_of_the_outermost_select(text: str, order: str, limit: int | None) -> None:
    found = parts(text)
    assert found is not None
    assert (found.order, found.limit) == (order, limit)


@pytest.mark.parametrize("text", ["ASK {}", "DESCRIBE <urn:a>", "SELECT", "CONSTRUCT {", "", "}{"])
def test_what_cannot_be_cut_up(text: str) -> None:
    assert parts(text) is None


@pytest.mark.parametrize(
    ("update", "same"),
    [
        ("INSERT DATA { <urn:a> <urn:b> 1 }", True),
        ("DELETE DATA { <urn:a> <urn:b> '[' }", True),
        ("CLEAR GRAPH <urn:g>", True),
        ("DROP ALL", True),
        ("INSERT DATA { _:a <urn:b> 1 }", False),
        ("INSERT DATA { [] <urn:b> 1 }", False),
        ("INSERT DATA { <urn:a> <urn:b> 1 } ; INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }", False),
        ("INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }", False),
        ("", False),
    ],
)
def test_updates_that_may_be_repeated(update: str, same: bool) -> None:
    assert repeatable(update) == same


def test_any_order_of_pages_gives_the_same_rows() -> None:
    quads = data(300)
    random.Random(7).shuffle(quads)
    sound = Endpoint(cap=7)
    sound.store.extend(quads)
    with server(sound) as running:
        assert len(rows(impatient(running.url).query(ORDERED))) == len(
            rows(sound.store.query(ORDERED))
        )
