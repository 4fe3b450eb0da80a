"""Write any value as JSON text, whatever it is; `strict_json` reads."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Set
from enum import Enum
from typing import Any

from .strict_json import read_json

__all__ = ["json_text"]

_DEPTH = 100
_HUGE = 10**4000


def json_text(value: object, *, mask: Callable[[str], str] | None = None) -> str:
    """Write a value as JSON text (RFC 8259), in the order it was given.

    A str that already holds a JSON object or array, as model APIs hand it over, is not quoted a
    second time. What JSON does not have (dates, sets, objects, NaN) becomes text: recording must
    not stop the program that is recorded.

    Args:
        value: usually a dict of arguments.
        mask: applied to each text, key and number within.

    Example:
        >>> json_text({"city": "Zürich", "limit": 3})
        '{"city": "Zürich", "limit": 3}'
        >>> json_text('{"city": "Bern"}')
        '{"city": "Bern"}'
        >>> json_text("Bern")
        '"Bern"'
    """
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            parsed = read_json(value)
        except ValueError:
            pass
        else:
            if mask is None:
                return str.__str__(value)
            value = parsed
    return json.dumps(_reduced(value, mask or str), ensure_ascii=False)


def _reduced(value: Any, mask: Callable[[str], str] = str, depth: int = 0) -> Any:
    """Reduce a value to what JSON has.

    Args:
        value: anything.
        mask: applied to each text within.
        depth: how deep the value lies.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return _number(value, mask)
    if isinstance(value, str):
        return mask(str.__str__(value))
    if depth < _DEPTH:  # deeper, and in a circle, a value becomes text
        if isinstance(value, Mapping):
            return _object(value, mask, depth)
        if isinstance(value, (list, tuple)):
            return [_reduced(each, mask, depth + 1) for each in value]
        if isinstance(value, Set):
            return [_reduced(each, mask, depth + 1) for each in sorted(value, key=_words)]
    return mask(_words(value))


def _object(value: Mapping[Any, Any], mask: Callable[[str], str], depth: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, each in value.items():
        name = mask(_words(key))
        unique, count = name, 1
        while unique in result:
            count += 1
            unique = f"{name} ({count})"
        result[unique] = _reduced(each, mask, depth + 1)
    return result


def _number(value: float, mask: Callable[[str], str]) -> Any:
    if isinstance(value, int):
        if abs(value) >= _HUGE:  # str() refuses more digits than this
            return mask(hex(value))
        number: float = int(value)
    else:
        number = float(value)
        if not math.isfinite(number):
            return mask(str(number))
    words = str(number)
    masked = mask(words)
    return number if masked == words else masked


def _words(value: object) -> str:
    if isinstance(value, str):
        return str.__str__(value)  # of a member of an enumeration too, as JSON has it
    try:
        if isinstance(value, Enum) and isinstance(value, (int, float)):
            value = value.value
        return str(value)
    except Exception as error:
        return f"<{type(value).__name__}: {type(error).__name__} in its str()>"
