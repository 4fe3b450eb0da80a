r"""Make text harmless, whatever it is shown on.

What a model, a tool or a document wrote is untrusted, and so is the name of a file: it may move the
cursor, and hide or reorder other text.

Example:
    >>> visible("\x1b[31mred")
    '␛[31mred'
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["message", "one_line", "shown", "shows", "visible"]

_PICTURES = {code: chr(0x2400 + code) for code in range(32)} | {0x7F: "\u2421"}
_LINES = re.compile("\r\n?|[\u0085\u2028\u2029]")
_JOINERS = "\u200c\u200d"
_EMOJI_STYLES = "\ufe0e\ufe0f"
_BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Characters that count as letters or marks and show nothing: a place to hide text in."""


def visible(text: str) -> str:
    """Replace characters that act, or hide, instead of showing.

    Control characters become their pictures (ESC is `␛`), every line end a newline; bidirectional
    controls, zero-width and other format characters, blanks that count as letters, lone surrogates
    and unassigned ones become `<U+202E>` and the like. A joiner stays inside an emoji and between
    the letters of a script that is written with it.

    Args:
        text: any text.

    Example:
        >>> visible("invoice\u202egpj.exe")
        'invoice<U+202E>gpj.exe'
    """
    text = _LINES.sub("\n", text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if shows(one) else shown(text, at) for at, one in enumerate(text))


def one_line(text: str, most: int | None = None) -> str:
    """Put text on one line, cut after `most` characters.

    Example:
        >>> one_line("a long  story\\nin two lines", 12)
        'a long stor…'
    """
    line = " ".join(visible(text).split())
    return line if most is None or len(line) <= most else line[: most - 1] + "…"


def message(text: str) -> str:
    r"""Bring a message to one line without control characters; others are left as they are.

    Example:
        >>> message("a\x1b[31mred\nline: no  store there")
        'a␛[31mred line: no store there'
    """
    return text if text.isprintable() else one_line(text)


def shows(character: str) -> bool:
    """Whether a character may stay in text of several lines."""
    return character in "\n\t" or (character.isprintable() and not _BLANKS.match(character))


def shown(text: str, at: int) -> str:
    """What `visible` puts in place of a character that does not show."""
    character, before, after = text[at], text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if ord(character) in _PICTURES:
        return _PICTURES[ord(character)]
    if unicodedata.category(character) == "Zs":
        return " "
    between_emoji = _pictorial(before) and _pictorial(after)
    if character in _JOINERS and (between_emoji or (_joined(before) and _joined(after))):
        return character
    if character in _EMOJI_STYLES and (_pictorial(before) or before in tuple("#*0123456789")):
        return character
    return f"<U+{ord(character):04X}>"


def _pictorial(character: str) -> bool:
    return bool(character) and (
        unicodedata.category(character) in ("So", "Sk") or character in _EMOJI_STYLES + "♀♂⚕"
    )


def _joined(character: str) -> bool:
    """Tell whether a letter or mark is of a script between Arabic and Khmer, or beyond the BMP."""
    return bool(character) and (
        "\u0600" <= character <= "\u18ff" and unicodedata.category(character)[0] in "LM"
    )
