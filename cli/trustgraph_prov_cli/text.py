"""Text from a run is untrusted: make it harmless before it reaches a terminal."""

from __future__ import annotations

import codecs
import re
import sys
from datetime import datetime

__all__ = ["TerminalBytes", "counted", "iso", "json_text", "one_line", "visible"]

_BREAKS = re.compile(r"\s+")


def visible(text: str) -> str:
    """Replace characters that act instead of showing."""
    from trustgraph_prov import visible

    return visible(text)


def counted(count: int, noun: str) -> str:
    """Say how many of something there are, as the library does: a test compares.

    Example:
        >>> counted(1, "insert"), counted(1_200, "insert")
        ('1 insert', '1,200 inserts')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def iso(moment: datetime) -> str:
    """Write a time as RDF has it, with `Z` for UTC, as the library does: a test compares.

    Example:
        >>> from datetime import timezone
        >>> iso(datetime(2026, 3, 2, 8, 15, tzinfo=timezone.utc))
        '2026-03-02T08:15:00Z'
    """
    return moment.isoformat().replace("+00:00", "Z")


def one_line(text: str) -> str:
    """Bring a message to one harmless line."""
    return visible(_BREAKS.sub(" ", text).strip())


def json_text(text: str) -> str:
    r"""Escape inside JSON what a terminal would obey; the values stay what they are.

    Example:
        >>> json_text('{"a": "\u202e"}')
        '{"a": "\\u202e"}'
    """
    return _escaped(text, json=True)


class TerminalBytes:
    """A binary stream onto a terminal, for RDF, which it writes by whole lines.

    What a terminal would obey is escaped where N-Quads, TriG, Turtle and JSON-LD read an escaped
    character as the character, and names are written so that it can be: the data stays what it is.

    Args:
        json: JSON-LD is written.
    """

    def __init__(self, *, json: bool) -> None:
        self._json = json
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []

    def write(self, part: bytes) -> int:
        whole, end, rest = self._decoder.decode(part).rpartition("\n")
        if end:
            self._line.append(whole + end)
            self._put()
        self._line.append(rest)
        return len(part)

    def flush(self) -> None:
        self._put()
        sys.stdout.flush()

    def _put(self) -> None:
        sys.stdout.write(_escaped("".join(self._line), json=self._json))
        self._line.clear()


def _escaped(text: str, *, json: bool) -> str:
    if text.isascii() and text.isprintable():  # most is, and then no renderer is loaded
        return text
    from trustgraph_prov import escaped

    return escaped(text, json=json)
