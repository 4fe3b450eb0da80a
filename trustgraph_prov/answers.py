"""Run a stored query and read its answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Protocol, cast

from pyoxigraph import QuerySolution, QuerySolutions, QueryTriples, Triple

from .queries import stored_query
from .stores.base import QueryResult

__all__ = ["BATCH", "Asked", "batches", "rows", "triples"]

BATCH = 500
"""Values of a parameter in one query: a server limits how long a query may be."""


class Asked(Protocol):
    """The part of a store that answers."""

    def query(self, query: str) -> QueryResult:
        """Run a SPARQL query."""


def rows(store: Asked, name: str, **values: Any) -> Iterator[QuerySolution]:
    """Run a stored SELECT.

    Args:
        store: what to ask.
        name: as for `stored_query`.
        values: as for `StoredQuery.bind`.

    Returns:
        Rows in the query's order, to be read on this thread.

    Raises:
        QueryError: no such query, or a value that does not fit.
        StoreError: the store cannot be read.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> list(rows(open_store("memory:"), "trace/show", trace="urn:trustgraph:agent:7"))
        []
    """
    return iter(cast(QuerySolutions, store.query(stored_query(name).bind(**values))))


def triples(store: Asked, name: str, **values: Any) -> Iterator[Triple]:
    """Run a stored CONSTRUCT; arguments and errors are those of `rows`."""
    return iter(cast(QueryTriples, store.query(stored_query(name).bind(**values))))


def batches(things: Iterable[str]) -> Iterator[list[str]]:
    """Cut values of a parameter into as many as one query takes.

    Example:
        >>> [len(batch) for batch in batches("urn:a" for _ in range(1200))]
        [500, 500, 200]
    """
    rest = iter(things)
    while batch := list(islice(rest, BATCH)):
        yield batch
