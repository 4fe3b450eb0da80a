"""Keep a forked child away from its parent's store.

A child that writes to, or merely destroys, an engine it inherited puts stale state into files the
parent is still using: acknowledged writes are lost. So a store refuses in any process but its own,
and in a child the engine is never destroyed.
"""

from __future__ import annotations

import ctypes
import os
import weakref

import pyoxigraph as ox

from ..errors import StoreError

__all__ = ["Engine", "refuse_in_child"]


class Engine:
    """An open pyoxigraph store, known to the fork handlers for as long as anybody uses it."""

    __slots__ = ("__weakref__", "store")

    def __init__(self, store: ox.Store) -> None:
        self.store = store
        _live.add(self)


_live: weakref.WeakSet[Engine] = weakref.WeakSet()
_held: list[ox.Store] = []


def refuse_in_child(name: str, pid: int) -> None:
    """Refuse in any process but the one that opened the store.

    Args:
        name: the store as the user named it.
        pid: of the process that opened it.

    Raises:
        StoreError: this is another process.
    """
    if os.getpid() != pid:
        raise StoreError(
            name,
            f"was opened by process {pid} and this is its child {os.getpid()}; "
            "open the store anew here, with read_only=True while the parent writes",
        )


def _hold() -> None:
    _held.extend(engine.store for engine in _live)


def _let_go() -> None:
    _held.clear()


def _leak() -> None:
    for store in _held:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(store))
    _held.clear()


os.register_at_fork(before=_hold, after_in_parent=_let_go, after_in_child=_leak)
