"""Blocks of `with` and `async with` that record the exception which leaves them."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

from ..errors import InvalidValueError, ProvWarning

__all__ = ["Block", "describe", "is_cancellation", "mark"]

Self = TypeVar("Self", bound="Block")


class Block(ABC):
    """What serves `with` and `async with` alike; an exception that leaves it goes on."""

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._leave(error)

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._leave(error)  # awaits nothing: a cancelled task could not

    @abstractmethod
    def _leave(self, error: BaseException | None) -> None:
        """Record that the block is left, and by which exception."""


def is_cancellation(error: BaseException) -> bool:
    """Tell whether an exception says "stop" rather than "this went wrong".

    GeneratorExit, KeyboardInterrupt, asyncio's CancelledError and those of other event loops have
    in common that `except Exception` lets them pass; so does SystemExit, which is an error here.
    """
    return not isinstance(error, (Exception, SystemExit))


def describe(error: BaseException | str) -> str:
    """Put an exception into words: its type and its text.

    Example:
        >>> describe(ValueError("too deep"))
        'ValueError: too deep'
    """
    if isinstance(error, str):
        return error
    if not isinstance(error, BaseException):
        raise InvalidValueError("error", error, "an exception or a text")
    try:
        words = str(error)
    except Exception as failure:
        words = f"({type(failure).__name__} in its str())"
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def mark(error: BaseException, write: Callable[[], None]) -> None:
    """Record an exception that is under way, without ever standing in its way.

    Args:
        error: the exception; it gets a note when it cannot be recorded.
        write: what records it.
    """
    try:
        write()
    except Exception as failure:
        note = f"trustgraph-prov could not record this: {type(failure).__name__}: {failure}"
        if hasattr(error, "add_note"):  # Python 3.11
            error.add_note(note)
        try:
            warnings.warn(note, ProvWarning, stacklevel=4)  # at the block, past _leave and exit
        except ProvWarning:
            return  # warnings are errors here, and the exception under way goes first
