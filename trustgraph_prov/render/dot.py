"""A run in Graphviz's DOT."""

from __future__ import annotations

from collections.abc import Iterator

from ..explain.model import Trace
from .escape import dot_string
from .flow import Arrow, Group, flow

__all__ = ["dot"]

_SHAPES = {
    "question": 'fillcolor="#2f5bd7", color="#2f5bd7", fontcolor="#ffffff"',
    "step": 'fillcolor="#eef2fb", color="#8aa3e0", fontcolor="#1d2330"',
    "error": 'fillcolor="#fcebea", color="#b3261e", fontcolor="#7a1a14"',
    "answer": 'fillcolor="#e4f4ec", color="#17734a", fontcolor="#0f4f33"',
}
_HEAD = """\
digraph run {
  rankdir=TB;
  graph [fontname="Helvetica,Arial,sans-serif", fontsize=11, style=rounded, color="#8aa3e0"];
  node [fontname="Helvetica,Arial,sans-serif", fontsize=11, shape=box, style="filled,rounded"];
  edge [fontname="Helvetica,Arial,sans-serif", fontsize=10, color="#596275"];"""


def dot(trace: Trace) -> str:
    """Write a run for Graphviz; a called run is a cluster.

    Example:
        >>> from trustgraph_prov.explain.assemble import assemble
        >>> from trustgraph_prov.namespaces import TG_QUERY
        >>> from trustgraph_prov.terms import text
        >>> run = assemble("urn:q", {"urn:q": {TG_QUERY: [text("Why?")]}})
        >>> '  n0 [label="Why?",' in dot(run)
        True
    """
    top = flow(trace)
    return "\n".join([_HEAD, *_boxes(top, "  "), *map(_arrow, top.every_arrow()), "}", ""])


def _boxes(group: Group, indent: str) -> Iterator[str]:
    for box in group.boxes:
        label = dot_string(box.label if "\n" not in box.label else box.label + "\n")
        yield f"{indent}{box.name} [label={label}, {_SHAPES[box.shape]}];"
    for inner in group.groups:
        yield f"{indent}subgraph cluster_{inner.name} {{"
        yield f"{indent}  label={dot_string(inner.label)};"
        yield from _boxes(inner, indent + "  ")
        yield f"{indent}}}"


def _arrow(arrow: Arrow) -> str:
    style = ' [style=dashed, label="calls"]' if arrow.calls else ""
    return f"  {arrow.start} -> {arrow.end}{style};"
