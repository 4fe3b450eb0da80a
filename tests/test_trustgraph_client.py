"""TrustGraph's own reader understands what we write, as far as it reads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from narrowing import value
from pyoxigraph import Literal, NamedNode, Quad
from trustgraph.api.explainability import (
    Analysis,
    Conclusion,
    ExplainabilityClient,
)

from trustgraph_prov import Recorder, list_traces, open_store, set_graph, trace
from trustgraph_prov.emitters.agent import (
    agent_final_triples,
    agent_iteration_triples,
    agent_session_triples,
)
from trustgraph_prov.namespaces import GRAPH_RETRIEVAL, TG_ANSWER, TG_CONTENT
from trustgraph_prov.stores import Store
from trustgraph_prov.uris import agent_final_uri, agent_iteration_uri, agent_session_uri

ANSWER = "Paris"


class Flow:
    """Stands in for TrustGraph's flow: it answers triple patterns from a store of ours."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def triples_query(
        self,
        s: str | None = None,
        p: str | None = None,
        o: str | None = None,
        g: str | None = None,
        collection: str | None = None,
        limit: int = 100,
    ) -> list[dict[str, Any]]:
        wanted = (s, p, o)
        found = [
            quad.triple
            for quad in sorted(self.store.quads(g), key=str)
            if all(
                want is None or getattr(have, "value", None) == want
                for want, have in zip(wanted, quad.triple, strict=True)
            )
        ]
        return [
            {key: wire(term) for key, term in zip("spo", triple, strict=True)}
            for triple in found[:limit]
        ]


def wire(term: Any) -> dict[str, Any]:
    if isinstance(term, NamedNode):
        return {"t": "i", "i": term.value}
    assert isinstance(term, Literal)
    return {"t": "l", "v": term.value, "dt": term.datatype.value}


class Library:
    """Stands in for the librarian: it reads documents from a store of ours."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def library(self) -> Library:
        return self

    def get_document_content(self, id: str) -> bytes:
        texts = [value(q.object) for q in self.store.quads() if q.predicate.value == TG_CONTENT]
        (found,) = texts
        return found.encode()


def client(store: Store) -> ExplainabilityClient:
    return ExplainabilityClient(Flow(store), retry_delay=0)


def steps_of(read: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
    return [
        (step.action, json.loads(step.arguments), step.thought)
        for step in read["steps"]
        if isinstance(step, Analysis)
    ]


@pytest.mark.parametrize("count", [0, 1, 2, 40])
def test_a_recorded_agent_run_is_read_with_its_question_actions_and_answer(count: int) -> None:
    with open_store("memory:") as store:
        with Recorder(store).agent("What is the capital of France?") as run:
            for number in range(1, count + 1):
                run.analysis(
                    thought=f"Thought {number}",
                    action="search",
                    arguments={"n": number},
                    observation=None if number == 2 else "found",
                    error="timed out" if number == 2 else None,
                )
            run.conclusion(ANSWER)
        read = client(store).fetch_agent_trace(run.uri)
        ours = [step.uri for step in trace(store, run.uri).steps]
        assert [step.uri for step in read["steps"]] == ours
        end = read["steps"][-1]
        assert isinstance(end, Conclusion)
        (answer,) = Flow(store).triples_query(s=end.uri, p=TG_ANSWER)
        assert client(store).detect_session_type(run.uri) == "agent"
    question = read["question"]
    assert (question.query, question.question_type) == ("What is the capital of France?", "agent")
    assert question.timestamp
    assert steps_of(read) == [("search", {"n": n}, f"Thought {n}") for n in range(1, count + 1)]
    assert answer["o"]["v"] == ANSWER


def test_an_answer_kept_as_a_document_is_fetched() -> None:
    session, step, end = agent_session_uri("7"), agent_iteration_uri("7", 1), agent_final_uri("7")
    triples = [
        *agent_session_triples(session, "Which?", "2026-03-02T08:15:00Z"),
        *agent_iteration_triples(step, session, "Look", "search", {"q": "x"}, "found"),
        *agent_final_triples(end, step, None, document_id="urn:answer:7"),
    ]
    with open_store("memory:") as store:
        store.insert(set_graph(triples, GRAPH_RETRIEVAL))
        graph = NamedNode(GRAPH_RETRIEVAL)
        content = Quad(NamedNode("urn:answer:7"), NamedNode(TG_CONTENT), Literal(ANSWER), graph)
        store.insert([content])
        reader = client(store)
        read = reader.fetch_agent_trace(session)
        (found,) = (step for step in read["steps"] if isinstance(step, Conclusion))
        assert found.document == "urn:answer:7"
        assert reader.fetch_document_content(found.document, Library(store)) == ANSWER
    assert steps_of(read) == [("search", {"q": "x"}, "Look")]


@pytest.mark.parametrize("called", [False, True])
def test_a_called_graph_rag_run_is_read_inside_its_step(called: bool) -> None:
    with open_store("memory:") as store:
        recorder = Recorder(store)
        with recorder.agent("Which?") as run:
            step = run.begin("Ask", "knowledge-query", {"question": "Which?"})
            rag = step.graph_rag("Which?") if called else recorder.graph_rag("Which?")
            with rag:
                rag.grounding(["reeds"])
                rag.exploration(2, [])
                rag.focus([{"edge": ("urn:a", "urn:b", Literal("42")), "reasoning": "so"}])
                rag.synthesis("The reeds.")
            step.observe("The reeds.")
            run.conclusion("The reeds.")
        read = client(store).fetch_agent_trace(run.uri)
        whole = client(store).fetch_graphrag_trace(rag.uri)
    assert steps_of(read)[0][0] == "knowledge-query"
    assert any(isinstance(step, Conclusion) for step in read["steps"])
    assert whole["question"].query == "Which?"


def test_sessions_are_listed_as_we_list_them() -> None:
    with open_store("memory:") as store:
        recorder = Recorder(store)
        for question in ("First?", "Second?", "Third?"):
            with recorder.agent(question) as run:
                run.conclusion(ANSWER)
        theirs = [one.uri for one in client(store).list_sessions()]
        assert theirs == [one.uri for one in list_traces(store).traces]
