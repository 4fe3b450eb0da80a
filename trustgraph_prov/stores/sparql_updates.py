"""Write quads as `INSERT DATA`, cut on statement boundaries.

Each request stands alone and may be repeated: it holds no blank node, which a server would make
anew each time. A blank node becomes an IRI with its label (RDF 1.1 Concepts, 3.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

from ..errors import StoreRefusedError
from ..lexical import canonical_form, pointed_form
from ..namespaces import GENID, XSD, XSD_DECIMAL, XSD_INTEGER

__all__ = ["check_terms", "insert_requests", "with_points", "without_blank_nodes", "written"]

_DECIMAL = NamedNode(XSD_DECIMAL)
_INTEGERS = {
    NamedNode(XSD + name)
    for name in (
        *("integer", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger"),
        *("negativeInteger", "long", "unsignedLong"),
    )
}
_DIGITS = len(str(2**63))
_OPEN, _CLOSE = "INSERT DATA {\n", "}\n"


def check_terms(
    name: str,
    quads: Iterable[Quad],
    *,
    max_text: int | None,
    max_iri: int | None,
    small: bool = False,
) -> None:
    """Refuse a term that the server cannot keep, before anything is sent.

    Args:
        name: of the store, for the message.
        quads: all of one call, without blank nodes.
        max_text: bytes of UTF-8 a literal may have, or None.
        max_iri: bytes an IRI may have, that of a datatype too, or None.
        small: the server keeps integers in 64 bits.

    Raises:
        StoreRefusedError: a literal or an IRI is longer, or an integer wider.
    """
    for quad in quads:
        if max_iri is not None:
            _check_iris(name, quad, max_iri)
        term = quad.object
        if not isinstance(term, Literal):
            continue
        if max_text is not None and _is_over(term.value, max_text):
            size = len(term.value.encode())
            raise StoreRefusedError(
                name, f"a text of {size:,} bytes on {quad.subject}; this server takes {max_text:,}"
            )
        if small and term.datatype in _INTEGERS and _is_wide(term.value):
            raise StoreRefusedError(
                name,
                f"the integer {term.value[:40]} on {quad.subject} has more than the 64 bits that"
                " this server has for it; record it as a text",
            )


def _check_iris(name: str, quad: Quad, max_iri: int) -> None:
    term = quad.object.datatype if isinstance(quad.object, Literal) else quad.object
    for one in (quad.subject, quad.predicate, term, quad.graph_name):
        if isinstance(one, NamedNode) and _is_over(one.value, max_iri):
            shown = one.value.partition("?")[0]  # behind it may be a signature
            raise StoreRefusedError(
                name,
                f"an IRI of {len(one.value.encode()):,} bytes, {shown[:80]}…; this server keeps"
                f" the first {max_iri:,} and takes others that begin so for the same",
            )


def _is_over(text: str, limit: int) -> bool:
    # A character is 4 bytes at most, so most texts need no encoding.
    return len(text) * 4 > limit and len(text.encode()) > limit


def _is_wide(form: str) -> bool:
    digits = canonical_form(form, XSD_INTEGER)
    if len(digits) < _DIGITS or not digits.removeprefix("-").isdecimal():
        return False
    return len(digits) > _DIGITS + 1 or not -(2**63) <= int(digits) < 2**63


def without_blank_nodes(quad: Quad) -> Quad:
    """A quad whose blank nodes are IRIs; the same label is always the same IRI.

    Example:
        >>> quad = Quad(BlankNode("b1"), NamedNode("urn:p"), BlankNode("b2"))
        >>> print(without_blank_nodes(quad).triple)
        <urn:trustgraph-prov:genid:b1> <urn:p> <urn:trustgraph-prov:genid:b2>
    """
    terms = (quad.subject, quad.object, quad.graph_name)
    if not any(isinstance(term, (BlankNode, Triple)) for term in terms):
        return quad
    return Quad(_named(quad.subject), quad.predicate, _named(quad.object), _named(quad.graph_name))


def with_points(quad: Quad) -> Quad:
    """A quad whose decimals are written as TDB2 writes them.

    TDB2 keeps digits and scale of a decimal (1 and 0 for `1`), writes it with a point, and looks it
    up by what it wrote (10 and 1), so that DELETE WHERE finds the quad and does not delete it.

    Example:
        >>> quad = Quad(NamedNode("urn:s"), NamedNode("urn:p"), Literal("1", datatype=_DECIMAL))
        >>> with_points(quad).object.value
        '1.0'
    """
    return Quad(quad.subject, quad.predicate, _pointed(quad.object), quad.graph_name)


def insert_requests(
    quads: Sequence[Quad], *, max_bytes: int, max_triples: int, default_graph: str | None = None
) -> Iterator[str]:
    """Cut quads into updates, in their order.

    Args:
        quads: without blank nodes.
        max_bytes: of one request; a statement that is longer goes alone.
        max_triples: of one request.
        default_graph: IRI of the graph that stands for the default graph, or None.

    Yields:
        Updates.

    Example:
        >>> from pyoxigraph import parse, RdfFormat
        >>> quads = list(parse("<urn:a> <urn:p> 1, 2, 3 .", format=RdfFormat.TURTLE))
        >>> [text.count("urn:a") for text in insert_requests(quads, max_bytes=999, max_triples=2)]
        [2, 1]
    """
    text: list[str] = []
    size = triples = 0
    graph: str | None = None
    for quad in quads:
        block = _block(quad, default_graph)
        statement = f"{quad.subject} {quad.predicate} {written(quad.object)} .\n"
        length = len(statement.encode())
        frame = 0 if text and block == graph else len(block.encode()) + 4
        full = size + frame + length + len(_OPEN + _CLOSE) + 2 > max_bytes
        if text and (triples == max_triples or full):
            yield _finish(text, graph)
            text, size, triples, graph = [], 0, 0, None
            frame = len(block.encode()) + 4
        if not text or block != graph:
            if text and graph:
                text.append("}\n")
            if block:
                text.append(f"{block} {{\n")
            graph = block
        text.append(statement)
        size += frame + length
        triples += 1
    if text:
        yield _finish(text, graph)


def written(term: Any) -> str:
    """A term in SPARQL; a triple term as SPARQL 1.2 has it.

    Example:
        >>> written(Triple(NamedNode("urn:s"), NamedNode("urn:p"), Literal("o")))
        '<<( <urn:s> <urn:p> "o" )>>'
    """
    if isinstance(term, Triple):
        return f"<<( {term.subject} {term.predicate} {written(term.object)} )>>"
    return str(term)


def _block(quad: Quad, default_graph: str | None) -> str:
    graph = quad.graph_name
    if not isinstance(graph, DefaultGraph):
        return f"GRAPH {graph}"
    return f"GRAPH {NamedNode(default_graph)}" if default_graph else ""


def _finish(text: list[str], graph: str | None) -> str:
    return "".join([_OPEN, *text, "}\n" if graph else "", _CLOSE])


def _named(term: Any) -> Any:
    if isinstance(term, BlankNode):
        return NamedNode(GENID + term.value)
    if isinstance(term, Triple):
        return Triple(_named(term.subject), term.predicate, _named(term.object))
    return term


def _pointed(term: Any) -> Any:
    if isinstance(term, Triple):
        return Triple(term.subject, term.predicate, _pointed(term.object))
    if isinstance(term, Literal) and term.datatype == _DECIMAL:
        return Literal(pointed_form(term.value), datatype=_DECIMAL)
    return term
