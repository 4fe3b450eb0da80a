"""`tg-prov doctor`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from ..failures import FINDINGS, note
from ..numeric import whole_from
from ..options import Format, OutboxFolder, Store, TableFormat
from ..output import Cell, chosen, write_rows
from ..stores import changing, outbox_folder
from ..table import beside
from ..text import counted, one_line

if TYPE_CHECKING:
    from trustgraph_prov import Check

__all__ = ["doctor"]

_COLUMNS = ["check", "outcome", "found", "way_out"]
_SIGNS = {"ok": "✓", "limit": "✓", "finding": "✗", "not tried": "·"}


def doctor(
    text_bytes: Annotated[
        int,
        typer.Option(
            "--text-bytes",
            parser=whole_from(9),
            metavar="N",
            help="Length of the longest text to try, 9 or more.",
        ),
    ] = 1_000_000,
    outbox: OutboxFolder = None,
    format: Format = None,
    store: Store = None,
) -> None:
    """Say what a store is, and what is amiss with it.

    A probe is written into a graph of its own, and removed again. Exit code 1 says that something
    wants to be done: ✗ marks it, with the way out below.
    """
    from trustgraph_prov import diagnose

    with changing(store) as opened:
        found = diagnose(opened, outbox=outbox_folder(outbox), text_bytes=text_bytes)
    kind = chosen(format)
    if kind is TableFormat.table:
        for line in _report(found.checks):
            print(line)
    else:
        rows: list[list[Cell]] = [
            [one.name, one.outcome, one.found, one.way_out] for one in found.checks
        ]
        write_rows(_COLUMNS, rows, kind)
    if found.findings:
        note(f"{found.store.removesuffix(':')}: {counted(len(found.findings), 'finding')}")
        raise typer.Exit(FINDINGS)


def _report(checks: Iterable[Check]) -> Iterator[str]:
    """Write checks for people: a sign, what was looked at and seen, the way out of a finding."""
    every = list(checks)
    room = max(len(one.name) for one in every)
    for one in every:
        label = f"{_SIGNS[one.outcome]} {one.name:<{room}}  "
        yield from beside(label, one_line(one.found or one.outcome))
        if one.outcome == "finding":
            yield from beside(" " * len(label), one_line(f"way out: {one.way_out}"))
