"""What graph-RAG and document-RAG runs have in common: each part once, on the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from pyoxigraph import Triple

from ..emitters import grounding_triples, synthesis_triples
from ..errors import AlreadyRecordedError
from .masking import given
from .resume import Known
from .run import Run

__all__ = ["RagRun"]


class RagRun(Run):
    """What graph RAG and document RAG have in common."""

    _minters: ClassVar[Mapping[str, Callable[[str], str]]]
    """What makes the IRI of each part from the session id."""

    _parts: list[str]  # in the order recorded

    def grounding(
        self,
        concepts: Iterable[str],
        *,
        model: str | None = None,
        in_token: int | None = None,
        out_token: int | None = None,
        llm_duration_ms: float | None = None,
        at: datetime | str | None = None,
    ) -> str:
        """Record the concepts the question was broken into.

        Args:
            concepts: texts.
            model, in_token, out_token, llm_duration_ms: the call that found them.
            at: when, if not now.

        Returns:
            IRI of the grounding.

        Raises:
            RunFinishedError: the run has ended.
            AlreadyRecordedError: it has a grounding.
            StoreError: it could not be written; nothing was.
        """
        masking = self.writer.masking
        every = given("concepts", concepts, "texts")
        return self._part(
            "grounding",
            at,
            lambda uri, parent, moment: grounding_triples(
                uri,
                self.uri,
                masking.texts("concepts", every),
                in_token,
                out_token,
                masking.text("model", model),
                llm_duration_ms=llm_duration_ms,
                generated_at=moment,
                trace=self.uri,
            ),
        )

    def synthesis(
        self,
        content: str | None,
        *,
        document_id: str | None = None,
        termination_reason: str = "final-answer",
        model: str | None = None,
        in_token: int | None = None,
        out_token: int | None = None,
        llm_duration_ms: float | None = None,
        at: datetime | str | None = None,
    ) -> str:
        """Record the answer, which ends the run.

        Args:
            content: the text; None where a node of your own holds it.
            document_id: IRI of that node.
            termination_reason: why the run stopped.
            model, in_token, out_token, llm_duration_ms: the call that wrote it.
            at: when, if not now.

        Returns:
            IRI of the synthesis.

        Raises:
            RunFinishedError: the run has ended.
            StoreError: it could not be written; nothing was, and the run goes on.
        """
        masking = self.writer.masking

        def build(moment: datetime | str) -> list[Triple]:
            return self._answer(
                None if document_id is None else masking.iri(document_id),
                in_token=in_token,
                out_token=out_token,
                model=masking.text("model", model),
                content=masking.text("content", content),
                termination_reason=masking.text("termination_reason", termination_reason),
                llm_duration_ms=llm_duration_ms,
                generated_at=moment,
            )

        return self._finish(self._uri("synthesis"), build, at)

    def _part(
        self,
        name: str,
        at: datetime | str | None,
        build: Callable[[str, str, datetime | str], Sequence[Triple]],
    ) -> str:
        uri = self._uri(name)
        with self.lock:
            if uri in self._parts:
                raise AlreadyRecordedError(uri, "this part of the run")
            self._check()
            self.writer.write(build(uri, self._last(), self.writer.moment(at)))
            self._parts.append(uri)
        return uri

    def _uri(self, part: str) -> str:
        return self._minters[part](self.session_id)

    def _last(self) -> str:
        return self._parts[-1] if self._parts else self.uri

    def _answer(self, document_id: str | None, **fields: Any) -> list[Triple]:
        uri = self._uri("synthesis")
        return synthesis_triples(uri, self._last(), document_id, trace=self.uri, **fields)

    def _unanswered(
        self, reason: str, error: str | None, moment: datetime | str
    ) -> Sequence[Triple]:
        return self._answer(None, termination_reason=reason, error=error, generated_at=moment)

    def restore(self, known: Known) -> None:
        super().restore(known)
        order = [self._uri(name) for name in ("grounding", "exploration", "focus")]
        self._parts = [uri for uri in order if uri in known.nodes]
