"""What the three kinds of run have in common: how a run begins and how it ends."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from pyoxigraph import NamedNode, Triple

from ..emitters import ended_triples
from ..errors import RunFinishedError
from ..namespaces import PROV_WAS_DERIVED_FROM
from ..terms import iri
from .block import Block, describe, is_cancellation, mark
from .resume import Known
from .writer import Writer

if TYPE_CHECKING:
    from .recorder import Recorder
    from .step import Step

__all__ = ["Run"]


class Run(Block):
    """One run, open until it has an answer, is ended, or is left by an exception.

    It serves `with` and `async with`; each call is one atomic insert, a fraction of a millisecond
    on the embedded store, and may come from any thread (`asyncio.to_thread` for a slow store).
    An exception that leaves the block marks the run and goes on: GeneratorExit, CancelledError and
    KeyboardInterrupt as "cancelled", any other as "error". After the answer the run has ended, and
    what is raised then is not the run's.

    Attributes:
        uri: IRI of the question, which names the run.
        session_id: the id within that IRI.
        user, collection: whose it is, as stored.
        recorder, writer, lock: what steps and called runs share with the run.
    """

    kind: ClassVar[str]
    """What a line of JSON calls it."""

    mint: ClassVar[Callable[[str], str]]
    """Makes the IRI of the question from the session id."""

    emit: ClassVar[Callable[..., list[Triple]]]
    """Emits the question."""

    _ended: bool

    def __init__(
        self,
        recorder: Recorder,
        writer: Writer,
        session_id: str,
        owner: tuple[str, str],
        caller: Step | None,
    ) -> None:
        self.recorder = recorder
        self.uri = type(self).mint(session_id)
        self.session_id = session_id
        self.user, self.collection = owner
        self.writer = writer
        self._called_from = None if caller is None else caller.uri
        self.lock = threading.RLock()  # a generator closed by the collector may re-enter
        self.restore(Known())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.uri}>"

    @property
    def ended(self) -> bool:
        """Whether the run has ended, with an answer or without."""
        return self._ended

    def end(self, *, at: datetime | str | None = None) -> None:
        """End the run; a run that has ended stays as it is.

        Args:
            at: when, if not now.
        """
        with self.lock:
            if not self._ended:
                self.writer.write(ended_triples(self.uri, self.writer.moment(at)))
                self._ended = True

    def fail(self, error: BaseException | str, *, at: datetime | str | None = None) -> None:
        """End the run with an error instead of an answer.

        Args:
            error: the exception, or what went wrong in words.
            at: when, if not now.

        Raises:
            RunFinishedError: the run has ended.
        """
        self._stop("error", describe(error), at)

    def cancel(self, *, at: datetime | str | None = None) -> None:
        """End the run because nobody waits for its answer any more.

        Args:
            at: when, if not now.

        Raises:
            RunFinishedError: the run has ended.
        """
        self._stop("cancelled", None, at)

    def _leave(self, error: BaseException | None) -> None:
        if error is None:
            self.end()
        elif not self._ended:
            mark(error, lambda: self.cancel() if is_cancellation(error) else self.fail(error))

    def _check(self) -> None:
        if self._ended:
            raise RunFinishedError(self.uri)

    def _stop(self, reason: str, error: str | None, at: datetime | str | None) -> None:
        with self.lock:
            self._check()
            moment = self.writer.moment(at)
            masked = self.writer.masking.text("error", error)
            triples = self._unanswered(reason, masked, moment)
            self.writer.write([*triples, *ended_triples(self.uri, moment)])
            self._ended = True

    def _finish(
        self,
        answer_uri: str,
        build: Callable[[datetime | str], Sequence[Triple]],
        at: datetime | str | None,
    ) -> str:
        with self.lock:
            self._check()
            moment = self.writer.moment(at)
            triples = [*build(moment), *ended_triples(self.uri, moment)]
            if self._called_from is not None:
                derived = NamedNode(PROV_WAS_DERIVED_FROM)
                triples.append(Triple(iri(self._called_from), derived, iri(answer_uri)))
            self.writer.write(triples)
            self._ended = True
        return answer_uri

    @abstractmethod
    def _unanswered(
        self, reason: str, error: str | None, moment: datetime | str
    ) -> Sequence[Triple]:
        """The node that stands where the answer would."""

    def restore(self, known: Known) -> None:
        """Go on from what the store has of this run, which of a new one is nothing."""
        self._ended = known.ended or known.answered
        self.user = known.user or self.user
        self.collection = known.collection or self.collection
        self._called_from = known.called_from or self._called_from
