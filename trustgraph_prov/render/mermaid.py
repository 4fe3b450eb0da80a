"""A run as a Mermaid flowchart."""

from __future__ import annotations

from collections.abc import Iterator

from ..explain.model import Trace
from .escape import mermaid_label
from .flow import Arrow, Group, flow

__all__ = ["mermaid"]

_SHAPES = {"question": ("([", "])"), "step": ("[", "]"), "error": ("[", "]"), "answer": ("(", ")")}
_STYLES = """\
  classDef question fill:#2f5bd7,stroke:#2f5bd7,color:#ffffff
  classDef step fill:#eef2fb,stroke:#8aa3e0,color:#1d2330
  classDef error fill:#fcebea,stroke:#b3261e,color:#7a1a14
  classDef answer fill:#e4f4ec,stroke:#17734a,color:#0f4f33
  classDef called fill:#f7f8fb,stroke:#8aa3e0,color:#1d2330
"""


def mermaid(trace: Trace) -> str:
    """Write a run as a flowchart; a called run is a subgraph.

    Example:
        >>> from trustgraph_prov.explain.assemble import assemble
        >>> from trustgraph_prov.namespaces import TG_QUERY
        >>> from trustgraph_prov.terms import text
        >>> print(mermaid(assemble("urn:q", {"urn:q": {TG_QUERY: [text("Why?")]}})))
        flowchart TD
          n0(["Why?"]):::question
          classDef question fill:#2f5bd7,stroke:#2f5bd7,color:#ffffff
        ...
    """
    top = flow(trace)
    return "\n".join(["flowchart TD", *_boxes(top, "  "), *map(_arrow, top.every_arrow()), _STYLES])


def _boxes(group: Group, indent: str) -> Iterator[str]:
    for box in group.boxes:
        start, end = _SHAPES[box.shape]
        yield f"{indent}{box.name}{start}{mermaid_label(box.label)}{end}:::{box.shape}"
    for inner in group.groups:
        yield f"{indent}subgraph {inner.name}[{mermaid_label(inner.label)}]"
        yield from _boxes(inner, indent + "  ")
        yield f"{indent}end"
        yield f"{indent}class {inner.name} called"


def _arrow(arrow: Arrow) -> str:
    line = '-. "calls" .->' if arrow.calls else "-->"
    return f"  {arrow.start} {line} {arrow.end}"
