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
_ALL = 2**31 - 1
"""What a stored query takes for a limit at most."""

Row = list["NamedNode | BlankNode | Literal | Triple | None"]


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
            may be text. None is anything, and the graph `""` the default graph.
        limit: rows at most.

    Returns:
        Subject, predicate, object and graph; the default graph comes last, as None.
    """
    from trustgraph_prov import expand

    limit = min(limit, _ALL)
    parts = [part and (expand(part) or part) for part in (subject, predicate, object)]
    named = graph and (expand(graph) or graph)
    if parts == [None, None, None]:
        return islice(map(_row, store.quads(named)), limit)
    found: Iterator[Row] = iter(())
    if named != "":
        found = _named(store, parts, named, limit)
    if not named:
        found = chain(found, (_row(quad) for quad in store.quads("") if _fits(quad, parts)))
    return islice(found, limit)


def _named(store: Store, parts: list[str | None], graph: str | None, limit: int) -> Iterator[Row]:
    from trustgraph_prov import rows

    asked = dict(zip(_COLUMNS, (*parts, graph), strict=True))
    found = rows(store, "trace/quads", **asked, limit=limit)
    return ([row[name] for name in _COLUMNS] for row in found)


def _fits(quad: Quad, parts: list[str | None]) -> bool:
    terms = (quad.subject, quad.predicate, quad.object)
    return all(
        part is None or getattr(term, "value", None) == part
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
