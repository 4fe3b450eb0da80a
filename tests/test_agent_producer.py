"""What another service sends is recorded like a run of ours, straight or over the wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_cases import QUESTION, SELECTION, Scripted, asked, call, final, knowledge, steps_of
from hypothesis import given
from hypothesis.strategies import permutations
from listing_cases import derive, objects, question

from trustgraph_prov.agent import StoreProducer, built_in_tools
from trustgraph_prov.explain import Analysis, trace
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.indexing import IndexReport, index
from trustgraph_prov.messages import Metadata, Triple, Triples, TripleTranslator, to_quads
from trustgraph_prov.namespaces import (
    GRAPH_RETRIEVAL,
    PROV_STARTED_AT_TIME,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_TYPE,
    TG_ACTION,
    TG_AGENT_FINAL,
    TG_AGENT_ITERATION,
    TG_AGENT_SESSION,
    TG_ANALYSIS,
    TG_ANSWER,
    TG_ARGUMENTS,
    TG_EDGE,
    TG_EDGE_SELECTION,
    TG_EXPLORATION,
    TG_OBSERVATION,
    TG_QUERY,
    TG_SELECTED_EDGE,
    TG_SYNTHESIS,
    TG_THOUGHT,
    TGP_COLLECTION,
    TGP_TRACE,
    TGP_USER,
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
    return [told(node, values) for node, values in nodes.items()]


def told(node: str, values: dict[str, str]) -> Triples:
    """A message about a node."""
    return Triples(ABOUT, [Triple(node, property, value) for property, value in values.items()])


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


def test_a_run_of_ours_needs_no_index_and_a_message_of_another_service_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text(f"Paris is the capital of France, {number}.")
    calls: list[set[str]] = []

    def indexed(store: Store, *, nodes: set[str]) -> IndexReport:
        calls.append(nodes)
        return index(store, nodes=nodes)

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
        assert calls == [{RUN}, {f"{RUN}/i1"}, {f"{RUN}/final"}]
        assert trace(store, RUN).answer == "Paris"


def test_an_exploration_that_its_question_generated_is_of_its_run(here: Store) -> None:
    """It carries no prov:wasDerivedFrom."""
    question, exploration = "urn:trustgraph:question:7", "urn:trustgraph:prov:exploration:7"
    said = {RDF_TYPE: TG_EXPLORATION, PROV_WAS_GENERATED_BY: question}
    produced([told(question, {TG_QUERY: "Why?"}), told(exploration, said)], here)
    assert objects(here, TGP_TRACE)[exploration] == {question}


def test_the_type_and_the_link_of_a_node_may_come_apart(here: Store) -> None:
    step = f"{RUN}/i1"
    sent = [{TG_QUERY: "Why?"}, {RDF_TYPE: TG_AGENT_ITERATION}, {PROV_WAS_DERIVED_FROM: RUN}]
    nodes = [RUN, step, step]
    produced([told(node, said) for node, said in zip(nodes, sent, strict=True)], here)
    assert objects(here, TGP_TRACE) == {RUN: {RUN}, step: {RUN}}


def test_a_message_leaves_the_runs_of_others_alone(here: Store) -> None:
    """It gave runs that somebody else was importing an owner of its own."""
    other = "urn:trustgraph:agent:other"
    here.insert(question(other, "2026-01-01T00:00:00Z", index=False))
    derive(here, f"{other}/i1", other)
    produced(messages("Look.", "Paris", "Paris"), here)
    assert objects(here, TGP_USER) == {RUN: {"ana"}}
    index(here, user="ann")
    assert objects(here, TGP_USER) == {RUN: {"ana"}, other: {"ann"}}


@pytest.mark.parametrize("send", [produced, wired])
def test_a_run_that_says_whose_it_is_gets_no_second_owner(
    here: Store, send: Callable[[list[Triples], Store], None]
) -> None:
    send([told(RUN, {TG_QUERY: "Why?", TGP_USER: "bob"})], here)
    assert objects(here, TGP_USER) == {RUN: {"bob"}}
    assert objects(here, TGP_COLLECTION) == {RUN: {"books"}}
    send([told(RUN, {TG_QUERY: "Why?"})], here)
    assert objects(here, TGP_USER) == {RUN: {"bob"}}


def called() -> list[Triples]:
    """A run that calls another, a message a node."""
    other, name = "urn:trustgraph:question:g", "urn:trustgraph:prov:"
    nodes = {
        RUN: {TG_QUERY: "Why?", PROV_STARTED_AT_TIME: "2026-03-02T08:15:00Z"},
        f"{RUN}/i1": {RDF_TYPE: TG_ANALYSIS, PROV_WAS_DERIVED_FROM: RUN},
        other: {TG_QUERY: "What?", PROV_WAS_DERIVED_FROM: f"{RUN}/i1"},
        f"{name}exploration:g": {RDF_TYPE: TG_EXPLORATION, PROV_WAS_GENERATED_BY: other},
        f"{name}focus:g": {
            PROV_WAS_DERIVED_FROM: f"{name}exploration:g",
            TG_SELECTED_EDGE: f"{name}edge:g:0",
        },
        f"{name}edge:g:0": {RDF_TYPE: TG_EDGE_SELECTION, TG_EDGE: "urn:statement"},
        f"{name}synthesis:g": {RDF_TYPE: TG_SYNTHESIS, PROV_WAS_DERIVED_FROM: f"{name}focus:g"},
        f"{RUN}/i2": {RDF_TYPE: TG_ANALYSIS, PROV_WAS_DERIVED_FROM: f"{name}synthesis:g"},
        f"{RUN}/final": {TG_ANSWER: "Paris", PROV_WAS_DERIVED_FROM: f"{RUN}/i2"},
    }
    return [told(node, said) for node, said in nodes.items()]


@given(permutations(called()))
def test_messages_may_come_in_any_order(sent: list[Triples]) -> None:
    with open_store("memory:") as store, open_store("memory:") as whole:
        produced(sent, store)
        whole.insert(quad for each in sent for quad in to_quads(each.triples, GRAPH_RETRIEVAL))
        index(whole, user="ana", collection="books")
        assert set(store.quads()) == set(whole.quads())
