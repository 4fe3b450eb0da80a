"""Texts of messages and documents stand where tg:document points, however they were sent."""

from __future__ import annotations

from typing import Any

import pytest
from narrowing import narrow
from text_cases import AGENT, RAG, pieces, react, said_of, say, stream
from trustgraph import provenance as tg
from trustgraph.messaging.translators.retrieval import GraphRagResponseTranslator
from trustgraph.schema import GraphRagResponse
from trustgraph_cases import START, agent, explained, graph_rag

from trustgraph_prov import trace
from trustgraph_prov.explain import Analysis
from trustgraph_prov.namespaces import TG_CONTENT
from trustgraph_prov.stores import Store
from trustgraph_prov.trustgraph import add_documents, ingest


@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize("streaming", [True, False], ids=["streaming", "whole"])
@pytest.mark.parametrize("own", [True, False], ids=["node is document", "documents"])
def test_an_agents_texts_are_where_its_documents_are(
    here: Store, named: bool, streaming: bool, own: bool
) -> None:
    messages = stream(named, streaming, own)
    report = ingest(messages, here)
    # A last thought has no node of its own: it waits, or is of nobody where no message names it.
    last = (report.waiting, report.unplaced)
    assert (report.texts, *last) == ((5, 1, 0) if named else (5, 0, 1))
    before = set(here.quads())
    ingest(messages, here)
    assert set(here.quads()) == before
    said_of(here)


def test_two_sockets_interleaved_are_two_conversations(here: Store) -> None:
    runs = {name: [one for part in react(name, 1) for one in part] for name in ("a1", "a2")}
    said: list[Any] = []
    for explain1, explain2 in zip(runs["a1"], runs["a2"], strict=True):
        said.append({"id": "1", "response": explain1})
        said.append({"id": "2", "response": explain2})
    for key, name in (("1", "first"), ("2", "second"), ("1", "first")):
        said.append({"id": key, "response": say("thought", f"The {name}.", ended=False)})
    said += [
        {"id": key, "response": say("answer", f"Answer {key}.", last=True)} for key in ("2", "1")
    ]
    ingest(said, here)
    one, two = (trace(here, tg.agent_session_uri(name)) for name in ("a1", "a2"))
    assert [narrow(run.steps[0], Analysis).thought for run in (one, two)] == [
        "The first.The first.",
        "The second.",
    ]
    assert (one.answer, two.answer) == ("Answer 1.", "Answer 2.")


def test_runs_one_after_the_other_without_an_end_keep_their_texts(here: Store) -> None:
    said: list[Any] = []
    for name in ("a1", "a2"):
        said += [one for part in react(name, 1) for one in part]
        said.append(say("answer", f"Answer of {name}."))
    ingest(said, here)
    answers = [trace(here, tg.agent_session_uri(name)).answer for name in ("a1", "a2")]
    assert answers == ["Answer of a1.", "Answer of a2."]


def chunk(text: str | None, ended: bool = False, last: bool = False) -> Any:
    response = GraphRagResponse(
        response=text, message_type="chunk", end_of_stream=ended, end_of_session=last
    )
    return GraphRagResponseTranslator().encode(response)


@pytest.mark.parametrize(
    "texts",
    [
        [chunk("The re"), chunk("eds.", ended=True), chunk("", last=True)],
        [chunk("The reeds.", ended=True, last=True)],
        [chunk("The re"), chunk("eds."), chunk("The reeds.", ended=True)],
        [chunk("The reeds."), chunk("", last=True)],
        [{"response": "The reeds."}],
    ],
    ids=["streaming", "whole", "pieces and the whole", "end of the session", "first releases"],
)
def test_chunks_are_the_answer_of_a_rag_run(here: Store, texts: list[Any]) -> None:
    messages = explained(*graph_rag("g1"))
    ingest([*messages[:-1], *texts[:-1], messages[-1], texts[-1]], here)
    assert trace(here, RAG).answer == "The reeds."
    assert len([q for q in here.quads() if q.predicate.value == TG_CONTENT]) == 1


@pytest.mark.parametrize("form", ["fields", "chunk_type"])
def test_texts_as_the_first_releases_sent_them(here: Store, form: str) -> None:
    question, first, seen, final = react(steps=1)
    texts = {"thought": "Hm.", "observation": "Seen.", "answer": "All."}
    said: list[Any] = [{kind: text, "error": None} for kind, text in texts.items()]
    if form == "chunk_type":
        said = [
            {"chunk_type": kind, "content": text, "end_of_message": True, "end_of_dialog": False}
            for kind, text in texts.items()
        ]
    report = ingest([*question, said[0], *first, said[1], *seen, *final, said[2]], here)
    assert (report.texts, report.unplaced) == (3, 0)
    run = trace(here, AGENT)
    assert isinstance(run.steps[0], Analysis)
    assert (run.steps[0].thought, run.steps[0].observation, run.answer) == ("Hm.", "Seen.", "All.")


