"""Make a run's dataclasses from its rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields

from pyoxigraph import Literal

from ..namespaces import (
    PROV_ENDED_AT_TIME,
    RDF_TYPE,
    TG_ANSWER,
    TG_ANSWER_TYPE,
    TG_CONCLUSION,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_ERROR_TYPE,
    TG_FINDING,
    TG_PATTERN_DECISION,
    TG_QUESTION,
    TG_STEP_NUMBER,
    TG_STEP_RESULT,
    TG_SYNTHESIS,
    TGP_ERROR_MESSAGE,
    TGP_RANK,
)
from ..terms import Term, plain
from ..uris import recognise
from ..vocabulary import vocabulary
from .described import arranged, by_text, types_of
from .earlier import with_types_of_today
from .graph import Properties, RunGraph, pointed_at, with_statements
from .kinds import trace_type
from .model import Answer, Node, Question, Source, Status, Trace
from .nodes import class_of
from .order import in_order, natural

__all__ = ["assemble"]


def assemble(
    uri: str,
    nodes: Mapping[str, Properties],
    called: Iterable[tuple[str, Trace]] = (),
    sources: Mapping[str, Source] | None = None,
) -> Trace:
    """Make a run.

    Args:
        uri: IRI of its question.
        nodes: everything recorded about each of its nodes.
        called: the runs it called, each after the IRI of the node that called it.
        sources: what its edges and chunks came from.
    """
    graph = RunGraph(uri, with_types_of_today(with_statements(nodes)))
    builder = _Builder(graph, called)
    parents = {step: graph.parents(step) for step in graph.steps}
    numbers = {step: n for step in graph.steps if (n := builder.number(step)) is not None}
    for step in graph.steps:  # how to work is decided before the first step is taken
        if graph.kinds[step] == TG_PATTERN_DECISION and set(parents[step]) <= {uri}:
            numbers.setdefault(step, 0)
    ending = _ending(graph, parents)
    steps = tuple(builder.node(step) for step in in_order(parents, numbers, ending))
    ends = [step for step in steps if step.uri in ending]
    question = _as_question(builder.node(uri))
    inside = [node for step in steps for node in step.walk()]
    return Trace(
        uri=uri,
        type=trace_type(
            uri,
            question.types,
            {node.kind for node in inside},
            {property for node in inside for property in node.properties},
        ),
        question=question,
        steps=steps,
        answers=tuple(answer for step in ends for answer in _answers(step)),
        status=_status(question, ends),
        sources=sources or {},
    )


_Place = tuple[float, float, float, tuple[tuple[int, str], ...]]


class _Builder:
    def __init__(self, graph: RunGraph, called: Iterable[tuple[str, Trace]]) -> None:
        self.graph = graph
        self.called: dict[str, list[Trace]] = defaultdict(list)
        for caller, run in called:
            step = graph.step_of(caller)
            self.called[step if step in graph.nodes else graph.question].append(run)

    def number(self, node: str, property: str = TG_STEP_NUMBER) -> int | None:
        for value in map(plain, self.graph.nodes.get(node, {}).get(property, ())):
            if value.isascii() and value.isdecimal() and len(value) < 19:
                return int(value)
        return None

    def node(self, uri: str, holders: frozenset[str] = frozenset()) -> Node:
        graph, kind = self.graph, self.graph.kinds.get(uri, "")
        recorded = graph.nodes.get(uri, {})
        properties = arranged(kind, recorded, self._value)
        inside = holders | {uri}
        return class_of(kind)(
            uri=uri,
            types=types_of(recorded),
            kind=kind,
            label=vocabulary().label(kind) if kind else "Node",
            properties=properties,
            parents=graph.parents(uri) if recorded else (),
            parts=tuple(
                self.node(part, inside)
                for part in sorted(graph.pieces.get(uri, ()), key=self._place(properties))
                if part not in inside
            ),
            called=tuple(self.called.get(uri, ())),
            texts=tuple(dict.fromkeys(self._texts(uri))),
        )

    def _value(self, term: Term) -> tuple[object, ...]:
        return *self._rank(pointed_at(term)), *by_text(term)

    def _rank(self, node: str) -> tuple[float, float]:
        rank, name = self.number(node, TGP_RANK), recognise(node)
        index = name.index if name else None
        return (
            float("inf") if rank is None else rank,
            float("inf") if index is None else index,
        )

    def _place(self, properties: Mapping[str, tuple[Term, ...]]) -> Callable[[str], _Place]:
        places: dict[str, int] = {}
        for place, values in enumerate(properties.values()):
            for value in values:
                places.setdefault(pointed_at(value), place)
        return lambda part: (places.get(part, len(properties)), *self._rank(part), natural(part))

    def _texts(self, uri: str) -> Iterable[str]:
        """Read what a node says, then what the documents say that it points at; a circle ends."""
        waiting, seen = [uri], set[str]()
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            recorded = self.graph.nodes.get(node, {})
            for property in (TG_ANSWER, TG_CONTENT):
                texts = (one for one in recorded.get(property, ()) if isinstance(one, Literal))
                yield from sorted((one.value for one in texts), key=natural)
            waiting += sorted(map(pointed_at, recorded.get(TG_DOCUMENT, ())), reverse=True)


def _as_question(node: Node) -> Question:
    if isinstance(node, Question):
        return node
    values = {one.name: getattr(node, one.name) for one in fields(Node)}
    return Question(**{**values, "kind": TG_QUESTION})


def _ending(graph: RunGraph, parents: Mapping[str, Iterable[str]]) -> set[str]:
    built_on = {parent for every in parents.values() for parent in every}
    return {
        step
        for step in graph.steps
        if graph.kinds[step] in (TG_CONCLUSION, TG_SYNTHESIS)
        or (
            TG_ANSWER_TYPE in map(plain, graph.nodes[step].get(RDF_TYPE, ()))
            and graph.kinds[step] not in (TG_FINDING, TG_STEP_RESULT)
            and step not in built_on
        )
    }


def _answers(step: Node) -> list[Answer]:
    document, error = step.value(TG_DOCUMENT), step.error
    if step.texts:
        return [Answer(step.uri, text, document, error) for text in step.texts]
    return [Answer(step.uri, None, document, error)] if document or error else []


def _status(question: Question, ends: list[Node]) -> Status:
    last = ends[-1] if ends else question
    if (
        TG_ERROR_TYPE in last.types
        or last.value(TGP_ERROR_MESSAGE) is not None
        or last.termination_reason == "error"
    ):
        return "failed"
    if last.termination_reason == "cancelled":
        return "cancelled"
    return "finished" if ends or question.value(PROV_ENDED_AT_TIME) is not None else "unfinished"
