"""Emit a graph-RAG run: question, grounding, exploration, focus, synthesis.

The functions carry the names and positional arguments of `trustgraph.provenance.triples`; what is
ours is keyword-only. Where the parent is a question, an activity, the link is prov:wasGeneratedBy.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pyoxigraph import Triple

from ..namespaces import (
    PROV_ENTITY,
    TG_CONCEPT,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_EDGE,
    TG_EDGE_COUNT,
    TG_EDGE_SELECTION,
    TG_ENTITY,
    TG_EXPLORATION,
    TG_FOCUS,
    TG_GRAPH_RAG_QUESTION,
    TG_GROUNDING,
    TG_SELECTED_EDGE,
    TG_SYNTHESIS,
)
from ..uris import edge_selection_uri
from .node import Node, Uri, several
from .question import ask
from .selection import EdgeChoice, edge_terms, rate, read_choices

__all__ = [
    "exploration_triples",
    "focus_triples",
    "grounding_triples",
    "question_triples",
    "synthesis_triples",
]


def question_triples(
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
    """Emit a graph-RAG question; the arguments are those of `agent_session_triples`.

    Example:
        >>> triples = question_triples("urn:trustgraph:question:7", "Why?", "2026-03-02T08:15:00Z")
        >>> triples[2].object.value
        'https://trustgraph.ai/ns/GraphRagQuestion'
    """
    return ask(
        TG_GRAPH_RAG_QUESTION,
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


def grounding_triples(
    grounding_uri: Uri,
    question_uri: Uri,
    concepts: Iterable[str],
    in_token: int | None = None,
    out_token: int | None = None,
    model: str | None = None,
    *,
    llm_duration_ms: float | None = None,
    generated_at: datetime | str | None = None,
    trace: Uri | None = None,
) -> list[Triple]:
    """Emit the concepts a question was broken into, for graph RAG and document RAG alike.

    Args:
        grounding_uri: its IRI.
        question_uri: the question, which generated it.
        concepts: texts.
        in_token, out_token, model, llm_duration_ms: the call that found them.
        generated_at: when they were there.
        trace: the run's question, to index the node.

    Example:
        >>> triples = grounding_triples(
        ...     "urn:trustgraph:prov:grounding:7", "urn:trustgraph:question:7", ["lake", "depth"])
        >>> [triple.object.value for triple in triples[2:4]]
        ['lake', 'depth']
    """
    node = Node(grounding_uri, PROV_ENTITY, TG_GROUNDING, trace=trace)
    node.texts(TG_CONCEPT, concepts)
    node.parents(question_uri, question_uri=question_uri)
    node.usage(
        model=model,
        in_token=in_token,
        out_token=out_token,
        llm_duration_ms=llm_duration_ms,
        generated_at=generated_at,
    )
    return node.triples


def exploration_triples(
    exploration_uri: Uri,
    grounding_uri: Uri,
    edge_count: int | None,
    entities: Iterable[Uri] | None = None,
    *,
    generated_at: datetime | str | None = None,
    question_uri: Uri | None = None,
    trace: Uri | None = None,
) -> list[Triple]:
    """Emit what was retrieved from the knowledge graph.

    Args:
        exploration_uri: its IRI.
        grounding_uri: the grounding it follows, or the question.
        edge_count: how many edges.
        entities: IRIs the search started from.
        generated_at: when it was there.
        question_uri: the run's question, where its IRI has no pattern of ours.
        trace: the run's question, to index the node.

    Example:
        >>> triples = exploration_triples("urn:x", "urn:trustgraph:question:7", 12)
        >>> triples[-1].predicate.value
        'http://www.w3.org/ns/prov#wasGeneratedBy'
    """
    node = Node(exploration_uri, PROV_ENTITY, TG_EXPLORATION, trace=trace)
    node.integer(TG_EDGE_COUNT, edge_count)
    for entity in several("entity", entities, "IRIs"):
        node.link(TG_ENTITY, entity)
    node.usage(generated_at=generated_at)
    node.parents(grounding_uri, question_uri=question_uri)
    return node.triples


def focus_triples(
    focus_uri: Uri,
    exploration_uri: Uri,
    selected_edges_with_reasoning: Iterable[EdgeChoice],
    session_id: str = "",
    in_token: int | None = None,
    out_token: int | None = None,
    model: str | None = None,
    *,
    llm_duration_ms: float | None = None,
    generated_at: datetime | str | None = None,
    question_uri: Uri | None = None,
    trace: Uri | None = None,
) -> list[Triple]:
    """Emit the edges that were selected, best first, each with its statement node.

    Args:
        focus_uri: its IRI.
        exploration_uri: the exploration it follows, or the question.
        selected_edges_with_reasoning: mappings with `edge` (subject, predicate, object) and
            optionally `reasoning`, `score`, `concept`; or the edges alone. One without an edge is
            left out.
        session_id: names the selections; by default the one in `focus_uri`.
        in_token, out_token, model, llm_duration_ms: the call that selected.
        generated_at: when it was there.
        question_uri: the run's question, where its IRI has no pattern of ours.
        trace: the run's question, to index the nodes.

    Raises:
        InvalidTermError: an edge with a blank node, or that is not RDF.
        InvalidValueError: a score that is not a finite number.

    Example:
        >>> triples = focus_triples(
        ...     "urn:trustgraph:prov:focus:7", "urn:trustgraph:prov:exploration:7",
        ...     [{"edge": ("http://e/lake", "http://e/depth", "41 m"), "score": 0.9}])
        >>> [t.object.value for t in triples if t.predicate.value.endswith("selectedEdge")]
        ['urn:trustgraph:prov:edge:7:0']
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
    choices = read_choices(selected_edges_with_reasoning, "edge", session_id, node.iri)
    for session, index, fields in choices:
        selection = Node(edge_selection_uri(session, index), TG_EDGE_SELECTION, trace=trace)
        selection.statement(TG_EDGE, edge_terms(fields["edge"]))
        rate(selection, index, fields)
        selection.text(TG_CONCEPT, fields.get("concept"))
        node.link(TG_SELECTED_EDGE, selection.iri)
        node.triples += selection.triples
    return node.triples


def synthesis_triples(
    synthesis_uri: Uri,
    focus_uri: Uri,
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
    """Emit the answer to a graph-RAG question.

    Args:
        synthesis_uri: its IRI.
        focus_uri: what it was made from; the question where it was made from nothing.
        document_id: the node that holds the text, where it is kept elsewhere.
        in_token, out_token, model, llm_duration_ms: the call that wrote it.
        content: the text.
        termination_reason, error: why the run stopped, as for `agent_final_triples`.
        generated_at: when it was there.
        question_uri: the run's question, where its IRI has no pattern of ours.
        trace: the run's question, to index the node.

    Example:
        >>> triples = synthesis_triples(
        ...     "urn:trustgraph:prov:synthesis:7", "urn:trustgraph:prov:focus:7", content="41 m")
        >>> triples[1].object.value, triples[2].object.value
        ('https://trustgraph.ai/ns/Synthesis', '41 m')
    """
    node = Node(synthesis_uri, PROV_ENTITY, TG_SYNTHESIS, trace=trace)
    node.text(TG_CONTENT, content)
    node.link(TG_DOCUMENT, document_id)
    node.ending(termination_reason, error)
    node.parents(focus_uri, question_uri=question_uri)
    node.usage(
        model=model,
        in_token=in_token,
        out_token=out_token,
        llm_duration_ms=llm_duration_ms,
        generated_at=generated_at,
    )
    return node.triples
