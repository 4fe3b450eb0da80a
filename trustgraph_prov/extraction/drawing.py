"""The tree of a document as a Mermaid flowchart."""

from __future__ import annotations

from ..render.escape import mermaid_label
from .printing import edge_line, heading
from .tree import Extract

__all__ = ["mermaid"]


def mermaid(document: Extract) -> str:
    """Draw what was made of a document, from left to right.

    Example:
        >>> print(mermaid(Extract("urn:d", (), "Document", "Survey", {})))
        flowchart LR
          n0["Document: Survey"]
    """
    lines = ["flowchart LR"]
    names: dict[str, str] = {}
    for extract in document.walk():
        name = names[extract.uri] = f"n{len(names)}"
        lines.append(f"  {name}[{mermaid_label(heading(extract))}]")
        for number, edge in enumerate(extract.edges):
            lines.append(f"  {name}e{number}({mermaid_label(edge_line(edge))})")
            lines.append(f"  {name} --- {name}e{number}")
    lines += [
        f"  {names[extract.uri]} --> {names[part.uri]}"
        for extract in document.walk()
        for part in extract.parts
    ]
    return "\n".join(lines)
