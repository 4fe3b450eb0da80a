"""Options that several commands share, spelled once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from functools import wraps
from typing import Annotated, Any, TypeAlias

import typer

from .numeric import whole_from

__all__ = [
    "DEFAULT_COLLECTION",
    "DEFAULT_USER",
    "RDF_FORMATS",
    "Collection",
    "Format",
    "Limit",
    "LongStore",
    "MaxAnswer",
    "Outbox",
    "OutboxFolder",
    "Provenance",
    "RunCollection",
    "RunUser",
    "ShowFormat",
    "Store",
    "StoreName",
    "TableFormat",
    "UpdateUrl",
    "User",
    "Workspace",
    "Yes",
    "of_workspace",
    "on_a_server_too",
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


DEFAULT_USER, DEFAULT_COLLECTION = "trustgraph", "default"
"""Those of the library, for help; here and below, a test compares."""

RDF_FORMATS = "nquads, trig, turtle, ntriples or jsonld"
"""Those of `FORMATS`, for help, which is printed without loading any engine."""

_STORE_HELP = (
    "Folder of the store, rdflib:FILE, or the URL of a SPARQL endpoint, such as"
    " fuseki+http://HOST:3030/DATASET. Default: a folder of your own."
)

Store: TypeAlias = Annotated[
    str | None,
    typer.Option("--store", "-s", envvar="TG_PROV_STORE", help=_STORE_HELP, show_default=False),
]
LongStore: TypeAlias = Annotated[
    str | None,
    typer.Option("--store", envvar="TG_PROV_STORE", help=_STORE_HELP, show_default=False),
]
UpdateUrl: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--update-url",
        help="Where a server takes updates, if not at the URL of the store.",
        metavar="URL",
        show_default=False,
    ),
]
Outbox: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--outbox",
        help="Queue in this folder first, so that a store that is away loses nothing."
        " TG_PROV_OUTBOX names one for servers.",
        metavar="FOLDER",
        show_default=False,
    ),
]
OutboxFolder: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--outbox",
        "-o",
        envvar="TG_PROV_OUTBOX",
        help="Folder of the outbox. Default: a folder of your own.",
        show_default=False,
    ),
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
Workspace: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--workspace",
        "-w",
        envvar="TRUSTGRAPH_WORKSPACE",
        help="The user, as TrustGraph calls it today; -U comes first.",
        show_default=False,
    ),
]
RunUser: TypeAlias = Annotated[
    str, typer.Option("--user", "-U", help="User of the runs that do not name one.")
]
RunCollection: TypeAlias = Annotated[
    str, typer.Option("--collection", "-C", help="Collection of the runs that do not name one.")
]
Limit: TypeAlias = Annotated[
    int,
    typer.Option("--limit", parser=whole_from(1), metavar="N", help="At most so many, 1 or more."),
]
MaxAnswer: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-answer",
        parser=whole_from(0),
        metavar="N",
        help="Characters of the answer to show, 0 or more.",
        show_default="all",
    ),
]
Provenance: TypeAlias = Annotated[
    bool,
    typer.Option("--show-provenance", help="Add where each edge and chunk comes from."),
]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def of_workspace(user: str | None, workspace: str | None) -> str | None:
    """Tell who is meant: the user that is named, else the workspace, else nobody."""
    return user or workspace or None


class StoreName(str):
    """The name of a store on a server that takes updates elsewhere.

    Attributes:
        update_url: where.
    """

    update_url: str


def on_a_server_too(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command with a `store` the option that goes with it, `--update-url`."""
    signature = inspect.signature(command, eval_str=True)
    if "store" not in signature.parameters:
        return command

    @wraps(command)
    def wrapper(*args: Any, update_url: str | None = None, **kwargs: Any) -> None:
        if update_url is not None:
            kwargs["store"] = StoreName(kwargs.get("store") or "")
            kwargs["store"].update_url = update_url
        command(*args, **kwargs)

    parameters = [
        *signature.parameters.values(),
        inspect.Parameter(
            "update_url", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=UpdateUrl
        ),
    ]
    wrapper.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # inspect reads it
    wrapper.__annotations__ = {one.name: one.annotation for one in parameters}
    return wrapper
