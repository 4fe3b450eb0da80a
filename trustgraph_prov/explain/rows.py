"""Run a stored query and read its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pyoxigraph import QuerySolution

from ..answers import rows, rows_of
from ..namespaces import (
    TGP_STANDING_TEXT,
    TGP_WAITING_CONTENT,
    TGP_WAITING_IN,
    TGP_WAITING_TEXT,
    TGP_WAITING_THOUGHT,
)
from ..stores.base import Store
from ..terms import Term, absolute, plain
from .graph import Nodes, by_node

__all__ = ["read", "read_of", "show", "told"]

_NOT_SHOWN = {
    TGP_STANDING_TEXT,
    TGP_WAITING_CONTENT,
    TGP_WAITING_IN,
    TGP_WAITING_TEXT,
    TGP_WAITING_THOUGHT,
}
"""What indexing goes by; a text that is in its place is shown as tg:content."""

_Rows = Iterator[tuple[Term, ...]]


def read(store: Store, name: str, *columns: str, **values: Any) -> _Rows:
    """Read some columns of a stored SELECT; rows that lack one are left out."""
    return _whole(rows(store, name, **values), columns)


def read_of(store: Store, name: str, parameter: str, things: Iterable[str], *columns: str) -> _Rows:
    """Read as `read` does about any number of things; those that no IRI names are passed over."""
    return _whole(rows_of(store, name, parameter, filter(absolute, things)), columns)


def show(store: Store, name: str, uri: str) -> Nodes:
    """Read everything recorded about each node of a run."""
    return _nodes(read(store, name, "node", "property", "value", trace=uri))


def told(store: Store, things: Iterable[str]) -> Nodes:
    """Read everything that extraction recorded about some things."""
    columns = ("thing", "property", "value")
    return _nodes(read_of(store, "lineage/recorded", "thing", things, *columns))


def _whole(found: Iterable[QuerySolution], columns: tuple[str, ...]) -> _Rows:
    for solution in found:
        row = tuple(solution[column] for column in columns)
        if all(term is not None for term in row):
            yield row


def _nodes(found: _Rows) -> Nodes:
    named = ((plain(node), plain(property), value) for node, property, value in found)
    return by_node(row for row in named if row[1] not in _NOT_SHOWN)
