"""A run on a terminal says what it holds, at any width."""

from __future__ import annotations

import io
from typing import Any

import pytest
from explain_cases import Story, long_run
from render_cases import everything
from rich.cells import cell_len
from rich.console import Console

from trustgraph_prov.explain import Trace
from trustgraph_prov.namespaces import (
    PROV_WAS_ASSOCIATED_WITH,
    PROV_WAS_ATTRIBUTED_TO,
    RDF_TYPE,
    TG,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_OBSERVATION_TYPE,
    TG_TERMINATION_REASON,
    TG_THOUGHT_TYPE,
    TGP_ERROR_MESSAGE,
    TGP_USER,
)
from trustgraph_prov.render import text
from trustgraph_prov.uris import model_uri, user_uri


def printed(trace: Trace, width: int = 100, **options: Any) -> str:
    written = io.StringIO()
    text(trace, Console(file=written, width=width), **options)
    return written.getvalue()


@pytest.mark.parametrize("width", [20, 40, 80, 140])
def test_no_line_is_wider_than_the_console_or_ends_in_blanks(width: int) -> None:
    lines = printed(everything(), width, show_provenance=True).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize("width", [80, 140])
def test_question_comes_first_and_the_answer_last(width: int) -> None:
    lines = printed(everything(), width).splitlines()
    assert lines[0] == "Why?"
    assert lines[1] == (
        "Agent · 2026-03-02 08:15:00 UTC · took 2.5 s · user ada · collection tides"
    )
    assert lines[2] == "✓ finished"
    assert "Because the seal was late." in "\n".join(lines[-4:])


def test_everything_that_was_recorded_is_said() -> None:
    shown = printed(everything())
    for said in (
        "1  Analysis: knowledge-query",
        "model mock-8b · 1,893 → 201 tokens",
        "Ask.",
        "q: seal",
        "timed out",
        "Fact check",
        "Verdict",
        "plausible",
        "checked",
        "by hand, at length",
        "from step 1, step 2",
        "│ Who supplied the seal?",
        'gate-seal-g7 — suppliedBy → "Orvik"   score 0.9',
        "gate-seal-g7 — suppliedBy → 42   score 0.8",
        "reason 0",
        "reason 1",
        "chunk:9   score 0.5",
        "│    Orvik did.",
    ):
        assert said in shown, said
    assert "report" not in shown


def test_sources_are_said_when_asked_for() -> None:
    shown = printed(everything(), show_provenance=True)
    assert shown.count("from chunk 1 > page 4 > document Inspection report") == 2
    assert shown.count("no source recorded") == 1


def test_long_answer_is_cut_with_a_count() -> None:
    shown = printed(everything(), max_answer=26)
    assert "Because the seal was late.… (101 more characters)" in shown
    assert "xx" not in shown
    assert "… (1 more character)" in printed(everything(), max_answer=126)
    assert "more character" not in printed(everything(), max_answer=127)


def test_80_steps_are_all_said() -> None:
    shown = printed(long_run(80).trace())
    assert all(f"thought {number}\n" in shown for number in range(1, 81))
    assert "81  Conclusion" in shown


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ({}, "✓ finished"),
        ({TG_TERMINATION_REASON: "cancelled"}, "■ cancelled"),
        ({TGP_ERROR_MESSAGE: "ValueError: no"}, "✗ failed: ValueError: no"),
    ],
)
def test_status_is_said(end: dict[str, object], said: str) -> None:
    story = Story()
    story.add(story.answer(text=None), end)
    assert printed(story.trace()).splitlines()[2] == said


def test_unfinished_run_says_so() -> None:
    assert "… unfinished: still running, or died without a word" in printed(Story().trace())


def test_answer_that_is_elsewhere_says_where_and_one_that_is_nowhere_says_so() -> None:
    story = Story()
    story.add(story.answer(text=None), {TG_DOCUMENT: "urn:doc:1"})
    assert "it is in urn:doc:1" in printed(story.trace())
    empty = Story()
    empty.answer(text=None)
    assert "No text of an answer was recorded." in printed(empty.trace())


