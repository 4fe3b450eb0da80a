"""Hold what a recorder writes, to look at it or to write it whole."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph
from pyoxigraph import Quad

from ..stores.base import QueryResult

__all__ = ["Batch"]


class Batch:
    """A place for quads in memory that a `Recorder` can write to.

    Example:
        >>> from trustgraph_prov.recorder import Recorder
        >>> batch = Batch()
        >>> run = Recorder(batch).agent("Why?", session_id="7")
        >>> {str(quad.graph_name) for quad in batch.quads()}
        {'<urn:graph:retrieval>'}
    """

    def __init__(self) -> None:
        self._engine = pyoxigraph.Store()

    def insert(self, quads: Iterable[Quad]) -> None:
        """Add quads."""
        self._engine.extend(quads)

    def query(self, query: str) -> QueryResult:
        """Run a SPARQL query."""
        return self._engine.query(query)

    def update(self, update: str) -> None:
        """Run a SPARQL update."""
        self._engine.update(update)

    def quads(self) -> list[Quad]:
        """Everything that was written, in no order."""
        return list(self._engine)
