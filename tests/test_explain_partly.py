"""Runs of which some nodes carry tgp:trace and others do not are shown whole."""

from __future__ import annotations

from collections.abc import Collection
from io import BytesIO

import pytest
from explain_cases import Story
from hypothesis import given, settings
from hypothesis import strategies as st
from narrowing import subject
from pyoxigraph import NamedNode, Quad

from trustgraph_prov import export_quads, validate
from trustgraph_prov.explain import trace
from trustgraph_prov.namespaces import (
    PROV_WAS_DERIVED_FROM,
    RDF_STATEMENT,
    RDF_TYPE,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_EDGE,
    TG_EDGE_SELECTION,
    TG_EXPLORATION,
    TG_FOCUS,
    TG_GRAPH_RAG_QUESTION,
    TG_SELECTED_EDGE,
    TG_STEP_NUMBER,
    TGP_CALLED_FROM,
    TGP_TRACE,
)
from trustgraph_prov.render.json import to_dict
from trustgraph_prov.stores import Store, open_store

TOP = "urn:trustgraph:agent:top"
LOW = "urn:trustgraph:question:low"
EDGE = "urn:trustgraph:prov:edge:low:0"


def stories(tie: str = TGP_CALLED_FROM) -> tuple[Story, Story]:
    """An agent whose first step asks a graph-RAG run, and goes on from its answer."""
    top, low = Story(TOP), Story(LOW, TG_GRAPH_RAG_QUESTION)
    low.add(LOW, {tie: top.step("i1")})
    focus = low.step("focus", low.step("exploration", kind=TG_EXPLORATION), kind=TG_FOCUS)
    low.add(focus, {TG_SELECTED_EDGE: EDGE})
    low.add(EDGE, {RDF_TYPE: NamedNode(TG_EDGE_SELECTION), TG_EDGE: "urn:edge"})
    answer = low.answer(focus, text=None)
    low.add(answer, {TG_DOCUMENT: "urn:text"})
    top.answer(top.step("i3", top.step("i2", f"{TOP}/i1", answer)))
    return top, low


def shared() -> list[Quad]:
    """What runs share, and what carries no tgp:trace in the best of stores."""
    texts = Story("urn:none")
    texts.rows.clear()
    texts.add("urn:edge", {RDF_TYPE: NamedNode(RDF_STATEMENT)})
    texts.add("urn:text", {TG_CONTENT: "Silt."})
    return texts.quads(indexed=False)


def quads(of: Collection[Story], without: Collection[str] = ()) -> list[Quad]:
    """The runs, some of whose nodes carry no tgp:trace."""
    return shared() + [
        quad
        for story in of
        for quad in story.quads()
        if quad.predicate.value != TGP_TRACE or subject(quad) not in without
    ]


def told(store: Store, uri: str) -> object:
    """A run as JSON, without the property that some of its nodes lack."""

    def bare(value: object) -> object:
        if isinstance(value, dict):
            return {key: bare(one) for key, one in value.items() if key != TGP_TRACE}
        return [bare(one) for one in value] if isinstance(value, list) else value

    return bare(to_dict(trace(store, uri)))


def exported(store: Store, uri: str) -> set[str]:
    """A run as N-Quads, without the index."""
    out = BytesIO()
    export_quads(store, out, trace=uri)
    return {line for line in out.getvalue().decode().splitlines() if TGP_TRACE not in line}


NODES = sorted({node for story in stories() for node in story.nodes})


def test_each_node_of_the_stories_is_shown(store: Store) -> None:
    store.insert(quads(stories()))
    shown = {node.uri for run in trace(store, TOP).runs() for node in run.nodes}
    assert shown == {*NODES, "urn:edge", "urn:text"}


@pytest.mark.parametrize(
    "without",
    [
        *([node] for node in NODES),
        [f"{TOP}/i2", f"{TOP}/i3", f"{TOP}/final"],
        [node for node in NODES if node.startswith(LOW) or node == EDGE],
        [node for node in NODES if node != TOP],
        NODES,
    ],
    ids=lambda without: ",".join(one.rpartition(":")[2] for one in without),
)
@pytest.mark.parametrize("tie", [TGP_CALLED_FROM, PROV_WAS_DERIVED_FROM])
def test_a_partly_indexed_run_is_shown_whole(store: Store, tie: str, without: list[str]) -> None:
    runs = stories(tie)
    runs[1].add(LOW, {TGP_CALLED_FROM: f"{TOP}/i1"})
    store.insert(quads(runs, without))
    whole = open_store("memory:")
    whole.insert(quads(runs))
    for uri in (TOP, LOW):
        assert told(store, uri) == told(whole, uri)
        assert exported(store, uri) == exported(whole, uri)


def test_a_partly_indexed_run_is_checked_whole(store: Store) -> None:
    one = Story(TOP)
    fault = one.step("i1")
    one.add(fault, {TG_STEP_NUMBER: "first"})
    store.insert(quads([one], [fault]))
    found = validate(store, trace=TOP).results
    assert {one.focus for one in found if one.path == TG_STEP_NUMBER} == {fault}


@given(st.sets(st.sampled_from(NODES)))
@settings(max_examples=60)
def test_any_part_of_the_index_will_do(without: set[str]) -> None:
    whole, partly = open_store("memory:"), open_store("memory:")
    whole.insert(quads(stories()))
    partly.insert(quads(stories(), without))
    for uri in (TOP, LOW):
        assert told(partly, uri) == told(whole, uri)


def test_what_the_index_says_of_a_node_counts_before_its_links(store: Store) -> None:
    one, two = Story("urn:one"), Story("urn:two")
    two.add(two.uri, {PROV_WAS_DERIVED_FROM: one.answer()})
    two.step("i1", one.uri)
    late = two.step("i2", f"{two.uri}/i1")
    store.insert(quads([one, two], [late]))
    assert [step.uri for step in trace(store, two.uri).steps] == [f"{two.uri}/i1", late]
    assert [step.uri for step in trace(store, one.uri).steps] == [f"{one.uri}/final"]


def test_a_node_of_several_runs_none_of_which_called_the_others_is_shown_in_each(
    store: Store,
) -> None:
    one, two = Story("urn:one"), Story("urn:two")
    both = Story("urn:none")
    both.rows.clear()
    both.step("both", one.answer(), two.answer())
    store.insert([*one.quads(), *two.quads(), *both.quads(indexed=False)])
    for story in (one, two):
        steps = [step.uri for step in trace(store, story.uri).steps]
        assert steps == [f"{story.uri}/final", "urn:none/both"]
