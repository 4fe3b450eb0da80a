"""What the tools have in common that answer in words, in a run of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Generic, TypeVar

from pyoxigraph import Quad

from ..defaults import DEFAULT_COLLECTION, DEFAULT_USER
from ..recorder import DocRagRun, GraphRagRun, Recorder, Step
from .outlet import CallbackTarget
from .tools import ToolContext

__all__ = ["RagQuery"]

R = TypeVar("R", GraphRagRun, DocRagRun)


class RagQuery(ABC, Generic[R]):
    """A tool that retrieves, and answers from what it found."""

    name: ClassVar[str]
    description: ClassVar[str]

    def __call__(self, question: str, context: ToolContext) -> str:
        """Answer in a run of its own, which the calling step calls."""
        with self._begin(context.step, question, None) as run:
            return self.answer(question, run)

    def query(
        self,
        question: str,
        explain_callback: Callable[[list[Quad]], object] = lambda quads: None,
        *,
        session_id: str | None = None,
        user: str = DEFAULT_USER,
        collection: str = DEFAULT_COLLECTION,
    ) -> str:
        """Answer outside of an agent.

        Args:
            question: what to answer.
            explain_callback: takes what is recorded, as it happens, as quads.
            session_id, user, collection: as for `Recorder.agent`.

        Raises:
            ModelError: the model does not answer.
            ToolError: it answers with something else than it was asked for.
            StoreError: the store fails.
        """
        recorder = Recorder(CallbackTarget(explain_callback), user=user, collection=collection)
        with self._begin(recorder, question, session_id) as run:
            return self.answer(question, run)

    @abstractmethod
    def answer(self, question: str, run: R) -> str:
        """Answer, and record it in a run that has begun; the errors are those of `query`."""

    @abstractmethod
    def _begin(self, by: Recorder | Step, question: str, session_id: str | None) -> R:
        """Begin a run of its kind."""
