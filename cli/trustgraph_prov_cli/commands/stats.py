"""`tg-prov stats`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyoxigraph import QuerySolutions

from ..failures import note
from ..options import Format, Store
from ..output import Cell, write_rows
from ..stores import reading

if TYPE_CHECKING:
    from pyoxigraph import QuerySolution

    from trustgraph_prov import Store as OpenStore

__all__ = ["stats"]

_PAGE = 1_000
"""Nodes without index that are counted; of more it is said that there are more."""


def stats(format: Format = None, store: Store = None) -> None:
    """Count runs, triples and what is unfinished."""
    with reading(store) as opened:
        rows: list[list[Cell]] = [["store", opened.name]]
        rows += [
            [f"{_local(one['kind'])} runs", one["runs"]] for one in _rows(opened, "usage/runs")
        ]
        rows += [
            [f"triples in {_value(one['graph'])}", one["triples"]]
            for one in _rows(opened, "usage/graphs")
        ]
        unindexed = len(_rows(opened, "audit/unindexed", limit=_PAGE))
        rows += [
            ["unfinished runs", len(_rows(opened, "audit/unfinished"))],
            ["nodes without index", f"{unindexed} or more" if unindexed >= _PAGE else unindexed],
        ]
    write_rows(["name", "value"], rows, format)
    if unindexed:
        note("`tg-prov index` adds the missing index; without it, listing is slow")


def _rows(store: OpenStore, name: str, **values: Any) -> list[QuerySolution]:
    from trustgraph_prov import stored_query

    answer = store.query(stored_query(name).bind(**values))
    assert isinstance(answer, QuerySolutions)  # noqa: S101 - these are SELECTs
    return list(answer)


def _local(term: object) -> str:
    return _value(term).rsplit("/", 1)[-1]


def _value(term: object) -> str:
    return str(getattr(term, "value", term))
