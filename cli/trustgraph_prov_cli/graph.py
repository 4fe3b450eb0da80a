"""Triples that fit a pattern."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

if TYPE_CHECKING:
    from trustgraph_prov import Store

__all__ = ["match"]

_COLUMNS = ("subject", "predicate", "object", "graph")
MOST = 2**31 - 1
"""What a stored query takes for a limit at most; a test compares."""

Row = list["NamedNode | BlankNode | Literal | Triple | None"]
Part = list["str | NamedNode | Literal"]
"""Any of these; anything where it is empty."""


def match(
    store: Store,
    subject: str | None,
    predicate: str | None,
    object: str | None,
    graph: str | None,
    limit: int,
) -> Iterator[Row]:
    """Find triples.

    Args:
        subject, predicate, object, graph: IRIs, whole or with a prefix that tables show; an object
            is the text that was given, too. None is anything, and the graph `""` the default graph.
        limit: rows at most.

    Returns:
        Subject, predicate, object and graph; the default graph comes last, as None.
    """
    from trustgraph_prov import expand

    limit = min(limit, MOST)
    parts = [_iri(subject), _iri(predicate), _iri_or_text(object)]
    named = graph and (expand(graph) or graph)
    if not any(parts):
        return islice(map(_row, store.quads(named)), limit)
    found: Iterator[Row] = iter(())
    if named != "":
        found = _named(store, parts, named, limit)
    if not named:
        found = chain(found, (_row(quad) for quad in store.quads("") if _fits(quad, parts)))
    return islice(found, limit)


def _iri(given: str | None) -> Part:
    from trustgraph_prov import expand

    return [] if given is None else [expand(given) or given]


def _iri_or_text(given: str | None) -> Part:
    """What a word may mean as an object: `dc:comics` is an IRI, and a text as well."""
    if given is None:
        return []
    (iri,) = _iri(given)
    try:
        return [NamedNode(str(iri)), Literal(given)]
    except ValueError:
        return [given]


def _named(store: Store, parts: list[Part], graph: str | None, limit: int) -> Iterator[Row]:
    from trustgraph_prov import rows

    given = (part or None for part in (*parts, [graph] if graph else []))
    found = rows(store, "trace/quads", **dict(zip(_COLUMNS, given, strict=True)), limit=limit)
    return ([row[name] for name in _COLUMNS] for row in found)


def _fits(quad: Quad, parts: list[Part]) -> bool:
    terms = (quad.subject, quad.predicate, quad.object)
    return all(
        not part or any(getattr(term, "value", None) == getattr(one, "value", one) for one in part)
        for term, part in zip(terms, parts, strict=True)
    )


def _row(quad: Quad) -> Row:
    name = quad.graph_name
    return [
        quad.subject,
        quad.predicate,
        quad.object,
        None if isinstance(name, DefaultGraph) else name,
    ]
