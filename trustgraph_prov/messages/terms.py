"""Terms and triples as messages carry them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = [
    "BLANK",
    "IRI",
    "LITERAL",
    "TRIPLE",
    "Error",
    "Metadata",
    "Part",
    "Term",
    "Triple",
    "Triples",
]

IRI, BLANK, LITERAL, TRIPLE = "i", "b", "l", "t"


@dataclass
class Error:
    """Why a service gave up.

    Attributes:
        type: name of the kind of error.
        message: what went wrong.
    """

    type: str = ""
    message: str = ""


@dataclass
class Term:
    """An RDF term; `type` tells which of the others count.

    Attributes:
        type: `IRI`, `BLANK`, `LITERAL` or `TRIPLE`.
        iri: of an IRI.
        id: label of a blank node.
        value, datatype, language: of a literal; a plain string has neither of the last two.
        triple: the quoted triple.
    """

    type: str = ""
    iri: str = ""
    id: str = ""
    value: str = ""
    datatype: str = ""
    language: str = ""
    triple: Triple | None = None


Part: TypeAlias = "Term | str | None"


@dataclass
class Triple:
    """A triple. Text alone is an IRI as subject or predicate; as object, what its property asks.

    The object of a property for data, tg:answer say, is text; that of another one is an IRI where
    it can be one.

    Attributes:
        s, p, o: subject, predicate and object.
        g: IRI of its graph, `""` for the default graph; None leaves that to whoever receives it.
    """

    s: Part = None
    p: Part = None
    o: Part = None
    g: str | None = None


@dataclass
class Metadata:
    """What triples belong to.

    Attributes:
        id: IRI of what they are about: for explain events the session.
        user, collection: whose they are.
        root: IRI of the document that all came from.
    """

    id: str = ""
    user: str = ""
    collection: str = ""
    root: str = ""


@dataclass
class Triples:
    """Triples on their way into a store.

    Attributes:
        metadata: what they belong to.
        triples: in no order.
    """

    metadata: Metadata | None = None
    triples: list[Triple] = field(default_factory=list)
