"""Let go of files before a fork, and of what was inherited after it.

SQLite knows the locks it holds by process: a child that inherits an open connection, or opens one
beside it, believes in locks it has not, and the parent then removes a journal that the child still
writes (https://sqlite.org/howtocorrupt.html, section 2.6). And a child that keeps the descriptor
of a `flock` keeps the lock when its parent is gone. So nothing open crosses a fork.
"""

from __future__ import annotations

import os
import threading
import weakref

__all__ = ["Guarded"]


class Guarded:
    """Something with open files, known to the fork handlers for as long as anybody uses it.

    Attributes:
        lock: held by whoever touches the files; a fork waits for it.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        with _registering:
            _live.add(self)

    def before_fork(self) -> None:
        """Close what neither side may inherit; the parent opens it again when it needs it."""

    def in_child(self) -> None:
        """Let go of what only the parent may hold."""


_live: weakref.WeakSet[Guarded] = weakref.WeakSet()
_registering = threading.Lock()
_held: list[Guarded] = []


def _before() -> None:
    _registering.acquire()
    _held.extend(_live)
    for guarded in _held:
        guarded.lock.acquire()
        guarded.before_fork()


def _release() -> None:
    for guarded in _held:
        guarded.lock.release()
    _held.clear()
    _registering.release()


def _in_child() -> None:
    for guarded in _held:
        guarded.in_child()
    _release()


os.register_at_fork(before=_before, after_in_parent=_release, after_in_child=_in_child)
