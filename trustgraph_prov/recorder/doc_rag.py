"""Record a document-RAG run: which chunks were retrieved, which were kept, the answer."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from pyoxigraph import Literal, NamedNode

from ..emitters import (
    derived_entity_triples,
    docrag_chunk_selection_triples,
    docrag_exploration_triples,
    docrag_question_triples,
    document_triples,
)
from ..graphs import set_graph
from ..namespaces import GRAPH_SOURCE
from ..uris import (
    docrag_exploration_uri,
    docrag_focus_uri,
    docrag_grounding_uri,
    docrag_question_uri,
    docrag_synthesis_uri,
)
from .masking import given
from .rag import RagRun

__all__ = ["DocRagRun"]


class DocRagRun(RagRun):
    """A run that answers from chunks of documents.

    Example:
        >>> from trustgraph_prov.recorder import Recorder
        >>> from trustgraph_prov.stores import open_store
        >>> recorder = Recorder(open_store("memory:"))
        >>> with recorder.doc_rag("How deep is the lake?", session_id="7") as run:
        ...     part = run.exploration(["urn:chunk:1", "urn:chunk:2"])
        ...     part = run.focus([{"chunk_id": "urn:chunk:2", "score": 0.97}])
        ...     answer = run.synthesis("41 m")
        >>> answer
        'urn:trustgraph:docrag:7/synthesis'
    """

    kind = "doc-rag"
    mint = staticmethod(docrag_question_uri)
    emit = staticmethod(docrag_question_triples)

    _minters: ClassVar = {
        "grounding": docrag_grounding_uri,
        "exploration": docrag_exploration_uri,
        "focus": docrag_focus_uri,
        "synthesis": docrag_synthesis_uri,
    }

    def passage(
        self,
        uri: str,
        document: str,
        title: str,
        *,
        index: int,
        offset: int,
        length: int,
        component: str,
        version: str,
    ) -> None:
        """Record where a chunk stands in a text document, in urn:graph:source.

        The mask sees the IRIs too, as where the chunk is selected.

        Args:
            uri, document: IRIs of the chunk and of the document.
            title: of the document.
            index: its place among the chunks of the document, from 0.
            offset, length: where it lies in the document, in characters.
            component, version: the program that cut it out.

        Raises:
            InvalidTermError: an IRI is none.
            InvalidValueError: a text is none, or a number is none or below 0.
            RunFinishedError: the run has ended.
            StoreError: it could not be written.
        """
        masking = self.writer.masking
        source = masking.iri(document)
        triples = document_triples(source, masking.required("title", title), mime_type="text/plain")
        triples += derived_entity_triples(
            masking.iri(uri),
            source,
            masking.required("component", component),
            masking.required("version", version),
            chunk_index=index,
            char_offset=offset,
            char_length=length,
        )
        with self.lock:
            self._check()
            self.writer.store.insert(set_graph(triples, GRAPH_SOURCE))

    def exploration(
        self,
        chunks: Iterable[str | NamedNode | Literal],
        *,
        chunk_count: int | None = None,
        at: datetime | str | None = None,
    ) -> str:
        """Record the chunks that were retrieved.

        Args:
            chunks: each an IRI, or else text.
            chunk_count: how many there were, if not all are given.
            at: when, if not now.

        Returns:
            IRI of the exploration.

        Raises:
            RunFinishedError, AlreadyRecordedError, StoreError: as for `grounding`.
        """
        masking = self.writer.masking
        masked = [masking.term("chunk", chunk) for chunk in given("chunks", chunks, "chunks")]
        count = len(masked) if chunk_count is None else chunk_count
        return self._part(
            "exploration",
            at,
            lambda uri, parent, moment: docrag_exploration_triples(
                uri, parent, count, masked, generated_at=moment, trace=self.uri
            ),
        )

    def focus(
        self,
        chunks: Iterable[Any],
        *,
        model: str | None = None,
        in_token: int | None = None,
        out_token: int | None = None,
        llm_duration_ms: float | None = None,
        at: datetime | str | None = None,
    ) -> str:
        """Record the chunks a reranker kept, best first.

        Args:
            chunks: mappings with `chunk_id` and optionally `score`, `reasoning`; or the chunks.
            model, in_token, out_token, llm_duration_ms: the call that selected.
            at: when, if not now.

        Returns:
            IRI of the focus.

        Raises:
            RunFinishedError, AlreadyRecordedError, StoreError: as for `grounding`.
        """
        masking = self.writer.masking
        every = given("chunks", chunks, "chunks")
        return self._part(
            "focus",
            at,
            lambda uri, parent, moment: docrag_chunk_selection_triples(
                uri,
                parent,
                [masking.chunk(chunk) for chunk in every],
                self.session_id,
                in_token=in_token,
                out_token=out_token,
                model=masking.text("model", model),
                llm_duration_ms=llm_duration_ms,
                generated_at=moment,
                trace=self.uri,
            ),
        )
