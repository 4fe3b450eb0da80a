"""What all runs of a recorder share: the store, the mask, the clock and the ids."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from typing import Protocol

from pyoxigraph import Quad, Triple

from ..emitters.node import made
from ..graphs import set_graph
from ..namespaces import GRAPH_RETRIEVAL
from ..stores.base import QueryResult
from ..terms import instant
from .masking import Mask, Masking

__all__ = ["Target", "Writer"]


class Target(Protocol):
    """The part of a store that recording needs."""

    def insert(self, quads: Iterable[Quad]) -> None:
        """Add quads: all of one call or none."""

    def query(self, query: str) -> QueryResult:
        """Run a SPARQL query."""

    def update(self, update: str) -> None:
        """Run a SPARQL update."""


class Writer:
    """Writes triples into the retrieval graph, one atomic insert a call.

    Attributes:
        store: where it writes.
        masking: what every text passes through.
        clock: returns the time.
        new_id: makes session ids.
        unique: whether ids cannot repeat, so that a new one need not be looked up.
        strict: link first steps as PROV-O allows it.
    """

    def __init__(
        self,
        store: Target,
        mask: Mask | None,
        clock: Callable[[], datetime] | None,
        new_id: Callable[[], str] | None,
        strict: bool,
    ) -> None:
        self.store = store
        self.masking = Masking(mask)
        self.new_id = new_id or (lambda: str(uuid.uuid4()))
        self.unique = new_id is None
        self.strict = strict
        self.clock = clock or (lambda: datetime.now(timezone.utc))

    def write(self, triples: Iterable[Triple]) -> None:
        """Write triples, all or none; they can be read when this returns."""
        self.store.insert(set_graph(triples, GRAPH_RETRIEVAL))

    def moment(self, at: datetime | str | None) -> datetime:
        """The time that was given, or the clock's.

        Raises:
            InvalidValueError: it is none.
        """
        return made("clock", instant, self.clock()) if at is None else made("at", instant, at)
