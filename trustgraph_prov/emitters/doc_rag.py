"""Emit a document-RAG run: question, exploration, the chunks a reranker kept, synthesis.

The functions carry the names and positional arguments of `trustgraph.provenance.triples`; what is
ours is keyword-only. The grounding is `graph_rag.grounding_triples`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pyoxigraph import Literal, NamedNode, Triple

from .. import terms
from ..namespaces import (
    PROV_ENTITY,
    TG_CHUNK_COUNT,
    TG_CHUNK_SELECTION,
    TG_CONTENT,
    TG_DOC_RAG_QUESTION,
    TG_DOCUMENT,
    TG_EXPLORATION,
    TG_FOCUS,
    TG_SELECTED_CHUNK,
)
from ..uris import chunk_selection_uri
from .graph_rag import synthesis_triples
from .node import Node, Uri, made, several
from .question import ask
from .selection import ChunkChoice, rate, read_choices

__all__ = [
    "docrag_chunk_selection_triples",
    "docrag_exploration_triples",
    "docrag_question_triples",
    "docrag_synthesis_triples",
]


def docrag_question_triples(
    question_uri: Uri,
    query: str,
    timestamp: datetime | str | None = None,
    parent_uri: Uri | None = None,
    *,
    user: str | None = None,
    collection: str | None = None,
    informed_by: Uri | None = None,
    called_from: Uri | None = None,
    trace: Uri | None = None,
    strict: bool = False,
) -> list[Triple]:
    """Emit a document-RAG question; the arguments are those of `agent_session_triples`.

    Example:
        >>> triples = docrag_question_triples("urn:trustgraph:docrag:7", "Why?")
        >>> triples[2].object.value
        'https://trustgraph.ai/ns/DocRagQuestion'
    """
    return ask(
        TG_DOC_RAG_QUESTION,
        question_uri,
        query,
        timestamp,
        parent_uri,
        user=user,
        collection=collection,
        informed_by=informed_by,
        called_from=called_from,
        trace=trace,
        strict=strict,
    )


def docrag_exploration_triples(
    exploration_uri: Uri,
    grounding_uri: Uri,
    chunk_count: int | None,
    chunk_ids: Iterable[str | NamedNode | Literal] | None = None,
    *,
    generated_at: datetime | str | None = None,
    question_uri: Uri | None = None,
    trace: Uri | None = None,
) -> list[Triple]:
    """Emit the chunks that were retrieved.

    Args:
        exploration_uri: its IRI.
        grounding_uri: the grounding it follows, or the question.
        chunk_count: how many chunks.
        chunk_ids: each an IRI, or else text.
        generated_at: when it was there.
        question_uri: the run's question, where its IRI has no pattern of ours.
        trace: the run's question, to index the node.

    Example:
        >>> triples = docrag_exploration_triples(
        ...     "urn:trustgraph:docrag:7/exploration", "urn:trustgraph:docrag:7", 9, ["urn:chunk:1"]
        ... )
        >>> str(triples[3].object)
        '<urn:chunk:1>'
    """
    node = Node(exploration_uri, PROV_ENTITY, TG_EXPLORATION, trace=trace)
    node.integer(TG_CHUNK_COUNT, chunk_count)
    for chunk in several("chunk", chunk_ids, "chunks"):
        node.either(TG_SELECTED_CHUNK, chunk)
    node.usage(generated_at=generated_at)
    node.parents(grounding_uri, question_uri=question_uri)
    return node.triples


def docrag_chunk_selection_triples(
    focus_uri: Uri,
    exploration_uri: Uri,
    selected_chunks_with_scores: Iterable[ChunkChoice],
    session_id: str = "",
    *,
    in_token: int | None = None,
    out_token: int | None = None,
    model: str | None = None,
    llm_duration_ms: float | None = None,
    generated_at: datetime | str | None = None,
    question_uri: Uri | None = None,
    trace: Uri | None = None,
) -> list[Triple]:
    """Emit the chunks a reranker kept, best first.

    A chunk named by an IRI is linked by tg:document, one that is text alone is tg:content.

    Args:
        focus_uri: its IRI.
        exploration_uri: the exploration it follows, or the question.
        selected_chunks_with_scores: mappings with `chunk_id` and optionally `score`, `reasoning`;
            or the chunks alone. One without a chunk is left out.
        session_id: names the selections; by default the one in `focus_uri`.
        in_token, out_token, model, llm_duration_ms: the call that selected.
        generated_at: when it was there.
        question_uri: the run's question, where its IRI has no pattern of ours.
        trace: the run's question, to index the nodes.

    Raises:
        InvalidValueError: a score that is not a finite number.

    Example:
        >>> triples = docrag_chunk_selection_triples(
        ...     "urn:trustgraph:docrag:7/focus", "urn:trustgraph:docrag:7/exploration",
        ...     [{"chunk_id": "urn:chunk:1", "score": 0.97}])
        >>> [t.object.value for t in triples if t.predicate.value.endswith("selectedChunk")]
        ['urn:trustgraph:prov:chunk:7:0']
    """
    node = Node(focus_uri, PROV_ENTITY, TG_FOCUS, trace=trace)
    node.usage(
        model=model,
        in_token=in_token,
        out_token=out_token,
        llm_duration_ms=llm_duration_ms,
        generated_at=generated_at,
    )
    node.parents(exploration_uri, question_uri=question_uri)
    choices = read_choices(selected_chunks_with_scores, "chunk_id", session_id, node.iri)
    for session, index, fields in choices:
        selection = Node(chunk_selection_uri(session, index), TG_CHUNK_SELECTION, trace=trace)
        chunk = made("chunk_id", terms.iri_or_text, fields["chunk_id"])
        selection.add(TG_DOCUMENT if isinstance(chunk, NamedNode) else TG_CONTENT, chunk)
        rate(selection, index, fields)
        node.link(TG_SELECTED_CHUNK, selection.iri)
        node.triples += selection.triples
    return node.triples


def docrag_synthesis_triples(
    synthesis_uri: Uri,
    exploration_uri: Uri,
    document_id: Uri | None = None,
    in_token: int | None = None,
    out_token: int | None = None,
    model: str | None = None,
    *,
    content: str | None = None,
    termination_reason: str | None = None,
    error: str | None = None,
    llm_duration_ms: float | None = None,
    generated_at: datetime | str | None = None,
    question_uri: Uri | None = None,
    trace: Uri | None = None,
) -> list[Triple]:
    """Emit the answer to a document-RAG question; the arguments are those of `synthesis_triples`.

    Example:
        >>> triples = docrag_synthesis_triples(
        ...     "urn:trustgraph:docrag:7/synthesis", "urn:trustgraph:docrag:7/exploration",
        ...     content="Silt.")
        >>> triples[2].object.value
        'Silt.'
    """
    return synthesis_triples(
        synthesis_uri,
        exploration_uri,
        document_id,
        in_token=in_token,
        out_token=out_token,
        model=model,
        content=content,
        termination_reason=termination_reason,
        error=error,
        llm_duration_ms=llm_duration_ms,
        generated_at=generated_at,
        question_uri=question_uri,
        trace=trace,
    )
