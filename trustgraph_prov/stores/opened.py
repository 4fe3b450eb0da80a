"""What every opened store has: a name, the process that opened it, and an end."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from types import TracebackType
from typing import TypeVar

from ..errors import StoreError
from .forks import refuse_in_child

__all__ = ["Opened"]

Self = TypeVar("Self", bound="Opened")


class Opened(ABC):
    """A store that is of use until it is closed, in the process that opened it.

    Args:
        name: what messages call it.
        read_only: it refuses to be written.
    """

    def __init__(self, name: str, *, read_only: bool = False) -> None:
        self.name = name
        self.read_only = read_only
        self._pid = os.getpid()
        self._closed = False

    @abstractmethod
    def close(self) -> None:
        """Let go of it; closing twice is fine."""

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f"{kind}({self.name!r}{', read_only=True' if self.read_only else ''})"

    def _check(self, *, writing: bool = False) -> None:
        refuse_in_child(self.name, self._pid)
        if self._closed:
            raise StoreError(self.name, "is closed; open it again with open_store()")
        if writing and self.read_only:
            raise StoreError(self.name, "was opened read-only; open it without read_only to write")
