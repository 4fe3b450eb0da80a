"""Mint the IRIs of runs and their nodes; `name` reads them back."""

from __future__ import annotations

from .segments import fresh_segment, segment

__all__ = [
    "AGENT",
    "DOCRAG",
    "PROV_NODE",
    "QUESTION",
    "SESSION",
    "agent_decomposition_uri",
    "agent_final_uri",
    "agent_finding_uri",
    "agent_iteration_uri",
    "agent_observation_uri",
    "agent_pattern_decision_uri",
    "agent_plan_uri",
    "agent_session_uri",
    "agent_step_result_uri",
    "agent_synthesis_uri",
    "agent_thought_uri",
    "chunk_selection_uri",
    "docrag_exploration_uri",
    "docrag_focus_uri",
    "docrag_grounding_uri",
    "docrag_question_uri",
    "docrag_synthesis_uri",
    "edge_selection_uri",
    "exploration_uri",
    "focus_uri",
    "grounding_uri",
    "question_uri",
    "synthesis_uri",
]

AGENT = "urn:trustgraph:agent:"
QUESTION = "urn:trustgraph:question:"
DOCRAG = "urn:trustgraph:docrag:"
SESSION = "urn:trustgraph:session:"  # graph-RAG questions of earlier releases
PROV_NODE = "urn:trustgraph:prov:"


# Agent runs


def agent_session_uri(session_id: str | None = None) -> str:
    """IRI of an agent's question; a new one without an id.

    Example:
        >>> agent_session_uri("7")
        'urn:trustgraph:agent:7'
    """
    return AGENT + fresh_segment(session_id)


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
    return QUESTION + fresh_segment(session_id)


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
    return DOCRAG + fresh_segment(session_id)


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
