"""What a test knows of a value and a type cannot say, made sure of where it is used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pyoxigraph as ox
from pyoxigraph import Literal, NamedNode, Quad, QuerySolution, RdfFormat, Triple

__all__ = ["leaf", "narrow", "rows", "serialized", "subject", "triples", "value"]

T = TypeVar("T")


def narrow(found: object, kind: type[T]) -> T:
    """The same, once it is of a kind."""
    assert isinstance(found, kind), found
    return found


def rows(result: object) -> list[QuerySolution]:
    """The rows of a SELECT."""
    return list(narrow(result, ox.QuerySolutions))


def triples(result: object) -> list[Triple]:
    """The triples of a CONSTRUCT or DESCRIBE."""
    return list(narrow(result, ox.QueryTriples))


def value(term: object) -> str:
    """The text of a term that is no triple."""
    assert isinstance(term, (NamedNode, ox.BlankNode, Literal, ox.DefaultGraph)), term
    return "" if isinstance(term, ox.DefaultGraph) else term.value


def subject(statement: Quad | Triple) -> str:
    """The IRI or label of what a statement is about."""
    return value(statement.subject)


def leaf(term: object) -> NamedNode | Literal:
    """A term that is an IRI or a literal."""
    assert isinstance(term, (NamedNode, Literal)), term
    return term


def serialized(statements: Iterable[Quad] | Iterable[Triple], format: RdfFormat) -> bytes:
    """Statements as the text of a file."""
    return narrow(ox.serialize(statements, format=format), bytes)
