"""What to show of a run, whatever it is shown on: titles, facts, fields, selections.

Names and order of fields come from the shapes, so a kind of step that nobody knew when this was
written is shown as well. Nothing here is escaped: each renderer does that last.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pyoxigraph import Literal

from ..explain.model import Answer, Node, Source, Status, Trace
from ..explain.nodes import Analysis, Exploration, Focus, Selection, Statement
from ..explain.typed import typed
from ..namespaces import (
    RDF_OBJECT,
    RDF_PREDICATE,
    RDF_SUBJECT,
    RDFS_LABEL,
    TG_ANSWER,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_REASONING,
    TG_SCORE,
    TG_SELECTED_CHUNK,
    TGP_RANK,
)
from ..terms import Term, plain
from .fields import FACTS, HEAD, Field, Value, fields_of, has_own_heading
from .names import clock, duration, object_name, short, tokens

__all__ = [
    "DEEPEST",
    "SIGNS",
    "Edge",
    "Kept",
    "Step",
    "answer_text",
    "command",
    "head",
    "paths",
    "question_fields",
    "source_name",
    "status",
    "step",
    "too_deep",
]

_ANSWER = (TG_ANSWER, TG_CONTENT, TG_DOCUMENT)
DEEPEST = 50
"""How deep a called run may stand in others and be shown; one that is deeper is named."""

SIGNS: Mapping[Status, str] = {"finished": "✓", "failed": "✗", "cancelled": "■", "unfinished": "…"}
"""A character for each way in which a run ended."""


@dataclass(frozen=True)
class Edge:
    """An edge of the knowledge graph."""

    subject: Value
    predicate: Value
    object: Value


@dataclass(frozen=True)
class Kept:
    """A selection: what was kept, how well it fits and why.

    Attributes:
        edges: the edge, as a rule one.
        name: the chunk, where there is no edge.
        score: a number in its shortest form, what else was recorded as it is, or "".
        reasoning: why, or "".
        notes: everything else.
        sources: where it came from.
    """

    edges: tuple[Edge, ...]
    name: Value | None
    score: str
    reasoning: str
    notes: tuple[Field, ...]
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True)
class Step:
    """A step to show.

    Attributes:
        title: what it is, with what tells it from others of its kind.
        kind: its class in words, where the title does not say it.
        facts: time, model, tokens, durations.
        fields: what was recorded.
        kept: selections; what was found, where none were made and its origin is shown.
        parts: other pieces.
        failed: it holds an error.
    """

    title: str
    kind: str
    facts: tuple[str, ...]
    fields: tuple[Field, ...]
    kept: tuple[Kept, ...]
    parts: tuple[Step, ...]
    failed: bool


def step(node: Node, trace: Trace, *, provenance: bool = False) -> Step:
    """Say what to show of a step.

    Args:
        node: the step, or a piece of one.
        trace: its run, which says what came before it and where its sources are.
        provenance: what edges and chunks came from is to be shown.
    """
    answered = {answer.uri for answer in trace.answers}
    label = node.value(RDFS_LABEL)
    action = node.action if isinstance(node, Analysis) else None
    title = label or (f"{node.label}: {action}" if action else node.label)
    spoken = title.casefold().startswith(node.label.casefold())
    found = _found(node, trace) if provenance else ()
    shown = (*(_ANSWER if node.uri in answered else ()), *((TG_SELECTED_CHUNK,) if found else ()))
    pieces = [part for part in node.parts if not isinstance(part, (Selection, Statement))]
    return Step(
        title=title,
        kind="" if spoken else node.label,
        facts=(*_follows(node, trace), *_facts(node)),
        fields=tuple(
            field
            for field in fields_of(node, *shown, said=FACTS)
            if not (len(field.values) == 1 and title.endswith(f": {field.values[0].text}"))
        ),
        kept=(
            *(_kept(part, trace) for part in node.parts if isinstance(part, Selection)),
            *found,
        ),
        parts=tuple(
            step(part, trace, provenance=provenance) for part in pieces if has_own_heading(part)
        ),
        failed=node.error is not None,
    )


def _follows(node: Node, trace: Trace) -> tuple[str, ...]:
    """Say which steps a step comes from, where that is not the one above it alone."""
    places = trace.places
    if node.uri not in places:
        return ()
    parents = sorted(places[parent] for parent in node.parents if parent in places)
    if not parents or parents == [places[node.uri] - 1]:
        return ()
    names = ["the question" if not place else f"step {place}" for place in parents]
    return (f"from {', '.join(names)}",)


def _facts(node: Node) -> tuple[str, ...]:
    """Time, model, tokens and durations of a step."""
    llm, tool, moment = node.llm_duration_ms, node.tool_duration_ms, node.generated_at
    found = (
        f"model {node.model}" if node.model else "",
        tokens(node.in_token, node.out_token),
        f"model took {duration(llm)}" if llm is not None else "",
        f"tool took {duration(tool)}" if tool is not None else "",
        clock(moment) if moment else "",
    )
    return tuple(one for one in found if one)


def head(trace: Trace) -> tuple[str, ...]:
    """Type, start, whose run it is, and how it ended."""
    question = trace.question
    start, end = question.started_at, question.ended_at
    took = duration((end - start).total_seconds() * 1000) if start and end and end >= start else ""
    found = (
        "" if trace.type == "Question" else trace.type,
        clock(start) if start else "no start recorded",
        f"took {took}" if took else "",
        f"user {question.user}" if question.user else "",
        f"collection {question.collection}" if question.collection else "",
    )
    return tuple(one for one in found if one)


def too_deep(trace: Trace) -> Iterator[Trace]:
    """Find the runs below a run that are only named."""
    level = [trace]
    for _ in range(DEEPEST + 1):
        level = [called for run in level for called in run.called]
    yield from level


def command(trace: Trace) -> str:
    """Say what shows a run that is called from too deep to be shown.

    Example:
        >>> from trustgraph_prov.explain.assemble import assemble
        >>> command(assemble("urn:q", {}))
        'tg-prov show urn:q'
    """
    return f"tg-prov show {shlex.quote(trace.uri)}"


def status(trace: Trace) -> str:
    """How the run ended, in words, with the error."""
    if trace.status == "unfinished":
        return "unfinished: still running, or died without a word"
    return f"{trace.status}: {trace.error}" if trace.error else trace.status


def question_fields(trace: Trace) -> tuple[Field, ...]:
    """What was recorded about a question beside what stands in its head."""
    return tuple(fields_of(trace.question, said=HEAD))


def _kept(node: Selection, trace: Trace) -> Kept:
    """Say what to show of a selection."""
    statements = [part for part in node.parts if isinstance(part, Statement)]
    edges = tuple(_edge(one) for one in statements)
    named = node.value(TG_DOCUMENT)
    sources = [trace.sources.get(uri) for uri in (*(one.uri for one in statements), named) if uri]
    shown = {TG_SCORE, TG_REASONING, TGP_RANK} | (set() if edges else {TG_DOCUMENT})
    scores = node.properties.get(TG_SCORE, ())
    return Kept(
        edges=edges,
        name=None if edges else Value(short(named or node.uri), named or node.uri),
        score=next((plain(typed(TG_SCORE, one)) for one in scores), ""),
        reasoning="\n".join(node.values(TG_REASONING)),
        notes=tuple(fields_of(node, *shown)),
        sources=tuple(source for source in sources if source),
    )


def _found(node: Node, trace: Trace) -> tuple[Kept, ...]:
    """The chunks that a run found and answered from, where it did not select some of them."""
    if not isinstance(node, Exploration) or any(isinstance(one, Focus) for one in trace.steps):
        return ()
    parts = {part.uri for part in node.parts}
    return tuple(
        _chunk(term, trace)
        for term in node.properties.get(TG_SELECTED_CHUNK, ())
        if plain(term) not in parts
    )


def _chunk(term: Term, trace: Trace) -> Kept:
    iri = "" if isinstance(term, Literal) else plain(term)
    source = trace.sources.get(iri)
    return Kept((), Value(short(term), iri), "", "", (), (source,) if source else ())


def _edge(statement: Statement) -> Edge:
    def value(property: str) -> Value:
        term = next(iter(statement.properties.get(property, ())), None)
        if term is None:
            return Value("?")
        iri = "" if isinstance(term, Literal) else plain(term)
        return Value(object_name(term) if property == RDF_OBJECT else short(term), iri)

    return Edge(*map(value, (RDF_SUBJECT, RDF_PREDICATE, RDF_OBJECT)))


def answer_text(answer: Answer) -> str:
    """An answer's text, or where it is."""
    if answer.text is not None:
        return answer.text
    return f"The text is not in this store; it is in {answer.document}" if answer.document else ""


