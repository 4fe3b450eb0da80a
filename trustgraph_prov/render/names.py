"""Short, readable forms of terms, times and tokens."""

from __future__ import annotations

import json
import re
from datetime import datetime
from urllib.parse import unquote

from pyoxigraph import Literal, Triple

from ..curies import compress
from ..namespaces import XSD, XSD_STRING
from ..strict_json import read_json
from ..terms import Term, plain

__all__ = ["arguments", "clock", "duration", "edge_name", "object_name", "short", "tokens"]

_UUID = re.compile(r"([0-9a-f]{8})-(?:[0-9a-f]{4}-){3}[0-9a-f]{8}([0-9a-f]{4})")
_BARE = {
    XSD + name
    for name in ("integer", "decimal", "double", "float", "boolean", "date", "dateTime", "int")
}


def short(term: Term | str) -> str:
    """Name a term by its last part, or by its prefix where it is one of ours.

    Args:
        term: a term, or an IRI as text. A literal is its text.

    Example:
        >>> short("https://example.org/kg/gate-seal-g7")
        'gate-seal-g7'
        >>> short("urn:chunk:922a0010-76c2-4c32-97ff-b42d23628e03")
        'chunk:922a0010…8e03'
    """
    if isinstance(term, Literal):
        return term.value
    if isinstance(term, Triple):
        return f"{short(term.subject)} {short(term.predicate)} {short(term.object)}"
    iri = term if isinstance(term, str) else plain(term)
    if iri.startswith("urn:"):
        return _UUID.sub(r"\1…\2", unquote(iri[4:]))
    last = re.split(r"[/#]", iri.rstrip("/#"))[-1]
    return compress(iri) or unquote(last) or iri


def object_name(term: Term) -> str:
    """Name the end of an edge, so that `42` the number and "42" the text differ.

    Example:
        >>> object_name(Literal("42")), object_name(Literal(42))
        ('"42"', '42')
        >>> object_name(Literal("Foss", language="nb"))
        '"Foss"@nb'
    """
    if not isinstance(term, Literal):
        return short(term)
    if term.language is not None:
        return f'"{term.value}"@{term.language}'
    if term.datatype.value == XSD_STRING:
        return f'"{term.value}"'
    if term.datatype.value in _BARE:
        return term.value
    return f'"{term.value}"^^{short(term.datatype)}'


def edge_name(subject: Term, predicate: Term, object: Term) -> str:
    """Name an edge.

    Example:
        >>> edge_name("https://example.org/g7", "https://example.org/teeth", Literal(42))
        'g7 — teeth → 42'
    """
    return f"{short(subject)} — {short(predicate)} → {object_name(object)}"


def clock(moment: datetime) -> str:
    """Write a time in UTC, to the second.

    Example:
        >>> from datetime import timezone
        >>> clock(datetime(2026, 3, 2, 8, 15, 0, 500, timezone.utc))
        '2026-03-02 08:15:00 UTC'
    """
    return moment.replace(tzinfo=None, microsecond=0).isoformat(" ") + " UTC"


def duration(milliseconds: float) -> str:
    """Write a duration.

    Example:
        >>> duration(833), duration(2450), duration(90_000)
        ('833 ms', '2.5 s', '1 min 30 s')
    """
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if round(seconds, 1) < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def tokens(read: int | None, written: int | None) -> str:
    """Write token counts; "" without any.

    Example:
        >>> tokens(1893, 201)
        '1,893 → 201 tokens'
    """
    if read is None and written is None:
        return ""
    if written is None:
        return f"{read:,} tokens in"
    return f"{written:,} tokens out" if read is None else f"{read:,} → {written:,} tokens"


def arguments(text: str) -> str:
    r"""Write a JSON object as lines of name and value; other text stays.

    Example:
        >>> arguments('{"question": "capital of France"}')
        'question: capital of France'
    """
    try:
        value = read_json(text)
    except ValueError:
        return text
    if not isinstance(value, dict) or not value:
        return text
    return "\n".join(f"{name}: {_argument(inside)}" for name, inside in value.items())


def _argument(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
