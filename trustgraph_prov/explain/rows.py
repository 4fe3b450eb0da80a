"""Run a stored query and read its rows."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import QuerySolutions

from ..queries import stored_query
from ..stores.base import Store
from .graph import Nodes, by_node
from .model import Term, plain

__all__ = ["read", "show"]


def read(store: Store, query: str, *columns: str) -> Iterator[tuple[Term, ...]]:
    """Read some columns of a SELECT; rows that lack one are left out."""
    solutions = store.query(query)
    assert isinstance(solutions, QuerySolutions)  # noqa: S101 - stored SELECTs alone come here
    for solution in solutions:
        row = tuple(solution[column] for column in columns)
        if all(term is not None for term in row):
            yield row


def show(store: Store, query: str, uri: str) -> Nodes:
    """Read everything recorded about each node of a run."""
    bound = stored_query(query).bind(trace=uri)
    return by_node(
        (plain(node), plain(property), value)
        for node, property, value in read(store, bound, "node", "property", "value")
    )
