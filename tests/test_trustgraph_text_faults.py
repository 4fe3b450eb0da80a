"""Texts that are apart from their triples reach the right node whatever comes in between."""

from __future__ import annotations

from typing import Any

import pytest
from narrowing import narrow
from pyoxigraph import Literal, NamedNode
from text_cases import AGENT, apart, bare, react, said_of, say, stream
from trustgraph import provenance as tg
from trustgraph_cases import DATA, agent, explained

from trustgraph_prov import index, trace
from trustgraph_prov.deletion import delete_trace
from trustgraph_prov.errors import TraceNotFoundError
from trustgraph_prov.explain import Analysis
from trustgraph_prov.namespaces import (
    TG_CONTENT,
    TG_DOCUMENT,
    TG_THOUGHT,
    TG_THOUGHT_TYPE,
    TGP_STANDING_TEXT,
    TGP_TRACE,
    TGP_WAITING_CONTENT,
    TGP_WAITING_IN,
    TGP_WAITING_TEXT,
    TGP_WAITING_THOUGHT,
)
from trustgraph_prov.render import to_dict
from trustgraph_prov.stores import Store
from trustgraph_prov.text_places import waiting
from trustgraph_prov.trustgraph import ingest, read_messages
from trustgraph_prov.uris import SESSION

WAITING = {TGP_WAITING_CONTENT, TGP_WAITING_IN, TGP_WAITING_TEXT, TGP_WAITING_THOUGHT}
END = tg.agent_final_uri("a1")


def contents(store: Store) -> dict[str, list[str]]:
    """The texts by their place."""
    found: dict[str, list[str]] = {}
    for quad in store.quads():
        if quad.predicate.value == TG_CONTENT:
            place = narrow(quad.subject, NamedNode).value
            found.setdefault(place, []).append(narrow(quad.object, Literal).value)
    return {place: sorted(texts) for place, texts in found.items()}


def test_a_thought_waits_for_the_node_of_the_thought_not_for_the_step(store: Store) -> None:
    sent = stream(named=False, streaming=False, own=False)
    ingest([bare(one) if one["message_type"] == "explain" else one for one in sent], store)
    quads = ingest(apart(sent)[1]).quads
    thoughts = {f"{tg.agent_thought_uri('a1', number)}" for number in (1, 2)}
    late = [
        quad
        for quad in quads
        if quad.predicate.value == TG_THOUGHT or narrow(quad.subject, NamedNode).value in thoughts
    ]
    store.insert([quad for quad in quads if quad not in late])
    assert index(store).texts == 3
    store.insert(late)
    assert index(store).texts == 2
    said_of(store)
    assert not [quad for quad in store.quads() if quad.predicate.value in WAITING]


def test_two_texts_of_one_node_both_wait(store: Store) -> None:
    ingest([say("answer", "First.", END)], store)
    ingest([say("answer", "Second.", END)], store)
    ingest(explained(agent("a1"), tg.agent_final_triples(END, AGENT)), store)
    assert contents(store) == {END: ["First.", "Second."]}


def test_a_text_that_waits_is_no_part_of_what_is_shown(here: Store) -> None:
    triples = explained(agent("a1"), tg.agent_final_triples(END, AGENT))
    ingest(triples, here)
    shown = to_dict(trace(here, AGENT))
    here.insert(ingest([say("answer", "All.", END)]).quads)
    assert [quad for quad in here.quads() if quad.predicate.value in WAITING]
    assert to_dict(trace(here, AGENT)) == shown
    assert index(here).texts == 1
    assert trace(here, AGENT).answer == "All."
    for property in (*WAITING, TGP_STANDING_TEXT):
        assert property not in str(to_dict(trace(here, AGENT)))


@pytest.mark.parametrize("cut", range(1, 13))
def test_a_stream_that_was_cut_and_then_sent_whole_is_read_once(here: Store, cut: int) -> None:
    sent = stream(named=False, streaming=False, own=False)
    ingest([*sent[:cut], *sent], here)
    said_of(here)
    assert all(len(texts) == 1 for texts in contents(here).values())


def test_a_question_that_comes_again_does_not_end_the_texts(here: Store) -> None:
    sent = stream(named=False, streaming=False, own=False)
    ingest([*sent[:6], sent[0], *sent[6:]], here)
    said_of(here)


