"""`tg-prov index`."""

from __future__ import annotations

from ..options import DEFAULT_COLLECTION, DEFAULT_USER, RunCollection, RunUser, Store
from ..stores import changing
from ..text import counted

__all__ = ["index"]


def index(
    user: RunUser = DEFAULT_USER,
    collection: RunCollection = DEFAULT_COLLECTION,
    store: Store = None,
) -> None:
    """Index runs that were written without."""
    from trustgraph_prov import index

    with changing(store) as opened:
        report = index(opened, user=user, collection=collection)
    runs, nodes, calls = (
        counted(report.runs, "run"),
        counted(report.nodes, "node"),
        counted(report.calls, "call"),
    )
    print(f"{runs} indexed, {nodes}, {calls}")
    if report.texts:
        print(f"{counted(report.texts, 'text')} put in place")
