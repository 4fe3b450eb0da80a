"""TrustGraph's own explain commands, by their names and flags, on a store of yours.

Its `-s` is a subject, so the store is `--store` alone; people read them, so a table is the default.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from .graph import match
from .listing import write_list
from .naming import run_alias
from .options import (
    Collection,
    Limit,
    LongStore,
    MaxAnswer,
    Provenance,
    ShowFormat,
    TableFormat,
    User,
    Workspace,
    of_workspace,
)
from .output import write_rows
from .showing import write_trace
from .stores import reading

__all__ = ["list_explain_traces", "query_graph", "show_explain_trace"]

_OLD_SCRIPTS = "Taken for TrustGraph's scripts: it changes nothing."

_AnyUser: TypeAlias = Annotated[str | None, typer.Option("--user", "-U", help=_OLD_SCRIPTS)]
_AnyWorkspace: TypeAlias = Annotated[
    str | None, typer.Option("--workspace", "-w", help=_OLD_SCRIPTS)
]
_AnyCollection: TypeAlias = Annotated[
    str | None, typer.Option("--collection", "-C", help=_OLD_SCRIPTS)
]


def list_explain_traces() -> None:
    """Run `tg-list-explain-traces`."""
    run_alias("tg-list-explain-traces", _list)


def show_explain_trace() -> None:
    """Run `tg-show-explain-trace`."""
    run_alias("tg-show-explain-trace", _show)


def query_graph() -> None:
    """Run `tg-query-graph`."""
    run_alias("tg-query-graph", _graph)


def _list(
    user: User = None,
    workspace: Workspace = None,
    collection: Collection = None,
    limit: Limit = 50,
    format: Annotated[TableFormat, typer.Option("--format")] = TableFormat.table,
    store: LongStore = None,
) -> None:
    """List runs, newest first."""
    from trustgraph_prov import list_traces

    with reading(store) as opened:
        user = of_workspace(user, workspace)
        found = list_traces(opened, user=user, collection=collection, limit=limit)
    write_list(found, format, {"of user": user, "of collection": collection})


def _show(
    uri: Annotated[str, typer.Argument(help="IRI of the run.", metavar="URI")],
    user: _AnyUser = None,
    workspace: _AnyWorkspace = None,
    collection: _AnyCollection = None,
    max_answer: MaxAnswer = None,
    show_provenance: Provenance = False,
    format: Annotated[ShowFormat, typer.Option("--format")] = ShowFormat.text,
    store: LongStore = None,
) -> None:
    """Explain one run."""
    from trustgraph_prov import trace

    with reading(store) as opened:
        found = trace(opened, uri, provenance=show_provenance)
    write_trace(found, format, max_answer=max_answer, show_provenance=show_provenance)


def _graph(
    subject: Annotated[
        str | None, typer.Option("--subject", "-s", help="IRI of the subject.", metavar="IRI")
    ] = None,
    predicate: Annotated[
        str | None, typer.Option("--predicate", "-p", help="IRI of the predicate.", metavar="IRI")
    ] = None,
    object: Annotated[
        str | None,
        typer.Option(
            "--object",
            "-o",
            help="The object: an IRI, or the text of a literal of any type and language.",
            metavar="TERM",
        ),
    ] = None,
    graph: Annotated[
        str | None,
        typer.Option(
            "--graph", "-g", help='One graph; "" is the default graph. Default: all.', metavar="IRI"
        ),
    ] = None,
    user: _AnyUser = None,
    workspace: _AnyWorkspace = None,
    collection: _AnyCollection = None,
    limit: Limit = 1000,
    format: Annotated[TableFormat, typer.Option("--format")] = TableFormat.table,
    store: LongStore = None,
) -> None:
    """List the triples that fit a pattern."""
    with reading(store) as opened:
        rows = match(opened, subject, predicate, object, graph, limit)
        write_rows(["subject", "predicate", "object", "graph"], rows, format)
