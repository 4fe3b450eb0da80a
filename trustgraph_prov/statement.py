"""Name an edge by its content, so that whoever writes it down gives it one IRI.

The name is the first 32 hex digits of the SHA-256 of the UTF-8 line `s p o .\\n` in canonical
N-Triples (RDF Dataset Canonicalization 1.0's escapes), with the object's literal in `canonical`
form. `ontology/statement-hash.json` has test vectors.
"""

from __future__ import annotations

import hashlib
import re

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from .errors import InvalidTermError
from .lexical import canonical_form
from .namespaces import (
    OURS,
    RDF_OBJECT,
    RDF_PREDICATE,
    RDF_STATEMENT,
    RDF_SUBJECT,
    RDF_TYPE,
    XSD_STRING,
)

__all__ = ["canonical", "statement_iri", "statement_triples"]

STATEMENT = OURS + "statement:"

_ESCAPES = {
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
}
_ESCAPED = re.compile(r'[\x00-\x1f\x7f"\\]')


def canonical(term: Literal) -> Literal:
    """Bring a literal into the form that names a statement.

    Its lexical form becomes the canonical one of its value, a language tag lower-case; what is not
    valid for its datatype stays.

    Example:
        >>> canonical(Literal("Grey", language="en-GB")).language
        'en-gb'
    """
    if term.language is not None:
        return Literal(term.value, language=term.language.lower(), direction=term.direction)
    form = canonical_form(term.value, term.datatype.value)
    return Literal(form, datatype=term.datatype)


def statement_iri(
    subject: NamedNode | BlankNode, predicate: NamedNode, object: NamedNode | BlankNode | Literal
) -> NamedNode:
    """Name the statement node of an edge.

    Raises:
        InvalidTermError: a blank node, which has no name to hash; skolemise it first.

    Example:
        >>> statement_iri(NamedNode("http://e/s"), NamedNode("http://e/p"), Literal("o")).value
        'urn:trustgraph-prov:statement:57743f10e6729b352c55d47d7b4e8190'
    """
    for term in (subject, object):
        if isinstance(term, BlankNode):
            raise InvalidTermError(str(term), "a statement is named by its terms; skolemise it")
    line = f"{_n_triples(subject)} {_n_triples(predicate)} {_n_triples(object)} .\n"
    return NamedNode(STATEMENT + hashlib.sha256(line.encode()).hexdigest()[:32])


def statement_triples(
    subject: NamedNode, predicate: NamedNode, object: NamedNode | Literal
) -> list[Triple]:
    """Reify an edge: its statement node with rdf:subject, rdf:predicate and rdf:object.

    The object is written in the form that names the node, so that two writers of equal edges leave
    one rdf:object.

    Returns:
        Four triples, rdf:type first, the object last.

    Raises:
        InvalidTermError: as for `statement_iri`.

    Example:
        >>> len(statement_triples(NamedNode("http://e/s"), NamedNode("http://e/p"), Literal("o")))
        4
    """
    node = statement_iri(subject, predicate, object)
    value = canonical(object) if isinstance(object, Literal) else object
    return [
        Triple(node, NamedNode(RDF_TYPE), NamedNode(RDF_STATEMENT)),
        Triple(node, NamedNode(RDF_SUBJECT), subject),
        Triple(node, NamedNode(RDF_PREDICATE), predicate),
        Triple(node, NamedNode(RDF_OBJECT), value),
    ]


def _n_triples(term: NamedNode | BlankNode | Literal) -> str:
    if not isinstance(term, Literal):
        return str(term)
    term = canonical(term)
    quoted = _ESCAPED.sub(
        lambda match: _ESCAPES.get(match[0], f"\\u{ord(match[0]):04X}"), term.value
    )
    if term.language is not None:
        direction = f"--{term.direction.value}" if term.direction is not None else ""
        return f'"{quoted}"@{term.language}{direction}'
    if term.datatype.value == XSD_STRING:
        return f'"{quoted}"'
    return f'"{quoted}"^^{term.datatype}'
