"""Quads as bytes and back."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pyoxigraph as ox
from pyoxigraph import BlankNode, Quad, RdfFormat, Triple

from ..errors import InvalidTermError

__all__ = ["decode", "encode", "refuse_blank_nodes"]


def encode(quads: Iterable[Quad]) -> bytes:
    """Write quads as N-Quads.

    Example:
        >>> from pyoxigraph import Literal, NamedNode
        >>> encode([Quad(NamedNode("urn:a"), NamedNode("urn:b"), Literal("c"))])
        b'<urn:a> <urn:b> "c" .\\n'
    """
    out = io.BytesIO()
    ox.serialize(quads, out, format=RdfFormat.N_QUADS)
    return out.getvalue()


def decode(payload: bytes) -> list[Quad]:
    """Read N-Quads.

    Raises:
        SyntaxError: it is none.
    """
    return list(ox.parse(payload, format=RdfFormat.N_QUADS))


def refuse_blank_nodes(quads: Iterable[Quad]) -> None:
    """Refuse what a store would double when it is sent again (SPARQL 1.1 Update, section 3.1.1).

    Raises:
        InvalidTermError: a blank node.
    """
    for quad in quads:
        for term in (quad.subject, quad.object, quad.graph_name):
            blank = _blank_node(term)
            if blank is not None:
                raise InvalidTermError(
                    str(blank),
                    "a blank node sent twice is two nodes, and what fails on the way is sent "
                    "again; give it an IRI",
                )


def _blank_node(term: object) -> BlankNode | None:
    if isinstance(term, BlankNode):
        return term
    if isinstance(term, Triple):
        return _blank_node(term.subject) or _blank_node(term.object)
    return None
