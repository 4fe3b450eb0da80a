"""What TrustGraph 2.11's reader gets wrong of a list, and of runs inside runs, is right here."""

from __future__ import annotations

import json
import random

import pytest
from trustgraph import provenance as tg
from trustgraph.schema import Triple as WireTriple
from trustgraph_cases import (
    START,
    agent,
    explained,
    graph_rag,
    i,
    listed,
    only,
    step,
    take,
)

from trustgraph_prov import (
    Store,
    TraceNotFoundError,
    open_store,
    render,
    trace,
)
from trustgraph_prov.trustgraph import ingest


def test_newest_first_by_instant_and_not_by_text(here: Store) -> None:
    starts = {
        "newest": "2026-03-02T01:00:00-09:00",
        "second": "2026-03-02T09:00:00.5Z",
        "third": "2026-03-02T09:00:00.123456Z",
        "fourth": "2026-03-02T09:00:00Z",
        "fifth": "2026-03-02T10:59:59+02:00",
    }
    take(here, *(agent(name, start=start) for name, start in sorted(starts.items())))
    assert listed(here) == [tg.agent_session_uri(name) for name in starts]


def test_the_limit_applies_after_sorting_and_after_hiding_sub_runs(here: Store) -> None:
    parts = []
    for number in range(12):
        session, start = f"a{number:02}", f"2026-03-02T08:{number:02}:00Z"
        parts += [agent(session, start=start), step(session, 1)]
        for sub in range(3):
            inner, at = f"{session}-{sub}", f"2026-03-02T08:{number:02}:{sub + 1:02}Z"
            under = tg.agent_iteration_uri(session, 1)
            parts.append(tg.question_triples(tg.question_uri(inner), "Which?", at, under))
    take(here, *parts)
    newest = [tg.agent_session_uri(f"a{number:02}") for number in range(11, 6, -1)]
    assert listed(here, limit=5) == newest


def test_runs_with_no_subtype_are_listed(here: Store) -> None:
    question = agent("a1")
    bare = [one for one in question if one.o.iri != tg.TG_AGENT_QUESTION]
    nameless = [WireTriple(s=i("urn:example:run"), p=one.p, o=one.o) for one in bare]
    take(here, bare, nameless)
    assert set(listed(here)) == {tg.agent_session_uri("a1"), "urn:example:run"}


@pytest.mark.parametrize("of", ["question", "answer", "answer of a GraphRAG run"])
def test_a_follow_up_question_is_listed(here: Store, of: str) -> None:
    end = tg.agent_final_triples(
        tg.agent_final_uri("a1"), previous_uri=tg.agent_iteration_uri("a1", 1)
    )
    session, later = tg.agent_session_uri("a1"), "2026-03-02T09:00:00Z"
    first = [agent("a1"), step("a1", 1), end]
    parent = session if of == "question" else tg.agent_final_uri("a1")
    if "GraphRAG" in of:
        session, parent, first = tg.question_uri("g1"), tg.synthesis_uri("g1"), graph_rag("g1")
    take(here, *first, agent("a2", "And then?", later, parent))
    assert listed(here) == [tg.agent_session_uri("a2"), session]
    run = trace(here, session)
    assert [run.called, *(node.called for node in run.steps)] == [()] * (1 + len(run.steps))


@pytest.mark.parametrize("kind", ["analysis", "decomposition", "plan"])
def test_a_sub_run_of_a_step_is_not_listed_and_stands_inside_it(here: Store, kind: str) -> None:
    session = tg.agent_session_uri("a1")
    steps = {
        "analysis": step("a1", 1),
        "decomposition": tg.agent_decomposition_triples("urn:d", session, ["one"]),
        "plan": tg.agent_plan_triples("urn:p", session, ["one"]),
    }
    under = steps[kind][0].s.iri
    take(here, agent("a1"), steps[kind], agent("a2", "Which?", START, under))
    assert listed(here) == [session]
    assert [run.uri for run in only(trace(here, session), under).called] == [
        tg.agent_session_uri("a2")
    ]


def asking() -> list[list[WireTriple]]:
    """An agent whose observations derive from the answers of the runs that its steps called."""
    parts, after = [agent("a1")], None
    for number in (1, 2):
        parts.append(step("a1", number, after))
        name = f"g{number}"
        parts += graph_rag(name, parent=tg.agent_iteration_uri("a1", number))
        after = tg.agent_observation_uri("a1", number)
        parts.append(tg.agent_observation_triples(after, tg.synthesis_uri(name), after))
    return [*parts, tg.agent_final_triples(tg.agent_final_uri("a1"), previous_uri=after)]


@pytest.mark.parametrize("indexed", [True, False])
def test_what_comes_after_a_called_run_stays_with_the_caller(here: Store, indexed: bool) -> None:
    if indexed:
        take(here, *asking())
    else:
        here.insert(ingest(explained(*asking())).quads)
    run = trace(here, tg.agent_session_uri("a1"))
    assert [node.uri.rpartition("/")[2] for node in run.steps] == ["i1", "i2", "final"]
    assert [[part.label for part in node.parts] for node in run.steps] == [
        ["Observation"],
        ["Observation"],
        [],
    ]
    assert [[one.uri for one in node.called] for node in run.steps] == [
        [tg.question_uri("g1")],
        [tg.question_uri("g2")],
        [],
    ]
    assert run.status == "finished"


@pytest.mark.parametrize("seed", range(5))
def test_called_runs_are_tied_whatever_comes_first(here: Store, seed: int) -> None:
    messages = explained(*asking())
    ingest(messages, here)
    random.Random(seed).shuffle(messages)
    with open_store("memory:") as other:
        for message in messages:
            ingest([message], other)
        assert set(other.quads()) == set(here.quads())


def test_the_json_form_contains_sub_runs_inside_sub_runs(here: Store) -> None:
    inner = tg.agent_iteration_uri("a2", 1)
    take(
        here,
        agent("a1"),
        step("a1", 1),
        agent("a2", "Who?", START, tg.agent_iteration_uri("a1", 1)),
        step("a2", 1),
        *graph_rag("g1", parent=inner),
    )
    (first,) = json.loads(render.json(trace(here, tg.agent_session_uri("a1"))))["steps"]
    (second,) = first["called"]
    (third,) = second["steps"][0]["called"]
    assert third["uri"] == tg.question_uri("g1")
    assert [node["label"] for node in third["steps"]][-1] == "Synthesis"


def test_an_unknown_uri_is_an_error(here: Store) -> None:
    take(here, agent("a1"))
    with pytest.raises(TraceNotFoundError, match=r"agent:a2: no such run; nearest: .*agent:a1"):
        trace(here, tg.agent_session_uri("a2"))
