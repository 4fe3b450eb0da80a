"""What every store can do, whatever engine is behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Protocol, TypeAlias

from pyoxigraph import Quad, QueryBoolean, QuerySolutions, QueryTriples

__all__ = ["QueryResult", "Store"]

QueryResult: TypeAlias = QuerySolutions | QueryTriples | QueryBoolean
"""What a query returns, on every engine, in pyoxigraph's types."""


class Store(Protocol):
    """A place for quads that answers SPARQL 1.1.

    Attributes:
        name: the store as the user named it, without credentials; it opens every error message.
    """

    name: str

    def insert(self, quads: Iterable[Quad]) -> None:
        """Add quads: all of one call or none. Adding what is there changes nothing.

        Raises:
            StoreError: the store is closed, read-only, full or out of reach.
        """

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        """Run a SPARQL query.

        Args:
            query: SELECT, CONSTRUCT, DESCRIBE or ASK, with every parameter bound.
            timeout: seconds, or None for no limit.

        Raises:
            InputSyntaxError: not SPARQL.
            QueryTimeoutError: the time is over.
            StoreError: the store is closed or out of reach.
        """

    def update(self, update: str) -> None:
        """Run a SPARQL update, whole or not at all.

        Raises:
            InputSyntaxError: not SPARQL.
            StoreError: the store is closed, read-only, full or out of reach.
        """

    def quads(self, graph: str | None = None) -> Iterator[Quad]:
        """Read quads, in no order.

        Args:
            graph: IRI of one graph, `""` for the default graph, None for all.
        """

    def flush(self) -> None:
        """Hand everything written to the disk or the server; returns when it is there."""

    def reopen(self) -> None:
        """See what other processes have written since the store was opened."""

    def close(self) -> None:
        """Flush and let go of the store; closing twice is fine."""

    def __enter__(self) -> Store: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
