"""`tg-prov validate`."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from ..failures import FINDINGS
from ..options import Format, Store, TableFormat
from ..output import chosen, write_rows
from ..stores import reading
from ..text import counted

if TYPE_CHECKING:
    from trustgraph_prov import Store as OpenStore

__all__ = ["validate"]

_COLUMNS = ("severity", "focus", "path", "message", "value", "shape")


def validate(
    uri: Annotated[
        str | None, typer.Argument(help="IRI of one run. Default: all of them.", metavar="URI")
    ] = None,
    format: Format = None,
    store: Store = None,
) -> None:
    """Check runs against the ontology's shapes.

    The exit code is 1 on a violation.
    """
    from trustgraph_prov import validate

    with reading(store) as opened:
        report = validate(opened, trace=uri)
        runs = 1 if uri else _runs(opened)
    kind = chosen(format)
    columns = _COLUMNS[:-1] if kind is TableFormat.table else _COLUMNS
    rows = [[getattr(one, column) for column in columns] for one in report.results]
    if rows or kind is not TableFormat.table:  # a verdict takes the place of no rows
        write_rows(columns, rows, kind)
    counts = Counter(one.severity for one in report.results)
    found = ", ".join(f"{counts[name]} {name}" for name in counts)
    if report.conforms and not runs:
        verdict = "no runs to check" + (f": {found}" if found else "")
    elif report.conforms:
        verdict = f"{counted(runs, 'run')} {'conforms' if runs == 1 else 'conform'}"
        verdict += f": {found}" if found else ""
    else:
        verdict = f"does not conform: {found}"
    print(verdict, file=sys.stdout if kind is TableFormat.table else sys.stderr)
    if not report.conforms:
        raise typer.Exit(FINDINGS)


def _runs(store: OpenStore) -> int:
    from trustgraph_prov import rows

    return sum(int(row["runs"].value) for row in rows(store, "audit/index"))
