"""Carry terms between pyoxigraph and RDFLib without touching their lexical forms.

This module imports RDFLib, so only `stores.rdflib_` and, when it is called, `validate` import it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import rdflib
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

from ..errors import InvalidTermError
from ..namespaces import XSD_STRING

__all__ = [
    "from_rdflib",
    "graph_from_rdflib",
    "graph_to_rdflib",
    "quad_to_rdflib",
    "quiet",
    "to_rdflib",
]


def to_rdflib(term: NamedNode | BlankNode | Literal | Triple) -> rdflib.term.Identifier:
    """Turn a term into RDFLib's.

    Raises:
        InvalidTermError: a triple term or a base direction, which RDFLib does not have.

    Example:
        >>> from pyoxigraph import NamedNode
        >>> seven = Literal("007", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#integer"))
        >>> str(to_rdflib(seven)), from_rdflib(to_rdflib(seven)) == seven
        ('007', True)
    """
    if isinstance(term, NamedNode):
        return rdflib.URIRef(term.value)
    if isinstance(term, BlankNode):
        return rdflib.BNode(term.value)
    if isinstance(term, Triple):
        raise InvalidTermError(str(term), "RDFLib has no triple terms; name a statement node")
    if term.direction is not None:
        raise InvalidTermError(str(term), "RDFLib has no base direction")
    if term.language is not None:
        return rdflib.Literal(term.value, lang=term.language)
    if term.datatype.value == XSD_STRING:
        return rdflib.Literal(term.value)
    return rdflib.Literal(term.value, datatype=rdflib.URIRef(term.datatype.value), normalize=False)


def from_rdflib(term: rdflib.term.Node) -> NamedNode | BlankNode | Literal:
    """Turn RDFLib's term into pyoxigraph's.

    Raises:
        InvalidTermError: a term that RDF does not have, such as a variable, or a relative IRI.
    """
    if isinstance(term, rdflib.Literal):
        if term.language is not None:
            return Literal(str(term), language=term.language)
        datatype = XSD_STRING if term.datatype is None else str(term.datatype)
        return Literal(str(term), datatype=NamedNode(datatype))
    try:
        if isinstance(term, rdflib.BNode):
            return BlankNode(str(term))
        if isinstance(term, rdflib.URIRef):
            return NamedNode(str(term))
    except ValueError as error:
        raise InvalidTermError(str(term), str(error)) from None
    raise InvalidTermError(str(term), f"{type(term).__name__} is not an RDF term")


def graph_to_rdflib(name: NamedNode | BlankNode | DefaultGraph) -> rdflib.term.IdentifiedNode:
    """Turn a graph's name into RDFLib's, which has an IRI for the default graph."""
    if isinstance(name, DefaultGraph):
        return DATASET_DEFAULT_GRAPH_ID
    if isinstance(name, BlankNode):
        return rdflib.BNode(name.value)
    return rdflib.URIRef(name.value)


def graph_from_rdflib(name: rdflib.term.Node | None) -> NamedNode | BlankNode | DefaultGraph:
    """Turn the name of one of RDFLib's graphs into pyoxigraph's."""
    if name is None or name == DATASET_DEFAULT_GRAPH_ID:
        return DefaultGraph()
    if isinstance(name, rdflib.BNode):
        return BlankNode(str(name))
    return NamedNode(str(name))


def quad_to_rdflib(
    quad: Quad,
) -> tuple[rdflib.term.Identifier, rdflib.term.Identifier, rdflib.term.Identifier]:
    """The triple of a quad in RDFLib's terms."""
    return to_rdflib(quad.subject), to_rdflib(quad.predicate), to_rdflib(quad.object)


@contextmanager
def quiet() -> Iterator[None]:
    """Let RDFLib say nothing, on this thread, of values that are none of their datatype.

    RDFLib logs each with a traceback, which Python prints where nobody has set up logging. Such
    values are the store's to keep and a shape's to report. What others do with RDFLib is logged
    as ever.
    """
    before = getattr(_thread, "quiet", False)
    _thread.quiet = True
    try:
        yield
    finally:
        _thread.quiet = before


_thread = threading.local()
logging.getLogger("rdflib.term").addFilter(lambda record: not getattr(_thread, "quiet", False))
