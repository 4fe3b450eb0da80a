"""Where a recorder's triples go when they are sent rather than stored."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pyoxigraph as ox
from pyoxigraph import NamedNode, Quad

from ..indexing import index, owner_quads
from ..messages import Metadata, Triples, to_quads
from ..namespaces import (
    GRAPH_RETRIEVAL,
    PROV_WAS_DERIVED_FROM,
    RDF_TYPE,
    TG_QUERY,
    TGP_COLLECTION,
    TGP_TRACE,
    TGP_USER,
)
from ..recorder.writer import Target
from ..stores.base import QueryResult, Store
from .threads import from_thread, in_thread

__all__ = ["CallbackTarget", "Outlet", "StoreProducer"]

_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)
_OF_RUNS = (TG_QUERY, PROV_WAS_DERIVED_FROM, RDF_TYPE, TGP_TRACE)


class StoreProducer:
    """A producer that writes straight into a store.

    Triples of another service come without the index that a recorder writes: that is added, and
    whose the run is, as the metadata tells.

    Args:
        store: where; any thread may write to it.
        graph: IRI of the graph for triples that name none.
    """

    def __init__(self, store: Store, graph: str = GRAPH_RETRIEVAL) -> None:
        self._store = store
        self._graph = graph

    async def send(self, message: Triples) -> None:
        """Write triples; they can be read when this returns.

        Raises:
            InvalidTermError: a triple is none; nothing was written.
            StoreError: they could not be written.
        """
        quads = to_quads(message.triples, self._graph)
        await in_thread(lambda: self._write(quads, message.metadata or Metadata()))

    def _write(self, quads: list[Quad], about: Metadata) -> None:
        if _indexed(quads):
            self._store.insert(quads)
            return
        told = {TGP_USER: about.user, TGP_COLLECTION: about.collection}
        owner = {property: value for property, value in told.items() if value}
        asked = {
            quad.subject.value: owner
            for quad in quads
            if quad.predicate.value == TG_QUERY and isinstance(quad.subject, NamedNode)
        }
        self._store.insert([*quads, *owner_quads(self._store, asked)])
        index(self._store)


def _indexed(quads: list[Quad]) -> bool:
    """Tell whether each node of a run that is written here says which run it is of.

    A link alone is of a node that was written before: a step gets one to each run that it calls.
    """
    said: dict[str, set[Any]] = {each: set() for each in _OF_RUNS}
    for quad in quads:
        if quad.graph_name == _RETRIEVAL and quad.predicate.value in said:
            said[quad.predicate.value].add(quad.subject)
    linked = said[PROV_WAS_DERIVED_FROM] & said[RDF_TYPE]
    return said[TG_QUERY] | linked <= said[TGP_TRACE]


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
