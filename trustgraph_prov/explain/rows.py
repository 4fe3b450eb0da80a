"""Run a stored query and read its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..answers import rows
from ..stores.base import Store
from .graph import Nodes, by_node
from .model import Term, plain

__all__ = ["read", "show"]


def read(store: Store, name: str, *columns: str, **values: Any) -> Iterator[tuple[Term, ...]]:
    """Read some columns of a stored SELECT; rows that lack one are left out."""
    for solution in rows(store, name, **values):
        row = tuple(solution[column] for column in columns)
        if all(term is not None for term in row):
            yield row


def show(store: Store, name: str, uri: str) -> Nodes:
    """Read everything recorded about each node of a run."""
    found = read(store, name, "node", "property", "value", trace=uri)
    return by_node((plain(node), plain(property), value) for node, property, value in found)
