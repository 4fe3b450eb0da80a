"""Wake a thread from one that Ctrl-C may interrupt.

`threading.Event` and `Condition` take their lock in Python code: a KeyboardInterrupt in the middle
of it leaves the lock taken, and both threads wait for it for ever. A SimpleQueue has no such place.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from queue import Empty, SimpleQueue

__all__ = ["Bell"]


class Bell:
    """Rung by any thread, heard by one.

    Example:
        >>> bell = Bell()
        >>> bell.ring(), bell.wait(60)
        (None, None)
    """

    def __init__(self) -> None:
        self._rings: SimpleQueue[None] = SimpleQueue()

    def ring(self) -> None:
        """End the wait that goes on, or the next one."""
        if self._rings.empty():
            self._rings.put(None)

    def wait(self, seconds: float) -> None:
        """Wait until it rings, at most so long."""
        with suppress(Empty):
            self._rings.get(timeout=min(seconds, threading.TIMEOUT_MAX))
            while True:
                self._rings.get_nowait()
