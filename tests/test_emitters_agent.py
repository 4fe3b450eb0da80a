"""Agent emitters: exact triples, called as the seeds call them."""

from __future__ import annotations

import pytest
from pyoxigraph import DefaultGraph, NamedNode
from recorder_cases import AT, RUN, lines

from trustgraph_prov.emitters import (
    agent_final_triples,
    agent_iteration_triples,
    agent_observation_triples,
    agent_session_triples,
    set_graph,
)

I1, I2, I3, FINAL = (f"{RUN}/{name}" for name in ("i1", "i2", "i3", "final"))


def test_session() -> None:
    assert lines(agent_session_triples(RUN, "Capital of France?", AT)) == [
        f"{RUN} rdf:type prov:Activity",
        f"{RUN} rdf:type tg:Question",
        f"{RUN} rdf:type tg:AgentQuestion",
        f"{RUN} tg:query Capital of France?",
        f"{RUN} prov:startedAtTime 2026-03-02T08:15:00Z^^xsd:dateTime",
    ]


def test_session_of_a_user_called_from_a_step() -> None:
    triples = agent_session_triples(
        RUN,
        "Why?",
        AT,
        user="ana",
        collection="lake",
        informed_by="urn:trustgraph:agent:6",
        called_from="urn:trustgraph:agent:6/i1",
        trace=RUN,
    )
    assert lines(triples)[3:] == [
        f"{RUN} tgp:trace {RUN}",
        f"{RUN} tg:query Why?",
        f"{RUN} prov:startedAtTime 2026-03-02T08:15:00Z^^xsd:dateTime",
        f"{RUN} prov:wasInformedBy urn:trustgraph:agent:6",
        f"{RUN} tgp:calledFrom urn:trustgraph:agent:6/i1",
        f"{RUN} tgp:collection lake",
        f"{RUN} tgp:user ana",
        f"{RUN} prov:wasAssociatedWith urn:trustgraph-prov:user:ana",
        "urn:trustgraph-prov:user:ana rdf:type prov:Agent",
        "urn:trustgraph-prov:user:ana rdfs:label ana",
    ]


@pytest.mark.parametrize(
    ("strict", "parent", "link"),
    [
        (False, f"{RUN}/decompose", "prov:wasDerivedFrom"),
        (True, f"{RUN}/decompose", "prov:used"),
        (True, "urn:trustgraph:agent:6", "prov:wasInformedBy"),
    ],
)
def test_session_of_a_sub_agent(strict: bool, parent: str, link: str) -> None:
    triples = agent_session_triples("urn:trustgraph:agent:8", "Why?", AT, parent, strict=strict)
    assert lines(triples)[-1] == f"urn:trustgraph:agent:8 {link} {parent}"


def test_a_session_without_a_time_has_none() -> None:
    assert not [line for line in lines(agent_session_triples(RUN, "Why?")) if "Time" in line]


def test_iteration() -> None:
    triples = agent_iteration_triples(
        I1, RUN, "Look it up.", "knowledge-query", {"question": "capital"}, "Paris"
    )
    assert lines(triples) == [
        f"{I1} rdf:type prov:Entity",
        f"{I1} rdf:type tg:Analysis",
        f"{I1} tg:thought Look it up.",
        f"{I1} tg:action knowledge-query",
        f'{I1} tg:arguments {{"question": "capital"}}',
        f"{I1} tg:observation Paris",
        f"{I1} prov:wasDerivedFrom {RUN}",
    ]


