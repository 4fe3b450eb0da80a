"""One step of an agent run, while its tool is at work and after."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pyoxigraph import Triple

from ..emitters import agent_observation_triples
from ..errors import AlreadyRecordedError
from ..uris import agent_iteration_uri
from .block import Block, describe, is_cancellation, mark

if TYPE_CHECKING:
    from .agent import AgentRun
    from .doc_rag import DocRagRun
    from .graph_rag import GraphRagRun

__all__ = ["Step"]


class Step(Block):
    """A step; `run.begin` leaves it open until `observe` or `fail`.

    As a context manager it records an exception as the tool's error and lets it go on; a
    cancellation leaves the step open, for nothing came back.

    Attributes:
        run: the run it belongs to.
        number: its place in the run, counted from 1.
        open: whether it has neither an observation nor an error yet.
        began: when, for a step that was begun here.

    Example:
        >>> from trustgraph_prov.recorder import Recorder
        >>> from trustgraph_prov.stores import open_store
        >>> with Recorder(open_store("memory:")).agent("How deep is the lake?") as run:
        ...     step = run.begin("The graph knows.", "knowledge-query", {"question": "depth"})
        ...     with step.graph_rag("How deep is Lake Sereth?") as called:
        ...         answer = called.synthesis("41 m")
        ...     step.observe("41 m")
        ...     answer = run.conclusion("It is 41 m deep.")
    """

    def __init__(self, run: AgentRun, number: int) -> None:
        self.run = run
        self.number = number
        self.open = True
        self.began: datetime | None = None

    def __repr__(self) -> str:
        return f"<Step {self.uri}>"

    @property
    def uri(self) -> str:
        """IRI of the step."""
        return agent_iteration_uri(self.run.session_id, self.number)

    def observe(
        self,
        observation: object,
        tool_duration_ms: float | None = None,
        *,
        at: datetime | str | None = None,
    ) -> None:
        """Record what came back; a run that has ended meanwhile still takes it.

        Args:
            observation: a text, or else kept as JSON text.
            tool_duration_ms: milliseconds, if not those since the step began.
            at: when, if not now.

        Raises:
            AlreadyRecordedError: it has an observation or an error.
            StoreError: it could not be written.
        """
        self.complete(observation, None, tool_duration_ms, at)

    def fail(
        self,
        error: BaseException | str,
        tool_duration_ms: float | None = None,
        *,
        at: datetime | str | None = None,
    ) -> None:
        """Record the tool's error; the run goes on.

        Args:
            error: the exception, or what went wrong in words.
            tool_duration_ms: milliseconds, if not those since the step began.
            at: when, if not now.

        Raises:
            AlreadyRecordedError: it has an observation or an error.
            StoreError: it could not be written.
        """
        self.complete(None, error, tool_duration_ms, at)

    def agent(
        self,
        question: str,
        *,
        session_id: str | None = None,
        resume: bool = False,
        user: str | None = None,
        collection: str | None = None,
        at: datetime | str | None = None,
    ) -> AgentRun:
        """Begin an agent run that this step calls; the arguments are those of `Recorder.agent`."""
        return self.run.recorder.agent(
            question,
            session_id=session_id,
            resume=resume,
            user=user,
            collection=collection,
            at=at,
            called_from=self,
        )

    def graph_rag(
        self,
        question: str,
        *,
        session_id: str | None = None,
        resume: bool = False,
        user: str | None = None,
        collection: str | None = None,
        at: datetime | str | None = None,
    ) -> GraphRagRun:
        """Begin a graph-RAG run that this step calls; the arguments are those of `agent`."""
        return self.run.recorder.graph_rag(
            question,
            session_id=session_id,
            resume=resume,
            user=user,
            collection=collection,
            at=at,
            called_from=self,
        )

    def doc_rag(
        self,
        question: str,
        *,
        session_id: str | None = None,
        resume: bool = False,
        user: str | None = None,
        collection: str | None = None,
        at: datetime | str | None = None,
    ) -> DocRagRun:
        """Begin a document-RAG run that this step calls; the arguments are those of `agent`."""
        return self.run.recorder.doc_rag(
            question,
            session_id=session_id,
            resume=resume,
            user=user,
            collection=collection,
            at=at,
            called_from=self,
        )

    def _leave(self, error: BaseException | None) -> None:
        if error is not None and self.open and not is_cancellation(error):
            mark(error, lambda: self.fail(error))

    def outcome(
        self,
        observation: object,
        error: BaseException | str | None,
        tool_duration_ms: float | None,
        moment: datetime | str,
    ) -> Sequence[Triple]:
        """Emit what came back, masked."""
        masking = self.run.writer.masking
        return agent_observation_triples(
            self.uri,
            masking.outcome(observation),
            error=None if error is None else masking.apply(describe(error)),
            tool_duration_ms=tool_duration_ms,
            generated_at=moment,
        )

    def complete(
        self,
        observation: object,
        error: BaseException | str | None,
        tool_duration_ms: float | None,
        at: datetime | str | None,
    ) -> None:
        """Record what came back, as `observe` and `fail` do."""
        with self.run.lock:
            if not self.open:
                raise AlreadyRecordedError(self.uri, "what came back from its tool")
            moment = self.run.writer.moment(at)
            if tool_duration_ms is None and self.began is not None:
                passed = moment - self.began
                tool_duration_ms = max(0.0, passed.total_seconds() * 1000)
            self.run.writer.write(self.outcome(observation, error, tool_duration_ms, moment))
            self.open = False
            self.run.completed(self)
