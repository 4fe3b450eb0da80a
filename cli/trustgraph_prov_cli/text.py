"""Text from a run is untrusted: make it harmless before it reaches a terminal."""

from __future__ import annotations

import codecs
import re
import sys
from datetime import datetime

__all__ = ["TerminalBytes", "counted", "iso", "json_text", "one_line", "visible"]

# C0 and C1 controls, and what reorders or hides the text around it (Unicode Standard Annex 9,
# section 2); JSON and RDF let most of them stand. Line ends and tabs are layout there.
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ud800-\udfff]"
)
_BREAKS = re.compile(r"\s+")


def visible(text: str) -> str:
    """Replace characters that act instead of showing."""
    from trustgraph_prov import visible

    return visible(text)


def counted(count: int, noun: str) -> str:
    """Say how many of something there are.

    Example:
        >>> counted(1, "insert"), counted(1_200, "insert")
        ('1 insert', '1,200 inserts')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def iso(moment: datetime) -> str:
    """Write a time as RDF has it, with `Z` for UTC.

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
    return _HARMFUL.sub(_escaped, text)


class TerminalBytes:
    """A binary stream onto a terminal, for RDF.

    All of N-Quads, TriG, Turtle and JSON-LD read an escaped character as the character, so what a
    terminal would obey is escaped and the data stays what it is.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, part: bytes) -> int:
        text = self._decoder.decode(part)
        sys.stdout.write(_HARMFUL.sub(_escaped, text))
        return len(part)

    def flush(self) -> None:
        sys.stdout.flush()


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
