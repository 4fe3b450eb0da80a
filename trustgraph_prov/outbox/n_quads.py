"""Quads as bytes and back; blank nodes keep their labels, so a repeat is the same node."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pyoxigraph as ox
from pyoxigraph import Quad, RdfFormat

__all__ = ["decode", "encode"]


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
