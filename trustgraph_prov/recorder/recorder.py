"""Begin runs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime
from typing import TypeAlias, TypeVar

from ..defaults import DEFAULT_COLLECTION, DEFAULT_USER
from ..emitters import index_triples
from ..errors import (
    InvalidValueError,
    ProvWarning,
    RunExistsError,
    RunFinishedError,
    TraceNotFoundError,
)
from ..stores.base import Queue
from .agent import AgentRun
from .doc_rag import DocRagRun
from .graph_rag import GraphRagRun
from .look_up import Glance, Names
from .masking import Mask
from .resume import Known, known, reopen
from .run import Run
from .step import Step
from .writer import Target, Writer

__all__ = ["KINDS", "Recorder"]

R = TypeVar("R", bound=Run)

Kind: TypeAlias = type[AgentRun] | type[GraphRagRun] | type[DocRagRun]

KINDS: dict[str, Kind] = {run.kind: run for run in (AgentRun, GraphRagRun, DocRagRun)}
"""Kinds of run, by what a line of JSON calls them."""


class Recorder:
    """Records runs in a store, as they happen.

    Threads may share a recorder and a run; processes use different runs.

    Args:
        store: where; it stays open when runs end.
        user, collection: whose runs, unless a run says otherwise.
        mask: sees every text before it reaches the store and returns what may be kept: questions,
            thoughts, tool names, arguments (each text, key and number in the JSON), observations,
            errors, answers, reasoning, concepts, chunks, edges, models, users, collections, the
            session ids given from outside, and IRIs. What it raises on, or returns no str for, is
            stored as `[masked]`, with a ProvWarning.
        clock: returns the time; by default now, in UTC.
        new_id: returns a session id; by default a random UUID.
        strict: link a step or conclusion that follows the question as PROV-O allows it.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> recorder = Recorder(open_store("memory:"), user="ana")
        >>> with recorder.agent("What is the capital of France?", session_id="7") as run:
        ...     step = run.analysis(thought="Look it up.", action="knowledge-query",
        ...                         arguments={"question": "capital"}, observation="Paris")
        ...     answer = run.conclusion("Paris")
        >>> run.uri
        'urn:trustgraph:agent:7'
    """

    def __init__(
        self,
        store: Target,
        *,
        user: str = DEFAULT_USER,
        collection: str = DEFAULT_COLLECTION,
        mask: Mask | None = None,
        clock: Callable[[], datetime] | None = None,
        new_id: Callable[[], str] | None = None,
        strict: bool = False,
    ) -> None:
        self._writer = Writer(store, mask, clock, new_id, strict)
        self._user = user
        self._collection = collection
        self._names = Names()
        self._glance = Glance(store) if isinstance(store, Queue) else None

    def agent(
        self,
        question: str,
        *,
        session_id: str | None = None,
        resume: bool = False,
        user: str | None = None,
        collection: str | None = None,
        at: datetime | str | None = None,
        called_from: Step | None = None,
    ) -> AgentRun:
        """Begin an agent run; its question is in the store when this returns.

        Args:
            question: what was asked.
            session_id: names the run; a new id without one.
            resume: go on with the run of that id, if there is one: steps are numbered on, and the
                question stays the first.
            user, collection: whose run, if not the recorder's or the calling run's.
            at: when it began, if not now.
            called_from: the step of another run that calls this one.

        Raises:
            RunExistsError: the id has a run, and `resume` is not set.
            RunFinishedError: the run to go on with has its answer.
            StoreError: it could not be written.
        """
        return self.start(
            AgentRun,
            question,
            session_id=session_id,
            resume=resume,
            user=user,
            collection=collection,
            at=at,
            called_from=called_from,
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
        called_from: Step | None = None,
    ) -> GraphRagRun:
        """Begin a graph-RAG run; arguments and errors are those of `agent`."""
        return self.start(
            GraphRagRun,
            question,
            session_id=session_id,
            resume=resume,
            user=user,
            collection=collection,
            at=at,
            called_from=called_from,
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
        called_from: Step | None = None,
    ) -> DocRagRun:
        """Begin a document-RAG run; arguments and errors are those of `agent`."""
        return self.start(
            DocRagRun,
            question,
            session_id=session_id,
            resume=resume,
            user=user,
            collection=collection,
            at=at,
            called_from=called_from,
        )

    @property
    def store(self) -> Target:
        """Where it records."""
        return self._writer.store

    def over(self, store: Target) -> Recorder:
        """Make a recorder that differs in its store alone.

        Args:
            store: where the new one records.
        """
        return Recorder(
            store,
            user=self._user,
            collection=self._collection,
            mask=self._writer.masking.mask,
            clock=self._writer.clock,
            new_id=None if self._writer.unique else self._writer.new_id,
            strict=self._writer.strict,
        )

    def find(self, kind: type[R], session_id: str) -> R:
        """Go on with a run that is in the store, without asking again.

        Args:
            kind: `AgentRun`, `GraphRagRun` or `DocRagRun`.
            session_id: names the run.

        Returns:
            The run; one that has ended takes nothing more.

        Raises:
            TraceNotFoundError: there is no such run.
        """
        run = self.blank(kind, session_id)
        found = known(self._writer.store, run.uri)
        if found is None:
            raise TraceNotFoundError(run.uri)
        run.restore(found)
        return run

    def blank(self, kind: type[R], session_id: str) -> R:
        """Make a run without looking it up and without asking its question.

        Args:
            kind: `AgentRun`, `GraphRagRun` or `DocRagRun`.
            session_id: names the run.
        """
        session = self._writer.masking.required("session_id", session_id)
        owner = self._owner(None, None, None)
        return _known_kind(kind)(self, self._writer, session, owner, None)

    def start(
        self,
        kind: type[R],
        question: str,
        *,
        session_id: str | None = None,
        resume: bool = False,
        user: str | None = None,
        collection: str | None = None,
        at: datetime | str | None = None,
        called_from: Step | None = None,
    ) -> R:
        """Begin a run of a kind; the other arguments and errors are those of `agent`.

        Args:
            kind: `AgentRun`, `GraphRagRun` or `DocRagRun`.
        """
        writer = self._writer
        asked = writer.masking.required("question", question)
        session = writer.masking.text("session_id", session_id) or writer.new_id()
        if called_from is not None and not isinstance(called_from, Step):
            raise InvalidValueError("called_from", called_from, "a step of another run")
        owner = self._owner(user, collection, called_from)
        run = _known_kind(kind)(self, writer, session, owner, called_from)
        named = bool(session_id) or not writer.unique
        # Of two threads with one id, one is refused.
        with self._names.claim(run.uri) if named else nullcontext():
            found = self._look_up(run.uri, resume) if named else None
            if found is None:
                moment = writer.moment(at)
                triples = kind.emit(
                    run.uri,
                    asked,
                    moment,
                    user=owner[0],
                    collection=owner[1],
                    informed_by=None if called_from is None else called_from.run.uri,
                    called_from=None if called_from is None else called_from.uri,
                )
                writer.write([*triples, *index_triples(run.uri, *owner, moment)])
            elif not resume:
                raise RunExistsError(run.uri)
            elif found.answered:
                raise RunFinishedError(run.uri)
            elif found.ended:
                reopen(writer.store, run.uri)
                found.ended = False
        if found is not None:
            run.restore(found)
        return run

    def _look_up(self, uri: str, resume: bool) -> Known | None:
        """Look a run up; a store that is away or hangs does not keep a new run from its queue."""
        if resume or self._glance is None:
            return known(self._writer.store, uri)
        glance = self._glance
        found, why = glance.attempt(lambda: known(glance, uri))
        if why is not None:
            warnings.warn(
                f"{uri} is recorded as a new run, although it cannot be looked up now: {why}",
                ProvWarning,
                stacklevel=4,
            )
        return found

    def _owner(
        self, user: str | None, collection: str | None, caller: Step | None
    ) -> tuple[str, str]:
        mask = self._writer.masking.required
        if caller is not None:  # names that are masked already
            return (
                caller.run.user if user is None else mask("user", user),
                caller.run.collection if collection is None else mask("collection", collection),
            )
        return (
            mask("user", self._user if user is None else user),
            mask("collection", self._collection if collection is None else collection),
        )


def _known_kind(kind: type[R]) -> type[R]:
    if kind not in KINDS.values():
        raise InvalidValueError("kind", kind, "AgentRun, GraphRagRun or DocRagRun")
    return kind
