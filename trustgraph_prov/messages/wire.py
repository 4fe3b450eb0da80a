"""Translate terms and triples from and to plain JSON objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InvalidValueError
from .fields import object_of
from .terms import BLANK, IRI, LITERAL, TRIPLE, Part, Term, Triple

__all__ = ["TripleTranslator"]

_KINDS = {"iri": IRI, "blank": BLANK, "literal": LITERAL, "triple": TRIPLE}


class TripleTranslator:
    """Terms have short keys on the wire (`t i d v dt ln tr`); long ones are read too."""

    def to_pulsar(self, data: Mapping[str, Any]) -> Triple:
        """Read a triple.

        Raises:
            InvalidValueError: it is no object, or a part of it is none of what it may be.

        Example:
            >>> wire = {"s": {"t": "i", "i": "urn:a"}, "p": "urn:b", "o": {"t": "l", "v": "c"}}
            >>> TripleTranslator().to_pulsar(wire).o.value
            'c'
        """
        object_of("triple", data)
        try:
            return Triple(
                s=_term(_pick(data, "s", "subject")),
                p=_term(_pick(data, "p", "predicate")),
                o=_term(_pick(data, "o", "object")),
                g=_graph(data),
            )
        except RecursionError:
            raise InvalidValueError("triple", "…", "fewer triples within each other") from None

    def from_pulsar(self, obj: Triple) -> dict[str, Any]:
        """Write a triple.

        Raises:
            InvalidValueError: triples are quoted within each other too deep.

        Example:
            >>> TripleTranslator().from_pulsar(Triple("urn:a", "urn:b", ""))
            {'s': 'urn:a', 'p': 'urn:b', 'o': ''}
        """
        parts = {"s": obj.s, "p": obj.p, "o": obj.o}
        try:
            wire = {key: _wire(part) for key, part in parts.items() if part is not None}
        except RecursionError:
            raise InvalidValueError("triple", "…", "fewer triples within each other") from None
        return wire if obj.g is None else {**wire, "g": obj.g}


def _graph(data: Mapping[str, Any]) -> str | None:
    return None if _pick(data, "g", "graph") is None else _text(data, "g", "graph")


def _term(data: object) -> Part:
    if data is None or isinstance(data, str):
        return data
    if not isinstance(data, Mapping):
        raise InvalidValueError("term", data, "a text or a JSON object")
    named = _text(data, "t", "type")
    kind = _KINDS.get(named, named)
    if kind == LITERAL:  # `d` and `l` are what an earlier release called `dt` and `ln`
        return Term(
            LITERAL,
            value=_value(_pick(data, "v", "value")),
            datatype=_text(data, "dt", "datatype", "d"),
            language=_text(data, "ln", "language", "l"),
        )
    quoted = _pick(data, "tr", "triple")
    return Term(
        kind,
        iri=_text(data, "i", "iri"),
        id=_text(data, "d", "id"),
        triple=None if quoted is None else TripleTranslator().to_pulsar(quoted),
    )


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (Mapping, list)):
        raise InvalidValueError("value", value, "a text or a number")
    try:
        return "" if value is None else str(value)
    except ValueError:  # of an int that came from Python
        raise InvalidValueError("value", "…", "a number of fewer digits") from None


def _text(data: Mapping[str, Any], *keys: str) -> str:
    value = _pick(data, *keys)
    if value is not None and not isinstance(value, str):
        raise InvalidValueError(keys[0], value, "a text")
    return value or ""


def _wire(part: Term | str) -> dict[str, Any] | str:
    if isinstance(part, str):
        return part
    if part.type == IRI:
        return {"t": IRI, "i": part.iri}
    if part.type == BLANK:
        return {"t": BLANK, "d": part.id}
    if part.type == TRIPLE and part.triple is not None:
        return {"t": TRIPLE, "tr": TripleTranslator().from_pulsar(part.triple)}
    wire = {"t": part.type, "v": part.value}
    if part.language:
        return {**wire, "ln": part.language}
    return {**wire, "dt": part.datatype} if part.datatype else wire


def _pick(data: Mapping[str, Any], *keys: str) -> Any:
    return next((data[key] for key in keys if data.get(key) is not None), None)
