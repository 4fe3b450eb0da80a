"""Options that several commands share, spelled once."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, TypeAlias

import typer

__all__ = [
    "Collection",
    "Format",
    "Limit",
    "LongStore",
    "MaxAnswer",
    "Provenance",
    "RunCollection",
    "RunUser",
    "ShowFormat",
    "Store",
    "TableFormat",
    "User",
    "Yes",
]


class TableFormat(str, Enum):
    """How rows are written."""

    table = "table"
    json = "json"
    csv = "csv"
    tsv = "tsv"


class ShowFormat(str, Enum):
    """How a run is written."""

    text = "text"
    json = "json"
    html = "html"
    mermaid = "mermaid"
    dot = "dot"


_STORE_HELP = "Folder of the store, or rdflib:FILE. Default: a folder of your own."

Store: TypeAlias = Annotated[
    str | None,
    typer.Option("--store", "-s", envvar="TG_PROV_STORE", help=_STORE_HELP, show_default=False),
]
LongStore: TypeAlias = Annotated[
    str | None,
    typer.Option("--store", envvar="TG_PROV_STORE", help=_STORE_HELP, show_default=False),
]
Format: TypeAlias = Annotated[
    TableFormat | None,
    typer.Option(
        "--format",
        "-f",
        help="Default: a table on a terminal, JSON lines in a pipe.",
        show_default=False,
    ),
]
User: TypeAlias = Annotated[
    str | None, typer.Option("--user", "-U", help="Runs of this user only.", show_default=False)
]
Collection: TypeAlias = Annotated[
    str | None,
    typer.Option("--collection", "-C", help="Runs of this collection only.", show_default=False),
]
RunUser: TypeAlias = Annotated[
    str, typer.Option("--user", "-U", help="User of the runs that do not name one.")
]
RunCollection: TypeAlias = Annotated[
    str, typer.Option("--collection", "-C", help="Collection of the runs that do not name one.")
]
Limit: TypeAlias = Annotated[int, typer.Option("--limit", min=1, help="At most so many.")]
MaxAnswer: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-answer", min=0, help="Characters of the answer to show.", show_default="all"
    ),
]
Provenance: TypeAlias = Annotated[
    bool,
    typer.Option("--show-provenance", help="Add where each edge and chunk comes from."),
]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
