"""Read the terms and triples of TrustGraph's messages.

Each release spells them in its own way: with short keys (`t i v d l tr`, of which today's has `dt`
and `ln`), with long ones (`type iri value datatype language triple`), and, the oldest, as a value
`v` with `e` telling whether it names something.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

from .. import terms
from ..bare_text import bare_object
from ..errors import InvalidTermError
from ..namespaces import (
    GENID,
    RDF_DIR_LANG_STRING,
    RDF_LANG_STRING,
    RDF_REIFIES,
    XSD_STRING,
)

__all__ = ["Wire", "WireError", "document_name", "genid", "node_name", "value_of"]

Graph: TypeAlias = "NamedNode | DefaultGraph"
Term: TypeAlias = "NamedNode | BlankNode | Literal | Triple"

_KINDS = {
    **dict.fromkeys(("i", "iri", "uri"), "iri"),
    **dict.fromkeys(("b", "blank", "bnode", "blank-node"), "blank"),
    **dict.fromkeys(("l", "literal"), "literal"),
    **dict.fromkeys(("t", "triple"), "triple"),
}
_LONG = {"s": "subject", "p": "predicate", "o": "object", "g": "graph"}
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_USUAL = re.compile(r"(https?://|urn:).")
_ILLEGAL = re.compile(r"[\x00-\x20<>\"{}|\\^`\x7f]")
_TAGGED = {RDF_LANG_STRING, RDF_DIR_LANG_STRING, XSD_STRING}
_REIFIES = NamedNode(RDF_REIFIES)
_DEEPEST = 100


class WireError(ValueError):
    """A term or triple that says nothing, or something no RDF can hold."""


class Wire:
    """Reads the triples of one message.

    Args:
        scope: what a blank node's label is unique in; the same label in two scopes is two nodes.
        graph: graph of the triples that name none.
        default: graph of those that name the default graph, by `""`.
    """

    def __init__(
        self,
        scope: str,
        graph: Graph,
        default: Graph | None = None,
    ) -> None:
        self._scope = scope
        self._graph = graph
        self._default = DefaultGraph() if default is None else default
        self._reified: dict[BlankNode, Triple] = {}

    def quads(self, triple: object) -> Iterator[Quad]:
        """Read a triple; one about a quoted triple comes with a node that reifies that.

        Raises:
            WireError: it lacks a part, or a part is none.
        """
        graph, stated = self.triples(triple)
        for each in stated:
            name = self._graph if graph is None else graph
            yield Quad(each.subject, each.predicate, each.object, name)

    def triples(self, triple: object) -> tuple[Graph | None, list[Triple]]:
        """Read a triple, with the graph that it names, if any.

        Raises:
            WireError: it lacks a part, or a part is none.
        """
        graph = _get(triple, "g")
        name = None if graph is None else self.iri(graph) if graph else self._default
        self._reified.clear()
        whole = self._triple(triple, 0)
        reified = [Triple(node, _REIFIES, quoted) for node, quoted in self._reified.items()]
        return name, [*reified, whole]

    def _triple(self, triple: object, depth: int) -> Triple:
        if depth > _DEEPEST:
            raise WireError(f"triples are quoted more than {_DEEPEST} deep")
        subject, predicate = (self._named(triple, part, depth) for part in "sp")
        if isinstance(subject, Triple):
            node = self._blank(str(subject))
            self._reified[node] = subject
            subject = node
        if not isinstance(predicate, NamedNode) or not isinstance(subject, (NamedNode, BlankNode)):
            raise WireError("a subject is an IRI or a blank node, a predicate an IRI")
        object = _get(triple, "o")
        if object in (None, {}):
            raise WireError(f"a triple has no {_LONG['o']}")
        if isinstance(object, str):
            return Triple(subject, predicate, bare_object(predicate.value, object))
        return Triple(subject, predicate, self._term(object, depth))

    def _named(self, triple: object, part: str, depth: int) -> Term:
        """Read a subject or predicate; bare text is an IRI there."""
        value = _get(triple, part)
        if value in (None, "", {}):
            raise WireError(f"a triple has no {_LONG[part]}")
        return self.iri(value) if isinstance(value, str) else self._term(value, depth)

    def _term(self, value: object, depth: int) -> Term:
        if isinstance(value, (bool, int, float)):
            _digits(value)
            return Literal(value)
        kind = _kind(value)
        if kind == "iri":
            return self.iri_or_text(_text(value, "i", "iri", "v", "value"))
        if kind == "blank":
            return self._blank(_text(value, "d", "id", "i", "v", "value"))
        if kind == "triple":
            return self._triple(_get(value, "tr", "triple"), depth + 1)
        return _literal(value)

    def iri(self, value: object) -> NamedNode:
        """Read an absolute IRI; characters that TrustGraph lets through are percent-encoded."""
        text = _text(value, "i", "iri", "v", "value") if isinstance(value, Mapping) else value
        if not isinstance(text, str) or not _ABSOLUTE.match(text):
            raise WireError(f"{text!r} is not an absolute IRI")
        try:
            return NamedNode(text)
        except ValueError:
            pass
        try:
            return terms.iri(_ILLEGAL.sub(lambda match: f"%{ord(match[0]):02X}", text))
        except (InvalidTermError, UnicodeEncodeError):
            raise WireError(f"{text!r} is not an absolute IRI") from None

    def iri_or_text(self, value: str) -> NamedNode | Literal:
        """Read what is sent as an IRI; a plain id such as `chunk 7` stays text."""
        return self.iri(value) if _USUAL.match(value) else terms.iri_or_text(value)

    def _blank(self, label: str) -> BlankNode:
        name = hashlib.sha256(f"{self._scope}\n{label}".encode("utf-8", "replace")).hexdigest()[:32]
        return BlankNode("n" + name)


def genid(node: BlankNode) -> NamedNode:
    """Name a blank node of a message by its label and the run it belongs to."""
    return NamedNode(GENID + node.value[1:])


def node_name(told: object) -> str:
    """Read the name that a text comes under: an IRI, as triples spell it, or any other.

    Example:
        >>> node_name("urn:doc:a b"), node_name("chunk 7")
        ('urn:doc:a%20b', 'chunk 7')
    """
    if not told or not isinstance(told, str):
        return str(told or "")
    try:
        return Wire("", DefaultGraph()).iri(told).value
    except WireError:
        return told


def document_name(told: str) -> str:
    """Read the name of a document, as the object of a triple spells it: an IRI, or plain text.

    Example:
        >>> document_name("urn:doc:a b"), document_name("doc:a b")
        ('urn:doc:a%20b', 'doc:a b')
    """
    try:
        return Wire("", DefaultGraph()).iri_or_text(told).value
    except (WireError, InvalidTermError):
        return told


def value_of(term: Term) -> str:
    """Read the IRI or text of a term; a blank node has its name, a triple none."""
    if isinstance(term, BlankNode):
        return genid(term).value
    return "" if isinstance(term, Triple) else term.value


def _get(value: object, *keys: str) -> Any:
    if not isinstance(value, Mapping):
        raise WireError("a triple is not an object")
    for key in (*keys, *(_LONG[key] for key in keys if key in _LONG)):
        if value.get(key) is not None:
            return value[key]
    return None


def _kind(value: object) -> str:
    if not isinstance(value, Mapping):
        raise WireError("a term is neither text nor an object")
    told = value.get("t", value.get("type"))
    if told in (None, ""):
        if "e" in value:
            return "iri" if value["e"] else "literal"
        signs = (("iri", {"i", "iri"}), ("triple", {"tr", "triple"}), ("literal", {"v", "value"}))
        told = next((kind for kind, keys in signs if keys & value.keys()), "blank")
    kind = _KINDS.get(told) if isinstance(told, str) else None
    if kind is None:
        raise WireError(f"a term of the unknown type {told!r}")
    return kind


def _text(value: object, *keys: str) -> str:
    found = _get(value, *keys)
    if isinstance(found, str):
        return found
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, (int, float)):
        return _digits(found)
    raise WireError(f"a term has no {keys[-1]}")


def _digits(number: float) -> str:
    """Write a number; one that came from Python, not from JSON, may have too many digits."""
    try:
        return str(number)
    except ValueError:
        raise WireError("a number has too many digits") from None


def _literal(value: object) -> Literal:
    """Read a literal as it came, `42.50` and `1` for true included."""
    empty = _get(value, "v", "value") is None
    text = terms.text("" if empty else _text(value, "v", "value"))
    language = _get(value, "ln", "l", "language", "lang")
    datatype = _get(value, "dt", "d", "datatype")
    if language:
        try:
            return Literal(text.value, language=str(language))
        except ValueError:
            raise WireError(f"{language!r} is not a language tag") from None
    if not datatype:
        return text
    if not isinstance(datatype, str):
        raise WireError(f"{datatype!r} is not a datatype")
    if datatype in _TAGGED:
        return text
    try:
        return Literal(text.value, datatype=terms.iri(datatype))
    except InvalidTermError as error:
        raise WireError(str(error)) from None
