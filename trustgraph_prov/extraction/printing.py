"""The tree of a document on a terminal and as JSON."""

from __future__ import annotations

import json as _json
import shlex
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from ..characters import one_line
from ..explain.described import number_of
from ..namespaces import PROV_ACTIVITY, TG_LLM_MODEL
from ..render.json import properties_of
from ..render.names import edge_name, short
from ..render.view import DEEPEST
from ..wording import counted
from .tree import Extract, Recorded

__all__ = ["edge_line", "heading", "json", "text", "to_dict"]

_BETWEEN, _LAST = ("├── ", "│   "), ("└── ", "    ")
"""The guide of a line, and of those below it; where others follow, and where none does."""

_NARROWEST = 24
"""Columns that a line has at least, however deep it stands."""


def text(document: Extract, console: Console) -> None:
    """Print what was made of a document.

    Args:
        document: it.
        console: where to print. On a terminal lines are wrapped at its width, and the IRI of what
            does not fit beside it stands whole on a line of its own; elsewhere nothing is wrapped.

    Example:
        >>> from trustgraph_prov.extraction.tree import Extract
        >>> text(Extract("urn:d", (), "Document", "Survey", {}), Console(width=60))
        Document: Survey  urn:d
    """
    for guides, extract in _branches(document):
        iri = Text(one_line(extract.uri), "dim")
        _print(console, guides, Text(one_line(heading(extract))), iri)
        for number, edge in enumerate(extract.edges, 1):
            last = number == len(extract.edges) and not extract.parts
            ends = _LAST if last else _BETWEEN
            below = (guides[1] + ends[0], guides[1] + ends[1])
            _print(console, below, Text(one_line(edge_line(edge))))


def _print(console: Console, guides: tuple[str, str], line: Text, iri: Text | None = None) -> None:
    """Print a line behind its guide, and what goes on behind the guide of what is below it."""
    whole = line if iri is None else Text.assemble(line, "  ", iri)
    room = max(console.width - len(guides[0]), _NARROWEST)
    lines = [whole]
    if console.is_terminal and whole.cell_len > room:
        lines = [*line.wrap(console, room, overflow="fold"), *([] if iri is None else [iri])]
    for number, one in enumerate(lines):
        one.rstrip()
        console.print(Text(guides[number > 0], "dim"), one, sep="", soft_wrap=True)


def _branches(document: Extract) -> Iterator[tuple[tuple[str, str], Extract]]:
    """Visit the tree from top to bottom, with the guides of a line and of those below it."""
    waiting = [(("", ""), document)]
    while waiting:
        guides, extract = waiting.pop()
        yield guides, extract
        for number, part in enumerate(reversed(extract.parts)):
            ends = _BETWEEN if number else _LAST
            waiting.append(((guides[1] + ends[0], guides[1] + ends[1]), part))


def json(document: Extract) -> str:
    """Write what was made of a document as one JSON object with indentation.

    Each has uri, kind, title, types, properties (terms as in the JSON of a run), made_by, edges and
    parts; one that is more than 50 levels down, only its uri and the command that shows it: show.

    Example:
        >>> from trustgraph_prov.extraction.tree import Extract
        >>> _json.loads(json(Extract("urn:d", (), "Document", "Survey", {})))["title"]
        'Survey'
    """
    return _json.dumps(to_dict(document), ensure_ascii=False, indent=2)


def to_dict(document: Extract) -> dict[str, Any]:
    """Make the JSON value of a document and what was made of it."""
    built: dict[str, dict[str, Any]] = {}
    depth = {document.uri: 0}
    for one in document.walk():
        depth |= {part.uri: depth[one.uri] + 1 for part in one.parts}
    for one in reversed(list(document.walk())):
        if depth[one.uri] > DEEPEST:
            show = f"tg-prov sources {shlex.quote(one.uri)}"
            built[one.uri] = {"uri": one.uri, "show": show}
            continue
        built[one.uri] = {
            **_recorded(one),
            "made_by": [_recorded(maker) for maker in one.made_by],
            "edges": [_recorded(edge) for edge in one.edges],
            "parts": [built[part.uri] for part in one.parts],
        }
    return built[document.uri]


def heading(extract: Extract) -> str:
    """Name an extract: what it is, its number and title, and what made a subgraph.

    Example:
        >>> heading(Extract("urn:d", (), "Document", "Survey", {}))
        'Document: Survey'
    """
    _, number = number_of(extract.properties) or ("", "")
    name = f"{extract.kind or 'Thing'} {number}".rstrip()
    notes = [extract.title] if extract.title and extract.title.casefold() != name.casefold() else []
    if extract.edges:
        makers = (m.term(TG_LLM_MODEL) for m in extract.made_by if PROV_ACTIVITY in m.types)
        notes += [counted(len(extract.edges), "edge")]
        notes += [f"by {short(model)}" for model in makers if model is not None]
    return f"{name}: {', '.join(notes)}" if notes else name


def edge_line(edge: Recorded) -> str:
    """Name an edge, by its IRI where it lacks a part."""
    subject, predicate, object = edge.edge
    if subject is None or predicate is None or object is None:
        return short(edge.uri)
    return edge_name(subject, predicate, object)


def _recorded(one: Recorded) -> dict[str, Any]:
    return {
        "uri": one.uri,
        "kind": one.kind,
        "title": one.title,
        "types": list(one.types),
        "properties": properties_of(one.properties),
    }
