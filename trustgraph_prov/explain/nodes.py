"""The classes of nodes that a run is made of, with what each is known to hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..namespaces import (
    RDF_OBJECT,
    RDF_PREDICATE,
    RDF_STATEMENT,
    RDF_SUBJECT,
    TG,
    TG_ACTION,
    TG_AGENT_QUESTION,
    TG_ARGUMENTS,
    TG_CHUNK_COUNT,
    TG_CONCEPT,
    TG_DOC_RAG_QUESTION,
    TG_DOCUMENT,
    TG_EDGE_COUNT,
    TG_ENTITY,
    TG_GRAPH_RAG_QUESTION,
    TG_OBSERVATION,
    TG_PATTERN,
    TG_PLAN_STEP,
    TG_REASONING,
    TG_SCORE,
    TG_SELECTED_CHUNK,
    TG_SUBAGENT_GOAL,
    TG_TASK_TYPE,
    TG_THOUGHT,
    TG_TOOL_CANDIDATE,
)
from ..strict_json import read_json
from ..terms import Term
from .model import Node, Question

__all__ = [
    "Analysis",
    "ChunkSelection",
    "Conclusion",
    "Decomposition",
    "Document",
    "EdgeSelection",
    "Exploration",
    "Finding",
    "Focus",
    "Grounding",
    "Observation",
    "PatternDecision",
    "Plan",
    "Reflection",
    "Selection",
    "Statement",
    "StepResult",
    "Synthesis",
    "Thought",
    "class_of",
]


@dataclass(frozen=True)
class Document(Node):
    """A text that another node points to."""


@dataclass(frozen=True)
class Reflection(Node):
    """A remark on a step, kept as a node of its own."""


@dataclass(frozen=True)
class Thought(Reflection):
    """What the model thought before a step."""


@dataclass(frozen=True)
class Observation(Node):
    """What a tool gave back."""


@dataclass(frozen=True)
class Analysis(Node):
    """One cycle of thinking, acting and observing."""

    @property
    def thought(self) -> str | None:
        """Why the step was taken."""
        part = self.part(Thought)
        return self.said(TG_THOUGHT) or (part.text if part else None)

    @property
    def action(self) -> str | None:
        """The tool that was used."""
        return self.value(TG_ACTION)

    @property
    def arguments(self) -> Any:
        """What the tool was given: the JSON value, or the text where it is not JSON."""
        text = self.value(TG_ARGUMENTS)
        try:
            return None if text is None else read_json(text)
        except ValueError:
            return text

    @property
    def observation(self) -> str | None:
        """What the tool gave back."""
        part = self.part(Observation)
        return self.said(TG_OBSERVATION) or (part.text if part else None)

    @property
    def tool_candidates(self) -> tuple[str, ...]:
        """Tools that could have been used."""
        return self.values(TG_TOOL_CANDIDATE)


@dataclass(frozen=True)
class Conclusion(Node):
    """An agent's answer."""


@dataclass(frozen=True)
class Synthesis(Node):
    """An answer woven from what was found."""


@dataclass(frozen=True)
class Grounding(Node):
    """What a question was broken into."""

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts."""
        return self.values(TG_CONCEPT)


@dataclass(frozen=True)
class Exploration(Node):
    """What was retrieved."""

    @property
    def edge_count(self) -> int | None:
        """How many edges were found."""
        return self.integer(TG_EDGE_COUNT)

    @property
    def entities(self) -> tuple[str, ...]:
        """IRIs of the entities found."""
        return self.values(TG_ENTITY)

    @property
    def chunk_count(self) -> int | None:
        """How many chunks were found."""
        return self.integer(TG_CHUNK_COUNT)

    @property
    def selected_chunks(self) -> tuple[str, ...]:
        """IRIs or names of the chunks found."""
        return self.values(TG_SELECTED_CHUNK)


@dataclass(frozen=True)
class Statement(Node):
    """An edge of the knowledge graph."""

    @property
    def subject(self) -> Term | None:
        """Where the edge starts."""
        return next(iter(self.properties.get(RDF_SUBJECT, ())), None)

    @property
    def predicate(self) -> Term | None:
        """What the edge says."""
        return next(iter(self.properties.get(RDF_PREDICATE, ())), None)

    @property
    def object(self) -> Term | None:
        """Where the edge ends, with datatype and language."""
        return next(iter(self.properties.get(RDF_OBJECT, ())), None)


@dataclass(frozen=True)
class Selection(Node):
    """Something kept from what was retrieved."""

    @property
    def reasoning(self) -> str | None:
        """Why it was kept."""
        return self.value(TG_REASONING)

    @property
    def score(self) -> float | None:
        """How well it fits."""
        return self.number(TG_SCORE)

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts it fits."""
        return self.values(TG_CONCEPT)


@dataclass(frozen=True)
class EdgeSelection(Selection):
    """An edge kept."""

    @property
    def statement(self) -> Statement | None:
        """The edge."""
        return next((part for part in self.parts if isinstance(part, Statement)), None)


@dataclass(frozen=True)
class ChunkSelection(Selection):
    """A chunk kept."""

    @property
    def chunk(self) -> str | None:
        """IRI of the chunk."""
        return self.value(TG_DOCUMENT)


@dataclass(frozen=True)
class Focus(Node):
    """What was kept from what was retrieved."""

    @property
    def selections(self) -> tuple[Selection, ...]:
        """Edges and chunks, in the order of their rank."""
        return tuple(part for part in self.parts if isinstance(part, Selection))


@dataclass(frozen=True)
class PatternDecision(Node):
    """How a router chose to work."""

    @property
    def pattern(self) -> str | None:
        """The way of working."""
        return self.value(TG_PATTERN)

    @property
    def task_type(self) -> str | None:
        """The kind of task it saw."""
        return self.value(TG_TASK_TYPE)


@dataclass(frozen=True)
class Plan(Node):
    """Steps to be taken."""

    @property
    def plan_steps(self) -> tuple[str, ...]:
        """What is to be done, sorted by text: the triples keep no other order."""
        return self.values(TG_PLAN_STEP)


@dataclass(frozen=True)
class StepResult(Node):
    """What a step of a plan gave."""

    @property
    def plan_step(self) -> str | None:
        """What was to be done."""
        return self.value(TG_PLAN_STEP)


@dataclass(frozen=True)
class Decomposition(Node):
    """Goals a supervisor broke a question into."""

    @property
    def goals(self) -> tuple[str, ...]:
        """The goals, sorted by text."""
        return self.values(TG_SUBAGENT_GOAL)


@dataclass(frozen=True)
class Finding(Node):
    """What a sub-agent found."""

    @property
    def goal(self) -> str | None:
        """What it was sent for."""
        return self.value(TG_SUBAGENT_GOAL)


_CLASSES: dict[str, type[Node]] = {
    TG + one.__name__: one
    for one in (
        *(Analysis, ChunkSelection, Conclusion, Decomposition, Document, EdgeSelection),
        *(Exploration, Finding, Focus, Grounding, Observation, PatternDecision, Plan, Question),
        *(Reflection, StepResult, Synthesis, Thought),
    )
} | {
    RDF_STATEMENT: Statement,
    TG_AGENT_QUESTION: Question,
    TG_DOC_RAG_QUESTION: Question,
    TG_GRAPH_RAG_QUESTION: Question,
}


def class_of(kind: str) -> type[Node]:
    """Find the dataclass of a class IRI; `Node` for one nobody knows."""
    return _CLASSES.get(kind, Node)
