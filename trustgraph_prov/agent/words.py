"""The words of a question that a search can use."""

from __future__ import annotations

import re

__all__ = ["words_of"]

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_ENGLISH = """
a about an and any are as at be been but by can could did do does for from had has have how i in
into is it its many me much my not of on or our please tell that the their them there these they
this those to us was we were what when where which who whom whose why will with would you your
"""
_COMMON = frozenset(_ENGLISH.split())


def words_of(question: str, most: int = 12) -> list[str]:
    """Pick the words that tell something, in lower case and in their order.

    Args:
        question: in any language; the words that are too common are English ones.
        most: how many.

    Example:
        >>> words_of("What is the capital of France?")
        ['capital', 'france']
    """
    every = dict.fromkeys(word.lower() for word in _WORD.findall(question))
    telling = [word for word in every if word not in _COMMON and (len(word) > 1 or word.isdigit())]
    return (telling or list(every))[:most]
