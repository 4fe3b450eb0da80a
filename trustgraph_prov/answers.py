"""Run a stored query and read its answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Protocol, cast

from pyoxigraph import QuerySolution, QuerySolutions, QueryTriples, Triple

from .errors import QueryError
from .queries import stored_query
from .stores.base import QueryResult

__all__ = ["BATCH", "Asked", "batches", "rows", "rows_of", "triples"]

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
        QueryError: no such query, one that is no SELECT, or a value that does not fit.
        StoreError: the store cannot be read.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> list(rows(open_store("memory:"), "trace/show", trace="urn:trustgraph:agent:7"))
        []
    """
    return iter(cast(QuerySolutions, store.query(_bound("SELECT", name, values))))


def rows_of(
    store: Asked, name: str, parameter: str, things: Iterable[str], **values: Any
) -> Iterator[QuerySolution]:
    """Run a stored SELECT on any number of values of one parameter, in as many queries as it takes.

    Args:
        store, name, values: as for `rows`, and so are the errors.
        parameter: the one that may have many values.
        things: its values, in any order; none asks nothing.

    Returns:
        Rows of each query in its order; each value is asked about once, those that sort first
        before the others.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> edges = (f"urn:edge:{n}" for n in range(5_000))
        >>> list(rows_of(open_store("memory:"), "lineage/chunks", "edge", edges))
        []
    """
    for batch in batches(sorted(set(things))):
        yield from rows(store, name, **{parameter: batch}, **values)


def triples(store: Asked, name: str, **values: Any) -> Iterator[Triple]:
    """Run a stored CONSTRUCT; arguments and errors are those of `rows`."""
    return iter(cast(QueryTriples, store.query(_bound("CONSTRUCT", name, values))))


def _bound(form: str, name: str, values: Mapping[str, Any]) -> str:
    query = stored_query(name)
    if query.form != form:
        method = "update" if query.form == "UPDATE" else "query"
        way_out = f"bind it with stored_query(), and give it to the store's {method}()"
        raise QueryError(name, f"{query.form} and no {form}; {way_out}")
    return query.bind(**values)


def batches(things: Iterable[str]) -> Iterator[list[str]]:
    """Cut values of a parameter into as many as one query takes.

    Example:
        >>> [len(batch) for batch in batches("urn:a" for _ in range(1200))]
        [500, 500, 200]
    """
    rest = iter(things)
    while batch := list(islice(rest, BATCH)):
        yield batch
