"""Time a call."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["milliseconds", "repeated"]


def milliseconds(
    work: Callable[[], object], clock: Callable[[], float] = time.process_time
) -> float:
    """Time one call.

    Args:
        work: what to call.
        clock: seconds, of this process where a busy machine must not count.
    """
    start = clock()
    work()
    return (clock() - start) * 1000


def repeated(
    work: Callable[[], object], repeat: int, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """Milliseconds of several calls, after one that only warms up."""
    work()
    return [milliseconds(work, clock) for _ in range(repeat)]
