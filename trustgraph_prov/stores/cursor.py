"""Read quads one by one without keeping a closed store open."""

from __future__ import annotations

import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator

import pyoxigraph as ox
from pyoxigraph import DefaultGraph, NamedNode, Quad, RdfFormat

from ..errors import StoreError
from ..n_quads import decode
from .base import graph_term
from .forks import keep_in_child

__all__ = ["Cursor", "Cursors", "from_live", "from_spool"]

SPOOL = 8_000_000
"""Bytes of a spooled answer that are kept in memory; what is more goes to a temporary file."""


def from_live(engine: ox.Store, graph: str | None) -> Iterator[Quad]:
    """Read one graph or all as the iterator goes on."""
    return engine.quads_for_pattern(None, None, None, graph_term(graph))


def from_spool(engine: ox.Store, graph: str | None) -> Iterator[Quad]:
    """Read one graph or all now, and hand the quads out later.

    For a store that another process writes to: its files may be gone a moment later.
    """
    name = graph_term(graph)
    spool = tempfile.SpooledTemporaryFile(max_size=SPOOL)  # noqa: SIM115 - `_unspool` closes it
    try:
        if name is None:
            engine.dump(spool, format=RdfFormat.N_QUADS)
        else:
            engine.dump(spool, format=RdfFormat.N_TRIPLES, from_graph=name)
        spool.seek(0)
    except BaseException:
        spool.close()
        raise
    return _unspool(spool, name)


def _unspool(
    spool: tempfile.SpooledTemporaryFile[bytes], graph: NamedNode | DefaultGraph | None
) -> Iterator[Quad]:
    with spool:
        if graph is None:
            yield from decode(spool)
        else:
            for one in decode(spool, RdfFormat.N_TRIPLES):
                yield Quad(one.subject, one.predicate, one.object, graph)


class Cursor:
    """An iterator over quads, on the thread that reads it first.

    pyoxigraph's own iterators end the process when two threads share them, and keep the folder
    locked for as long as they live.

    Args:
        name: the store as the user named it.
        start: begins reading.
    """

    def __init__(self, name: str, start: Callable[[], Iterator[Quad]]) -> None:
        self._name = name
        self._start: Callable[[], Iterator[Quad]] | None = start
        self._quads: Iterator[Quad] | None = None
        self._thread = threading.get_ident()
        self._cut_off = False

    def __iter__(self) -> Cursor:
        return self

    def __next__(self) -> Quad:
        if self._cut_off:
            self._quads = None
            raise StoreError(self._name, "was closed while its quads were being read")
        if self._start is not None:
            start, self._start = self._start, None
            self._thread = threading.get_ident()
            self._quads = start()
        if self._quads is None:
            raise StopIteration
        if self._thread != threading.get_ident():
            raise StoreError(self._name, "these quads are being read by another thread")
        try:
            return next(self._quads)
        except StopIteration:
            self._quads = None
            raise

    def owned(self) -> object:
        """What a forked child must not destroy."""
        return self._quads

    def cut(self) -> None:
        """Let go of the engine: at once on the reading thread, else when that reads on."""
        if self._start is None and self._quads is None:
            return
        self._cut_off = True
        if self._thread == threading.get_ident():
            self._quads = None


class Cursors:
    """The cursors that may still be reading."""

    def __init__(self) -> None:
        self._open: weakref.WeakSet[Cursor] = weakref.WeakSet()

    def track(self, cursor: Cursor) -> Cursor:
        self._open.add(cursor)
        keep_in_child(cursor)
        return cursor

    def close(self) -> None:
        for cursor in list(self._open):
            cursor.cut()
        self._open.clear()
