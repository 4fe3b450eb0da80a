"""Pass every text through the caller's mask before it goes anywhere."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pyoxigraph import Literal, NamedNode

from ..emitters import edge_terms
from ..emitters.node import made, several
from ..emitters.selection import read_choice
from ..errors import InvalidTermError, InvalidValueError, ProvWarning
from ..json_text import json_text
from ..namespaces import OURS, RDF_LANG_STRING
from ..terms import iri, iri_or_text, text
from ..uris import segment

__all__ = ["MASKED", "Mask", "Masking", "given"]

T = TypeVar("T")

Mask = Callable[[str], str]

MASKED = "[masked]"
_MASKED_IRI = f"{OURS}masked:"


class Masking:
    """A mask, applied to texts, JSON values, IRIs and edges.

    IRIs are text too (`mailto:ana@example.org`): the mask sees them, and one that it changes into
    something that is no IRI becomes `urn:trustgraph-prov:masked:` with what the mask returned.

    Args:
        mask: takes a text and returns what may be kept of it; None keeps all.

    Example:
        >>> hide = Masking(lambda text: text.replace("ana@example.org", "[email]"))
        >>> hide.apply("Write to ana@example.org.")
        'Write to [email].'
        >>> hide.iri("mailto:ana@example.org")
        'urn:trustgraph-prov:masked:mailto%3A%5Bemail%5D'
    """

    def __init__(self, mask: Mask | None) -> None:
        self.mask = mask

    def apply(self, value: str) -> str:
        """Mask a text; what a broken mask would let through becomes `[masked]`, with a warning."""
        if self.mask is None:
            return value
        try:
            masked = self.mask(value)
        except Exception as error:
            why = f"raised {type(error).__name__}"
        else:
            if isinstance(masked, str):
                return masked
            why = f"returned {type(masked).__name__}, not str"
        warnings.warn(f"the mask {why}; stored {MASKED} instead", ProvWarning, stacklevel=2)
        return MASKED

    def text(self, name: str, value: str | None) -> str | None:
        """Mask an argument that is a text or None.

        Raises:
            InvalidValueError: it is something else.
        """
        return None if value is None else self.required(name, value)

    def required(self, name: str, value: str) -> str:
        """Mask an argument that is a text.

        Raises:
            InvalidValueError: it is something else.
        """
        if not isinstance(value, str):
            raise InvalidValueError(name, value, "a text")
        return self.apply(value)

    def texts(self, name: str, values: Iterable[str] | None) -> list[str]:
        """Mask several texts; None is none of them.

        Raises:
            InvalidValueError: it is one text, which is several letters, or holds no texts.
        """
        return [self.required(name, value) for value in several(name, values, "texts")]

    def json(self, value: object) -> str | None:
        """Mask each text within a value, and write it as JSON text."""
        return None if value is None else json_text(value, mask=self.apply)

    def outcome(self, value: object) -> str | None:
        """Mask what a tool returned: a text stays a text, anything else becomes JSON text."""
        return self.apply(value) if isinstance(value, str) else self.json(value)

    def iri(self, value: str | NamedNode) -> str:
        """Mask an IRI.

        Raises:
            InvalidTermError: what was given is no IRI.
        """
        before = iri(value).value
        after = self.apply(before)
        if after == before:
            return before
        try:
            return iri(after).value
        except InvalidTermError:
            return _MASKED_IRI + segment(after)

    def term(self, name: str, value: str | NamedNode | Literal) -> NamedNode | Literal:
        """Mask an argument that is an IRI or a literal; a number that it changes becomes a text.

        Raises:
            InvalidValueError: it is something else.
        """
        term = made(name, iri_or_text, value)
        if isinstance(term, NamedNode):
            return NamedNode(self.iri(term))
        after = self.apply(term.value)
        if after == term.value:
            return term
        if term.datatype.value == RDF_LANG_STRING:
            return Literal(text(after).value, language=term.language)
        return text(after)

    def edge(self, choice: Any) -> dict[str, Any]:
        """Mask a selected edge: its terms, and what is said about it.

        Raises:
            InvalidTermError: a blank node, or no RDF.
            InvalidValueError: not three terms, or none.
        """
        fields = _chosen(choice, "edge")
        subject, predicate, value = edge_terms(fields["edge"])
        fields["edge"] = (self.iri(subject), self.iri(predicate), self.term("edge", value))
        return self._said(fields)

    def chunk(self, choice: Any) -> dict[str, Any]:
        """Mask a selected chunk: what it is called, and what is said about it.

        Raises:
            InvalidValueError: neither an IRI nor a text, or none.
        """
        fields = _chosen(choice, "chunk_id")
        fields["chunk_id"] = self.term("chunk_id", fields["chunk_id"])
        return self._said(fields)

    def _said(self, fields: dict[str, Any]) -> dict[str, Any]:
        for name in ("reasoning", "concept"):
            fields[name] = self.text(name, fields.get(name))
        return fields


def given(name: str, values: Iterable[T] | None, what: str) -> Iterable[T]:
    """Take an argument of several values that must be there.

    Raises:
        InvalidValueError: it is None, or one value.
    """
    if values is None:
        raise InvalidValueError(name, values, f"several {what}")
    return several(name, values, what)


def _chosen(choice: Any, name: str) -> dict[str, Any]:
    fields = read_choice(choice, name)
    if not fields.get(name):
        raise InvalidValueError(name, choice, f"what was selected, or a mapping with {name!r}")
    return fields
