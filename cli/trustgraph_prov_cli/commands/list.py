"""`tg-prov list`."""

from __future__ import annotations

from typing import Annotated

import typer

from ..listing import cursor, moment, write_list
from ..options import Collection, Format, Limit, Store, User
from ..output import chosen
from ..stores import reading

__all__ = ["list_"]


def list_(
    user: User = None,
    collection: Collection = None,
    type: Annotated[
        str | None,
        typer.Option("--type", "-t", help="Agent, GraphRAG, DocRAG or Question.", metavar="TYPE"),
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Runs from this day or time on.", metavar="TIME")
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="Runs until this day or time, included.", metavar="TIME")
    ] = None,
    text: Annotated[
        str | None, typer.Option(help="Runs whose question or answer holds this.")
    ] = None,
    limit: Limit = 50,
    all: Annotated[
        bool, typer.Option("--all", "-a", help="Runs that other runs called, too.")
    ] = False,
    before: Annotated[
        str | None,
        typer.Option(help="Go on from where a page ended, as that page said.", metavar="CURSOR"),
    ] = None,
    format: Format = None,
    store: Store = None,
) -> None:
    """List runs, newest first."""
    from trustgraph_prov import list_traces

    with reading(store) as opened:
        found = list_traces(
            opened,
            user=user,
            collection=collection,
            type=type,
            since=moment("since", since),
            until=moment("until", until, end=True),
            text=text,
            limit=limit,
            called=all,
            before=cursor(before),
        )
    asked = {
        "of user": user,
        "of collection": collection,
        "of type": type,
        "since": since,
        "until": until,
        "with the text": text,
        "before": before,
    }
    write_list(found, chosen(format), asked)