def source_name(source: Source) -> str:
    """A source's kind and title, the kind once.

    Example:
        >>> source_name(Source("urn:p", "Page", "Page 4")), source_name(Source("", "Document", "A"))
        ('Page 4', 'document A')
    """
    kind, title = source.kind.lower(), source.title or short(source.uri)
    return title if title.casefold().startswith(kind) else f"{kind} {title}"


def paths(source: Source) -> Iterator[tuple[Source, ...]]:
    """Walk from what was selected to each document it came from.

    Args:
        source: what an edge or a chunk that was selected is known as.

    Returns:
        A path for each document: chunk, page, document; the source itself where it has no origin.

    Example:
        >>> document = Source("urn:d", "Document", "Report", ())
        >>> page = Source("urn:p", "Page", "Page 4", (document,))
        >>> chunk = Source("urn:c", "Chunk", "Chunk 0", (page,))
        >>> [source.title for source in next(paths(Source("urn:e", "Subgraph", "", (chunk,))))]
        ['Chunk 0', 'Page 4', 'Report']
    """
    if not source.origins:
        yield (source,)
    for origin in source.origins:
        yield from _upwards(origin)


def _upwards(source: Source) -> Iterator[tuple[Source, ...]]:
    if not source.origins:
        yield (source,)
    for origin in source.origins:
        for rest in _upwards(origin):
            yield (source, *rest)
