"""The messages of a run whose texts are sent apart from its triples."""

from __future__ import annotations

from typing import Any

from narrowing import narrow
from trustgraph import provenance as tg
from trustgraph.messaging.translators.agent import AgentResponseTranslator
from trustgraph.schema import AgentResponse
from trustgraph_cases import agent, explained, step

from trustgraph_prov import trace
from trustgraph_prov.explain import Analysis
from trustgraph_prov.stores import Store

AGENT = tg.agent_session_uri("a1")
RAG = tg.question_uri("g1")
ENCODE = AgentResponseTranslator().encode


def say(kind: str, text: str, node: str = "", ended: bool = True, last: bool = False) -> Any:
    return ENCODE(
        AgentResponse(
            message_type=kind,
            content=text,
            message_id=node,
            end_of_message=ended,
            end_of_dialog=last,
        )
    )


def react(session: str = "a1", steps: int = 2, own: bool = True) -> list[list[Any]]:
    """Explain messages of a ReAct run by the step they belong to, thoughts with documents."""
    parts, after = [agent(session)], None
    for number in range(1, steps + 1):
        thought = tg.agent_thought_uri(session, number)
        document = thought if own else f"urn:doc:{session}:thought:{number}"
        seen = tg.agent_observation_uri(session, number)
        parts.append(
            step(session, number, after, thought_uri=thought, thought_document_id=document)
        )
        document = seen if own else f"urn:doc:{session}:seen:{number}"
        parts.append(
            tg.agent_observation_triples(seen, tg.agent_iteration_uri(session, number), document)
        )
        after = seen
    end = tg.agent_final_uri(session)
    parts.append(
        tg.agent_final_triples(end, previous_uri=after, document_id=f"urn:doc:{session}:answer")
    )
    return [explained(part) for part in parts]


def apart(messages: list[Any]) -> tuple[list[Any], list[Any]]:
    """The messages with texts, and those with triples."""
    return (
        [one for one in messages if one["message_type"] != "explain"],
        [one for one in messages if one["message_type"] == "explain"],
    )


def bare(explaining: Any) -> Any:
    """An explain message that only names its node."""
    return {"message_type": "explain", "explain_id": explaining["explain_id"]}


def said_of(store: Store) -> None:
    """The texts of `stream` are shown where they belong."""
    run = trace(store, AGENT)
    first, second, _ = run.steps
    said = [
        (one.thought, one.observation)
        for one in (narrow(first, Analysis), narrow(second, Analysis))
    ]
    assert said == [("Thought 1.", "Seen 1."), ("Thought 2.", "Seen 2.")]
    assert run.answer == "All of it."


def stream(named: bool, streaming: bool, own: bool = True) -> list[Any]:
    """The messages of a run in the order in which the agent service sends them."""
    question, first, seen1, second, seen2, final = react(own=own)
    said = list(question)
    for number, (act, seen) in enumerate(((first, seen1), (second, seen2)), 1):
        thought = tg.agent_thought_uri("a1", number) if named else ""
        node = tg.agent_observation_uri("a1", number) if named else ""
        said += pieces("thought", f"Thought {number}.", thought, streaming)
        said += act
        said += pieces("observation", f"Seen {number}.", node, streaming)
        said += seen
    end = tg.agent_final_uri("a1") if named else ""
    said += pieces(
        "thought", "Now I know.", tg.agent_thought_uri("a1", 3) if named else "", streaming
    )
    said += pieces("answer", "All of it.", end, streaming)
    said += final
    said.append(say("answer", "" if streaming else "All of it.", end, last=True))
    return said


def pieces(kind: str, text: str, node: str, streaming: bool) -> list[Any]:
    if not streaming:
        return [say(kind, text, node)]
    half = len(text) // 2
    return [
        say(kind, text[:half], node, ended=False),
        say(kind, text[half:], node, ended=False),
        say(kind, "", node),
    ]
