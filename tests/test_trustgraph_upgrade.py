"""The upgrade of earlier releases' runs says what the reader reads, and erases nothing."""

from __future__ import annotations

from collections import defaultdict

import pytest
from generation_cases import (
    UPGRADE,
    as_quads,
    views,
)
from pyoxigraph import Literal, NamedNode, Quad, parse
from trustgraph_cases import FILES, edge, graph_rag, take

from trustgraph_prov import (
    render,
    resources,
    stored_query,
    terms,
    trace,
)
from trustgraph_prov.explain.earlier import SUCCESSORS, with_types_of_today
from trustgraph_prov.explain.graph import by_node
from trustgraph_prov.explain.typed import DECIMALS, INTEGERS, TIMES
from trustgraph_prov.namespaces import (
    GRAPH_RETRIEVAL,
    PROV_ENTITY,
    PROV_STARTED_AT_TIME,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_STATEMENT,
    RDF_TYPE,
    TG_ANSWER,
    TG_ANSWER_TYPE,
    TG_QUERY,
    TG_REASONING,
    TG_SCORE,
    TG_SELECTED_EDGE,
    TG_STEP_RESULT,
    TG_SYNTHESIS,
    XSD_DATE_TIME,
    XSD_STRING,
)
from trustgraph_prov.stores import Store
from trustgraph_prov.terms import Term, plain
from trustgraph_prov.vocabulary import vocabulary


def test_an_upgrade_adds_the_types_of_today_and_erases_none(store: Store) -> None:
    for file in FILES:
        as_quads(store, file)
    before = types(store)
    store.update(stored_query(UPGRADE).bind())
    after = types(store)
    for node, recorded in before.items():
        assert recorded <= after[node]
        for old in recorded & SUCCESSORS.keys():
            assert after[node] >= {*SUCCESSORS[old]}
    for quad in store.quads(GRAPH_RETRIEVAL):
        value = quad.object
        if quad.predicate.value in TIMES | INTEGERS | DECIMALS:
            assert isinstance(value, Literal)
            assert value.datatype.value != XSD_STRING, quad


def types(store: Store) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for quad in store.quads(GRAPH_RETRIEVAL):
        if quad.predicate.value == RDF_TYPE and isinstance(quad.subject, NamedNode):
            assert isinstance(quad.object, NamedNode)
            found[quad.subject.value].add(quad.object.value)
    return found


EARLIER: dict[str, tuple[tuple[str, Term], ...]] = {
    "urn:trustgraph:session:7": ((TG_QUERY, terms.text("Why?")),),
    "urn:trustgraph:session:8": ((PROV_WAS_DERIVED_FROM, NamedNode("urn:trustgraph:session:7")),),
    "urn:trustgraph:prov:retrieval:7": (
        (PROV_WAS_GENERATED_BY, NamedNode("urn:trustgraph:session:7")),
    ),
    "urn:trustgraph:prov:selection:7": (
        (PROV_WAS_DERIVED_FROM, NamedNode("urn:trustgraph:prov:retrieval:7")),
        (TG_SELECTED_EDGE, NamedNode("urn:trustgraph:prov:edge:7:0")),
        (TG_SELECTED_EDGE, NamedNode("urn:a:statement")),
        (TG_SELECTED_EDGE, NamedNode("urn:nothing:known:of:it")),
    ),
    "urn:trustgraph:prov:edge:7:0": ((TG_REASONING, terms.text("It says so")),),
    "urn:a:statement": ((RDF_TYPE, NamedNode(RDF_STATEMENT)),),
    "urn:trustgraph:prov:answer:7": (
        (PROV_WAS_DERIVED_FROM, NamedNode("urn:trustgraph:prov:selection:7")),
    ),
    **{f"urn:of:{old}": ((RDF_TYPE, NamedNode(old)),) for old in SUCCESSORS},
}


