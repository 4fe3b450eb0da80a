"""The agent service: one iteration a request, each recorded and explained as it happens."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from pyoxigraph import NamedNode, Quad

from ..emitters import json_text
from ..errors import InvalidValueError, ModelError, ProvError, StoreError
from ..messages import (
    Action,
    AgentRequest,
    AgentResponse,
    AgentStep,
    Error,
    Final,
    Metadata,
    ProducerSpec,
    Service,
    Triples,
    settle,
    to_triples,
)
from ..namespaces import GRAPH_RETRIEVAL
from ..recorder import AgentRun, Recorder, Step
from ..recorder.block import describe, is_cancellation
from ..recorder.masking import Mask
from ..recorder.resume import Known
from ..recorder.writer import Target
from ..uris import agent_final_uri, agent_iteration_uri
from .model import Model, Reply
from .outlet import Outlet
from .react import ReplyError, Splitter, parse, prompt
from .threads import from_thread, in_thread
from .tools import ToolContext, Tools

__all__ = ["MAX_ITERATIONS", "AgentService"]

MAX_ITERATIONS = "max-iterations"
"""Why a run ends that has no answer when its iterations are used up: TrustGraph's word."""


class AgentService(Service):
    """Answers questions with a model and tools, and explains how.

    Each request is one iteration; what goes on is handed to `next` as a request with a longer
    history. Nothing is kept in between, so that any instance may take the next one.

    Args:
        model: decides.
        tools: what it may use.
        store: where runs are looked up, so that no session id is given twice; it is not written
            to: that is the producer's part.
        user: whose runs they are that name no user.
        max_iterations: steps of a run; one that has no answer then ends with an answer that says
            so, for the reason `max-iterations`, and with an error for who asked.
        mask, clock, strict: as for `Recorder`.
        new_id: makes session ids.
    """

    def __init__(
        self,
        model: Model,
        tools: Tools | None = None,
        *,
        store: Target | None = None,
        user: str = "trustgraph",
        max_iterations: int = 10,
        mask: Mask | None = None,
        clock: Callable[[], datetime] | None = None,
        new_id: Callable[[], str] | None = None,
        strict: bool = False,
    ) -> None:
        super().__init__()
        if max_iterations < 1:
            raise InvalidValueError("max_iterations", max_iterations, "a whole number from 1")
        self.model = model
        self.tools = Tools() if tools is None else tools
        self.store = store
        self.user = user
        self.max_iterations = max_iterations
        self.new_id = new_id or (lambda: str(uuid.uuid4()))
        self.record = {"mask": mask, "clock": clock, "strict": strict}
        self.register_specification(ProducerSpec(name="explainability", schema=Triples))

    async def agent_request(
        self,
        request: AgentRequest,
        respond: Callable[[AgentResponse], Any],
        next: Callable[[AgentRequest], Any],
        flow: Callable[[str], Any],
    ) -> None:
        """Do one iteration.

        What goes wrong with the model ends the run, and is recorded and responded; what goes wrong
        with a tool, or with the form of a reply, is a step like any other.

        Args:
            request: the question, and the steps so far.
            respond: takes responses; a coroutine is awaited.
            next: takes the request for the next iteration.
            flow: hands out the producer named "explainability".

        Raises:
            InvalidValueError: the flow has no such producer.
            StoreError: what is recorded could not be sent.
        """
        producer = flow("explainability")
        if producer is None:
            raise InvalidValueError("flow", flow, 'a flow with an "explainability" producer')
        turn = _Turn(self, request, respond, producer)
        follow_up = await turn.take()
        if follow_up is not None:
            await settle(next(follow_up))


