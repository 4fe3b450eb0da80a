"""Read what the IRI of a node says: its kind, its session, its number."""

from __future__ import annotations

import re
from dataclasses import dataclass
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
    """

    kind: str
    session: str
    index: int | None = None

    @property
    def is_question(self) -> bool:
        """Whether a run stands on the node."""
        return self.kind.endswith("Question")


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