def test_several_answers_are_numbered() -> None:
    story = Story()
    story.answer(text="one", name="a")
    story.answer(text="two", name="b")
    shown = printed(story.trace())
    assert "Answer 1 of 2" in shown
    assert "Answer 2 of 2" in shown


def test_values_that_do_not_fit_the_facts_are_fields() -> None:
    story = Story()
    step = story.step("i1", stepNumber="first", llmModel=["a", "b"], inToken="many")
    story.add(step, {RDF_TYPE: TG + "Error"})
    story.add(story.uri, {TG + "query": "And why not?"})
    shown = printed(story.trace())
    for said in ("first", "a, b", "many", "And why not?, Why?"):
        assert said in shown, said


def test_part_of_an_unknown_kind_has_its_own_heading() -> None:
    story = Story()
    story.step("i1", detail="urn:detail")
    story.add("urn:detail", {RDF_TYPE: "https://example.org/Gauge", TG + "reading": "12 bar"})
    shown = printed(story.trace())
    assert "Gauge" in shown
    assert "12 bar" in shown


def test_thought_kept_elsewhere_is_named() -> None:
    story = Story()
    story.step("i1", thought="urn:doc:thought")
    assert "doc:thought" in printed(story.trace())


def run_with_pieces(*, texts: bool) -> Story:
    """An analysis whose thought and observation are nodes, as TrustGraph writes them."""
    story = Story()
    story.add(story.uri, {PROV_WAS_ASSOCIATED_WITH: user_uri("ada"), TGP_USER: "ada"})
    first = story.step("i1", thought=f"{story.uri}/i1/thought", llmModel="mock-8b")
    story.add(first, {PROV_WAS_ATTRIBUTED_TO: model_uri("mock-8b")})
    thought = story.step("i1/thought", first, kind=TG_THOUGHT_TYPE)
    seen = story.step("i1/observation", first, kind=TG_OBSERVATION_TYPE, toolError="timed out")
    for piece, said in ((thought, "Look it up."), (seen, "Paris.")):
        story.add(piece, {TG_DOCUMENT: piece} | ({TG_CONTENT: said} if texts else {}))
    finding = story.step("finding/0", first, kind=TG + "Finding")
    story.add(finding, {TG_DOCUMENT: "urn:doc:1"})
    if texts:
        story.add("urn:doc:1", {TG_CONTENT: "Found.", "https://example.org/pages": 3})
    return story


def test_pieces_are_said_under_their_own_name() -> None:
    shown = printed(run_with_pieces(texts=True).trace())
    for said in ("Thought      Look it up.", "Observation  Paris.", "Error        timed out"):
        assert said in shown, said
    assert "Answer  Found." in shown
    assert "Pages   3" in shown
    assert "trustgraph-prov:" not in shown


def test_pieces_whose_text_is_elsewhere_are_named() -> None:
    shown = printed(run_with_pieces(texts=False).trace())
    assert "Thought      trustgraph:agent:1/i1/thought" in shown
    assert "Observation  trustgraph:agent:1/i1/observation" in shown
    assert "doc:1" in shown


def test_other_agents_than_the_model_are_fields() -> None:
    story = Story()
    story.step("i1", llmModel="mock-8b")
    story.add(f"{story.uri}/i1", {PROV_WAS_ATTRIBUTED_TO: "urn:trustgraph-prov:model:other"})
    assert "trustgraph-prov:model:other" in printed(story.trace())


def test_runs_nested_without_end_stay_inside_the_console() -> None:
    trace = Story("urn:trustgraph:agent:40").trace()
    for number in range(40):
        story = Story(f"urn:trustgraph:agent:{number}")
        trace = story.trace((story.step("i1"), trace))
    lines = printed(trace, 60).splitlines()
    assert max(map(cell_len, lines)) <= 60
    assert sum(line.endswith("Why?") for line in lines) == 41


def test_a_score_is_on_one_line_at_any_width() -> None:
    widths = range(36, 100)
    broken = [width for width in widths if "score 0.9" not in printed(everything(), width)]
    assert broken == []
