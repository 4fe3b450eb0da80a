"""What tests of the agent share: a scripted model, some knowledge, and one way to ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pyoxigraph as ox

from trustgraph_prov.agent import AgentService, Message, Outcome, Reply, Tools, ask
from trustgraph_prov.explain import Analysis, trace
from trustgraph_prov.messages import AgentResponse
from trustgraph_prov.stores import Store

QUESTION = "What is the capital of France?"
KG = "https://example.org/kg/"
FRANCE = f"""
@prefix kg: <{KG}> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
kg:France rdfs:label "France"@en ; kg:capital kg:Paris ; kg:population 68000000 .
kg:Paris rdfs:label "Paris"@en .
kg:Peru rdfs:label "Peru"@en ; kg:capital kg:Lima .
"""
SELECTION = '[{"id": 2, "reasoning": "It names the capital.", "score": 0.9}]'


def call(tool: str, arguments: str = "{}", thought: str = "Look it up.") -> str:
    """Write a reply that calls a tool."""
    return f"Thought: {thought}\nAction: {tool}\nArgs: {arguments}"


def final(answer: str = "Paris", thought: str = "I know.") -> str:
    """Write a reply that answers."""
    return f"Thought: {thought}\nFinal Answer: {answer}"


class Scripted:
    """A model that says what it is told to say; what it is asked is kept."""

    name = "scripted"

    def __init__(self, *answers: str | BaseException) -> None:
        self.answers = list(answers)
        self.chats: list[list[Message]] = []

    def complete(
        self, messages: Sequence[Message], on_text: Callable[[str], None] | None = None
    ) -> Reply:
        self.chats.append(list(messages))
        answer = self.answers[len(self.chats) - 1]
        if isinstance(answer, BaseException):
            raise answer
        if on_text is not None:
            for piece in (answer[at : at + 4] for at in range(0, len(answer), 4)):
                on_text(piece)
        return Reply(answer, "scripted-1", in_token=11, out_token=7, duration_ms=5)


def knowledge(text: str = FRANCE, graph: str = "") -> list[ox.Quad]:
    """Quads of some Turtle."""
    name = ox.NamedNode(graph) if graph else ox.DefaultGraph()
    parsed = ox.parse(text, format=ox.RdfFormat.TURTLE)
    return [ox.Quad(q.subject, q.predicate, q.object, name) for q in parsed]


def asked(
    store: Store, model: Scripted, tools: Tools | None = None, **options: Any
) -> tuple[Outcome, list[AgentResponse]]:
    """Ask the question, and keep what is responded."""
    responses: list[AgentResponse] = []
    streaming = options.pop("streaming", False)
    session = options.pop("session_id", "")
    service = AgentService(model, tools, store=store, **options)
    outcome = ask(
        service, QUESTION, store, respond=responses.append, streaming=streaming, session_id=session
    )
    return outcome, responses


def one_tool(function: Callable[..., Any]) -> Tools:
    """Tools with a single one, called `tool`."""
    tools = Tools()
    tools.add(function, name="tool", description="Do it.")
    return tools


def steps_of(store: Store, uri: str) -> list[Analysis]:
    """The iterations of a run."""
    return [node for node in trace(store, uri).nodes if isinstance(node, Analysis)]


def texts(responses: Iterable[AgentResponse], kind: str) -> list[str]:
    """The texts of one kind, those sent in pieces put together."""
    found = [""]
    for response in responses:
        if response.message_type == kind:
            found[-1] += response.content
            if response.end_of_message:
                found.append("")
    return [text for text in found if text]