@pytest.mark.parametrize("first", ["texts", "triples"])
def test_a_step_and_its_thought_that_are_both_only_named_say_one_text(
    here: Store, first: str
) -> None:
    triples = [one for part in react(own=False) for one in part]
    named = [bare({"explain_id": AGENT})]
    for number in (1, 2):
        step, thought = tg.agent_iteration_uri("a1", number), tg.agent_thought_uri("a1", number)
        named += [bare({"explain_id": step}), bare({"explain_id": thought})]
        named.append(say("thought", f"T{number}"))
    for part in (named, triples) if first == "texts" else (triples, named):
        ingest(part, here)
    steps = [narrow(one, Analysis) for one in trace(here, AGENT).steps[:2]]
    assert [step.thought for step in steps] == ["T1", "T2"]


def test_a_node_that_a_message_states_in_part_keeps_its_document(here: Store) -> None:
    document = tg.agent_final_triples(END, AGENT, document_id="urn:doc:answer")
    ingest(explained(agent("a1"), document), here)
    again = explained([one for one in document if one.p.iri != TG_DOCUMENT])
    ingest([*again, say("answer", "All.", END)], here)
    assert contents(here) == {"urn:doc:answer": ["All."]}


def test_a_text_is_on_every_document_of_its_node_in_any_order(here: Store) -> None:
    parts = [tg.agent_final_triples(END, AGENT, document_id=f"urn:doc:{n}") for n in (1, 0)]
    ingest(explained(agent("a1"), *parts), here)
    ingest([say("answer", "All.", END)], here)
    assert contents(here) == {"urn:doc:0": ["All."], "urn:doc:1": ["All."]}


@pytest.mark.parametrize("session", ["a b", 'a"b', "a<b>", "a{b}", "a\nb"])
def test_a_text_names_its_node_as_the_triples_do(here: Store, session: str) -> None:
    end = f"urn:trustgraph:agent:{session}/final"
    question = f"urn:trustgraph:agent:{session}"
    triples = [*tg.agent_session_triples(question, "Why?"), *tg.agent_final_triples(end, question)]
    assert ingest([*explained(triples), say("answer", "Paris", end)], here).unplaced == 0
    assert list(contents(here).values()) == [["Paris"]]


def test_an_answer_of_the_first_releases_is_found_by_its_name(here: Store) -> None:
    """Their nodes have classes of PROV alone, and their messages name none."""
    messages: list[Any] = list(read_messages(DATA / "legacy.jsonl"))
    (session,) = (
        one["explain_id"].rpartition(":")[2]
        for one in messages
        if one["explain_id"].startswith(SESSION)
    )
    run = [one for one in messages if session in one["explain_id"]]
    assert len(run) == 4
    assert ingest([*run, say("answer", "Four.", last=True)], here).unplaced == 0
    (texts,) = contents(here).values()
    assert "Four." in texts


def test_only_what_waits_of_a_node_goes_with_the_run_that_it_is_named_after(store: Store) -> None:
    ingest(explained(agent("a1"), agent("b2")), store)
    other = tg.agent_session_uri("b2")
    node = f"{AGENT}/step/9"
    triples = explained(tg.agent_final_triples(node, other))
    ingest(triples, store)
    store.insert(waiting(node, "Wait.", TGP_WAITING_TEXT, trace=AGENT))
    delete_trace(store, AGENT)
    left = [quad for quad in store.quads() if quad.subject == NamedNode(node)]
    assert TGP_TRACE in {quad.predicate.value for quad in left}
    assert not [quad for quad in left if quad.predicate.value in WAITING]


@pytest.mark.parametrize("node", [END, "urn:my:answer"])
def test_texts_of_a_run_that_is_not_there_are_removed_by_its_question(
    store: Store, node: str
) -> None:
    ingest([bare({"explain_id": AGENT}), say("answer", "All.", node)], store)
    assert delete_trace(store, AGENT, dry_run=True).triples == 2
    assert delete_trace(store, AGENT).triples == 2
    assert not list(store.quads())
    with pytest.raises(TraceNotFoundError):
        delete_trace(store, AGENT)


def test_a_thought_is_on_its_own_node_when_that_is_named(here: Store) -> None:
    ingest([say("thought", "Hm.", "urn:foreign:thought")], here)
    ingest([say("thought", "Hm.", tg.agent_thought_uri("a1", 1))], here)
    predicates = {
        narrow(quad.subject, NamedNode).value: quad.predicate.value
        for quad in here.quads()
        if quad.predicate.value != TGP_WAITING_IN
    }
    assert predicates == {
        "urn:foreign:thought": TGP_WAITING_THOUGHT,
        tg.agent_thought_uri("a1", 1): TGP_WAITING_TEXT,
    }
    assert TG_THOUGHT_TYPE not in predicates.values()