def test_the_upgrade_and_the_reader_give_the_same_types(store: Store) -> None:
    nodes = by_node((uri, *said) for uri, saying in EARLIER.items() for said in saying)
    read = with_types_of_today(nodes)
    graph = NamedNode(GRAPH_RETRIEVAL)
    store.insert(
        Quad(NamedNode(uri), NamedNode(property), value, graph)
        for uri, saying in EARLIER.items()
        for property, value in saying
    )
    store.update(stored_query(UPGRADE).bind())
    expected = {uri: {plain(one) for one in said.get(RDF_TYPE, ())} for uri, said in read.items()}
    assert types(store) == {uri: of_it for uri, of_it in expected.items() if of_it}


def test_every_deprecated_class_has_its_successor_among_the_types_of_today() -> None:
    replaced = {
        triple.subject.value: triple.object.value
        for triple in parse(path=resources.folder("ontology") / "trustgraph.ttl")
        if triple.predicate.value == "http://purl.org/dc/terms/isReplacedBy"
    }
    assert replaced.keys() == SUCCESSORS.keys()
    for old, new in replaced.items():
        assert {new, *vocabulary().superclasses(new)} - {TG_ANSWER_TYPE} <= {*SUCCESSORS[old]}


def test_an_upgrade_leaves_alone_what_is_no_date_or_number(store: Store) -> None:
    node, graph = NamedNode("urn:trustgraph:agent:1"), NamedNode(GRAPH_RETRIEVAL)
    junk = {
        TG_QUERY: "42",
        PROV_STARTED_AT_TIME: "yesterday",
        TG_SCORE: "high",
        "https://trustgraph.ai/ns/stepNumber": "007",
        "https://trustgraph.ai/ns/inToken": "1,893",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#object": "2026-03-02T08:15:00Z",
        "https://trustgraph.ai/ns/planStep": "3",
    }
    quads = {Quad(node, NamedNode(p), terms.text(value), graph) for p, value in junk.items()}
    elsewhere = Quad(node, NamedNode(TG_SCORE), terms.text("0.5"), NamedNode("urn:graph:other"))
    store.insert([*quads, elsewhere])
    store.update(stored_query(UPGRADE).bind())
    assert set(store.quads()) == {*quads, elsewhere}


NUMBERS = [
    (PROV_STARTED_AT_TIME, "2026-03-02 08:15:00", "2026-03-02T08:15:00Z"),
    (PROV_STARTED_AT_TIME, "2026-03-02T10:15:00.500+02:00", "2026-03-02T08:15:00.5Z"),
    (TG_SCORE, "0.90", "0.9"),
    (TG_SCORE, "-3", "-3"),
    (TG_SCORE, "1e-05", "0.00001"),
    ("https://trustgraph.ai/ns/edgeCount", "0", "0"),
]


@pytest.mark.parametrize(("property", "given", "read"), NUMBERS)
def test_dates_and_numbers_are_read_as_such_before_and_after(
    property: str, given: str, read: str, store: Store
) -> None:
    node, graph = NamedNode("urn:trustgraph:question:1"), NamedNode(GRAPH_RETRIEVAL)
    store.insert(
        [
            Quad(node, NamedNode(TG_QUERY), terms.text("Why?"), graph),
            Quad(node, NamedNode(property), terms.text(given), graph),
        ]
    )
    before = render.to_dict(trace(store, node.value))
    (value,) = before["question"]["properties"][property]
    assert (value["value"], "datatype" in value) == (read, True)
    store.update(stored_query(UPGRADE).bind())
    assert render.to_dict(trace(store, node.value)) == before


MANY = "https://trustgraph.ai/ns/inToken"
STAYING = [
    (MANY, "9" * 19),
    (MANY, "99999999999999999999999"),
    (MANY, "7\n"),
    (TG_SCORE, "0.5\n"),
    (PROV_STARTED_AT_TIME, "0000-01-01T00:00:00Z"),
    (PROV_STARTED_AT_TIME, "0001-01-01T00:00:00+05:00"),
    (PROV_STARTED_AT_TIME, "9999-12-31T23:00:00-05:00"),
    (PROV_STARTED_AT_TIME, "2026-02-30T00:00:00Z"),
    (PROV_STARTED_AT_TIME, "2026-06-31T00:00:00Z"),
    (PROV_STARTED_AT_TIME, "2026-02-29 00:00:00"),
    (PROV_STARTED_AT_TIME, "2100-02-29T00:00:00Z"),
    (PROV_STARTED_AT_TIME, "2026-03-02T24:00:00Z"),
    (PROV_STARTED_AT_TIME, "2026-03-02T08:15:00+14:30"),
    (PROV_STARTED_AT_TIME, "2026-03-02T08:15:00+02:60"),
]


