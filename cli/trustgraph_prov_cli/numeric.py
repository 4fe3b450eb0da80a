"""Read numbers in ASCII digits: Python's own int() and float() take `1_0` and `nan` as well."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import typer

__all__ = ["decimal", "decimal_above", "decimal_from", "whole", "whole_from"]

_Number = TypeVar("_Number", int, float)

_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.I)


def whole(text: str) -> int:
    """Read a whole number.

    Raises:
        ValueError: it is none.

    Example:
        >>> whole("10")
        10
    """
    if not _WHOLE.fullmatch(text.strip()):
        raise ValueError(text)
    return int(text)


def decimal(text: str) -> float:
    """Read a number.

    Raises:
        ValueError: it is none.

    Example:
        >>> decimal("0.5")
        0.5
    """
    if not _DECIMAL.fullmatch(text.strip()):
        raise ValueError(text)
    return float(text)


def whole_from(least: int) -> Callable[[str | int], int]:
    """Make what reads the value of an option, a whole number that is not below another."""
    return _from(whole, least, "a whole number")


def decimal_from(least: float) -> Callable[[str | float], float]:
    """Make what reads the value of an option, a number that is not below another."""
    return _from(decimal, least, "a number")


def decimal_above(limit: float) -> Callable[[str | float], float]:
    """Make what reads the value of an option, a number that is greater than another."""
    return _checked(decimal, lambda number: number > limit, f"a number, more than {limit:g}")


def _from(read: Callable[[str], _Number], least: float, what: str) -> Callable[[object], _Number]:
    return _checked(read, lambda number: number >= least, f"{what}, {least:g} or more")


def _checked(
    read: Callable[[str], _Number], fits: Callable[[_Number], bool], expected: str
) -> Callable[[object], _Number]:
    def checked(value: object) -> _Number:
        with suppress(ValueError):
            number = read(str(value))
            if fits(number):
                return number
        raise typer.BadParameter(f"{value!r}; expected {expected}")

    return checked
