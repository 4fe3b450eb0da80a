"""Words that messages of every part share."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, noun: str) -> str:
    """Say how many of something there are.

    Args:
        count: how many.
        noun: what one of them is called; its plural ends in s.

    Example:
        >>> counted(1, "insert"), counted(1_200, "insert")
        ('1 insert', '1,200 inserts')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
