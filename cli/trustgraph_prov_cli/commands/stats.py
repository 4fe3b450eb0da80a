"""`tg-prov stats`."""

from __future__ import annotations

from ..failures import note
from ..options import Format, Store
from ..output import Cell, write_rows
from ..results import solutions
from ..stores import reading

__all__ = ["stats"]

_PAGE = 1_000
"""Nodes without index that are counted; of more it is said that there are more."""


def stats(format: Format = None, store: Store = None) -> None:
    """Count runs, triples and what is unfinished."""
    with reading(store) as opened:
        rows: list[list[Cell]] = [["store", opened.name]]
        rows += [
            [f"{_local(one['kind'])} runs", one["runs"]] for one in solutions(opened, "usage/runs")
        ]
        rows += [
            [f"triples in {_value(one['graph'])}", one["triples"]]
            for one in solutions(opened, "usage/graphs")
        ]
        unindexed = len(list(solutions(opened, "audit/unindexed", limit=_PAGE)))
        rows += [
            ["unfinished runs", len(list(solutions(opened, "audit/unfinished")))],
            ["nodes without index", f"{unindexed} or more" if unindexed >= _PAGE else unindexed],
        ]
    write_rows(["name", "value"], rows, format)
    if unindexed:
        note("`tg-prov index` adds the missing index; without it, listing is slow")


def _local(term: object) -> str:
    return _value(term).rsplit("/", 1)[-1]


def _value(term: object) -> str:
    return str(getattr(term, "value", term))