class _Turn:
    """One iteration under way."""

    def __init__(
        self,
        service: AgentService,
        request: AgentRequest,
        respond: Callable[[AgentResponse], Any],
        producer: Any,
    ) -> None:
        self._service = service
        self._request = request
        self._respond = respond
        self._producer = producer
        self._loop = asyncio.get_running_loop()
        self._tools = service.tools.of(request.group)
        self._session = request.session_id or service.new_id()
        self._number = len(request.history) + 1
        self._outlet = Outlet(self._send, service.store)
        self._metadata = Metadata()
        self._ended: set[str] = set()

    async def take(self) -> AgentRequest | None:
        """Do it; the request that goes on, if any."""
        try:
            run = self._begin()
        except StoreError:
            raise
        except ProvError as error:
            await self._refuse(type(error).__name__, str(error))
            return None
        self._metadata = Metadata(id=run.uri, user=run.user, collection=run.collection)
        try:
            await self._outlet.drain()
            return await self._decide(run)
        except ModelError as error:
            run.fail(error)
            await self._outlet.drain()
            await self._refuse(type(error).__name__, str(error))
            return None
        except BaseException as error:
            # Nothing may stand in the way of what is raised, a cancellation above all.
            with suppress(Exception):
                if not run.ended:
                    run.cancel() if is_cancellation(error) else run.fail(error)
                await self._outlet.drain()
            raise

    def _begin(self) -> AgentRun:
        recorder = Recorder(
            self._outlet,
            user=self._request.user or self._service.user,
            collection=self._request.collection or "default",
            **self._service.record,  # type: ignore[arg-type]  # its keys are these arguments
        )
        if self._number == 1 or not self._request.session_id:
            run = recorder.agent(self._request.question, session_id=self._session)
            for step in self._request.history:  # of a client that knows of no sessions
                run.analysis(
                    step.thought, step.action or None, step.arguments or None, step.observation
                )
            return run
        run = recorder.blank(AgentRun, self._session)
        before = {agent_iteration_uri(run.session_id, n): n for n in range(1, self._number)}
        followed = {uri for uri, number in before.items() if number < self._number - 1}
        run.restore(Known(nodes={**before}, parents=followed, complete=set(before)))
        return run

    async def _decide(self, run: AgentRun) -> AgentRequest | None:
        if self._number > self._service.max_iterations:
            await self._give_up(run)
            return None
        reply, splitter = await self._think(run)
        try:
            decision = parse(reply.text)
        except ReplyError as error:
            return await self._misunderstand(run, reply, error)
        node = agent_iteration_uri(run.session_id, self._number)
        await self._end_thought(splitter, node)
        if "thought" not in splitter.said:
            await self._say("thought", decision.thought, node)
        if isinstance(decision, Final):
            await self._conclude(run, decision, reply, splitter)
            return None
        return await self._act(run, decision, reply)

    async def _think(self, run: AgentRun) -> tuple[Reply, Splitter]:
        messages = prompt(self._request.question, self._tools, self._request.history)
        splitter = Splitter()
        node = agent_iteration_uri(run.session_id, self._number)
        final = agent_final_uri(run.session_id)

        async def pass_on(said: list[tuple[str, str]]) -> None:
            for kind, text in said:
                if kind == "answer":
                    await self._end_thought(splitter, node)
                where = final if kind == "answer" else node
                await self._answer(AgentResponse(kind, text, message_id=where))

        def on_text(piece: str) -> None:
            said = splitter.feed(piece)
            if said:
                from_thread(self._loop, lambda: pass_on(said))

        streamed = on_text if self._request.streaming else None
        reply = await in_thread(lambda: self._service.model.complete(messages, streamed))
        return reply, splitter

    async def _misunderstand(self, run: AgentRun, reply: Reply, error: ReplyError) -> AgentRequest:
        words = f"ReplyError: {error}"
        run.analysis(
            reply.text,
            error=words,
            tool_candidates=self._tools.names,
            **reply.usage,
        )
        await self._outlet.drain()
        return await self._go_on(run, AgentStep(thought=reply.text, observation=words))

    async def _act(self, run: AgentRun, action: Action, reply: Reply) -> AgentRequest:
        step = run.begin(
            action.thought,
            action.name,
            action.arguments,
            tool_candidates=self._tools.names,
            **reply.usage,
        )
        await self._outlet.drain()
        await self._answer(
            AgentResponse("action", action.name, end_of_message=True, message_id=step.uri)
        )
        action.observation = await self._call(action, step)
        await self._outlet.drain()
        return await self._go_on(
            run, AgentStep(action.thought, action.name, action.arguments, action.observation)
        )

    async def _call(self, action: Action, step: Step) -> str:
        try:
            tool = self._tools[action.name]
            result = await tool.call(action.arguments, ToolContext(step))
        except Exception as error:  # whatever a tool raises is its observation
            await self._outlet.drain()
            step.fail(error)
            return f"Error: {describe(error)}"
        await self._outlet.drain()
        step.observe(result)
        return _text(result)

    async def _conclude(
        self, run: AgentRun, final: Final, reply: Reply, splitter: Splitter
    ) -> None:
        uri = run.conclusion(final.final, **reply.usage)
        await self._outlet.drain()
        streamed = "answer" in splitter.said
        await self._answer(
            AgentResponse(
                "answer",
                "" if streamed else final.final,
                end_of_message=True,
                end_of_dialog=True,
                message_id=uri,
                in_token=reply.in_token,
                out_token=reply.out_token,
                model=reply.model,
            )
        )

    async def _give_up(self, run: AgentRun) -> None:
        taken = self._number - 1
        words = f"no answer after {taken} iteration{'s' if taken > 1 else ''}"
        run.conclusion(f"{words.capitalize()}.", termination_reason=MAX_ITERATIONS)
        await self._outlet.drain()
        await self._refuse(MAX_ITERATIONS, f"{MAX_ITERATIONS}: {words}")

    async def _go_on(self, run: AgentRun, step: AgentStep) -> AgentRequest:
        node = agent_iteration_uri(run.session_id, self._number)
        await self._say("observation", step.observation, node)
        return replace(
            self._request,
            history=[*self._request.history, step],
            session_id=self._session,
        )

    async def _say(self, kind: str, text: str, node: str) -> None:
        if text:
            await self._answer(AgentResponse(kind, text, end_of_message=True, message_id=node))

    async def _end_thought(self, splitter: Splitter, node: str) -> None:
        if "thought" in splitter.said and "thought" not in self._ended:
            self._ended.add("thought")
            await self._answer(AgentResponse("thought", end_of_message=True, message_id=node))

    async def _refuse(self, kind: str, words: str) -> None:
        await self._answer(
            AgentResponse(
                "error",
                words,
                end_of_message=True,
                end_of_dialog=True,
                error=Error(kind, words),
            )
        )

    async def _send(self, quads: list[Quad]) -> None:
        """Send what is recorded, and explain it."""
        triples = to_triples(quads)
        await settle(self._producer.send(Triples(replace(self._metadata), triples)))
        subject = quads[0].subject
        await self._answer(
            AgentResponse(
                "explain",
                explain_id=subject.value if isinstance(subject, NamedNode) else None,
                explain_graph=GRAPH_RETRIEVAL,
                explain_triples=triples,
            )
        )

    async def _answer(self, response: AgentResponse) -> None:
        await settle(self._respond(response))


def _text(result: object) -> str:
    if result is None:
        return ""
    return result if isinstance(result, str) else json_text(result)
