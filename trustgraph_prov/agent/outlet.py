"""Where a recorder's triples go when they are sent rather than stored."""

from __future__ import annotations

import asyncio
import threading
import warnings
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from itertools import count
from typing import Any

import pyoxigraph as ox
from pyoxigraph import NamedNode, Quad

from ..errors import ProvWarning
from ..indexing import index
from ..messages import Metadata, Triples, to_quads
from ..namespaces import (
    GRAPH_RETRIEVAL,
    PROV_STARTED_AT_TIME,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_TYPE,
    TG_DOCUMENT,
    TG_EDGE,
    TG_QUERY,
    TG_SELECTED_CHUNK,
    TG_SELECTED_EDGE,
    TGP_COLLECTION,
    TGP_TRACE,
    TGP_USER,
)
from ..recorder.look_up import Glance
from ..recorder.writer import Target
from ..stores.base import QueryResult, Queue, Store
from ..users import owner_quads
from .threads import from_thread, in_thread

__all__ = ["CallbackTarget", "Outlet", "StoreProducer"]

_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)
_OF_RUNS = (
    TG_QUERY,
    PROV_STARTED_AT_TIME,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    TG_SELECTED_EDGE,
    TG_EDGE,
    TG_SELECTED_CHUNK,
    TG_DOCUMENT,
)
"""What is said of nodes of runs, or of nodes that others of them wait for."""


class StoreProducer:
    """A producer that writes straight into a store.

    Triples of another service come without the index that a recorder writes: that is added to the
    nodes of each message, and whose the run is, as the metadata tells. Behind a queue, messages are
    queued while the store is away, and indexed with the first one after; what a process has queued
    when it ends is for `trustgraph_prov.index`.

    Args:
        store: where; any thread may write to it.
        graph: IRI of the graph for triples that name none.
    """

    def __init__(self, store: Store, graph: str = GRAPH_RETRIEVAL) -> None:
        self._store = store
        self._graph = graph
        self._glance = Glance(store) if isinstance(store, Queue) else None
        self._lock = threading.Lock()
        self._waiting: dict[str, int] = {}
        self._sent = count()

    async def send(self, message: Triples) -> None:
        """Write triples; they can be read when this returns, or are in the store's queue.

        Raises:
            InvalidTermError: a triple is none; nothing was written.
            StoreError: they could not be written, or not be indexed; sending them again is safe.

        Warns:
            ProvWarning: they are queued and cannot be indexed yet.
        """
        quads = to_quads(message.triples, self._graph)
        await in_thread(lambda: self._write(quads, message.metadata or Metadata()))

    def _write(self, quads: list[Quad], about: Metadata) -> None:
        told = {TGP_USER: about.user, TGP_COLLECTION: about.collection}
        owner = {property: value for property, value in told.items() if value}
        asked = {
            quad.subject.value: owner
            for quad in quads
            if quad.predicate.value == TG_QUERY and isinstance(quad.subject, NamedNode)
        }
        self._store.insert([*quads, *self._owners(asked, quads)])
        nodes = _unindexed(quads)
        if self._glance is not None:
            self._index_when_it_can(nodes, self._glance)
        elif nodes:
            index(self._store, nodes=nodes)

    def _owners(self, asked: dict[str, dict[str, str]], quads: list[Quad]) -> list[Quad]:
        """Say whose runs are, unless the store knows; a queue takes what cannot be read now."""
        if self._glance is None or not asked:
            return owner_quads(self._store, asked, quads)
        glance = self._glance
        found, _ = glance.attempt(lambda: owner_quads(glance, asked, quads))
        return owner_quads(None, asked, quads) if found is None else found

    def _index_when_it_can(self, nodes: set[str], store: Glance) -> None:
        with self._lock:
            told = bool(self._waiting)
            self._waiting |= dict.fromkeys(nodes, next(self._sent))
            waiting = dict(self._waiting)
        if not waiting:
            return
        _, why = store.attempt(lambda: index(store, nodes=waiting))
        if why is None:
            with self._lock:  # a node that was sent once more meanwhile waits on
                self._waiting = dict(self._waiting.items() - waiting.items())
        elif not told:
            warnings.warn(
                f"what is sent is queued, and indexed later, for it cannot be read now: {why}",
                ProvWarning,
                stacklevel=2,
            )


def _unindexed(quads: list[Quad]) -> set[str]:
    """Find the nodes of runs that are written here and do not say which run they are of.

    Where others do, a recorder of ours wrote them, and a link alone is of a node that was written
    before: a step gets one to each run that it calls.
    """
    said: dict[str, set[str]] = defaultdict(set)
    for quad in quads:
        if quad.graph_name == _RETRIEVAL and isinstance(quad.subject, NamedNode):
            said[quad.predicate.value].add(quad.subject.value)
    traced = said[TGP_TRACE]
    nodes = {node for each in _OF_RUNS for node in said[each]} - traced
    return nodes & (said[RDF_TYPE] | said[TG_QUERY]) if traced else nodes


class _Known:
    """Answers what a recorder asks, from a store or as one that is empty."""

    def __init__(self, store: Target | None) -> None:
        self._known = store

    def query(self, query: str) -> QueryResult:
        """Run a SPARQL query."""
        return ox.Store().query(query) if self._known is None else self._known.query(query)

    def update(self, update: str) -> None:
        """Nothing that is sent can be taken back."""
        raise NotImplementedError("a run that is sent away is not resumed")


class CallbackTarget(_Known):
    """Hands what a recorder writes to a callback, one call at a time.

    Args:
        callback: takes quads.
    """

    def __init__(self, callback: Callable[[list[Quad]], object]) -> None:
        super().__init__(None)
        self._callback = callback

    def insert(self, quads: Iterable[Quad]) -> None:
        """Hand quads over."""
        self._callback(list(quads))


class Outlet(_Known):
    """Sends what a recorder writes through a coroutine, in the order written.

    What is written on the loop's own thread waits for `drain`; any other thread waits itself.

    Args:
        send: takes the quads of one insert.
        store: where to look for runs that exist; without one none does.
    """

    def __init__(
        self, send: Callable[[list[Quad]], Awaitable[Any]], store: Target | None = None
    ) -> None:
        super().__init__(store)
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._waiting: list[list[Quad]] = []

    def insert(self, quads: Iterable[Quad]) -> None:
        """Send quads, or keep them for `drain`."""
        batch = list(quads)
        if threading.get_ident() == self._thread:
            self._waiting.append(batch)
        else:
            from_thread(self._loop, lambda: self._sent(batch))

    async def drain(self) -> None:
        """Send what waits."""
        while self._waiting:
            await self._send(self._waiting.pop(0))

    async def _sent(self, batch: list[Quad]) -> None:
        await self._send(batch)
