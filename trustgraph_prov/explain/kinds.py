"""What a node is, and what a run is: by rdf:type, and only without one by other signs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ..namespaces import (
    PROV,
    RDF_STATEMENT,
    RDF_SUBJECT,
    TG,
    TG_AGENT_QUESTION,
    TG_AGENT_SESSION,
    TG_ANALYSIS,
    TG_CHUNK_COUNT,
    TG_CHUNK_SELECTION,
    TG_CONCLUSION,
    TG_CONTENT,
    TG_DECOMPOSITION,
    TG_DOC_RAG_QUESTION,
    TG_DOCUMENT_TYPE,
    TG_EDGE,
    TG_EDGE_COUNT,
    TG_EDGE_SELECTION,
    TG_EXPLORATION,
    TG_FOCUS,
    TG_GRAPH_RAG_QUESTION,
    TG_GROUNDING,
    TG_PLAN_TYPE,
    TG_QUERY,
    TG_QUESTION,
    TG_SELECTED_CHUNK,
    TG_SELECTED_EDGE,
)
from ..terms import Term
from ..uris import recognise
from ..vocabulary import vocabulary
from .model import TraceType

__all__ = ["QUESTIONS", "kind_of", "trace_type"]

_BY_PROPERTY = (
    (TG_QUERY, TG_QUESTION),
    (TG_SELECTED_EDGE, TG_FOCUS),
    (TG_EDGE_COUNT, TG_EXPLORATION),
    (TG_CHUNK_COUNT, TG_EXPLORATION),
    (TG_EDGE, TG_EDGE_SELECTION),
    (RDF_SUBJECT, RDF_STATEMENT),
)

QUESTIONS: Mapping[TraceType, tuple[str, ...]] = {
    "Agent": (TG_AGENT_QUESTION, TG_AGENT_SESSION),
    "GraphRAG": (TG_GRAPH_RAG_QUESTION,),
    "DocRAG": (TG_DOC_RAG_QUESTION,),
    "Question": (TG_QUESTION,),
}
"""The classes that the question of a run has, by the run's type."""

_TRACE_TYPES = {
    one: type for type, classes in QUESTIONS.items() if type != "Question" for one in classes
}


def kind_of(uri: str, types: Iterable[str], properties: Mapping[str, Sequence[Term]]) -> str:
    """Decide which class a node is shown as.

    Args:
        uri: its IRI, whose pattern counts where PROV-O's types are all it has.
        types: its rdf:types.
        properties: what is recorded about it, which counts where its IRI has no pattern.

    Returns:
        IRI of a class; where nothing else is known, one of PROV-O's, or "".

    Example:
        >>> kind_of("urn:trustgraph:prov:retrieval:7", ["http://www.w3.org/ns/prov#Entity"], {})
        'https://trustgraph.ai/ns/Exploration'
    """
    types = sorted(set(types))
    ours = [one for one in types if not one.startswith(PROV)]
    if ours:
        return vocabulary().kind(ours)
    name = recognise(uri)
    if name:
        return TG + name.kind
    found = next((kind for property, kind in _BY_PROPERTY if property in properties), None)
    if not found and not types and TG_CONTENT in properties:
        found = TG_DOCUMENT_TYPE
    return found or next(iter(types), "")


def trace_type(
    uri: str,
    types: Iterable[str],
    kinds: Collection[str] = (),
    properties: Collection[str] = (),
) -> TraceType:
    """Decide what ran: by the question's types, else its IRI, else what it led to.

    Args:
        uri: IRI of the question.
        types: its rdf:types.
        kinds: the classes of the run's other nodes.
        properties: what is recorded about any of these.

    Example:
        >>> trace_type("urn:trustgraph:docrag:7", [])
        'DocRAG'
    """
    name = recognise(uri)
    signs = [*types, *([TG + name.kind] if name else [])]
    known = next((_TRACE_TYPES[sign] for sign in signs if sign in _TRACE_TYPES), None)
    return known or _derived_type(set(kinds), set(properties))


def _derived_type(kinds: set[str], properties: set[str]) -> TraceType:
    if kinds & {TG_ANALYSIS, TG_CONCLUSION, TG_PLAN_TYPE, TG_DECOMPOSITION}:
        return "Agent"
    if properties & {TG_CHUNK_COUNT, TG_SELECTED_CHUNK} or TG_CHUNK_SELECTION in kinds:
        return "DocRAG"
    if kinds & {TG_EXPLORATION, TG_FOCUS, TG_EDGE_SELECTION, TG_GROUNDING}:
        return "GraphRAG"
    return "Question"
