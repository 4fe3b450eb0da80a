"""`tg-prov doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from ..failures import FINDINGS, note
from ..numeric import whole_from
from ..options import Format, OutboxFolder, Store
from ..output import Cell, write_rows
from ..stores import changing, outbox_folder
from ..text import counted

__all__ = ["doctor"]

_COLUMNS = ["check", "outcome", "found", "way_out"]


def doctor(
    text_bytes: Annotated[
        int,
        typer.Option(
            "--text-bytes",
            parser=whole_from(9),
            metavar="N",
            help="Length of the longest text to try.",
        ),
    ] = 1_000_000,
    outbox: OutboxFolder = None,
    format: Format = None,
    store: Store = None,
) -> None:
    """Say what a store is, and what is amiss with it.

    A probe is written into a graph of its own, and removed again. Exit code 1 says that something
    wants to be done; what, stands in the last column.
    """
    from trustgraph_prov import diagnose

    with changing(store) as opened:
        found = diagnose(opened, outbox=outbox_folder(outbox), text_bytes=text_bytes)
    rows: list[list[Cell]] = [
        [one.name, one.outcome, one.found, one.way_out] for one in found.checks
    ]
    write_rows(_COLUMNS, rows, format, headings={"way_out": "way out"})
    if found.findings:
        note(f"{found.store.removesuffix(':')}: {counted(len(found.findings), 'finding')}")
        raise typer.Exit(FINDINGS)
