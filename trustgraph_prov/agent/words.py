"""The words of a question that a search can use."""

from __future__ import annotations

import re

__all__ = ["TOKEN", "in_words", "words_of"]

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_HIRAGANA = "\u3041-\u309f"
_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_OTHERS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u30a0-\u30ff\uff66-\uff9f"
_UNSPACED = re.compile(f"[{_HIRAGANA}]+|[{_HAN}{_OTHERS}]+")
_PARTICLE = re.compile(f"[{_HIRAGANA}]+")
_SIGN = re.compile(f"[{_HAN}]")
TOKEN = rf"\b\w\w+\b|[{_HAN}]"
"""A word for an index: of two letters at least, or a sign that is one by itself."""

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
        >>> words_of("日本の首都はどこですか")
        ['日本', '首都']
    """
    every = dict.fromkeys(word.lower() for word in _WORD.findall(in_words(question)))
    telling = [word for word in every if _tells(word)]
    return (telling or list(every))[:most]


def in_words(text: str, *, signs: bool = False) -> str:
    """Put spaces where scripts without any, such as Chinese and Thai, may have words.

    Args:
        text: every two letters of such a script become a word.
        signs: whether each letter becomes one too, as an index wants it.

    Example:
        >>> in_words("Tokyo 東京都。")
        'Tokyo  東京 京都 。'
    """
    return _UNSPACED.sub(lambda match: f" {' '.join(_pieces(match[0], signs))} ", text)


def _pieces(run: str, signs: bool) -> list[str]:
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return [*pairs, *run] if signs else pairs or [run]


def _tells(word: str) -> bool:
    if word in _COMMON or _PARTICLE.fullmatch(word):  # Japanese has its grammar in hiragana
        return False
    return len(word) > 1 or word.isdigit() or bool(_SIGN.fullmatch(word))
