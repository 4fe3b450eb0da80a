"""Read the fields of a JSON object, each as what it is to be, or say in one line that it is not.

A field that is missing or null gets its default: clients of earlier releases lack some.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InvalidValueError
from ..strict_json import read_json

__all__ = ["arguments", "count", "flag", "items", "names", "object_of", "text"]

_FLAGS = {"true": True, "false": False}


def object_of(name: str, data: object) -> Mapping[str, Any]:
    """Take a value for a JSON object.

    Raises:
        InvalidValueError: it is none.
    """
    if not isinstance(data, Mapping):
        raise InvalidValueError(name, data, "a JSON object")
    return data


def text(data: Mapping[str, Any], name: str, default: str = "") -> str:
    """Read a text; an empty one gets the default too.

    Raises:
        InvalidValueError: it is something else.
    """
    value = data.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidValueError(name, value, "a text")
    return value or default


def flag(data: Mapping[str, Any], name: str) -> bool:
    """Read a truth value, which may be the text `true` or `false`; false where there is none.

    Raises:
        InvalidValueError: it is something else.

    Example:
        >>> flag({"streaming": "false"}, "streaming")
        False
    """
    value = data.get(name)
    found = _FLAGS.get(value.strip().lower()) if isinstance(value, str) else value
    if value is None or value == "":
        return False
    if not isinstance(found, bool):
        raise InvalidValueError(name, value, "true or false")
    return found


def count(data: Mapping[str, Any], name: str) -> int | None:
    """Read a whole number from 0, or None.

    Raises:
        InvalidValueError: it is something else.
    """
    value = data.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise InvalidValueError(name, value, "a whole number")
    return value


def items(data: Mapping[str, Any], name: str, what: str) -> list[Any]:
    """Read a list.

    Args:
        data: the object.
        name: of the field.
        what: it is a list of.

    Raises:
        InvalidValueError: it is something else.
    """
    value = data.get(name)
    if value is None or value == "":
        return []
    if not isinstance(value, (list, tuple)):
        raise InvalidValueError(name, value, f"a list of {what}")
    return list(value)


def names(data: Mapping[str, Any], name: str) -> list[str] | None:
    """Read a list of texts, or None.

    Raises:
        InvalidValueError: it is something else.
    """
    if data.get(name) is None:
        return None
    found = items(data, name, "names")
    if not all(isinstance(each, str) for each in found):
        raise InvalidValueError(name, found, "a list of names")
    return found


def arguments(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Read the arguments of a tool: an object, or its JSON text, as model APIs hand it over.

    Raises:
        InvalidValueError: it is something else.

    Example:
        >>> arguments({"arguments": '{"q": "France"}'}, "arguments")
        {'q': 'France'}
    """
    value = found = data.get(name)
    if isinstance(value, str) and value.strip():
        try:
            found = read_json(value)
        except ValueError:
            found = None
    elif not value and not isinstance(value, (bool, int, float)):
        return {}
    if not isinstance(found, Mapping):
        raise InvalidValueError(name, value, "a JSON object, or one as text")
    return dict(found)
