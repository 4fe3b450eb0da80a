"""The words of a question that a search can use."""

from __future__ import annotations

import re

__all__ = ["TOKEN", "in_words", "words_of"]

_HIRAGANA = "\u3041-\u309f"
_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_OTHERS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u30a0-\u30ff\uff66-\uff9f"
_UNSPACED = re.compile(f"[{_HIRAGANA}]+|[{_HAN}{_OTHERS}]+")
_PARTICLE = re.compile(f"[{_HIRAGANA}]+")
_SIGN = re.compile(f"[{_HAN}]")
TOKEN = rf"(?:[^\W_]|[{_OTHERS}])+"
"""A word for an index, of one letter or more; a vowel sign of Thai or Khmer is a letter here."""
_WORD = re.compile(TOKEN)
_ENDING = re.compile("['\u2019]\\w\\b")
_PAIRS = 4

_ENGLISH = """
a about an and any are as at be been but by can could did do does for from had has have how i in
into is it its many me much my not of on or our please tell that the their them there these they
this those to us was we were what when where which who whom whose why will with would you your
"""
_COMMON = frozenset(_ENGLISH.split())


def words_of(question: str, most: int = 12, *, letters: bool = False) -> list[str]:
    """Pick the words that tell something, in lower case and in their order.

    Where there are too many, they are picked from everywhere: in Thai what is asked about may come
    last, as it may in English.

    Args:
        question: in any language; the words that are too common are English ones.
        most: how many; of a text without spaces, whose words are pairs of letters, four times that.
        letters: whether a letter by itself tells something, as it does where whole words are found.

    Example:
        >>> words_of("What is the capital of France?")
        ['capital', 'france']
        >>> words_of("日本の首都はどこですか")
        ['日本', '首都']
        >>> words_of("How old is C++?", letters=True)
        ['old', 'c']
    """
    spaced = _ENDING.sub(" ", in_words(question))
    every = dict.fromkeys(word.lower() for word in _WORD.findall(spaced))
    rare = [word for word in every if word not in _COMMON]
    telling = [word for word in rare if _tells(word, letters)]
    found = telling or rare or list(every)
    limit = most * _PAIRS if _UNSPACED.search(question) else most
    if len(found) <= limit:
        return found
    return [found[at * len(found) // limit] for at in range(limit)]


def in_words(text: str, *, signs: bool = False) -> str:
    """Put spaces where scripts without any, such as Chinese and Thai, may have words.

    Args:
        text: every two letters of such a script become a word.
        signs: whether each Chinese sign becomes one too, as an index wants it.

    Example:
        >>> in_words("Tokyo 東京都。")
        'Tokyo  東京 京都 。'
    """
    return _UNSPACED.sub(lambda match: f" {' '.join(_pieces(match[0], signs))} ", text)


def _pieces(run: str, signs: bool) -> list[str]:
    pairs = [run[at : at + 2] for at in range(len(run) - 1)] or [run]
    return [*pairs, *_SIGN.findall(run)] if signs and len(run) > 1 else pairs


def _tells(word: str, letters: bool) -> bool:
    if _PARTICLE.fullmatch(word):  # Japanese has its grammar in hiragana
        return False
    return letters or len(word) > 1 or word.isdigit() or bool(_SIGN.fullmatch(word))
