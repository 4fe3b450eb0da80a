"""`tg-prov validate`."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Annotated

import typer

from ..failures import FINDINGS
from ..options import Format, Store, TableFormat
from ..output import chosen, write_rows
from ..stores import reading

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
    kind = chosen(format)
    columns = _COLUMNS[:-1] if kind is TableFormat.table else _COLUMNS
    rows = [[getattr(one, column) for column in columns] for one in report.results]
    if rows or kind is not TableFormat.table:
        write_rows(columns, rows, kind)
    counts = Counter(one.severity for one in report.results)
    found = ", ".join(f"{counts[name]} {name}" for name in counts) or "nothing to say"
    verdict = f"{'conforms' if report.conforms else 'does not conform'}: {found}"
    print(verdict, file=sys.stdout if kind is TableFormat.table else sys.stderr)
    if not report.conforms:
        raise typer.Exit(FINDINGS)
