"""Mint and recognise the IRIs of runs, their nodes and the index.

Every segment is percent-encoded (RFC 3986, section 2.1), `:` and `/` included: a session id need
not be a UUID, and user `a:b` with collection `c` is not user `a` with collection `b:c`.

Example:
    >>> recognise(agent_iteration_uri("7", 2))
    Name(kind='Analysis', session='7', index=2)
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, unquote

from .terms import instant

TRUSTGRAPH_BASE = "https://trustgraph.ai"

AGENT = "urn:trustgraph:agent:"
QUESTION = "urn:trustgraph:question:"
DOCRAG = "urn:trustgraph:docrag:"
SESSION = "urn:trustgraph:session:"
PROV_NODE = "urn:trustgraph:prov:"
OURS = "urn:trustgraph-prov:"


def segment(value: object) -> str:
    """Percent-encode one segment of an IRI.

    Example:
        >>> segment("a:b/c")
        'a%3Ab%2Fc'
    """
    return quote(str(value), safe="", errors="replace")


def _session(session_id: str | None) -> str:
    return segment(uuid.uuid4() if session_id is None else session_id)


# Agent runs


def agent_session_uri(session_id: str | None = None) -> str:
    """IRI of an agent's question; a new one without an id.

    Example:
        >>> agent_session_uri("7")
        'urn:trustgraph:agent:7'
    """
    return AGENT + _session(session_id)


def agent_iteration_uri(session_id: str, iteration_num: int) -> str:
    """IRI of analysis `iteration_num`, counted from 1."""
    return f"{AGENT}{segment(session_id)}/i{iteration_num}"


def agent_thought_uri(session_id: str, iteration_num: int) -> str:
    """IRI of the thought of an analysis, where it is a node of its own."""
    return agent_iteration_uri(session_id, iteration_num) + "/thought"


def agent_observation_uri(session_id: str, iteration_num: int) -> str:
    """IRI of the observation of an analysis, where it is a node of its own."""
    return agent_iteration_uri(session_id, iteration_num) + "/observation"


def agent_final_uri(session_id: str) -> str:
    """IRI of an agent's conclusion."""
    return f"{AGENT}{segment(session_id)}/final"


def agent_decomposition_uri(session_id: str) -> str:
    """IRI of a supervisor's decomposition."""
    return f"{AGENT}{segment(session_id)}/decompose"


def agent_finding_uri(session_id: str, index: int) -> str:
    """IRI of a sub-agent's finding."""
    return f"{AGENT}{segment(session_id)}/finding/{index}"


def agent_plan_uri(session_id: str) -> str:
    """IRI of a plan."""
    return f"{AGENT}{segment(session_id)}/plan"


def agent_step_result_uri(session_id: str, index: int) -> str:
    """IRI of the result of one step of a plan."""
    return f"{AGENT}{segment(session_id)}/step/{index}"


def agent_synthesis_uri(session_id: str) -> str:
    """IRI of the answer woven from several findings or step results."""
    return f"{AGENT}{segment(session_id)}/synthesis"


def agent_pattern_decision_uri(session_id: str) -> str:
    """IRI of a router's choice of execution pattern."""
    return f"{AGENT}{segment(session_id)}/pattern-decision"


# Graph-RAG runs


def question_uri(session_id: str | None = None) -> str:
    """IRI of a graph-RAG question; a new one without an id."""
    return QUESTION + _session(session_id)


def grounding_uri(session_id: str) -> str:
    """IRI of the concepts a question was broken into."""
    return f"{PROV_NODE}grounding:{segment(session_id)}"


def exploration_uri(session_id: str) -> str:
    """IRI of the edges retrieved for a question."""
    return f"{PROV_NODE}exploration:{segment(session_id)}"


def focus_uri(session_id: str) -> str:
    """IRI of the edges selected for a question."""
    return f"{PROV_NODE}focus:{segment(session_id)}"


