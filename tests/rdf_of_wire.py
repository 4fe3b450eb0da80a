"""TrustGraph's term objects as RDF terms, read without the code under test."""

from __future__ import annotations

from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

__all__ = ["as_quad"]


def as_quad(triple: Any) -> Quad:
    return Quad(_term(triple.s), _term(triple.p), _term(triple.o))


def _term(term: Any) -> Any:
    if term.type == "i":
        return NamedNode(term.iri)
    if term.type == "b":
        return BlankNode(term.id)
    if term.type == "t":
        inner = term.triple
        return Triple(_term(inner.s), _term(inner.p), _term(inner.o))
    if term.language:
        return Literal(term.value, language=term.language)
    datatype = NamedNode(term.datatype) if term.datatype else None
    return Literal(term.value, datatype=datatype)
