"""Mint and recognise the IRIs of runs, their nodes and the index.

Every segment is percent-encoded (RFC 3986, section 2.1), `:` and `/` included: a session id need
not be a UUID, and user `a:b` with collection `c` is not user `a` with collection `b:c`.

Example:
    >>> recognise(agent_iteration_uri("7", 2))
    Name(kind='Analysis', session='7', index=2)
"""

from __future__ import annotations

from .extension import collection_uri, day_uri, hour_uri, model_uri, user_uri
from .name import Name, recognise
from .run import (
    AGENT,
    DOCRAG,
    PROV_NODE,
    QUESTION,
    SESSION,
    agent_decomposition_uri,
    agent_final_uri,
    agent_finding_uri,
    agent_iteration_uri,
    agent_observation_uri,
    agent_pattern_decision_uri,
    agent_plan_uri,
    agent_session_uri,
    agent_step_result_uri,
    agent_synthesis_uri,
    agent_thought_uri,
    chunk_selection_uri,
    docrag_exploration_uri,
    docrag_focus_uri,
    docrag_grounding_uri,
    docrag_question_uri,
    docrag_synthesis_uri,
    edge_selection_uri,
    exploration_uri,
    focus_uri,
    grounding_uri,
    question_uri,
    synthesis_uri,
)
from .segments import segment
from .source import (
    TRUSTGRAPH_BASE,
    activity_uri,
    agent_uri,
    chunk_uri,
    document_uri,
    image_uri,
    page_uri,
    section_uri,
    subgraph_uri,
)

__all__ = [
    "AGENT",
    "DOCRAG",
    "PROV_NODE",
    "QUESTION",
    "SESSION",
    "TRUSTGRAPH_BASE",
    "Name",
    "activity_uri",
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
    "agent_uri",
    "chunk_selection_uri",
    "chunk_uri",
    "collection_uri",
    "day_uri",
    "docrag_exploration_uri",
    "docrag_focus_uri",
    "docrag_grounding_uri",
    "docrag_question_uri",
    "docrag_synthesis_uri",
    "document_uri",
    "edge_selection_uri",
    "exploration_uri",
    "focus_uri",
    "grounding_uri",
    "hour_uri",
    "image_uri",
    "model_uri",
    "page_uri",
    "question_uri",
    "recognise",
    "section_uri",
    "segment",
    "subgraph_uri",
    "synthesis_uri",
    "user_uri",
]