def test_a_called_rag_run_takes_no_text_of_its_caller(here: Store) -> None:
    question, first, seen, final = react(steps=1)
    inner = explained(*graph_rag("g1", parent=tg.agent_iteration_uri("a1", 1)))
    ingest([*question, *first, *inner, *seen, *final, say("answer", "Mine.", last=True)], here)
    run = trace(here, AGENT)
    assert run.answer == "Mine."
    (called,) = run.called
    assert called.answer is None


def test_a_document_that_is_given_comes_before_what_was_heard(here: Store) -> None:
    messages = [*explained(*graph_rag("g1")), chunk("The re…", ended=True)]
    ingest(messages, here, documents={"urn:answer:g1": "The reeds.", "urn:other": "?"})
    assert trace(here, RAG).answer == "The reeds."


def test_a_text_without_a_document_stands_on_its_node(here: Store) -> None:
    end = tg.agent_final_uri("a1")
    parts = [agent("a1", "Why?", START), tg.agent_final_triples(end, AGENT)]
    ingest([*explained(*parts), say("answer", "Because.", end)], here)
    assert trace(here, AGENT).answer == "Because."


def test_documents_are_added_to_runs_that_are_there(here: Store) -> None:
    ingest(explained(*graph_rag("g1")), here)
    texts = {"urn:answer:g1": "The reeds.", "urn:nobody": "?"}
    added = add_documents(here, texts)
    assert (added.texts, added.unclaimed) == (1, 1)
    assert trace(here, RAG).answer == "The reeds."
    before = set(here.quads())
    add_documents(here, texts)
    assert set(here.quads()) == before


def test_an_error_marks_the_run_in_which_it_came(here: Store) -> None:
    messages = explained(*graph_rag("g1")[:2])
    ingest([*messages, {"id": "1", "response": {"error": "nobody asked"}}], here)
    assert trace(here, RAG).status == "unfinished"
    ingest([*messages, {"error": {"type": "llm-error"}}], here)
    assert (trace(here, RAG).status, trace(here, RAG).error) == ("failed", "llm-error")


@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize("together", [True, False], ids=["one import", "two imports"])
@pytest.mark.parametrize("whole_first", [True, False], ids=["whole first", "cut first"])
def test_a_stream_that_was_cut_and_the_whole_one_give_one_answer(
    here: Store, named: bool, together: bool, whole_first: bool
) -> None:
    end = tg.agent_final_uri("a1")
    question, final = explained(agent("a1")), explained(tg.agent_final_triples(end, AGENT))
    texts = pieces("answer", "All of it.", end if named else "", streaming=True)
    cut, whole = [*question, texts[0]], [*question, *texts, *final]
    parts = [whole, cut] if whole_first else [cut, whole]
    for messages in [[*parts[0], *parts[1]]] if together else parts:
        ingest(messages, here)
    assert [node.text for node in trace(here, AGENT).answers] == ["All of it."]


def test_a_text_whose_end_is_missing_is_not_the_answer(here: Store) -> None:
    report = ingest([*explained(*graph_rag("g1")), chunk("The re")], here)
    assert (report.texts, report.unplaced, report.unended) == (0, 0, 1)
    assert trace(here, RAG).answer is None


def test_what_explains_the_answer_may_come_after_the_end(here: Store) -> None:
    messages = explained(*graph_rag("g1"))
    texts = [chunk("The re"), chunk("eds.", ended=True, last=True)]
    report = ingest([*messages[:-1], *texts, messages[-1], *explained(agent("a1"))], here)
    assert (report.texts, report.unplaced) == (1, 0)
    assert trace(here, RAG).answer == "The reeds."


@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize(
    ("sent", "text"),
    [
        (["ha", "ha"], "haha"),
        (["10", "10"], "1010"),
        (["ha", "ha", "haha"], "haha"),
        (["The ", "reeds.", "The reeds."], "The reeds."),
    ],
)
def test_two_equal_pieces_are_both_of_the_text_and_a_whole_after_pieces_is_not(
    here: Store, named: bool, sent: list[str], text: str
) -> None:
    node = tg.agent_final_uri("a1") if named else ""
    said = [say("answer", piece, node, ended=at == len(sent)) for at, piece in enumerate(sent, 1)]
    final = explained(tg.agent_final_triples(tg.agent_final_uri("a1"), AGENT))
    ingest([*explained(agent("a1")), *said, *final], here)
    assert trace(here, AGENT).answer == text
