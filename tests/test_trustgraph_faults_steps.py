"""What TrustGraph 2.11's own reader leaves out of the steps of a run is there, in order."""

from __future__ import annotations

import json

import pytest
from narrowing import narrow
from trustgraph import provenance as tg
from trustgraph.schema import Triple as WireTriple
from trustgraph_cases import (
    START,
    agent,
    graph_rag,
    on_screen,
    only,
    shown,
    step,
    take,
)

from trustgraph_prov import (
    Store,
    render,
    trace,
)
from trustgraph_prov.explain import ChunkSelection
from trustgraph_prov.namespaces import (
    RDFS_LABEL,
    TG_PLAN_STEP,
)


def test_doc_rag_with_reranking_keeps_focus_and_answer(here: Store) -> None:
    question, exploration = tg.docrag_question_uri("d1"), tg.docrag_exploration_uri("d1")
    focus, answer = tg.docrag_focus_uri("d1"), tg.docrag_synthesis_uri("d1")
    scores = [{"chunk_id": f"urn:chunk:{n}", "score": 0.9 - n / 10} for n in range(2)]
    parts = [
        tg.docrag_question_triples(question, "Where?", START),
        tg.grounding_triples(tg.docrag_grounding_uri("d1"), question, ["lake"]),
        tg.docrag_exploration_triples(exploration, tg.docrag_grounding_uri("d1"), 2),
        tg.docrag_chunk_selection_triples(focus, exploration, scores, "d1"),
        tg.docrag_synthesis_triples(answer, focus, "urn:answer:d1"),
    ]
    take(here, *parts, documents={"urn:answer:d1": "In the lake."})
    run = trace(here, question)
    assert [node.label for node in run.steps] == ["Grounding", "Exploration", "Focus", "Synthesis"]
    parts_of_focus = only(run, "focus").parts
    assert [narrow(part, ChunkSelection).score for part in parts_of_focus] == [0.9, 0.8]
    assert (run.answer, run.status) == ("In the lake.", "finished")


def test_a_pattern_decision_or_a_plan_in_the_chain_loses_nothing(here: Store) -> None:
    session, decision, plan = tg.agent_session_uri("a1"), "urn:decision", tg.agent_plan_uri("a1")
    result = tg.agent_step_result_uri("a1", 0)
    take(
        here,
        agent("a1"),
        tg.agent_pattern_decision_triples(decision, session, "plan-then-execute", "research"),
        tg.agent_plan_triples(plan, decision, ["count"]),
        tg.agent_step_result_triples(result, plan, "count", "urn:doc:0"),
        step("a1", 1, result),
        tg.agent_synthesis_triples(
            tg.agent_synthesis_uri("a1"), tg.agent_iteration_uri("a1", 1), "urn:answer:a1"
        ),
    )
    assert shown(here, session) == [
        decision,
        plan,
        result,
        tg.agent_iteration_uri("a1", 1),
        tg.agent_synthesis_uri("a1"),
    ]


@pytest.mark.parametrize("number", [1, None])
def test_a_pattern_decision_comes_before_the_steps_beside_it(here: Store, number: int) -> None:
    session, decision = tg.agent_session_uri("a1"), tg.agent_pattern_decision_uri("a1")
    first = tg.agent_iteration_uri("a1", 1)
    end = tg.agent_final_triples(tg.agent_final_uri("a1"), previous_uri=first)
    decided = tg.agent_pattern_decision_triples(decision, session, "react", "research")
    take(here, agent("a1"), step("a1", 1, step_number=number), decided, end)
    assert shown(here, session) == [decision, first, tg.agent_final_uri("a1")]


def supervised(count: int) -> list[list[WireTriple]]:
    decomposition = tg.agent_decomposition_uri("a1")
    goals = [f"goal {number}" for number in range(count)]
    parts = [
        agent("a1"),
        tg.agent_decomposition_triples(decomposition, tg.agent_session_uri("a1"), goals),
    ]
    for number, goal in enumerate(goals):
        inner = f"sub{number}"
        parts.append(agent(inner, goal, START, decomposition))
        parts.append(step(inner, 1))
        end = tg.agent_final_uri(inner)
        parts.append(tg.agent_final_triples(end, previous_uri=tg.agent_iteration_uri(inner, 1)))
        finding = tg.agent_finding_uri("a1", number)
        parts.append(
            tg.agent_finding_triples(finding, decomposition, goal, f"urn:finding:{number}")
        )
    findings = [tg.agent_finding_uri("a1", number) for number in range(count)]
    parts.append(tg.agent_synthesis_triples(tg.agent_synthesis_uri("a1"), findings, "urn:answer"))
    return parts


