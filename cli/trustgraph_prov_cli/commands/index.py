"""`tg-prov index`."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import DEFAULT_COLLECTION, DEFAULT_USER, RunCollection, RunUser, Store
from ..stores import changing
from ..text import counted

__all__ = ["index"]


def index(
    user: RunUser = DEFAULT_USER,
    collection: RunCollection = DEFAULT_COLLECTION,
    anew: Annotated[
        bool,
        typer.Option("--anew", help="Work out again whose each node is: after runs came in parts."),
    ] = False,
    store: Store = None,
) -> None:
    """Index runs that were written without."""
    from trustgraph_prov import index, reindex

    with changing(store) as opened:
        report = (reindex if anew else index)(opened, user=user, collection=collection)
    runs, nodes, calls = (
        counted(report.runs, "run"),
        counted(report.nodes, "node"),
        counted(report.calls, "call"),
    )
    print(f"{runs} indexed, {nodes}, {calls}")
    if report.texts:
        print(f"{counted(report.texts, 'waiting text')} put in place")
