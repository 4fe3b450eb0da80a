"""What an agent says while it works: to who asked, and to the producer of what is recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pyoxigraph import NamedNode, Quad

from ..messages import AgentResponse, Error, Metadata, Triples, settle, to_triples
from ..namespaces import GRAPH_RETRIEVAL
from .react import Splitter

__all__ = ["Responses"]


class Responses:
    """The responses to one request.

    Args:
        respond: takes them; a coroutine is awaited.
        producer: takes what is recorded.

    Attributes:
        metadata: what the triples sent belong to.
    """

    def __init__(self, respond: Callable[[AgentResponse], Any], producer: Any) -> None:
        self._respond = respond
        self._producer = producer
        self._thought_ended = False
        self.metadata = Metadata()

    async def send(self, quads: list[Quad]) -> None:
        """Send what is recorded, and explain it."""
        triples = to_triples(quads)
        await settle(self._producer.send(Triples(replace(self.metadata), triples)))
        subject = quads[0].subject
        await self.give(
            AgentResponse(
                "explain",
                explain_id=subject.value if isinstance(subject, NamedNode) else None,
                explain_graph=GRAPH_RETRIEVAL,
                explain_triples=triples,
            )
        )

    async def give(self, response: AgentResponse) -> None:
        """Give a response."""
        await settle(self._respond(response))

    async def say(self, kind: str, text: str, node: str) -> None:
        """Give a whole text; an empty one is not given.

        Args:
            kind: `thought`, `action` or `observation`.
            text: the text.
            node: IRI of the node that says it.
        """
        if text:
            await self.give(AgentResponse(kind, text, end_of_message=True, message_id=node))

    async def say_pieces(
        self, said: list[tuple[str, str]], splitter: Splitter, step: str, final: str
    ) -> None:
        """Give pieces of texts, as the splitter found them.

        Args:
            said: kinds and pieces.
            splitter: knows what was said before.
            step, final: IRIs of the nodes that say thought and answer.
        """
        for kind, text in said:
            if kind == "answer":
                await self.end_thought(splitter, step)
            where = final if kind == "answer" else step
            await self.give(AgentResponse(kind, text, message_id=where))

    async def end_thought(self, splitter: Splitter, node: str) -> None:
        """End a thought that was given in pieces, once."""
        if "thought" in splitter.said and not self._thought_ended:
            self._thought_ended = True
            await self.give(AgentResponse("thought", end_of_message=True, message_id=node))

    async def refuse(self, kind: str, words: str) -> None:
        """Say why there is no answer, and that none follows.

        Args:
            kind: name of the kind of error.
            words: what went wrong.
        """
        await self.give(
            AgentResponse(
                "error",
                words,
                end_of_message=True,
                end_of_dialog=True,
                error=Error(kind, words),
            )
        )
