"""One iteration: ask the model, do what it decides, record both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import (
    ModelError,
    ProvError,
    RunExistsError,
    RunFinishedError,
    StoreError,
    ToolError,
)
from ..json_text import json_text
from ..messages import Action, AgentRequest, AgentResponse, AgentStep, Final, Metadata
from ..recorder import AgentRun, Step
from ..recorder.block import describe, is_cancellation
from ..recorder.resume import Known, known
from ..uris import agent_final_uri, agent_iteration_uri
from ..wording import counted
from .model import CUT, Reply
from .outlet import Outlet
from .react import ReplyError, Splitter, parse, prompt
from .responses import Responses
from .threads import from_thread, in_thread
from .tools import ToolContext

if TYPE_CHECKING:
    from .service import AgentService

__all__ = ["MAX_ITERATIONS", "Turn"]

MAX_ITERATIONS = "max-iterations"
"""Why a run ends that has no answer when its iterations are used up: TrustGraph's word."""

LENGTH = "length"
"""Why a run ends whose answer was cut off at the most tokens that the model may write."""

_ANOTHER = "ask with another session id, or with none for a new run"


class Turn:
    """One iteration under way.

    Args:
        service: whose it is.
        request: the question, and the steps so far.
        respond: takes responses.
        producer: takes what is recorded.

    Attributes:
        session: id of the run.
    """

    def __init__(
        self,
        service: AgentService,
        request: AgentRequest,
        respond: Callable[[AgentResponse], Any],
        producer: Any,
    ) -> None:
        self._service = service
        self._request = request
        self._responses = Responses(respond, producer)
        self._loop = asyncio.get_running_loop()
        self._tools = service.tools.of(request.group)
        self.session = request.session_id or service.new_id()
        self._number = len(request.history) + 1
        self._outlet = Outlet(self._responses.send, service.store)

    async def take(self) -> AgentRequest | None:
        """Do it; the request that goes on, if any."""
        try:
            run = self._begin()
        except StoreError:
            raise
        except (RunExistsError, RunFinishedError) as error:
            what = "an answer" if isinstance(error, RunFinishedError) else "a run"
            await self._refuse(error, f"{error.uri} already has {what}; {_ANOTHER}")
            return None
        except ProvError as error:
            await self._refuse(error, str(error))
            return None
        self._responses.metadata = Metadata(id=run.uri, user=run.user, collection=run.collection)
        try:
            await self._outlet.drain()
            return await self._decide(run)
        except ModelError as error:
            run.fail(error)
            await self._outlet.drain()
            await self._refuse(error, str(error))
            return None
        except BaseException as error:
            # Nothing may stand in the way of what is raised, a cancellation above all.
            with suppress(Exception):
                if not run.ended:
                    run.cancel() if is_cancellation(error) else run.fail(error)
                await self._outlet.drain()
            raise

    async def refuse_to_wait(self) -> None:
        """Say that another iteration of the same session is under way."""
        words = f"session {self.session} is at work on another request; {_ANOTHER}"
        await self._responses.refuse(RunExistsError.__name__, words)

    def _begin(self) -> AgentRun:
        request = self._request
        user = getattr(request, "user", "")  # TrustGraph's own class has none
        recorder = self._service.recorder(self._outlet, user, request.collection)
        if self._number > 1 and self._request.session_id:
            run = recorder.blank(AgentRun, self.session)
            if self._service.store is None or self._goes_on(run.uri):
                before = {agent_iteration_uri(run.session_id, n): n for n in range(1, self._number)}
                followed = {uri for uri, number in before.items() if number < self._number - 1}
                run.restore(Known(nodes={**before}, parents=followed, complete=set(before)))
                return run
        run = recorder.agent(self._request.question, session_id=self.session)
        for step in self._request.history:  # of a client whose steps nobody recorded
            run.analysis(
                step.thought, step.action or None, step.arguments or None, step.observation
            )
        return run

    def _goes_on(self, uri: str) -> bool:
        """Whether the store has the run, up to here."""
        found = known(self._outlet, uri)
        if found is None:
            return False
        if found.answered or self._number in found.nodes.values():
            raise RunFinishedError(uri) if found.answered else RunExistsError(uri)
        return True

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
        await self._responses.end_thought(splitter, node)
        if "thought" not in splitter.said:
            await self._responses.say("thought", decision.thought, node)
        if isinstance(decision, Final):
            await self._conclude(run, decision, reply, splitter)
            return None
        return await self._act(run, decision, reply)

    async def _think(self, run: AgentRun) -> tuple[Reply, Splitter]:
        messages = prompt(self._request.question, self._tools, self._request.history)
        splitter = Splitter()
        node = agent_iteration_uri(run.session_id, self._number)
        final = agent_final_uri(run.session_id)
        failed: list[Exception] = []
        over = False

        def on_text(piece: str) -> None:
            if over:
                raise RuntimeError("nobody waits for this reply any more")
            said = splitter.feed(piece)
            if not said:
                return
            try:
                from_thread(
                    self._loop, lambda: self._responses.say_pieces(said, splitter, node, final)
                )
            except Exception as error:
                failed.append(error)
                raise

        streamed = on_text if self._request.streaming else None
        try:
            reply = await in_thread(lambda: self._service.model.complete(messages, streamed))
        except ModelError:
            if failed:  # a listener's failure is none of the model's
                raise failed[0] from None
            raise
        finally:
            over = True
        return reply, splitter

    async def _misunderstand(self, run: AgentRun, reply: Reply, error: ReplyError) -> AgentRequest:
        words = f"ReplyError: {error}" + (f"; it is {CUT}" if reply.cut else "")
        run.analysis(
            reply.text if reply.text.strip() else None,
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
        await self._responses.say("action", action.name, step.uri)
        action.observation = await self._call(action, step)
        await self._outlet.drain()
        return await self._go_on(
            run, AgentStep(action.thought, action.name, action.arguments, action.observation)
        )

    async def _call(self, action: Action, step: Step) -> str:
        try:
            tool = self._tools[action.name]
            limit = self._service.tool_timeout
            result = await tool.call(action.arguments, ToolContext(step), timeout=limit)
            said = (
                "" if result is None else result if isinstance(result, str) else json_text(result)
            )
        except Exception as error:  # whatever a tool raises is its observation
            await self._outlet.drain()
            step.fail(error)
            return f"Error: {error if isinstance(error, ToolError) else describe(error)}"
        await self._outlet.drain()
        step.observe(result)
        return said

    async def _conclude(
        self, run: AgentRun, final: Final, reply: Reply, splitter: Splitter
    ) -> None:
        ending: dict[str, Any] = {"termination_reason": LENGTH} if reply.cut else {}
        uri = run.conclusion(final.final, **ending, **reply.usage)
        await self._outlet.drain()
        streamed = "answer" in splitter.said
        await self._responses.give(
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
        words = f"no answer after {counted(taken, 'iteration')}"
        run.conclusion(f"{words.capitalize()}.", termination_reason=MAX_ITERATIONS)
        await self._outlet.drain()
        await self._responses.refuse(MAX_ITERATIONS, f"{MAX_ITERATIONS}: {words}")

    async def _go_on(self, run: AgentRun, step: AgentStep) -> AgentRequest:
        node = agent_iteration_uri(run.session_id, self._number)
        await self._responses.say("observation", step.observation, node)
        return replace(
            self._request,
            history=[*self._request.history, step],
            session_id=self.session,
        )

    async def _refuse(self, error: Exception, words: str) -> None:
        await self._responses.refuse(type(error).__name__, words)
