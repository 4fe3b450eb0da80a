"""Emit runs and their sources as triples, in pure functions.

They carry the names and positional arguments of TrustGraph's own, so that its users find what they
know; what is ours is keyword-only. `set_graph` makes quads of what they return.
"""

from __future__ import annotations

from ..graphs import set_graph
from .actors import model_triples, user_triples
from .agent import (
    agent_final_triples,
    agent_iteration_triples,
    agent_observation_triples,
    agent_session_triples,
)
from .doc_rag import (
    docrag_chunk_selection_triples,
    docrag_exploration_triples,
    docrag_question_triples,
    docrag_synthesis_triples,
)
from .graph_rag import (
    exploration_triples,
    focus_triples,
    grounding_triples,
    question_triples,
    synthesis_triples,
)
from .index import index_triples, period_triples
from .question import ended_triples
from .selection import edge_terms
from .source import derived_entity_triples, document_triples, subgraph_provenance_triples

__all__ = [
    "agent_final_triples",
    "agent_iteration_triples",
    "agent_observation_triples",
    "agent_session_triples",
    "derived_entity_triples",
    "docrag_chunk_selection_triples",
    "docrag_exploration_triples",
    "docrag_question_triples",
    "docrag_synthesis_triples",
    "document_triples",
    "edge_terms",
    "ended_triples",
    "exploration_triples",
    "focus_triples",
    "grounding_triples",
    "index_triples",
    "model_triples",
    "period_triples",
    "question_triples",
    "set_graph",
    "subgraph_provenance_triples",
    "synthesis_triples",
    "user_triples",
]