def test_iteration_with_all_there_is() -> None:
    triples = agent_iteration_triples(
        I2,
        [I1, I1],
        "t",
        "a",
        {},
        None,
        step_number=2,
        error="TimeoutError",
        tool_candidates=["a", "b"],
        llm_duration_ms=12.6,
        tool_duration_ms=3,
        model="m/1",
        in_token=5,
        out_token=6,
        generated_at=AT,
        trace=RUN,
        strict=True,
    )
    assert lines(triples) == [
        f"{I2} rdf:type prov:Entity",
        f"{I2} rdf:type tg:Analysis",
        f"{I2} tgp:trace {RUN}",
        f"{I2} tg:stepNumber 2^^xsd:integer",
        f"{I2} tg:thought t",
        f"{I2} tg:action a",
        f"{I2} tg:arguments {{}}",
        f"{I2} tg:toolCandidate a",
        f"{I2} tg:toolCandidate b",
        f"{I2} rdf:type tg:Error",
        f"{I2} tg:toolError TimeoutError",
        f"{I2} tg:toolDurationMs 3^^xsd:integer",
        f"{I2} prov:generatedAtTime 2026-03-02T08:15:00Z^^xsd:dateTime",
        f"{I2} tg:llmDurationMs 13^^xsd:integer",
        f"{I2} tg:inToken 5^^xsd:integer",
        f"{I2} tg:outToken 6^^xsd:integer",
        f"{I2} tg:llmModel m/1",
        f"{I2} prov:wasAttributedTo urn:trustgraph-prov:model:m%2F1",
        "urn:trustgraph-prov:model:m%2F1 rdf:type prov:SoftwareAgent",
        "urn:trustgraph-prov:model:m%2F1 rdfs:label m/1",
        f"{I2} prov:wasDerivedFrom {I1}",
    ]


def test_iteration_with_several_parents() -> None:
    triples = agent_iteration_triples(I3, [I1, NamedNode(I2)], None, None)
    assert lines(triples)[2:] == [
        f"{I3} prov:wasDerivedFrom {I1}",
        f"{I3} prov:wasDerivedFrom {I2}",
    ]


@pytest.mark.parametrize(
    ("strict", "question", "link"),
    [
        (False, None, "prov:wasDerivedFrom"),
        (True, None, "prov:wasDerivedFrom"),
        (False, "http://e/run", "prov:wasDerivedFrom"),
        (True, "http://e/run", "prov:wasGeneratedBy"),
    ],
)
def test_a_question_of_another_pattern_is_named(
    strict: bool, question: str | None, link: str
) -> None:
    triples = agent_iteration_triples(
        I1, "http://e/run", None, None, strict=strict, question_uri=question
    )
    assert lines(triples)[-1] == f"{I1} {link} http://e/run"


def test_observation_completes_an_iteration() -> None:
    triples = agent_observation_triples(I1, "Paris", tool_duration_ms=3, generated_at=AT)
    assert lines(triples) == [
        f"{I1} tg:observation Paris",
        f"{I1} tg:toolDurationMs 3^^xsd:integer",
        f"{I1} prov:generatedAtTime 2026-03-02T08:15:00Z^^xsd:dateTime",
    ]


def test_final() -> None:
    assert lines(agent_final_triples(FINAL, I1, "Paris.")) == [
        f"{FINAL} rdf:type prov:Entity",
        f"{FINAL} rdf:type tg:Conclusion",
        f"{FINAL} tg:answer Paris.",
        f"{FINAL} prov:wasDerivedFrom {I1}",
    ]


def test_final_of_a_run_that_failed() -> None:
    triples = agent_final_triples(
        FINAL, RUN, None, termination_reason="error", error="ValueError: no", strict=True
    )
    assert lines(triples) == [
        f"{FINAL} rdf:type prov:Entity",
        f"{FINAL} rdf:type tg:Conclusion",
        f"{FINAL} rdf:type tg:Error",
        f"{FINAL} tgp:errorMessage ValueError: no",
        f"{FINAL} tg:terminationReason error",
        f"{FINAL} prov:wasGeneratedBy {RUN}",
    ]


def test_set_graph() -> None:
    triples = agent_final_triples(FINAL, I1, "Paris.", document_id="urn:doc:1")
    quads = set_graph(triples, "urn:graph:retrieval")
    assert lines(quads) == lines(triples)
    assert {quad.graph_name for quad in quads} == {NamedNode("urn:graph:retrieval")}
    assert set_graph(triples[:1], "")[0].graph_name == DefaultGraph()
