"""`tg-prov delete`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ..failures import fail, note
from ..options import Store, Yes
from ..stores import changing, reading
from ..text import counted, one_line

if TYPE_CHECKING:
    from trustgraph_prov import DeletionReport

__all__ = ["delete"]


def delete(
    uri: Annotated[
        str,
        typer.Argument(help="IRI of the run, the node or the document.", metavar="URI"),
    ],
    called: Annotated[bool, typer.Option("--called", help="Also the runs that it called.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Only count what would go.")
    ] = False,
    yes: Yes = False,
    store: Store = None,
) -> None:
    """Remove one run, or the texts that wait at a node or document.

    Its statements go too, where no other run and no source uses them. Asks first on a terminal.
    """
    from trustgraph_prov import delete_trace

    if dry_run:
        with reading(store) as opened:
            print(_counted(delete_trace(opened, uri, called=called, dry_run=True), "would go"))
        return
    if not yes and not sys.stdin.isatty():
        fail("nothing is deleted: --yes says that it may be, where nobody can be asked")
    with changing(store) as opened:
        if not yes:
            note(_counted(delete_trace(opened, uri, called=called, dry_run=True), "will go"))
            if not typer.confirm("Delete?", err=True):
                note("nothing is deleted")
                return
        report = delete_trace(opened, uri, called=called)
    print(_counted(report, "deleted"))


def _counted(report: DeletionReport, what: str) -> str:
    runs = ", ".join(report.traces)
    size = f"{counted(report.triples, 'triple')}, {counted(report.statements, 'edge')}"
    return one_line(f"{runs}: {size} {what}")
