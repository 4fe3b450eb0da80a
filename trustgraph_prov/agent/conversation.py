"""Ask an agent, and see the question through to its end."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..defaults import DEFAULT_COLLECTION
from ..messages import AgentRequest, AgentResponse, Error, Flow, settle
from ..stores.base import Store
from ..uris import agent_session_uri
from .outlet import StoreProducer
from .service import AgentService

__all__ = ["Outcome", "ask", "converse"]


@dataclass(frozen=True)
class Outcome:
    """How a question ended.

    Attributes:
        uri: IRI of the run.
        answer: the answer, or None.
        error: why there is none.
    """

    uri: str
    answer: str | None
    error: Error | None = None


async def converse(
    service: AgentService,
    request: AgentRequest,
    flow: Callable[[str], Any],
    respond: Callable[[AgentResponse], Any] | None = None,
) -> Outcome:
    """Ask, iteration by iteration, until there is an answer or none to come.

    Args:
        service: the agent.
        request: the question.
        flow: hands out the producer named "explainability".
        respond: takes the responses as they come.

    Raises:
        StoreError: what is recorded could not be sent.
    """
    resumed = bool(request.session_id and request.history)
    if not request.session_id and not request.history:
        request = replace(request, session_id=service.new_id())
    pieces: list[str] = []
    errors: list[Error] = []
    explained: list[str] = []

    async def listen(response: AgentResponse) -> None:
        if response.explain_id and not explained:
            explained.append(response.explain_id)
        if response.message_type == "answer":
            pieces.append(response.content)
        if response.error is not None:
            errors.append(response.error)
        if respond is not None:
            await settle(respond(response))

    waiting = deque([request])
    while waiting:
        await service.agent_request(waiting.popleft(), listen, waiting.append, flow)
    if explained and not resumed:
        uri = explained[0]
    else:
        uri = agent_session_uri(request.session_id or service.new_id())
    if errors:
        return Outcome(uri, None, errors[0])
    return Outcome(uri, "".join(pieces))


def ask(
    service: AgentService,
    question: str,
    store: Store,
    *,
    user: str = "",
    collection: str = DEFAULT_COLLECTION,
    session_id: str = "",
    state: str = "",
    group: list[str] | None = None,
    streaming: bool = False,
    respond: Callable[[AgentResponse], Any] | None = None,
) -> Outcome:
    """Ask an agent, recording the run straight into a store.

    Args:
        service: the agent.
        question: what to ask.
        store: where the run is recorded.
        user, collection, session_id, state, group, streaming: as in `AgentRequest`.
        respond: takes the responses as they come.

    Raises:
        StoreError: the run could not be recorded.

    Example:
        >>> from trustgraph_prov.agent import Reply
        >>> from trustgraph_prov.stores import open_store
        >>> class Parrot:
        ...     name = "parrot"
        ...     def complete(self, messages, on_text=None):
        ...         return Reply(f"Final Answer: {messages[1]['content']}", self.name)
        >>> ask(AgentService(Parrot()), "Who's there?", open_store("memory:")).answer
        "Who's there?"
    """
    request = AgentRequest(
        question=question,
        state=state,
        group=group,
        user=user,
        collection=collection,
        streaming=streaming,
        session_id=session_id,
    )
    flow = Flow(explainability=StoreProducer(store))
    return asyncio.run(converse(service, request, flow, respond))
