"""Read JSON as RFC 8259 has it, and fail in one way whatever is wrong with it."""

from __future__ import annotations

import json
import math
import re
from typing import Any

__all__ = ["read_json"]


def read_json(words: str | bytes) -> Any:
    r"""Read JSON text, without the NaN and Infinity that Python reads (RFC 8259, section 6).

    What it returns can be written as JSON again.

    Args:
        words: the text; bytes are UTF-8 (section 8.1).

    Raises:
        json.JSONDecodeError: it is not JSON, not in UTF-8, or is deeper or has larger numbers than
            Python reads; `msg`, `lineno` and `colno` tell what and where.

    Example:
        >>> read_json(b'{"answer": 42}')
        {'answer': 42}
        >>> read_json(b'{"answer": \xff}')
        Traceback (most recent call last):
        json.decoder.JSONDecodeError: not in UTF-8: line 1 column 12 (char 11)
    """
    text = words if isinstance(words, str) else words.decode(errors="replace")
    try:
        if isinstance(words, bytes):
            words.decode()
        return json.loads(text, parse_constant=_constant, parse_float=_float, parse_int=_int)
    except json.JSONDecodeError:
        raise
    except UnicodeDecodeError as error:
        place = len(error.object[: error.start].decode())
        raise json.JSONDecodeError("not in UTF-8", text, place) from None
    except RecursionError:
        raise json.JSONDecodeError("nested too deep", text, 0) from None
    except _NumberError as error:
        raise json.JSONDecodeError(error.why, text, _place(text, error.number)) from None


def _place(text: str, number: str) -> int:
    """Find a number where it stands as one: not within a text, nor within another number."""
    pattern = rf'"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.+-])({re.escape(number)})'
    return next(match.start() for match in re.finditer(pattern, text, re.S) if match[1])


class _NumberError(Exception):
    def __init__(self, number: str, why: str) -> None:
        self.number = number
        self.why = why
        super().__init__(why)


def _constant(word: str) -> float:
    raise _NumberError(word, f"{word} is not a number")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _NumberError(digits, "a number too large")
    return value


def _int(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python reads 4,300 digits
        raise _NumberError(digits, "a number too long") from None
