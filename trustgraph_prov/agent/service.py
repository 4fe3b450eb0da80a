"""The agent service: one iteration a request, each recorded and explained as it happens."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from typing import Any, TypeVar, cast

from ..defaults import DEFAULT_COLLECTION, DEFAULT_USER
from ..errors import InvalidValueError
from ..messages import (
    AgentRequest,
    AgentRequestTranslator,
    AgentResponse,
    ProducerSpec,
    Service,
    Triples,
    settle,
)
from ..recorder import Recorder
from ..recorder.masking import Mask
from ..recorder.writer import Target
from .model import Model
from .responses import Responses
from .tools import Tools
from .turn import MAX_ITERATIONS, Turn

__all__ = ["MAX_ITERATIONS", "AgentService"]

T = TypeVar("T")


class AgentService(Service):
    """Answers questions with a model and tools, and explains how.

    Each request is one iteration; what goes on is handed to `next` as a request with a longer
    history. Nothing is kept in between, so that any instance may take the next one.

    Args:
        model: decides.
        tools: what it may use.
        store: where runs are looked up, so that no session id is given twice and no step is
            written without its question; it is not written to: that is the producer's part, and
            what was sent is to be there when the next iteration looks.
        user: whose runs they are that name no user.
        max_iterations: steps of a run; one that has no answer then ends with an answer that says
            so, for the reason `max-iterations`, and with an error for who asked.
        tool_timeout: seconds for one call of a tool; one that takes longer is an error of its step,
            and left alone.
        mask, clock, strict: as for `Recorder`.
        new_id: makes session ids.

    Raises:
        InvalidValueError: there would be no iteration, or no time for a tool.
    """

    def __init__(
        self,
        model: Model,
        tools: Tools | None = None,
        *,
        store: Target | None = None,
        user: str = DEFAULT_USER,
        max_iterations: int = 10,
        tool_timeout: float = 600.0,
        mask: Mask | None = None,
        clock: Callable[[], datetime] | None = None,
        new_id: Callable[[], str] | None = None,
        strict: bool = False,
    ) -> None:
        super().__init__()
        if max_iterations < 1:
            raise InvalidValueError("max_iterations", max_iterations, "a whole number from 1")
        if not tool_timeout > 0:
            raise InvalidValueError("tool_timeout", tool_timeout, "seconds, more than 0")
        self.model = model
        self.tools = Tools() if tools is None else tools
        self.store = store
        self.user = user
        self.max_iterations = max_iterations
        self.tool_timeout = tool_timeout
        self.new_id = new_id or (lambda: str(uuid.uuid4()))
        self._mask = mask
        self._clock = clock
        self._strict = strict
        self._under_way: set[str] = set()
        self._lock = threading.Lock()
        self.register_specification(ProducerSpec(name="explainability", schema=Triples))

    def recorder(self, target: Target, user: str, collection: str) -> Recorder:
        """Make what records a request.

        Args:
            target: where.
            user, collection: as the request names them; empty where it does not.
        """
        return Recorder(
            target,
            user=user or self.user,
            collection=collection or DEFAULT_COLLECTION,
            mask=self._mask,
            clock=self._clock,
            strict=self._strict,
        )

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
        try:
            request = _filled(request)
        except InvalidValueError as error:
            await Responses(respond, producer).refuse(type(error).__name__, str(error))
            return
        turn = Turn(self, request, respond, producer)
        with self._alone(turn.session) as alone:
            follow_up = await (turn.take() if alone else turn.refuse_to_wait())
        if follow_up is not None:
            await settle(next(follow_up))

    @contextmanager
    def _alone(self, session: str) -> Iterator[bool]:
        """Tell whether no other iteration of the session is under way, and keep it so."""
        with self._lock:
            alone = session not in self._under_way
            self._under_way.add(session)
        try:
            yield alone
        finally:
            if alone:
                with self._lock:
                    self._under_way.discard(session)


def _filled(request: AgentRequest) -> AgentRequest:
    """Read a request as one that came over the wire: what is None gets its default.

    The translator is the one place that knows what each field may be; the request and its steps
    stay of their own classes, TrustGraph's too, with what those have besides or lack.

    Raises:
        InvalidValueError: it asks nothing, or a field is none of what it may be.
    """
    if not is_dataclass(request):
        raise InvalidValueError("request", request, "a request of the agent service")
    own = {field.name: getattr(request, field.name) for field in fields(request)}
    read = AgentRequestTranslator().to_pulsar(own)
    steps = zip(request.history or (), read.history, strict=True)
    read.history = [_own(given, step) if is_dataclass(given) else step for given, step in steps]
    return _own(request, read)


def _own(given: T, read: object) -> T:
    """Fill a dataclass with what was read of it, as far as it has such fields."""
    own: Any = given
    names = {field.name for field in fields(own)}
    known = {name: value for name, value in vars(read).items() if name in names}
    return cast(T, replace(own, **known))
