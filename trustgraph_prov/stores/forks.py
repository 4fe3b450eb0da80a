"""Keep a forked child away from its parent's store.

A child that writes to, or merely destroys, an engine it inherited puts stale state into files the
parent is still using: acknowledged writes are lost. So a store refuses in any process but its own,
and in a child neither the engine nor an iterator over it is ever destroyed.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Protocol

import pyoxigraph as ox

from ..errors import StoreError

__all__ = ["Engine", "Held", "keep_in_child", "refuse_in_child"]


class Held(Protocol):
    """Something of ours that owns an object of the engine."""

    def owned(self) -> object: ...


class Engine:
    """An open pyoxigraph store, known to the fork handlers for as long as anybody uses it.

    Args:
        store: what is open.
        in_folder: it is not in memory.
        held: lives as long as this object, and so must whoever uses the store.
    """

    __slots__ = ("__weakref__", "held", "store")

    def __init__(self, store: ox.Store, *, in_folder: bool, held: object = None) -> None:
        self.store = store
        self.held = held
        keep_in_child(self)
        if in_folder and not _used_folder:
            _used_folder.append(True)

    def owned(self) -> ox.Store:
        """What a child must not destroy."""
        return self.store


_live: weakref.WeakSet[Held] = weakref.WeakSet()
_owned: list[object] = []
_used_folder: list[bool] = []
_LIBC = ctypes.CDLL(None)


def keep_in_child(holder: Held) -> None:
    """See to it that what `holder` owns at a fork is not destroyed in the child."""
    _live.add(holder)


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
            "open the store anew here, for reading alone while the parent writes",
        )


def _hold() -> None:
    _owned.extend(holder.owned() for holder in _live)


def _let_go() -> None:
    _owned.clear()


def _leak() -> None:
    for one in _owned:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(one))
    _owned.clear()
    if _used_folder and hasattr(_LIBC, "on_exit"):
        # RocksDB's own clearing up at exit looks for threads that a child does not have, and
        # crashes: Python has cleared up by then, so this ends the child with its own exit code.
        _LIBC.on_exit(_LIBC._exit, None)


os.register_at_fork(before=_hold, after_in_parent=_let_go, after_in_child=_leak)