def test_findings_sub_agents_and_the_synthesis_of_a_supervisor(here: Store) -> None:
    take(here, *supervised(3), documents={"urn:answer": "All three."})
    run = trace(here, tg.agent_session_uri("a1"))
    assert [node.label for node in run.steps] == [
        "Decomposition",
        *["Finding"] * 3,
        "Synthesis",
    ]
    assert [one.uri for one in only(run, "decompose").called] == [
        tg.agent_session_uri(f"sub{number}") for number in range(3)
    ]
    assert run.answer == "All three."


def test_the_one_synthesis_of_many_findings_is_shown_once(here: Store) -> None:
    take(here, *supervised(4), documents={"urn:answer": "All four."})
    uri = tg.agent_session_uri("a1")
    assert on_screen(here, uri).count("All four.") == 1
    assert shown(here, uri).count(tg.agent_synthesis_uri("a1")) == 1
    assert (
        json.dumps(render.to_dict(trace(here, uri))).count(
            f'"uri": "{tg.agent_synthesis_uri("a1")}", "kind"'
        )
        == 1
    )


def test_80_iterations_are_whole(here: Store) -> None:
    parts, after = [agent("a1")], None
    for number in range(1, 81):
        parts.append(step("a1", number, after))
        after = tg.agent_observation_uri("a1", number)
        parts.append(tg.agent_observation_triples(after, tg.agent_iteration_uri("a1", number)))
    parts.append(tg.agent_final_triples(tg.agent_final_uri("a1"), previous_uri=after))
    take(here, *parts)
    assert shown(here, tg.agent_session_uri("a1")) == [
        *(tg.agent_iteration_uri("a1", number) for number in range(1, 81)),
        tg.agent_final_uri("a1"),
    ]


def planned(goals: list[str]) -> list[list[WireTriple]]:
    plan, session = tg.agent_plan_uri("a1"), tg.agent_session_uri("a1")
    parts = [agent("a1"), tg.agent_plan_triples(plan, session, goals)]
    results = [tg.agent_step_result_uri("a1", number) for number in range(len(goals))]
    for result, goal in zip(results, goals, strict=True):
        parts.append(tg.agent_step_result_triples(result, plan, goal, f"{result}/doc"))
    return [*parts, tg.agent_synthesis_triples(tg.agent_synthesis_uri("a1"), results, "urn:a")]


def test_30_step_plans_are_whole_and_in_order(here: Store) -> None:
    take(here, *planned([f"step {number}" for number in range(30)]))
    uri = tg.agent_session_uri("a1")
    assert shown(here, uri) == [
        tg.agent_plan_uri("a1"),
        *(tg.agent_step_result_uri("a1", number) for number in range(30)),
        tg.agent_synthesis_uri("a1"),
    ]
    plan = only(trace(here, uri), "plan")
    assert plan.values(TG_PLAN_STEP) == tuple(f"step {number}" for number in range(30))


def test_equal_plan_steps_are_kept_apart_where_the_data_allows(here: Store) -> None:
    take(here, *planned(["count", "count", "compare"]))
    run = trace(here, tg.agent_session_uri("a1"))
    results = [node for node in run.steps if node.label == "Step result"]
    assert [node.value(TG_PLAN_STEP) for node in results] == ["count", "count", "compare"]
    # a plan's own steps are a set of literals; how many there were is left in its label alone
    assert only(run, "plan").value(RDFS_LABEL) == "Plan with 3 steps"


def test_a_second_synthesis_or_grounding_is_shown(here: Store) -> None:
    question, first, second = tg.question_uri("g1"), tg.synthesis_uri("g1"), "urn:synthesis:2"
    take(
        here,
        *graph_rag("g1"),
        tg.grounding_triples("urn:grounding:2", question, ["lake"]),
        tg.synthesis_triples(second, tg.focus_uri("g1"), "urn:answer:2"),
        documents={"urn:answer:g1": "One.", "urn:answer:2": "Two."},
    )
    run = trace(here, question)
    assert {first, second, "urn:grounding:2", tg.grounding_uri("g1")} <= set(shown(here, question))
    assert {answer.text for answer in run.answers} == {"One.", "Two."}
    screen = on_screen(here, question)
    assert "One." in screen
    assert "Two." in screen


def test_an_answer_hanging_directly_on_the_exploration(here: Store) -> None:
    question, exploration = tg.docrag_question_uri("d1"), tg.docrag_exploration_uri("d1")
    take(
        here,
        tg.docrag_question_triples(question, "Where?", START),
        tg.docrag_exploration_triples(exploration, question, 0),
        tg.docrag_synthesis_triples(tg.docrag_synthesis_uri("d1"), exploration, "urn:answer"),
        documents={"urn:answer": "Nowhere."},
    )
    assert trace(here, question).answer == "Nowhere."
