"""A run as boxes and arrows: what Mermaid and DOT draw alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..characters import one_line
from ..explain.model import Trace
from ..explain.nodes import Analysis, EdgeSelection, Focus
from ..wording import counted
from .names import edge_name, short
from .view import DEEPEST, command, step

__all__ = ["Arrow", "Box", "Group", "flow"]

_LINE = 60
_EDGES = 5


@dataclass(frozen=True)
class Box:
    """A node.

    Attributes:
        name: unique in the drawing, letters and digits.
        label: untrusted text, of a few lines.
        shape: `question`, `step`, `error` or `answer`.
    """

    name: str
    label: str
    shape: str


@dataclass(frozen=True)
class Arrow:
    """From what came first to what came of it; `calls` from a step to a run that it called."""

    start: str
    end: str
    calls: bool = False


@dataclass(frozen=True)
class Group:
    """A run.

    Attributes:
        name: unique in the drawing.
        label: untrusted text.
        boxes: question first, then steps in order.
        arrows: between boxes of this run and of others.
        groups: runs that this one called.
    """

    name: str
    label: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    groups: tuple[Group, ...]

    def every_arrow(self) -> Iterator[Arrow]:
        """The arrows of this run, then those of the runs inside it."""
        yield from self.arrows
        for inner in self.groups:
            yield from inner.every_arrow()


def flow(trace: Trace) -> Group:
    """Lay out a run, with the runs it called inside.

    Example:
        >>> from trustgraph_prov.explain.assemble import assemble
        >>> from trustgraph_prov.namespaces import TG_QUERY
        >>> from trustgraph_prov.terms import text
        >>> flow(assemble("urn:q", {"urn:q": {TG_QUERY: [text("Why?")]}})).boxes
        (Box(name='n0', label='Why?', shape='question'),)
    """
    names: dict[str, str] = {}
    for run in trace.runs():
        for node in (run.question, *run.steps):
            names.setdefault(node.uri, f"n{len(names)}")
    return _group(trace, names, 0)


def _group(trace: Trace, names: dict[str, str], depth: int) -> Group:
    if depth > DEEPEST:
        return _named(trace, names)
    answering = {answer.uri for answer in trace.answers}
    boxes = [Box(names[trace.uri], one_line(trace.question.query or "?", 3 * _LINE), "question")]
    for number, node in enumerate(trace.steps, 1):
        shown = step(node, trace)
        shape = "error" if shown.failed else "answer" if node.uri in answering else "step"
        label = "\n".join([f"{number}: {one_line(shown.title, _LINE)}", *_lines(trace, number - 1)])
        boxes.append(Box(names[node.uri], label, shape))
    return Group(
        name=f"run{names[trace.uri]}",
        label=f"{trace.type}, {trace.status}",
        boxes=tuple(boxes),
        arrows=tuple(_arrows(trace, names)),
        groups=tuple(_group(run, names, depth + 1) for run in trace.called),
    )


def _named(trace: Trace, names: dict[str, str]) -> Group:
    """Only name a run that is called from too deep to be drawn."""
    name = names[trace.uri]
    label = f"{one_line(trace.question.query or '?', 3 * _LINE)}\n{one_line(command(trace))}"
    box = Box(name, label, "question")
    return Group(f"run{name}", f"{trace.type}, {trace.status}", (box,), (), ())


def _lines(trace: Trace, place: int) -> Iterator[str]:
    node = trace.steps[place]
    if isinstance(node, Analysis) and node.thought:
        yield one_line(node.thought, _LINE)
    if isinstance(node, Focus):
        edges = [one for one in node.selections if isinstance(one, EdgeSelection)]
        yield from map(_edge, edges[:_EDGES])
        if len(node.selections) > len(edges[:_EDGES]):
            more = len(node.selections) - len(edges[:_EDGES])
            yield counted(more, "more selection" if edges else "selection")
    answers = [answer.text for answer in trace.answers if answer.uri == node.uri and answer.text]
    yield from (one_line(text, 2 * _LINE) for text in answers)
    if node.error:
        yield one_line(node.error, _LINE)


def _edge(selection: EdgeSelection) -> str:
    edge = selection.statement
    if edge and edge.subject and edge.predicate and edge.object:
        return one_line(edge_name(edge.subject, edge.predicate, edge.object), _LINE + 20)
    return one_line(short(selection.uri), _LINE)


def _arrows(trace: Trace, names: dict[str, str]) -> Iterator[Arrow]:
    for node in trace.steps:
        parents = [parent for parent in node.parents if parent in names]
        for parent in parents or [trace.uri]:
            yield Arrow(names[parent], names[node.uri])
    for node in (trace.question, *trace.steps):
        for run in node.called:
            yield Arrow(names[node.uri], names[run.uri], calls=True)
