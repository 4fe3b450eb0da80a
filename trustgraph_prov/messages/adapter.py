"""Lead from the emitters' triples to messages and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyoxigraph as ox

from .. import terms
from ..bare_text import bare_object
from ..errors import InvalidTermError
from ..namespaces import XSD_STRING
from .terms import BLANK, IRI, LITERAL, TRIPLE, Term, Triple

__all__ = ["to_quads", "to_triples"]


def to_triples(triples: Iterable[ox.Triple | ox.Quad]) -> list[Triple]:
    """Make messages of triples or quads, in their order.

    Args:
        triples: what the emitters return, or `set_graph` makes of it.

    Example:
        >>> triple = ox.Triple(ox.NamedNode("urn:a"), ox.NamedNode("urn:b"), ox.Literal(7))
        >>> to_triples([triple])[0].o.value
        '7'
    """
    return [_message(each) for each in triples]


def to_quads(triples: Iterable[Any], graph: str = "") -> list[ox.Quad]:
    """Make quads of messages, in their order.

    Args:
        triples: messages, TrustGraph's own or with text for terms: `Triple(s, p, o)`. Text alone
            is an IRI as subject or predicate; as object it is what its property asks for.
        graph: IRI of the graph of those that name none, `""` for the default graph.

    Raises:
        InvalidTermError: a part is missing or is no term for its place.

    Example:
        >>> to_quads([Triple("urn:a", "https://trustgraph.ai/ns/query", "Why?")])[0].object.value
        'Why?'
    """
    return [_quad(each, graph) for each in triples]


def _message(triple: ox.Triple | ox.Quad) -> Triple:
    graph = triple.graph_name if isinstance(triple, ox.Quad) else None
    return Triple(
        _term(triple.subject),
        _term(triple.predicate),
        _term(triple.object),
        graph.value if isinstance(graph, ox.NamedNode) else None,
    )


def _term(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> Term:
    if isinstance(term, ox.NamedNode):
        return Term(IRI, iri=term.value)
    if isinstance(term, ox.BlankNode):
        return Term(BLANK, id=term.value)
    if isinstance(term, ox.Triple):
        return Term(TRIPLE, triple=_message(term))
    if term.language:
        return Term(LITERAL, value=term.value, language=term.language)
    datatype = term.datatype.value
    return Term(LITERAL, value=term.value, datatype="" if datatype == XSD_STRING else datatype)


def _quad(triple: Any, graph: str) -> ox.Quad:
    named = getattr(triple, "g", None)
    name = graph if named is None else named
    try:
        whole = _triple(triple)
    except RecursionError:
        raise InvalidTermError("…", "too many triples within each other") from None
    return ox.Quad(
        whole.subject,
        whole.predicate,
        whole.object,
        terms.iri(name) if name else ox.DefaultGraph(),
    )


def _triple(triple: Any) -> ox.Triple:
    subject, predicate = _named(triple.s), _named(triple.p)
    if not isinstance(subject, (ox.NamedNode, ox.BlankNode)):
        raise InvalidTermError(str(subject), "a subject is an IRI or a blank node")
    if not isinstance(predicate, ox.NamedNode):
        raise InvalidTermError(str(predicate), "a predicate is an IRI")
    bare = isinstance(triple.o, str)
    return ox.Triple(
        subject, predicate, bare_object(predicate.value, triple.o) if bare else _parse(triple.o)
    )


def _named(part: Any) -> terms.Term:
    """Read a subject or a predicate; bare text is an IRI there."""
    return terms.iri(part) if isinstance(part, str) else _parse(part)


def _parse(part: Any) -> terms.Term:
    kind = getattr(part, "type", None)
    if kind == IRI:
        return terms.iri(part.iri)
    if kind == BLANK:
        return _blank(part.id)
    if kind == TRIPLE and part.triple is not None:
        return _triple(part.triple)
    if kind != LITERAL:
        raise InvalidTermError(
            str(part), "a term is text, an IRI, a blank node, a literal or a triple"
        )
    return _literal(part)


def _blank(label: Any) -> ox.BlankNode:
    try:
        return ox.BlankNode(label)
    except (TypeError, ValueError):
        raise InvalidTermError(str(label), "no label of a blank node") from None


def _literal(part: Any) -> ox.Literal:
    if not isinstance(part.value, str):
        raise InvalidTermError(str(part.value), "the value of a literal is a str")
    text = terms.text(part.value)
    if part.language:
        try:
            return ox.Literal(text.value, language=part.language)
        except (TypeError, ValueError):
            raise InvalidTermError(str(part.language), "no language tag") from None
    if part.datatype:
        return ox.Literal(text.value, datatype=terms.iri(part.datatype))
    return text
