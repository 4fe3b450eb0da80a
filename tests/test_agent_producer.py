"""What another service sends is recorded like a run of ours, straight or over the wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agent_cases import QUESTION, SELECTION, Scripted, asked, call, final, knowledge, steps_of
from trustgraph import schema

from trustgraph_prov.agent import AgentService, StoreProducer, built_in_tools
from trustgraph_prov.explain import Analysis, trace
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.indexing import IndexReport, index
from trustgraph_prov.messages import Flow, Metadata, Triple, Triples, TripleTranslator
from trustgraph_prov.namespaces import (
    PROV_STARTED_AT_TIME,
    PROV_WAS_DERIVED_FROM,
    RDF_TYPE,
    TG_ACTION,
    TG_AGENT_FINAL,
    TG_AGENT_ITERATION,
    TG_AGENT_SESSION,
    TG_ANSWER,
    TG_ARGUMENTS,
    TG_OBSERVATION,
    TG_QUERY,
    TG_THOUGHT,
)
from trustgraph_prov.stores import Store, open_store
from trustgraph_prov.trustgraph import ingest

RUN = "urn:trustgraph:agent:x"
ABOUT = Metadata(id=RUN, user="ana", collection="books")


def messages(thought: str, observation: str, answer: str) -> list[Triples]:
    """The messages of a run, as the first agents send them."""
    session = {
        RDF_TYPE: TG_AGENT_SESSION,
        TG_QUERY: "Why?",
        PROV_STARTED_AT_TIME: "2026-03-02T08:15:00Z",
    }
    step = {
        RDF_TYPE: TG_AGENT_ITERATION,
        TG_THOUGHT: thought,
        TG_ACTION: "search",
        TG_ARGUMENTS: '{"q": 1}',
        TG_OBSERVATION: observation,
        PROV_WAS_DERIVED_FROM: RUN,
    }
    final = {RDF_TYPE: TG_AGENT_FINAL, TG_ANSWER: answer, PROV_WAS_DERIVED_FROM: f"{RUN}/i1"}
    nodes = {RUN: session, f"{RUN}/i1": step, f"{RUN}/final": final}
    return [
        Triples(ABOUT, [Triple(node, property, value) for property, value in values.items()])
        for node, values in nodes.items()
    ]


def produced(sent: list[Triples], store: Store) -> None:
    async def send() -> None:
        producer = StoreProducer(store)
        for message in sent:
            await producer.send(message)

    asyncio.run(send())


def wired(sent: list[Triples], store: Store) -> None:
    translator = TripleTranslator()
    about = {"user": ABOUT.user, "collection": ABOUT.collection, "id": ABOUT.id}
    wire = [
        {"metadata": about, "triples": [translator.from_pulsar(each) for each in message.triples]}
        for message in sent
    ]
    ingest(json.loads(json.dumps(wire)), store)


@pytest.mark.parametrize("send", [produced, wired])
@pytest.mark.parametrize(
    ("thought", "observation", "answer"),
    [
        ("Look.", "Paris", "Paris"),
        ("", "", "Paris"),
        ("see: https://a.b/c", "https://a.b/c", "https://a.b/c"),
        ("urn:x:y", "mailto:x@y", "note:this"),
    ],
    ids=["words", "empty", "urls", "names"],
)
def test_a_run_of_another_service_is_listed_and_shown(
    here: Store,
    send: Callable[[list[Triples], Store], None],
    thought: str,
    observation: str,
    answer: str,
) -> None:
    send(messages(thought, observation, answer), here)
    (listed,) = list_traces(here).traces
    assert (listed.uri, listed.user, listed.collection) == (RUN, "ana", "books")
    run = trace(here, RUN)
    (step,) = (node for node in run.nodes if isinstance(node, Analysis))
    said = (step.thought or "", step.observation or "", run.answer)
    assert said == (thought, observation, answer)


def test_a_message_sent_again_changes_nothing(here: Store) -> None:
    sent = messages("Look.", "Paris", "Paris")
    produced(sent, here)
    before = set(here.quads())
    produced([*reversed(sent)], here)
    wired(sent, here)
    assert set(here.quads()) == before


def test_a_request_of_trustgraph_s_own_class_is_answered(here: Store) -> None:
    history = [schema.AgentStep("t", "search", {"q": "x"}, "o", step_type="react")]
    first = schema.AgentRequest(question="Why?", session_id="7", pattern="react", history=history)
    following: list[Any] = []
    service = AgentService(Scripted(call("no-tool"), final()), store=here, user="ana")
    flow = Flow(explainability=StoreProducer(here))

    def take(request: Any) -> None:
        asyncio.run(service.agent_request(request, lambda response: None, following.append, flow))

    take(first)
    (second,) = following
    take(second)
    assert (type(second), second.pattern, len(second.history)) == (type(first), "react", 2)
    assert second.history[0] == history[0]
    (listed,) = list_traces(here).traces
    assert (listed.user, trace(here, listed.uri).answer) == ("ana", "Paris")


def test_a_run_of_ours_needs_no_index_and_a_message_of_another_service_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text(f"Paris is the capital of France, {number}.")
    calls: list[Store] = []

    def indexed(store: Store) -> IndexReport:
        calls.append(store)
        return index(store)

    monkeypatch.setattr("trustgraph_prov.agent.outlet.index", indexed)
    question = f'{{"question": "{QUESTION}"}}'
    script = [call("document-query", question), "Paris.", call("knowledge-query", question)]
    model = Scripted(*script, SELECTION, "Paris.", call("no-tool"), final())
    with open_store("memory:") as store:
        store.insert(knowledge())
        outcome, _ = asked(store, model, built_in_tools(store, model, documents=tmp_path))
        assert (outcome.answer, calls) == ("Paris", [])
        assert [len(step.called) for step in steps_of(store, outcome.uri)] == [1, 1, 0]
        produced(messages("Look.", "Paris", "Paris"), store)
        assert len(calls) == 3
        assert trace(store, RUN).answer == "Paris"
