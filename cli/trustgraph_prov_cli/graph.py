"""Triples that fit a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
            is the text that was given, too, whatever type or language it has: `42` is found as
            `"42"^^xsd:integer`, `hi` as `"hi"@en`. A blank node is none of them. None is anything,
            and the graph `""` the default graph.
        limit: rows at most.

    Returns:
        Subject, predicate, object and graph; the default graph comes last, as None, and in the
        others a text after an IRI.
    """
    limit = min(limit, MOST)
    named = graph and _iri(graph)
    if subject is None and predicate is None and object is None:
        return islice(map(_row, store.quads(named)), limit)
    parts = {"subject": _iri(subject), "predicate": _iri(predicate)}
    objects = _objects(object)
    found: Iterator[Row] = iter(())
    if named != "":
        found = _named(store, {**parts, "graph": named}, objects, limit)
    if not named:
        default = (quad for quad in store.quads("") if _fits(quad, parts, objects))
        found = chain(found, map(_row, default))
    return islice(found, limit)


def _iri(given: str | None) -> str | None:
    from trustgraph_prov import expand

    return given and (expand(given) or given)


def _objects(given: str | None) -> list[dict[str, str]]:
    """What a word may mean as an object: `dc:comics` is an IRI, and a text as well."""
    if given is None:
        return [{}]
    iri = str(_iri(given))
    try:
        return [{"object": NamedNode(iri).value}, {"text": given}]
    except ValueError:
        return [{"text": given}]


def _named(
    store: Store, parts: Mapping[str, str | None], objects: list[dict[str, str]], limit: int
) -> Iterator[Row]:
    from trustgraph_prov import rows

    for one in objects:
        for row in rows(store, "trace/quads", **parts, **one, limit=limit):
            yield [row[name] for name in _COLUMNS]


def _fits(quad: Quad, parts: Mapping[str, str | None], objects: list[dict[str, str]]) -> bool:
    return all(
        value is None or getattr(getattr(quad, name), "value", None) == value
        for name, value in parts.items()
    ) and any(_is(quad.object, one) for one in objects)


def _is(term: object, meant: Mapping[str, str]) -> bool:
    """Tell what `trace/quads` tells in the named graphs."""
    iri, text = meant.get("object"), meant.get("text")
    return (iri is None or (isinstance(term, NamedNode) and term.value == iri)) and (
        text is None or (isinstance(term, Literal) and term.value == text)
    )


def _row(quad: Quad) -> Row:
    name = quad.graph_name
    return [
        quad.subject,
        quad.predicate,
        quad.object,
        None if isinstance(name, DefaultGraph) else name,
    ]
