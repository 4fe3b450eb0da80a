"""Read what the IRI of a node says: its kind, its session, its number."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from .run import AGENT, DOCRAG, PROV_NODE, QUESTION, SESSION

__all__ = ["Name", "recognise"]


@dataclass(frozen=True)
class Name:
    """What an IRI says about its node.

    Attributes:
        kind: local name of the class the pattern stands for, `Question`s by their subtype.
        session: the session id, decoded.
        index: step, selection, finding or result number, or None.
        question: IRI of the question whose run the node is of.
    """

    kind: str
    session: str
    index: int | None = None
    question: str = field(default="", repr=False, compare=False)

    @property
    def is_question(self) -> bool:
        """Whether a run stands on the node."""
        return self.kind.endswith("Question")


_PATTERNS: list[tuple[re.Pattern[str], str, str]] = [
    (re.compile(pattern + r"\Z", re.ASCII), kind, question)
    for pattern, kind, question in (
        (AGENT + r"(?P<id>[^/:]+)", "AgentQuestion", AGENT),
        (AGENT + r"(?P<id>[^/:]+)/i(?P<n>\d{1,18})", "Analysis", AGENT),
        (AGENT + r"(?P<id>[^/:]+)/i(?P<n>\d{1,18})/thought", "Thought", AGENT),
        (AGENT + r"(?P<id>[^/:]+)/i(?P<n>\d{1,18})/observation", "Observation", AGENT),
        (AGENT + r"(?P<id>[^/:]+)/final", "Conclusion", AGENT),
        (AGENT + r"(?P<id>[^/:]+)/decompose", "Decomposition", AGENT),
        (AGENT + r"(?P<id>[^/:]+)/finding/(?P<n>\d{1,18})", "Finding", AGENT),
        (AGENT + r"(?P<id>[^/:]+)/plan", "Plan", AGENT),
        (AGENT + r"(?P<id>[^/:]+)/step/(?P<n>\d{1,18})", "StepResult", AGENT),
        (AGENT + r"(?P<id>[^/:]+)/synthesis", "Synthesis", AGENT),
        (AGENT + r"(?P<id>[^/:]+)/pattern-decision", "PatternDecision", AGENT),
        (QUESTION + r"(?P<id>[^/:]+)", "GraphRagQuestion", QUESTION),
        (SESSION + r"(?P<id>[^/:]+)", "GraphRagQuestion", SESSION),
        (PROV_NODE + r"grounding:(?P<id>[^/:]+)", "Grounding", QUESTION),
        (PROV_NODE + r"exploration:(?P<id>[^/:]+)", "Exploration", QUESTION),
        (PROV_NODE + r"retrieval:(?P<id>[^/:]+)", "Exploration", SESSION),
        (PROV_NODE + r"focus:(?P<id>[^/:]+)", "Focus", QUESTION),
        (PROV_NODE + r"selection:(?P<id>[^/:]+)", "Focus", SESSION),
        (PROV_NODE + r"synthesis:(?P<id>[^/:]+)", "Synthesis", QUESTION),
        (PROV_NODE + r"answer:(?P<id>[^/:]+)", "Synthesis", SESSION),
        (PROV_NODE + r"edge:(?P<id>[^/:]+):(?P<n>\d{1,18})", "EdgeSelection", QUESTION),
        (PROV_NODE + r"chunk:(?P<id>[^/:]+):(?P<n>\d{1,18})", "ChunkSelection", DOCRAG),
        (DOCRAG + r"(?P<id>[^/:]+)", "DocRagQuestion", DOCRAG),
        (DOCRAG + r"(?P<id>[^/:]+)/grounding", "Grounding", DOCRAG),
        (DOCRAG + r"(?P<id>[^/:]+)/exploration", "Exploration", DOCRAG),
        (DOCRAG + r"(?P<id>[^/:]+)/focus", "Focus", DOCRAG),
        (DOCRAG + r"(?P<id>[^/:]+)/synthesis", "Synthesis", DOCRAG),
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
    for pattern, kind, question in _PATTERNS:
        match = pattern.match(uri)
        if match:
            number, id = match.groupdict().get("n"), match["id"]
            index = None if number is None else int(number)
            return Name(kind, unquote(id), index, question + id)
    return None
