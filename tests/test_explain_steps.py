"""A run is shown whole: steps, parts, answers, what became of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from explain_cases import QUESTION, Story, long_run, names
from narrowing import subject
from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from trustgraph_prov.explain.nodes import (
    Analysis,
    ChunkSelection,
    EdgeSelection,
    Exploration,
    Focus,
    Synthesis,
)
from trustgraph_prov.namespaces import (
    PROV_ENDED_AT_TIME,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_TYPE,
    TG,
    TG_ANALYSIS,
    TG_ANSWER,
    TG_ANSWER_TYPE,
    TG_CHUNK_SELECTION,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_EDGE,
    TG_EDGE_SELECTION,
    TG_ERROR_TYPE,
    TG_EXPLORATION,
    TG_FOCUS,
    TG_GRAPH_RAG_QUESTION,
    TG_OBSERVATION_TYPE,
    TG_REASONING,
    TG_SCORE,
    TG_SELECTED_CHUNK,
    TG_SELECTED_EDGE,
    TG_SYNTHESIS,
    TG_TERMINATION_REASON,
    TG_THOUGHT_TYPE,
    TG_TOOL_DURATION_MS,
    TG_TOOL_ERROR,
    TGP_ERROR_MESSAGE,
    TGP_RANK,
)
from trustgraph_prov.statement import statement_iri, statement_triples
from trustgraph_prov.terms import date_time

E = "https://example.org/"


def test_diamond_shows_each_step_once() -> None:
    story = Story()
    left, right = story.step("i1"), story.step("i2")
    story.answer(story.step("i3", left, right))
    assert names(story.trace()) == ["i1", "i2", "i3", "final"]
    assert story.trace().steps[2].parents == (left, right)


def test_circle_of_steps_ends() -> None:
    story = Story()
    story.step("i1", f"{QUESTION}/i2")
    story.step("i2", f"{QUESTION}/i1")
    assert names(story.trace()) == ["i1", "i2"]


def test_80_steps_are_whole_and_in_order() -> None:
    trace = long_run(80).trace()
    assert names(trace) == [*(f"i{number}" for number in range(1, 81)), "final"]
    assert trace.steps[41].value(TG + "thought") == "thought 42"


def test_150_chunks_are_whole_and_in_the_order_of_their_index() -> None:
    story = Story("urn:trustgraph:docrag:1", TG + "DocRagQuestion")
    chunks = [f"urn:chunk:{number}" for number in range(150)]
    found = story.step("exploration", kind=TG_EXPLORATION, selectedChunk=chunks)
    kept = [f"urn:trustgraph:prov:chunk:1:{number}" for number in range(150)]
    focus = story.step("focus", found, kind=TG_FOCUS)
    story.add(focus, {TG_SELECTED_CHUNK: kept[::-1]})
    for selection, chunk in zip(kept, chunks, strict=True):
        story.add(selection, {RDF_TYPE: NamedNode(TG_CHUNK_SELECTION), TG_DOCUMENT: chunk})
    trace = story.trace()
    exploration, shown = trace.steps
    assert isinstance(exploration, Exploration)
    assert isinstance(shown, Focus)
    assert set(exploration.selected_chunks) == set(chunks)
    assert [one.uri for one in shown.selections] == kept
    assert [one.chunk for one in shown.selections if isinstance(one, ChunkSelection)] == chunks
    assert shown.values(TG_SELECTED_CHUNK) == tuple(kept)


def test_rank_comes_before_the_index_of_the_iri() -> None:
    story = Story()
    focus = story.step("focus", kind=TG_FOCUS)
    for index, rank in enumerate((2, 3, 1)):
        selection = f"urn:trustgraph:prov:edge:1:{index}"
        story.add(focus, {TG_SELECTED_EDGE: selection})
        story.add(selection, {RDF_TYPE: NamedNode(TG_EDGE_SELECTION), TGP_RANK: rank})
    assert [part.rank for part in story.trace().steps[0].parts] == [1, 2, 3]


@pytest.mark.parametrize("number", [Literal("42"), Literal(42), Literal("42", language="nb")])
def test_edge_keeps_datatype_and_language_of_its_object(number: Literal) -> None:
    edge = (NamedNode(E + "s"), NamedNode(E + "p"), number)
    story = Story()
    selection = story.add(
        "urn:trustgraph:prov:edge:1:0",
        {
            RDF_TYPE: NamedNode(TG_EDGE_SELECTION),
            TG_EDGE: statement_iri(*edge),
            TG_REASONING: "it fits",
            TG_SCORE: "0.93",
        },
    )
    for triple in statement_triples(*edge):
        story.add(subject(triple), {triple.predicate.value: triple.object})
    story.step("focus", kind=TG_FOCUS, selectedEdge=selection)
    (focus,) = story.trace().steps
    assert isinstance(focus, Focus)
    (shown,) = focus.selections
    assert isinstance(shown, EdgeSelection)
    assert shown.statement is not None
    assert shown.statement.object == number
    assert (shown.score, shown.reasoning) == (0.93, "it fits")


def test_edge_that_two_selections_share_is_in_each() -> None:
    edge = (NamedNode(E + "s"), NamedNode(E + "p"), Literal("o"))
    story = Story()
    for index in range(2):
        selection = f"urn:trustgraph:prov:edge:1:{index}"
        story.add(selection, {RDF_TYPE: NamedNode(TG_EDGE_SELECTION), TG_EDGE: Triple(*edge)})
        story.step(f"focus{index}", kind=TG_FOCUS, selectedEdge=selection)
    statements = [
        part.parts[0].uri for step in story.trace().steps for part in step.parts if part.parts
    ]
    assert statements == [statement_iri(*edge).value] * 2


def test_thought_and_observation_nodes_are_pieces_of_their_step() -> None:
    story = Story()
    first = story.step("i1", thought=f"{QUESTION}/i1/thought")
    thought = story.step("i1/thought", first, kind=TG_THOUGHT_TYPE)
    story.add(thought, {TG_DOCUMENT: thought, TG_CONTENT: "Look it up."})
    seen = story.step("i1/observation", first, kind=TG_OBSERVATION_TYPE)
    story.add(seen, {TG_DOCUMENT: f"{QUESTION}/doc", TG_TOOL_DURATION_MS: "147"})
    story.add(seen, {RDF_TYPE: NamedNode(TG_ERROR_TYPE), TG_TOOL_ERROR: "timed out"})
    story.add(f"{QUESTION}/doc", {TG_CONTENT: "Paris."})
    story.answer(story.step("i2", seen))
    trace = story.trace()
    assert names(trace) == ["i1", "i2", "final"]
    analysis = trace.steps[0]
    assert isinstance(analysis, Analysis)
    assert (analysis.thought, analysis.observation) == ("Look it up.", "Paris.")
    assert (analysis.tool_duration_ms, analysis.error) == (147, "timed out")
    assert trace.steps[1].parents == (first,)


def test_document_that_two_steps_point_at_speaks_for_both() -> None:
    story = Story()
    for number in range(2):
        node = story.step(f"finding/{number}", kind=TG + "Finding")
        story.add(node, {TG_DOCUMENT: "urn:doc"})
    story.add("urn:doc", {TG_CONTENT: "The text."})
    assert [step.text for step in story.trace().steps] == ["The text.", "The text."]


def test_two_answers_are_both_kept_and_the_last_one_counts() -> None:
    story = Story(kind=TG_GRAPH_RAG_QUESTION)
    one = story.step("exploration", kind=TG_EXPLORATION)
    for name in ("synthesis", "synthesis-2"):
        story.add(story.step(name, one, kind=TG_SYNTHESIS), {TG_CONTENT: f"by {name}"})
    trace = story.trace()
    assert [answer.text for answer in trace.answers] == ["by synthesis", "by synthesis-2"]
    assert trace.answer == "by synthesis-2"


def test_two_texts_of_one_answer_are_both_kept() -> None:
    story = Story()
    story.add(story.answer(), {TG_ANSWER: "Or not."})
    assert [answer.text for answer in story.trace().answers] == ["Because.", "Or not."]


def test_answer_hanging_on_the_exploration_is_the_answer() -> None:
    story = Story(kind=TG_GRAPH_RAG_QUESTION)
    found = f"{QUESTION}/exploration"
    story.add(found, {RDF_TYPE: NamedNode(TG_EXPLORATION), PROV_WAS_GENERATED_BY: QUESTION})
    story.add(story.step("synthesis", found, kind=TG_SYNTHESIS), {TG_CONTENT: "Yes."})
    trace = story.trace()
    assert names(trace) == ["exploration", "synthesis"]
    assert isinstance(trace.steps[1], Synthesis)
    assert (trace.answer, trace.status) == ("Yes.", "finished")


def test_one_synthesis_of_many_findings_comes_once_and_findings_are_no_answers() -> None:
    story = Story()
    split = story.step("decompose", kind=TG + "Decomposition", subagentGoal=["a", "b"])
    found = [story.step(f"finding/{n}", split, kind=TG + "Finding") for n in range(4)]
    for one in found:
        story.add(one, {RDF_TYPE: NamedNode(TG_ANSWER_TYPE), TG_CONTENT: "part"})
    story.add(story.step("synthesis", *found, kind=TG_SYNTHESIS), {TG_CONTENT: "whole"})
    trace = story.trace()
    assert names(trace) == ["decompose", "0", "1", "2", "3", "synthesis"]
    assert [answer.text for answer in trace.answers] == ["whole"]


def test_answer_of_an_unknown_kind_is_an_answer() -> None:
    story = Story()
    report = story.step("report", kind=E + "Report")
    story.add(report, {RDF_TYPE: NamedNode(TG_ANSWER_TYPE), TG_CONTENT: "42"})
    assert story.trace().answer == "42"


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ({}, "finished"),
        ({TG_TERMINATION_REASON: "max-iterations"}, "finished"),
        ({TG_TERMINATION_REASON: "cancelled"}, "cancelled"),
        ({TG_TERMINATION_REASON: "error"}, "failed"),
        ({RDF_TYPE: NamedNode(TG_ERROR_TYPE)}, "failed"),
        ({TGP_ERROR_MESSAGE: "ValueError: no"}, "failed"),
    ],
)
def test_status_is_told_by_the_end(end: dict[str, object], status: str) -> None:
    story = Story()
    story.add(story.answer(text=None), end)
    assert story.trace().status == status


def test_run_without_an_end_is_unfinished_and_one_that_only_ended_is_finished() -> None:
    story = Story()
    story.step("i1")
    assert story.trace().status == "unfinished"
    story.add(QUESTION, {PROV_ENDED_AT_TIME: date_time("2026-03-02T10:00:00Z")})
    assert story.trace().status == "finished"
    assert story.trace().answers == ()


def test_failed_run_says_why_and_has_no_text() -> None:
    story = Story()
    end = story.answer(text=None)
    story.add(end, {RDF_TYPE: NamedNode(TG_ERROR_TYPE), TGP_ERROR_MESSAGE: "ValueError: no"})
    trace = story.trace()
    assert (trace.error, trace.answer) == ("ValueError: no", None)
    assert trace.answers[0].error == "ValueError: no"


def test_resumed_run_has_the_status_of_its_last_answer() -> None:
    story = Story()
    first = story.answer(story.step("i1"), text=None, name="final")
    story.add(first, {TG_TERMINATION_REASON: "cancelled"})
    story.answer(story.step("i2", first), name="final2")
    assert (story.trace().status, story.trace().answer) == ("finished", "Because.")


def test_unknown_type_and_property_are_kept() -> None:
    story = Story()
    check = story.step("check", kind=E + "FactCheck")
    story.add(check, {E + "verdict": "plausible", E + "source": E + "paper"})
    story.add(E + "paper", {E + "pages": 12})
    (shown,) = story.trace().steps
    assert (shown.kind, shown.label) == (E + "FactCheck", "Fact check")
    assert shown.value(E + "verdict") == "plausible"
    assert shown.parts[0].integer(E + "pages") == 12


def test_every_node_is_there_once_however_they_point_at_each_other() -> None:
    story = Story()
    for node, other in (("a", "b"), ("b", "a"), ("c", "c"), ("d", "a")):
        story.add(f"urn:{node}", {E + "sees": f"urn:{other}"})
    story.add("urn:x", {RDF_TYPE: NamedNode(TG_DOCUMENT.replace("document", "Document"))})
    counts = Counter(node.uri for node in story.trace().nodes)
    assert counts == dict.fromkeys([QUESTION, *(f"urn:{one}" for one in "abcdx")], 1)


def test_node_that_only_a_typed_answer_tells_of_is_an_analysis_by_its_iri() -> None:
    story = Story()
    story.add(f"{QUESTION}/i1", {PROV_WAS_DERIVED_FROM: QUESTION, TG + "action": "look"})
    (step,) = story.trace().steps
    assert (step.kind, step.types) == (TG_ANALYSIS, ())


def test_arguments_are_json_or_else_text() -> None:
    story = Story()
    story.step("i1", arguments='{"q": ["a", 1]}', number=1, toolCandidate=["x", "y"])
    story.step("i2", arguments="{not json", number=2)
    story.step("i3", number=3)
    story.step("i4", arguments="[" * 100_000, number=4)
    story.step("i5", arguments='{"q": NaN}', number=5)
    steps = story.trace().steps
    assert [step.arguments for step in steps if isinstance(step, Analysis)] == [
        {"q": ["a", 1]},
        "{not json",
        None,
        "[" * 100_000,
        '{"q": NaN}',
    ]
    assert steps[0].value(TG + "toolCandidate") == "x"


def test_numbers_and_times_are_read_from_strings_too() -> None:
    story = Story()
    story.step("i1", stepNumber="07", inToken="695", llmDurationMs="8.5")
    step = story.trace().steps[0]
    assert (step.step_number, step.in_token, step.out_token) == (7, 695, None)
    assert (step.llm_duration_ms, step.number(TG + "llmDurationMs")) == (None, 8.5)
    assert step.generated_at is None


def test_each_class_says_what_it_holds() -> None:
    story = Story()
    story.step("g", kind=TG + "Grounding", concept=["b", "a"])
    story.step("e", kind=TG_EXPLORATION, edgeCount=2, chunkCount=3, entity=E + "x")
    story.step("d", kind=TG + "PatternDecision", pattern="react", taskType="research")
    story.step("p", kind=TG + "Plan", planStep=["two", "one"])
    story.step("r", kind=TG + "StepResult", planStep="one")
    story.step("s", kind=TG + "Decomposition", subagentGoal=["y", "x"])
    story.step("f", kind=TG + "Finding", subagentGoal="x")
    selection = story.add(
        "urn:trustgraph:prov:edge:1:0",
        {RDF_TYPE: NamedNode(TG_EDGE_SELECTION), TG + "concept": "c"},
    )
    story.step("k", kind=TG_FOCUS, selectedEdge=selection)
    steps: dict[str, Any] = {step.uri.rpartition("/")[2]: step for step in story.trace().steps}
    assert steps["g"].concepts == ("a", "b")
    assert (steps["e"].edge_count, steps["e"].chunk_count) == (2, 3)
    assert steps["e"].entities == (E + "x",)
    assert (steps["d"].pattern, steps["d"].task_type) == ("react", "research")
    assert steps["p"].plan_steps == ("one", "two")
    assert steps["r"].plan_step == "one"
    assert (steps["s"].goals, steps["f"].goal) == (("x", "y"), "x")
    assert steps["k"].selections[0].concepts == ("c",)
    assert steps["k"].selections[0].statement is None


def test_triple_term_about_a_blank_node_is_kept_as_it_is() -> None:
    story = Story()
    edge = Triple(BlankNode("b"), NamedNode(E + "p"), Literal("o"))
    story.step("k", kind=TG_FOCUS, edge=edge)
    assert story.trace().steps[0].properties[TG_EDGE] == (edge,)
