"""`tg-prov query`."""

from __future__ import annotations

from typing import Annotated

import typer

from ..failures import fail, note
from ..numeric import decimal_above
from ..options import Format, Store
from ..results import write_result
from ..sparql import parameters, request
from ..stores import changing, reading

__all__ = ["query"]


def query(
    name: Annotated[
        str,
        typer.Argument(
            help="A stored query (`tg-prov queries` lists them), a file, - for stdin, or SPARQL.",
            metavar="NAME|FILE|-",
        ),
    ],
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            "-p",
            help="A value of a stored query's parameter; repeat it for several.",
            metavar="NAME=VALUE",
        ),
    ] = None,
    format: Format = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            parser=decimal_above(0),
            metavar="SECONDS",
            help="Give a query up after so many seconds, more than 0.",
        ),
    ] = None,
    store: Store = None,
) -> None:
    """Run a stored query or SPARQL of your own.

    An update changes the store, and does not ask. TSV is here that of SPARQL: RDF terms, with ? in
    the headings.
    """
    text, is_update = request(name, parameters(param or []))
    if not is_update:
        with reading(store) as opened:
            write_result(opened.query(text, timeout=timeout), format)
        return
    if timeout is not None:
        fail("--timeout is for queries: an update runs whole or not at all")
    with changing(store) as opened:
        opened.update(text)
    note("updated")
