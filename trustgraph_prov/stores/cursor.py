"""Read quads one by one without keeping a closed store open."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator

import pyoxigraph as ox
from pyoxigraph import DefaultGraph, NamedNode, Quad

from ..errors import StoreError

__all__ = ["Cursor", "Cursors"]


class Cursor:
    """An iterator over one graph or all, on the thread that reads it first.

    pyoxigraph's own iterator ends the process when two threads share it, and keeps the folder
    locked for as long as it lives.
    """

    def __init__(self, name: str, engine: Callable[[], ox.Store], graph: str | None) -> None:
        self._name = name
        self._engine = engine
        self._graph = graph
        self._quads: Iterator[Quad] | None = None
        self._thread = 0
        self._ended = False
        self.cut_off = False

    def __iter__(self) -> Cursor:
        return self

    def __next__(self) -> Quad:
        if self._ended:
            raise StopIteration
        if self.cut_off:
            self._quads = None
            raise StoreError(self._name, "was closed while its quads were being read")
        if self._quads is None:
            graph = self._graph
            name = None if graph is None else NamedNode(graph) if graph else DefaultGraph()
            self._quads = self._engine().quads_for_pattern(None, None, None, name)
            self._thread = threading.get_ident()
        elif self._thread != threading.get_ident():
            raise StoreError(self._name, "these quads are being read by another thread")
        try:
            return next(self._quads)
        except StopIteration:
            self._ended, self._quads = True, None
            raise

    def cut(self) -> None:
        """Let go of the engine, at once on the reading thread, else when that reads on."""
        self.cut_off = True
        if self._thread == threading.get_ident():
            self._quads = None


class Cursors:
    """The cursors that may still be reading."""

    def __init__(self) -> None:
        self._open: weakref.WeakSet[Cursor] = weakref.WeakSet()

    def track(self, cursor: Cursor) -> Cursor:
        self._open.add(cursor)
        return cursor

    def close(self) -> None:
        for cursor in list(self._open):
            cursor.cut()
        self._open.clear()
