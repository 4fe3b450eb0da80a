"""Whose node is it, where links make a circle or go on for long: every command has an end."""

from __future__ import annotations

import io
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, serialize

from trustgraph_prov import import_quads
from trustgraph_prov import namespaces as ns
from trustgraph_prov.deletion import delete_trace
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.explain.order import in_order
from trustgraph_prov.explain.trace import trace, triples_of
from trustgraph_prov.indexing import IndexReport, index
from trustgraph_prov.ownership import owners
from trustgraph_prov.stores import Store, open_store

GRAPH = NamedNode(ns.GRAPH_RETRIEVAL)
QUESTION, STEP = "urn:trustgraph:question:a", "urn:trustgraph:agent:b/i1"
LINKS = (ns.PROV_WAS_DERIVED_FROM, ns.PROV_WAS_GENERATED_BY)
TYPES = (ns.TG_ANALYSIS, ns.TG_QUESTION, ns.TG_SYNTHESIS, ns.PROV_ENTITY)


def told(node: str, property: str, value: str | Literal) -> Quad:
    term = value if isinstance(value, Literal) else NamedNode(value)
    return Quad(NamedNode(node), NamedNode(property), term, GRAPH)


def written(quads: list[Quad]) -> bytes:
    out = io.BytesIO()
    serialize(quads, out, RdfFormat.N_QUADS)
    return out.getvalue()


def every_command_ends(store: Store, quads: list[Quad]) -> None:
    import_quads(store, io.BytesIO(written(quads)), format="nquads")
    index(store)
    runs = list_traces(store, called=True).traces
    for run in runs:
        trace(store, run.uri)
        list(triples_of(store, run.uri))
    for run in runs:
        delete_trace(store, run.uri)
    assert not list_traces(store, called=True).traces


def test_a_question_and_a_step_of_another_run_that_derive_from_each_other(store: Store) -> None:
    every_command_ends(
        store,
        [
            told(QUESTION, ns.TG_QUERY, Literal("sub")),
            told(QUESTION, ns.PROV_WAS_DERIVED_FROM, STEP),
            told(STEP, ns.PROV_WAS_DERIVED_FROM, QUESTION),
        ],
    )


@pytest.mark.parametrize("whole", [True, False])
def test_a_circle_has_one_owner_whatever_the_order(whole: bool) -> None:
    links = {QUESTION: [STEP], STEP: [QUESTION]}
    for one in (links, dict(reversed(links.items()))):
        assert owners({QUESTION}, one, whole=whole) == {QUESTION: QUESTION, STEP: QUESTION}


IRIS = st.sampled_from(
    [
        *(f"urn:trustgraph:agent:{one}{rest}" for one in "ab" for rest in ("", "/i1", "/final")),
        *(f"urn:trustgraph:{one}:c" for one in ("question", "prov:synthesis")),
        *("urn:trustgraph:docrag:d", "urn:other"),
    ]
)
QUADS = st.one_of(
    st.builds(told, IRIS, st.sampled_from(LINKS), IRIS),
    st.builds(told, IRIS, st.just(ns.RDF_TYPE), st.sampled_from(TYPES)),
    st.builds(told, IRIS, st.just(ns.TG_QUERY), st.just(Literal("Why?"))),
)


@settings(max_examples=150)
@given(st.lists(QUADS, max_size=14), st.lists(QUADS, max_size=4))
def test_any_small_graph_is_read_and_deleted(first: list[Quad], before: list[Quad]) -> None:
    store = open_store("memory:")
    store.insert(before)
    for question in {quad.subject for quad in before if quad.predicate.value == ns.TG_QUERY}:
        assert isinstance(question, NamedNode)
        trace(store, question.value)
    every_command_ends(store, first)


@settings(max_examples=300)
@given(st.lists(QUADS, max_size=16))
def test_a_second_index_adds_nothing_to_any_small_graph(quads: list[Quad]) -> None:
    store = open_store("memory:")
    store.insert(quads)
    index(store)
    once = set(store.quads())
    again = index(store)
    assert set(store.quads()) == once
    assert (again.nodes, again.calls) == (0, 0)


DOCUMENTS, AGENT = "urn:trustgraph:docrag:d", "urn:trustgraph:agent:a"


def test_only_the_owner_of_a_decided_node_flows_on() -> None:
    links = {
        f"{DOCUMENTS}/synthesis": [DOCUMENTS],
        f"{AGENT}/i1": [AGENT, f"{DOCUMENTS}/synthesis"],
        "urn:note": [f"{AGENT}/i1"],
    }
    assert owners({DOCUMENTS, AGENT}, links)["urn:note"] == AGENT


def test_what_is_placed_by_a_caller_places_the_rest_at_once(store: Store) -> None:
    """A step's session is that of a run which called only one of those it reaches."""
    called, other = "urn:trustgraph:agent:b", "urn:trustgraph:question:c"
    links = [
        (f"{AGENT}/i1", AGENT),
        (called, f"{AGENT}/i1"),
        (f"{AGENT}/i2", called),
        (f"{AGENT}/i2", other),
        ("urn:note", f"{AGENT}/i2"),
    ]
    store.insert(told(one, ns.TG_QUERY, Literal("Why?")) for one in (AGENT, called, other))
    store.insert(told(node, ns.PROV_WAS_DERIVED_FROM, parent) for node, parent in links)
    assert index(store).unowned == 0
    assert told("urn:note", ns.TGP_TRACE, AGENT) in set(store.quads())
    assert index(store) == IndexReport(undated=0)


MANY = 10_000


@pytest.mark.parametrize("whole", [True, False])
def test_a_long_run_and_one_of_many_calls(whole: bool) -> None:
    steps = {f"i{n}": [f"i{n - 1}" if n else "q"] for n in range(MANY)}
    assert set(owners({"q"}, steps, whole=whole).values()) == {"q"}
    runs = [f"urn:trustgraph:agent:{n}" for n in range(MANY)]
    calls = {run: [f"{caller}/i1"] for caller, run in pairwise(runs)}
    calls |= {f"{run}/i{n}": [run] for run, n in product(runs, (1, 2))}
    calls |= {f"urn:trustgraph:agent:x{n}/i1": [run] for n, run in enumerate(runs)}
    found = owners(set(runs), calls, whole=whole)
    assert found[f"{runs[-1]}/i2"] == runs[-1]


@pytest.mark.parametrize("first", [[], [f"i{MANY - 1}"]], ids=["chain", "circle"])
def test_steps_of_a_long_run_have_an_order(first: list[str]) -> None:
    links = {f"i{n}": [f"i{n - 1}"] if n else first for n in range(MANY)}
    assert in_order(links, {}) == list(links)


def test_a_long_run_is_read_and_deleted(tmp_path: Path) -> None:
    run = "urn:trustgraph:agent:7"
    quads = [told(run, ns.TG_QUERY, Literal("Why?"))]
    quads += [
        told(f"{run}/i{n}", ns.PROV_WAS_DERIVED_FROM, f"{run}/i{n - 1}" if n > 1 else run)
        for n in range(1, 2001)
    ]
    file = tmp_path / "long.nq"
    file.write_bytes(written(quads))
    store = open_store("memory:")
    import_quads(store, file)
    assert len(trace(store, run).steps) == 2000
    assert delete_trace(store, run).triples > 4000
