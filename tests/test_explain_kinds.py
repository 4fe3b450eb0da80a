"""What a node and a run are: by type, and only without one by IRI or by what they led to."""

from __future__ import annotations

import pytest
from explain_cases import Story

from trustgraph_prov.explain import Question
from trustgraph_prov.explain.kinds import kind_of
from trustgraph_prov.namespaces import (
    PROV,
    RDF_STATEMENT,
    RDF_SUBJECT,
    TG,
    TG_AGENT_ITERATION,
    TG_AGENT_SESSION,
    TG_CHUNK_COUNT,
    TG_CONTENT,
    TG_DOC_RAG_QUESTION,
    TG_EDGE_COUNT,
    TG_QUESTION,
    TG_SELECTED_EDGE,
)

ENTITY = PROV + "Entity"


@pytest.mark.parametrize(
    ("uri", "types", "properties", "kind"),
    [
        ("urn:trustgraph:agent:1/i1", [TG + "Synthesis", ENTITY], [], "Synthesis"),
        ("urn:trustgraph:agent:1/i1", [ENTITY], [], "Analysis"),
        ("urn:x", [TG_AGENT_ITERATION], [], "Analysis"),
        ("urn:x", [TG + "Error", TG + "Analysis"], [], "Analysis"),
        ("urn:x", [TG + "Answer", TG + "StepResult"], [], "StepResult"),
        ("urn:x", [ENTITY], [TG_SELECTED_EDGE], "Focus"),
        ("urn:x", [ENTITY], [TG_EDGE_COUNT], "Exploration"),
        ("urn:x", [], [TG_CONTENT], "Document"),
    ],
)
def test_kind(uri: str, types: list[str], properties: list[str], kind: str) -> None:
    assert kind_of(uri, types, dict.fromkeys(properties, ())) == TG + kind


def test_kind_of_what_nobody_knows() -> None:
    assert kind_of("urn:x", ["https://example.org/New", ENTITY], {}) == "https://example.org/New"
    assert kind_of("urn:x", [ENTITY], {}) == ENTITY
    assert kind_of("urn:x", [], {}) == ""
    assert kind_of("urn:x", [], {RDF_SUBJECT: ()}) == RDF_STATEMENT


@pytest.mark.parametrize(
    ("uri", "kind", "type"),
    [
        ("urn:trustgraph:agent:1", TG_DOC_RAG_QUESTION, "DocRAG"),
        ("urn:x", TG_AGENT_SESSION, "Agent"),
        ("urn:trustgraph:session:1", TG_QUESTION, "GraphRAG"),
        ("urn:x", TG_QUESTION, "Question"),
        ("urn:x", "https://example.org/Ask", "Question"),
    ],
)
def test_type_of_a_run(uri: str, kind: str, type: str) -> None:
    trace = Story(uri, kind).trace()
    assert trace.type == type
    assert isinstance(trace.question, Question)
    assert trace.question.query == "Why?"


@pytest.mark.parametrize(
    ("kind", "properties", "type"),
    [
        ("Analysis", {}, "Agent"),
        ("Plan", {}, "Agent"),
        ("Exploration", {TG_CHUNK_COUNT: 3}, "DocRAG"),
        ("Exploration", {TG_EDGE_COUNT: 3}, "GraphRAG"),
    ],
)
def test_type_by_what_the_run_led_to(kind: str, properties: dict[str, object], type: str) -> None:
    story = Story("urn:x", TG_QUESTION)
    story.add(story.step("s", kind=TG + kind), properties)
    assert story.trace().type == type
