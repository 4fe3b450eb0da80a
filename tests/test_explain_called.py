"""Runs that call runs: nested, once each, however they are tied together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from explain_cases import Counting, Story
from pyoxigraph import RdfFormat, parse

from trustgraph_prov.explain import Trace, trace
from trustgraph_prov.namespaces import (
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_INFORMED_BY,
    TG_ANSWER,
    TG_DOC_RAG_QUESTION,
    TG_GRAPH_RAG_QUESTION,
    TGP,
    TGP_CALLED_FROM,
)
from trustgraph_prov.stores import Store

EXAMPLE = Path(__file__).parents[1] / "ontology/examples/agent-calls-graph-rag.trig"
TOP = "urn:trustgraph:agent:top"
MIDDLE = "urn:trustgraph:question:middle"
BOTTOM = "urn:trustgraph:docrag:bottom"


def nested(tie: str) -> list[Story]:
    """An agent that asks a graph-RAG run, which asks a document-RAG run; each goes on after."""
    top, middle = Story(TOP), Story(MIDDLE, TG_GRAPH_RAG_QUESTION)
    bottom = Story(BOTTOM, TG_DOC_RAG_QUESTION)
    bottom.add(BOTTOM, {tie: middle.step("m1")})
    low = bottom.answer(text="deep")
    middle.add(MIDDLE, {tie: top.step("i1")})
    answer = middle.answer(middle.step("m2", f"{MIDDLE}/m1", low), text="found")
    top.answer(top.step("i2", f"{TOP}/i1", answer))
    return [top, middle, bottom]


def outline(run: Trace) -> dict[str, object]:
    steps = {step.uri.rpartition("/")[2]: [outline(c) for c in step.called] for step in run.steps}
    return {run.uri: steps}


@pytest.mark.parametrize(
    ("tie", "indexed"), [(TGP_CALLED_FROM, True), (PROV_WAS_DERIVED_FROM, False)]
)
@pytest.mark.parametrize("uri", [TOP, MIDDLE, BOTTOM])
def test_called_runs_in_called_runs(store: Store, tie: str, indexed: bool, uri: str) -> None:
    for story in nested(tie):
        store.insert(story.quads(indexed=indexed))
    bottom: dict[str, object] = {BOTTOM: {"final": []}}
    middle: dict[str, object] = {MIDDLE: {"m1": [bottom], "m2": [], "final": []}}
    top: dict[str, object] = {TOP: {"i1": [middle], "i2": [], "final": []}}
    assert outline(trace(store, uri)) == {TOP: top, MIDDLE: middle, BOTTOM: bottom}[uri]


@pytest.mark.parametrize("tie", [TGP_CALLED_FROM, PROV_WAS_DERIVED_FROM, PROV_WAS_INFORMED_BY])
def test_what_a_first_step_calls_is_shown_alone_without_the_index(store: Store, tie: str) -> None:
    """The step hangs on its question alone, which leads to nothing."""
    top, low = Story(TOP), Story(BOTTOM, TG_DOC_RAG_QUESTION)
    low.add(BOTTOM, {tie: TOP if tie == PROV_WAS_INFORMED_BY else f"{TOP}/i1"})
    top.answer(top.step("i1", TOP, low.answer(text="deep")), text="so deep")
    for story in (top, low):
        store.insert(story.quads(indexed=False))
    assert outline(trace(store, BOTTOM)) == {BOTTOM: {"final": []}}
    assert len(trace(store, BOTTOM).answers) == 1
    assert {step.uri for step in trace(store, TOP).steps} == {f"{TOP}/i1", f"{TOP}/final"}


def test_a_step_that_uses_the_answer_of_an_earlier_run_is_not_in_it(store: Store) -> None:
    earlier, later = Story(BOTTOM, TG_DOC_RAG_QUESTION), Story(TOP)
    later.answer(later.step("i1", TOP, earlier.answer(text="deep")))
    for story in (earlier, later):
        store.insert(story.quads(indexed=False))
    assert outline(trace(store, BOTTOM)) == {BOTTOM: {"final": []}}


def test_the_called_run_of_the_example_without_its_index(store: Store) -> None:
    example = parse(path=EXAMPLE, format=RdfFormat.TRIG)
    store.insert(quad for quad in example if not quad.predicate.value.startswith(TGP))
    run = trace(store, "urn:trustgraph:question:5b0f6b5e-0d5c-4c57-8a3c-1f4c9d2e7a02")
    assert (len(run.steps), len(run.answers)) == (4, 1)


def test_one_query_for_the_run_and_one_for_each_called_run(store: Store) -> None:
    for story in nested(TGP_CALLED_FROM):
        store.insert(story.quads())
    asked: Any = Counting(store)
    trace(asked, TOP)
    assert asked.count == 1 + 2


def test_runs_that_call_each_other_end(store: Store) -> None:
    one, two = Story("urn:trustgraph:agent:one"), Story("urn:trustgraph:agent:two")
    one.add(one.uri, {TGP_CALLED_FROM: two.step("i1")})
    two.add(two.uri, {TGP_CALLED_FROM: one.step("i1")})
    store.insert([*one.quads(), *two.quads()])
    assert outline(trace(store, one.uri)) == {one.uri: {"i1": [{two.uri: {"i1": []}}]}}


def test_run_called_by_two_steps_is_shown_once(store: Store) -> None:
    top, low = Story(TOP), Story(BOTTOM)
    steps = [top.step("i1"), top.step("i2", f"{TOP}/i1")]
    low.add(BOTTOM, {TGP_CALLED_FROM: steps})
    low.answer()
    store.insert([*top.quads(), *low.quads()])
    assert [len(step.called) for step in trace(store, TOP).steps] == [1, 0]


def test_run_called_from_a_node_that_is_not_there_hangs_on_the_question() -> None:
    low = Story(BOTTOM).trace()
    assert Story(TOP).trace(("urn:gone", low)).question.called == (low,)


def test_follow_up_is_no_called_run_unless_a_step_goes_on_from_it(store: Store) -> None:
    first, later = Story(TOP), Story("urn:trustgraph:agent:later")
    later.add(later.uri, {PROV_WAS_DERIVED_FROM: first.answer()})
    end = later.answer()
    store.insert([*first.quads(indexed=False), *later.quads(indexed=False)])
    assert trace(store, TOP).called == ()
    assert trace(store, later.uri).called == ()
    first.step("i9", f"{TOP}/final", end)
    store.insert(first.quads(indexed=False))
    step = trace(store, TOP).steps[-1]
    assert (step.uri, [run.uri for run in step.called]) == (f"{TOP}/i9", [later.uri])


def test_synthesis_over_sub_agents_belongs_to_their_supervisor(store: Store) -> None:
    top = Story(TOP)
    split = top.step("decompose")
    answers = []
    for number in range(4):
        agent = Story(f"urn:trustgraph:agent:sub{number}")
        agent.add(agent.uri, {PROV_WAS_DERIVED_FROM: split})
        answers.append(agent.answer(text=f"part {number}"))
        store.insert(agent.quads(indexed=False))
    top.add(top.step("synthesis", *answers), {TG_ANSWER: "whole"})
    store.insert(top.quads(indexed=False))
    run = trace(store, TOP)
    assert [step.uri.rpartition("/")[2] for step in run.steps] == ["decompose", "synthesis"]
    assert [called.answer for called in run.steps[0].called] == [f"part {n}" for n in range(4)]
    sub = trace(store, "urn:trustgraph:agent:sub2")
    assert [step.uri for step in sub.steps] == ["urn:trustgraph:agent:sub2/final"]
