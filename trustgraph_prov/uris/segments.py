"""Percent-encode the parts that IRIs are made of."""

from __future__ import annotations

import uuid
from urllib.parse import quote

__all__ = ["fresh_segment", "segment"]


def segment(value: object) -> str:
    """Percent-encode one segment of an IRI.

    Example:
        >>> segment("a:b/c")
        'a%3Ab%2Fc'
    """
    return quote(str(value), safe="", errors="replace")


def fresh_segment(name: str | None) -> str:
    """Percent-encode the segment that sets an IRI apart; a new UUID without a name."""
    return segment(uuid.uuid4() if name is None else name)
