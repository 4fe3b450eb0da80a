"""A run as one web page that holds all it needs: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from ..characters import one_line
from ..explain.model import Source, Trace
from .escape import link, markup
from .fields import Field, Value
from .view import (
    DEEPEST,
    SIGNS,
    Edge,
    Kept,
    Step,
    answer_text,
    command,
    head,
    paths,
    question_fields,
    source_name,
    status,
    step,
)

__all__ = ["html"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def html(trace: Trace) -> str:
    """Write a page about a run, with the runs it called inside.

    The page's own policy forbids scripts and requests, beside the escaping, so that a text from a
    run can do nothing even if a browser should read it otherwise.

    Example:
        >>> from trustgraph_prov.explain.assemble import assemble
        >>> from trustgraph_prov.namespaces import TG_QUERY
        >>> from trustgraph_prov.terms import text
        >>> page = html(assemble("urn:q", {"urn:q": {TG_QUERY: [text("<script>")]}}))
        >>> "<title>&lt;script&gt;" in page
        True
    """
    title = markup(one_line(trace.question.query or trace.uri, 120))
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{title}</title>",
            f"<style>\n{_style()}</style>",
            "</head>",
            "<body>",
            "<main>",
            *_run(trace, 1, 0),
            f'<footer>Recorded run <span class="iri">{markup(trace.uri)}</span></footer>',
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


@cache
def _style() -> str:
    return (Path(__file__).parent / "page.css").read_text(encoding="utf-8")


def _run(trace: Trace, level: int, depth: int) -> Iterator[str]:
    heading = f"h{min(level, 6)}"
    question = markup(trace.question.query or "(no question was recorded)")
    yield f'<header><{heading} class="question said" dir="auto">{question}</{heading}>'
    facts = "".join(f"<span>{markup(fact)}</span>" for fact in head(trace))
    how = f'<span aria-hidden="true">{SIGNS[trace.status]}</span> {trace.status}'
    yield f'<div class="head"><span class="status {trace.status}">{how}</span>{facts}</div>'
    if level > 1:
        yield f'<p class="iri">{markup(trace.uri)}</p>'
    why = status(trace)
    if trace.status not in ("finished", why):
        yield f'<p class="why said {trace.status}" dir="auto">{markup(_capital(why))}</p>'
    yield from _fields(question_fields(trace))
    yield "</header>"
    if depth > DEEPEST:
        yield f"<p>Called from too deep to be shown: <code>{markup(command(trace))}</code></p>"
        return
    for run in trace.question.called:
        yield from _called(run, level, depth)
    if trace.steps:
        yield '<ol class="steps" role="list">'
        for node in trace.steps:
            shown = step(node, trace, provenance=bool(trace.sources))
            yield f'<li class="step{" error" if shown.failed else ""}">'
            yield from _step(shown, level + 1)
            for run in node.called:
                yield from _called(run, level + 1, depth)
            yield "</li>"
        yield "</ol>"
    yield from _answers(trace, level + 1)


def _called(run: Trace, level: int, depth: int) -> Iterator[str]:
    yield '<section class="called"><p class="eyebrow">This step asked</p>'
    yield from _run(run, level + 1, depth + 1)
    yield "</section>"


def _step(shown: Step, level: int) -> Iterator[str]:
    heading = f"h{min(level, 6)}"
    kind = f' <span class="kind">{markup(shown.kind)}</span>' if shown.kind else ""
    yield f'<{heading} class="title">{markup(one_line(shown.title))}{kind}</{heading}>'
    if shown.facts:
        facts = "".join(f"<span>{markup(fact)}</span>" for fact in shown.facts)
        yield f'<p class="facts">{facts}</p>'
    yield from _fields(shown.fields)
    if shown.kept:
        yield '<ol class="kept" role="list">'
        yield from map(_kept, shown.kept)
        yield "</ol>"
    for part in shown.parts:
        yield '<div class="part">'
        yield from _step(part, level + 1)
        yield "</div>"


def _fields(fields: Iterable[Field]) -> Iterator[str]:
    rows = [f"<dt>{markup(field.name)}</dt><dd>{_values(field)}</dd>" for field in fields]
    if rows:
        yield '<dl class="fields">' + "".join(rows) + "</dl>"


def _values(field: Field) -> str:
    values = [_value(value) for value in field.values]
    if field.style == "terms":
        return '<ul class="tags">' + "".join(f"<li>{value}</li>" for value in values) + "</ul>"
    style = {"code": "said code", "error": "said wrong"}.get(field.style, "said")
    if len(values) == 1:
        return f'<div class="{style}" dir="auto">{values[0]}</div>'
    items = "".join(f'<li class="{style}" dir="auto">{value}</li>' for value in values)
    return f'<ul class="several">{items}</ul>'


def _value(value: Value) -> str:
    if not value.iri:
        return markup(value.text)
    target = link(value.iri)
    if target is None:
        return f'<span title="{markup(value.iri)}">{markup(value.text)}</span>'
    return (
        f'<a href="{markup(target)}" title="{markup(target)}" '
        f'rel="nofollow noopener noreferrer">{markup(value.text)}</a>'
    )


def _kept(kept: Kept) -> str:
    score = f'<span class="score">score {markup(kept.score)}</span>' if kept.score else ""
    heads = [_edge(edge) for edge in kept.edges]
    if kept.name:
        heads.append(f"<b>{_value(kept.name)}</b>")
    lines = [
        f'<div class="edge">{one}{score if at == 0 else ""}</div>' for at, one in enumerate(heads)
    ]
    if kept.reasoning:
        lines.append(f'<p class="reason said" dir="auto">{markup(kept.reasoning)}</p>')
    for note in kept.notes:
        values = ", ".join(map(_value, note.values))
        lines.append(f'<p class="notes">{markup(note.name)}: <bdi>{values}</bdi></p>')
    for source in kept.sources:
        lines += [f'<p class="from">From {_path(path)}</p>' for path in paths(source)]
    return f"<li>{''.join(lines)}</li>"


def _edge(edge: Edge) -> str:
    subject, predicate, object = map(_value, (edge.subject, edge.predicate, edge.object))
    return f"<b><bdi>{subject}</bdi></b> <i>{predicate}</i> <b><bdi>{object}</bdi></b>"


def _path(path: Iterable[Source]) -> str:
    return " &gt; ".join(map(_source, path))


def _source(source: Source) -> str:
    return _value(Value(source_name(source), source.uri))


def _answers(trace: Trace, level: int) -> Iterator[str]:
    heading = f"h{min(level, 6)}"
    every = [answer for answer in trace.answers if answer_text(answer)]
    for number, answer in enumerate(every, 1):
        title = "Answer" if len(every) == 1 else f"Answer {number} of {len(every)}"
        pointer = "" if answer.text is not None else " pointer"
        yield f'<section class="answer{pointer}"><{heading} class="title">{title}</{heading}>'
        yield f'<div class="said" dir="auto">{markup(answer_text(answer))}</div></section>'
    if not every and trace.status == "finished":
        yield '<p class="answer pointer">No text of an answer was recorded.</p>'


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
