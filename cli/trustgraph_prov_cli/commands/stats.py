"""`tg-prov stats`."""

from __future__ import annotations

from ..failures import note
from ..options import Format, Store
from ..output import Cell, write_rows
from ..stores import reading

__all__ = ["stats"]

_PAGE = 1_000
"""Nodes without index that are counted; of more it is said that there are more."""


def stats(format: Format = None, store: Store = None) -> None:
    """Count runs, triples and what is unfinished."""
    from trustgraph_prov import rows

    with reading(store) as opened:
        lines: list[list[Cell]] = [["store", opened.name]]
        lines += [
            [f"{_local(one['kind'])} runs", one["runs"]] for one in rows(opened, "usage/runs")
        ]
        lines += [
            [f"triples in {_value(one['graph'])}", one["triples"]]
            for one in rows(opened, "usage/graphs")
        ]
        waiting = {(one["node"], one["property"]) for one in rows(opened, "audit/waiting-texts")}
        unindexed = len(list(rows(opened, "audit/unindexed", limit=_PAGE)))
        lines += [
            ["unfinished runs", len(list(rows(opened, "audit/unfinished")))],
            ["nodes without index", f"{unindexed} or more" if unindexed >= _PAGE else unindexed],
        ]
        if waiting:
            lines.append(["waiting texts", len(waiting)])
    write_rows(["name", "value"], lines, format)
    if unindexed:
        note("`tg-prov index` adds the missing index; without it, listing is slow")


def _local(term: object) -> str:
    return _value(term).rsplit("/", 1)[-1]


def _value(term: object) -> str:
    return str(getattr(term, "value", term))