def synthesis_uri(session_id: str) -> str:
    """IRI of the answer to a graph-RAG question."""
    return f"{PROV_NODE}synthesis:{segment(session_id)}"


def edge_selection_uri(session_id: str, edge_index: int) -> str:
    """IRI of one selected edge, counted from 0."""
    return f"{PROV_NODE}edge:{segment(session_id)}:{edge_index}"


# Document-RAG runs


def docrag_question_uri(session_id: str | None = None) -> str:
    """IRI of a document-RAG question; a new one without an id."""
    return DOCRAG + _session(session_id)


def docrag_grounding_uri(session_id: str) -> str:
    """IRI of the concepts a document-RAG question was broken into."""
    return f"{DOCRAG}{segment(session_id)}/grounding"


def docrag_exploration_uri(session_id: str) -> str:
    """IRI of the chunks retrieved for a question."""
    return f"{DOCRAG}{segment(session_id)}/exploration"


def docrag_focus_uri(session_id: str) -> str:
    """IRI of the chunks a reranker kept."""
    return f"{DOCRAG}{segment(session_id)}/focus"


def chunk_selection_uri(session_id: str, chunk_index: int) -> str:
    """IRI of one chunk a reranker kept, counted from 0."""
    return f"{PROV_NODE}chunk:{segment(session_id)}:{chunk_index}"


def docrag_synthesis_uri(session_id: str) -> str:
    """IRI of the answer to a document-RAG question."""
    return f"{DOCRAG}{segment(session_id)}/synthesis"


# Extraction


def document_uri(doc_iri: str) -> str:
    """A document's IRI is given from outside and stays as it is."""
    return doc_iri


def page_uri() -> str:
    """IRI of a new page."""
    return f"urn:page:{uuid.uuid4()}"


def section_uri() -> str:
    """IRI of a new section."""
    return f"urn:section:{uuid.uuid4()}"


def chunk_uri() -> str:
    """IRI of a new chunk."""
    return f"urn:chunk:{uuid.uuid4()}"


def image_uri() -> str:
    """IRI of a new image."""
    return f"urn:image:{uuid.uuid4()}"


def activity_uri(activity_id: str | None = None) -> str:
    """IRI of an extraction activity; a new one without an id."""
    return f"{TRUSTGRAPH_BASE}/activity/{_session(activity_id)}"


def subgraph_uri(subgraph_id: str | None = None) -> str:
    """IRI of the edges extracted from one chunk; a new one without an id."""
    return f"{TRUSTGRAPH_BASE}/subgraph/{_session(subgraph_id)}"


def agent_uri(component_name: str) -> str:
    """IRI of an extracting component."""
    return f"{TRUSTGRAPH_BASE}/agent/{segment(component_name)}"


# Agents in PROV-O's sense, and the index


def user_uri(user: str) -> str:
    """IRI of an asking user."""
    return f"{OURS}user:{segment(user)}"


def model_uri(model: str) -> str:
    """IRI of a language model."""
    return f"{OURS}model:{segment(model)}"


def collection_uri(user: str, collection: str) -> str:
    """IRI of a user's collection.

    Example:
        >>> collection_uri("a:b", "c") == collection_uri("a", "b:c")
        False
    """
    return f"{OURS}collection:{segment(user)}:{segment(collection)}"


def day_uri(user: str, collection: str, moment: datetime | str) -> str:
    """IRI of the UTC day of a moment in a collection.

    Example:
        >>> day_uri("u", "c", "2026-03-02T23:30:00-01:00")
        'urn:trustgraph-prov:day:u:c:2026-03-03'
    """
    day = instant(moment).date().isoformat()
    return f"{OURS}day:{segment(user)}:{segment(collection)}:{day}"


