"""Write JSON-LD with the prefixes of the ontology's context; pyoxigraph writes whole IRIs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import IO, Any

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad

from ..curies import compress
from ..namespaces import PREFIXES, RDF_TYPE, XSD_STRING

__all__ = ["write_json_ld"]

_TYPE = NamedNode(RDF_TYPE)


def write_json_ld(quads: Iterable[Quad], out: IO[bytes]) -> None:
    """Write quads as one JSON-LD document, a node object a line.

    Args:
        quads: those of one graph, and of one subject, side by side where that is cheap; a node or
            a graph may come up again (JSON-LD 1.1, section 3.3: node objects are merged).
        out: a binary stream.
    """
    out.write(b'{"@context": ' + _dump(PREFIXES) + b',\n"@graph": [')
    separator = b"\n"
    for graph, members in groupby(quads, key=lambda quad: quad.graph_name):
        if isinstance(graph, DefaultGraph):
            for node in _nodes(members, shorten=True):
                out.write(separator + _dump(node))
                separator = b",\n"
            continue
        # Under "@context": null nothing inside is read with a prefix.
        shorten = _shortens(graph)
        head = b"" if shorten else b'"@context": null, '
        out.write(separator + b"{" + head + b'"@id": ' + _dump(_id(graph, shorten)))
        out.write(b', "@graph": [')
        separator = b"\n"
        for node in _nodes(members, shorten):
            out.write(separator + _dump(node))
            separator = b",\n"
        out.write(b"\n]}")
    out.write(b"\n]}\n")


def _nodes(quads: Iterable[Quad], shorten: bool) -> Iterator[dict[str, Any]]:
    for subject, group in groupby(quads, key=lambda quad: quad.subject):
        members = list(group)
        node: dict[str, Any] = {}
        short = shorten and all(map(_shortens, _terms(members)))
        if shorten and not short:
            node["@context"] = None
        node["@id"] = _id(subject, short)
        for quad in members:
            if quad.predicate == _TYPE and not isinstance(quad.object, Literal):
                node.setdefault("@type", []).append(_id(quad.object, short))
            else:
                value = _value(quad.object, short)
                node.setdefault(_id(quad.predicate, short), []).append(value)
        yield node


def _terms(quads: Iterable[Quad]) -> Iterator[object]:
    for quad in quads:
        yield from (quad.subject, quad.predicate, quad.object)
        if isinstance(quad.object, Literal):
            yield quad.object.datatype


def _value(term: object, shorten: bool) -> dict[str, str]:
    if not isinstance(term, Literal):
        return {"@id": _id(term, shorten)}
    value = {"@value": term.value}
    if term.language is not None:
        value["@language"] = term.language
        if term.direction is not None:
            value["@direction"] = term.direction.value
    elif term.datatype.value != XSD_STRING:
        value["@type"] = _id(term.datatype, shorten)
    return value


def _shortens(term: object) -> bool:
    """Tell whether an IRI means itself beside our prefixes: one such as `dc:x` would not."""
    return not isinstance(term, NamedNode) or term.value.partition(":")[0] not in PREFIXES


def _id(term: object, shorten: bool) -> str:
    """Name a term, an IRI with its prefix where that is wanted.

    `prefix:rest` is read back as the prefix's IRI and the rest, unless the rest starts with `//`
    (JSON-LD 1.1 Processing Algorithms and API, section 5.2.2).
    """
    if not isinstance(term, NamedNode):
        return str(term)
    curie = compress(term.value) if shorten else None
    if curie is None or curie.partition(":")[2].startswith("//"):
        return term.value
    return curie


def _dump(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
