"""Emit an agent run: a question, its analyses, a conclusion.

The functions carry the names and positional arguments of TrustGraph's agent provenance; what is
ours is keyword-only. They are pure: same arguments, same triples, no clock and no random id.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pyoxigraph import Literal, Triple

from ..json_text import json_text
from ..namespaces import (
    PROV_ENTITY,
    RDF_TYPE,
    TG_ACTION,
    TG_AGENT_QUESTION,
    TG_ANALYSIS,
    TG_ANSWER,
    TG_ARGUMENTS,
    TG_CONCLUSION,
    TG_DOCUMENT,
    TG_ERROR_TYPE,
    TG_OBSERVATION,
    TG_STEP_NUMBER,
    TG_THOUGHT,
    TG_TOOL_CANDIDATE,
    TG_TOOL_DURATION_MS,
    TG_TOOL_ERROR,
)
from .node import Node, Parents, Uri
from .question import ask

__all__ = [
    "agent_final_triples",
    "agent_iteration_triples",
    "agent_observation_triples",
    "agent_session_triples",
]


def agent_session_triples(
    session_uri: Uri,
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
    """Emit an agent's question.

    Args:
        session_uri: its IRI, from `uris.agent_session_uri`.
        query: the text.
        timestamp: its start; None leaves the time out, for an emitter reads no clock.
        parent_uri: what a sub-agent's question came from, as TrustGraph links it.
        user, collection: whose it is; a user becomes an agent of its own.
        informed_by: the calling run's question.
        called_from: the calling run's step.
        trace: the question itself, to index it.
        strict: the parent is linked as PROV-O allows it from an activity.

    Example:
        >>> for triple in agent_session_triples("urn:trustgraph:agent:7", "Why?",
        ...                                     "2026-03-02T08:15:00Z"):
        ...     print(triple.predicate.value.rsplit("/")[-1], triple.object.value)
        22-rdf-syntax-ns#type http://www.w3.org/ns/prov#Activity
        22-rdf-syntax-ns#type https://trustgraph.ai/ns/Question
        22-rdf-syntax-ns#type https://trustgraph.ai/ns/AgentQuestion
        query Why?
        prov#startedAtTime 2026-03-02T08:15:00Z
    """
    return ask(
        TG_AGENT_QUESTION,
        session_uri,
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


def agent_iteration_triples(
    iteration_uri: Uri,
    parent_uri: Parents,
    thought: str | None,
    action: str | None,
    arguments: object = None,
    observation: str | None = None,
    *,
    step_number: int | None = None,
    error: str | None = None,
    tool_candidates: Iterable[str] | None = None,
    llm_duration_ms: float | None = None,
    tool_duration_ms: float | None = None,
    model: str | None = None,
    in_token: int | None = None,
    out_token: int | None = None,
    generated_at: datetime | str | None = None,
    question_uri: Uri | None = None,
    trace: Uri | None = None,
    strict: bool = False,
) -> list[Triple]:
    """Emit one analysis: what the agent thought, did and saw.

    Args:
        iteration_uri: its IRI, from `uris.agent_iteration_uri`.
        parent_uri: the step, steps, or question it follows.
        thought, action, observation: texts; None leaves one out.
        arguments: what the tool was called with; kept as JSON text, a `Literal` as it is.
        step_number: counted from 1.
        error: the tool's error, which makes the analysis a tg:Error too.
        tool_candidates: names of the tools the model could choose from.
        llm_duration_ms, tool_duration_ms: milliseconds.
        model, in_token, out_token: the model, and tokens it read and wrote.
        generated_at: when the step was complete.
        question_uri: the run's question, where its IRI has no pattern of ours.
        trace: the run's question, to index the node.
        strict: a step that follows the question has prov:wasGeneratedBy.

    Example:
        >>> triples = agent_iteration_triples(
        ...     "urn:trustgraph:agent:7/i1", "urn:trustgraph:agent:7", "Look it up.", "search",
        ...     {"q": "Paris"}, "A city.")
        >>> triples[-1].predicate.value
        'http://www.w3.org/ns/prov#wasDerivedFrom'
    """
    node = Node(iteration_uri, PROV_ENTITY, TG_ANALYSIS, trace=trace)
    node.integer(TG_STEP_NUMBER, step_number)
    node.text(TG_THOUGHT, thought)
    node.text(TG_ACTION, action)
    if arguments is not None:
        known = arguments if isinstance(arguments, Literal) else json_text(arguments)
        node.text(TG_ARGUMENTS, known)
    node.texts(TG_TOOL_CANDIDATE, tool_candidates)
    node.triples.extend(
        agent_observation_triples(
            node.iri, observation, error=error, tool_duration_ms=tool_duration_ms
        )
    )
    node.usage(
        model=model,
        in_token=in_token,
        out_token=out_token,
        llm_duration_ms=llm_duration_ms,
        generated_at=generated_at,
    )
    node.parents(parent_uri, question_uri=question_uri, strict=strict)
    return node.triples


def agent_observation_triples(
    iteration_uri: Uri,
    observation: str | None,
    *,
    error: str | None = None,
    tool_duration_ms: float | None = None,
    generated_at: datetime | str | None = None,
) -> list[Triple]:
    """Complete an analysis that was emitted without an observation.

    Args:
        iteration_uri: the analysis.
        observation: what came back, or None.
        error: the tool's error, which makes the analysis a tg:Error too.
        tool_duration_ms: milliseconds.
        generated_at: when the step was complete.

    Example:
        >>> [str(triple.object) for triple in agent_observation_triples(
        ...     "urn:trustgraph:agent:7/i1", "A city.", tool_duration_ms=3)]
        ['"A city."', '"3"^^<http://www.w3.org/2001/XMLSchema#integer>']
    """
    node = Node(iteration_uri)
    node.text(TG_OBSERVATION, observation)
    if error is not None:
        node.link(RDF_TYPE, TG_ERROR_TYPE)
        node.text(TG_TOOL_ERROR, error)
    node.milliseconds(TG_TOOL_DURATION_MS, tool_duration_ms)
    node.usage(generated_at=generated_at)
    return node.triples


def agent_final_triples(
    final_uri: Uri,
    parent_uri: Parents,
    answer: str | None,
    *,
    document_id: Uri | None = None,
    termination_reason: str | None = None,
    error: str | None = None,
    model: str | None = None,
    in_token: int | None = None,
    out_token: int | None = None,
    llm_duration_ms: float | None = None,
    generated_at: datetime | str | None = None,
    question_uri: Uri | None = None,
    trace: Uri | None = None,
    strict: bool = False,
) -> list[Triple]:
    """Emit an agent's conclusion.

    Args:
        final_uri: its IRI, from `uris.agent_final_uri`.
        parent_uri: the last step or steps, or the question.
        answer: the text; None where the run ended without one.
        document_id: the node that holds the text, where it is kept elsewhere.
        termination_reason: `final-answer`, `error`, `cancelled`, or a word of your own.
        error: what went wrong, which makes the conclusion a tg:Error too.
        model, in_token, out_token, llm_duration_ms: the call that wrote the answer.
        generated_at: when the answer was there.
        question_uri: the run's question, where its IRI has no pattern of ours.
        trace: the run's question, to index the node.
        strict: a conclusion that follows the question has prov:wasGeneratedBy.

    Example:
        >>> triples = agent_final_triples(
        ...     "urn:trustgraph:agent:7/final", "urn:trustgraph:agent:7/i1", "Paris.")
        >>> triples[1].object.value, triples[2].object.value
        ('https://trustgraph.ai/ns/Conclusion', 'Paris.')
    """
    node = Node(final_uri, PROV_ENTITY, TG_CONCLUSION, trace=trace)
    node.text(TG_ANSWER, answer)
    node.link(TG_DOCUMENT, document_id)
    node.ending(termination_reason, error)
    node.usage(
        model=model,
        in_token=in_token,
        out_token=out_token,
        llm_duration_ms=llm_duration_ms,
        generated_at=generated_at,
    )
    node.parents(parent_uri, question_uri=question_uri, strict=strict)
    return node.triples