@pytest.mark.parametrize(("property", "given"), STAYING)
def test_text_that_one_of_them_could_not_read_stays_text(
    property: str, given: str, store: Store
) -> None:
    node, graph = NamedNode("urn:trustgraph:question:1"), NamedNode(GRAPH_RETRIEVAL)
    quads = {
        Quad(node, NamedNode(TG_QUERY), terms.text("Why?"), graph),
        Quad(node, NamedNode(property), terms.text(given), graph),
    }
    store.insert(quads)
    before = views(store)
    store.update(stored_query(UPGRADE).bind())
    assert set(store.quads()) == quads
    assert views(store) == before


@pytest.mark.parametrize("day", ["2024-02-29", "2000-02-29", "2026-01-31", "2026-04-30"])
def test_last_days_of_months_are_dates(day: str, store: Store) -> None:
    node, graph = NamedNode("urn:trustgraph:question:1"), NamedNode(GRAPH_RETRIEVAL)
    started = NamedNode(PROV_STARTED_AT_TIME)
    store.insert([Quad(node, started, terms.text(f"{day}T08:15:00.5+02:00"), graph)])
    store.update(stored_query(UPGRADE).bind())
    (quad,) = store.quads()
    assert isinstance(quad.object, Literal)
    assert quad.object.datatype.value == XSD_DATE_TIME


AGENT = "urn:trustgraph:agent:7"


@pytest.mark.parametrize(
    ("node", "types"),
    [
        (f"{AGENT}/final", ()),
        (f"{AGENT}/final", (PROV_ENTITY,)),
        (f"{AGENT}/synthesis", (TG_SYNTHESIS,)),
        (f"{AGENT}/step/1", (TG_STEP_RESULT,)),
        ("urn:trustgraph:prov:edge:7:0", (TG_SYNTHESIS,)),
        ("urn:trustgraph:prov:edge:7:0", ()),
        ("urn:other", ()),
    ],
)
def test_a_selected_node_keeps_its_part(node: str, types: tuple[str, ...], store: Store) -> None:
    said: list[tuple[str, str, Term]] = [
        (AGENT, TG_QUERY, terms.text("Why?")),
        (node, PROV_WAS_DERIVED_FROM, NamedNode(AGENT)),
        (node, TG_ANSWER, terms.text("Because.")),
        (node, TG_REASONING, terms.text("It says so")),
        *((node, RDF_TYPE, NamedNode(one)) for one in types),
        ("urn:trustgraph:question:8", TG_QUERY, terms.text("What?")),
        ("urn:trustgraph:prov:focus:8", PROV_WAS_DERIVED_FROM, NamedNode(AGENT)),
        ("urn:trustgraph:prov:focus:8", TG_SELECTED_EDGE, NamedNode(node)),
    ]
    graph = NamedNode(GRAPH_RETRIEVAL)
    store.insert(Quad(NamedNode(s), NamedNode(p), o, graph) for s, p, o in said)
    before = views(store)
    store.update(stored_query(UPGRADE).bind())
    after = views(store)
    assert after[0] == before[0]
    assert after[2] == before[2]


def test_scores_are_drawn_alike_before_and_after(store: Store) -> None:
    edges = [
        {"edge": edge("urn:s", "urn:p", f"urn:o:{score}"), "score": score}
        for score in ("1e-05", "0.90", "1", "high")
    ]
    take(store, *graph_rag("g1", edges))
    before = views(store)
    store.update(stored_query(UPGRADE).bind())
    assert views(store) == before
    for score in ("0.00001", "0.9", "1", "high"):
        assert f"score {score}" in before[2][0]


def test_the_upgrade_and_the_reader_name_the_same_properties() -> None:
    text = stored_query(UPGRADE).text
    for property in TIMES | INTEGERS | DECIMALS:
        name = property.rpartition("#")[2].rpartition("/")[2]
        assert f"prov:{name}" in text or f"tg:{name}" in text, name