def hour_uri(user: str, collection: str, moment: datetime | str) -> str:
    """IRI of the UTC hour of a moment in a collection.

    Example:
        >>> hour_uri("u", "c", "2026-03-02T08:15:00Z")
        'urn:trustgraph-prov:hour:u:c:2026-03-02T08'
    """
    hour = instant(moment).replace(tzinfo=None).isoformat(timespec="hours")
    return f"{OURS}hour:{segment(user)}:{segment(collection)}:{hour}"


@dataclass(frozen=True)
class Name:
    """What an IRI says about its node.

    Attributes:
        kind: local name of the class the pattern stands for, `Question`s by their subtype.
        session: the session id, decoded.
        index: step, selection, finding or result number, or None.
    """

    kind: str
    session: str
    index: int | None = None


_PATTERNS: list[tuple[re.Pattern[str], str]] = [
    (re.compile(pattern + r"\Z", re.ASCII), kind)
    for pattern, kind in (
        (AGENT + r"(?P<id>[^/:]+)", "AgentQuestion"),
        (AGENT + r"(?P<id>[^/:]+)/i(?P<n>\d+)", "Analysis"),
        (AGENT + r"(?P<id>[^/:]+)/i(?P<n>\d+)/thought", "Thought"),
        (AGENT + r"(?P<id>[^/:]+)/i(?P<n>\d+)/observation", "Observation"),
        (AGENT + r"(?P<id>[^/:]+)/final", "Conclusion"),
        (AGENT + r"(?P<id>[^/:]+)/decompose", "Decomposition"),
        (AGENT + r"(?P<id>[^/:]+)/finding/(?P<n>\d+)", "Finding"),
        (AGENT + r"(?P<id>[^/:]+)/plan", "Plan"),
        (AGENT + r"(?P<id>[^/:]+)/step/(?P<n>\d+)", "StepResult"),
        (AGENT + r"(?P<id>[^/:]+)/synthesis", "Synthesis"),
        (AGENT + r"(?P<id>[^/:]+)/pattern-decision", "PatternDecision"),
        (QUESTION + r"(?P<id>[^/:]+)", "GraphRagQuestion"),
        (SESSION + r"(?P<id>[^/:]+)", "GraphRagQuestion"),
        (PROV_NODE + r"grounding:(?P<id>[^/:]+)", "Grounding"),
        (PROV_NODE + r"(?:exploration|retrieval):(?P<id>[^/:]+)", "Exploration"),
        (PROV_NODE + r"(?:focus|selection):(?P<id>[^/:]+)", "Focus"),
        (PROV_NODE + r"(?:synthesis|answer):(?P<id>[^/:]+)", "Synthesis"),
        (PROV_NODE + r"edge:(?P<id>[^/:]+):(?P<n>\d+)", "EdgeSelection"),
        (PROV_NODE + r"chunk:(?P<id>[^/:]+):(?P<n>\d+)", "ChunkSelection"),
        (DOCRAG + r"(?P<id>[^/:]+)", "DocRagQuestion"),
        (DOCRAG + r"(?P<id>[^/:]+)/grounding", "Grounding"),
        (DOCRAG + r"(?P<id>[^/:]+)/exploration", "Exploration"),
        (DOCRAG + r"(?P<id>[^/:]+)/focus", "Focus"),
        (DOCRAG + r"(?P<id>[^/:]+)/synthesis", "Synthesis"),
    )
]


def recognise(uri: str) -> Name | None:
    """Read what an IRI's pattern says; the fallback where a node has no rdf:type of ours.

    Args:
        uri: any IRI.

    Returns:
        Its name, or None for an IRI of no pattern of the trace model.

    Example:
        >>> recognise("urn:trustgraph:docrag:a%3Ab")
        Name(kind='DocRagQuestion', session='a:b', index=None)
        >>> recognise("https://example.org/") is None
        True
    """
    for pattern, kind in _PATTERNS:
        match = pattern.match(uri)
        if match:
            index = match.groupdict().get("n")
            return Name(kind, unquote(match["id"]), None if index is None else int(index))
    return None
