"""`tg-prov queries`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from ..options import Format
from ..output import write_rows
from ..text import visible

if TYPE_CHECKING:
    from trustgraph_prov import Parameter

__all__ = ["queries"]


def queries(
    name: Annotated[
        str | None,
        typer.Argument(help="Print this one, ready for any SPARQL store.", metavar="NAME"),
    ] = None,
    format: Format = None,
) -> None:
    """List the stored queries, or print one."""
    from trustgraph_prov import stored_queries, stored_query

    if name is not None:
        text = stored_query(name).text
        sys.stdout.write(visible(text) if sys.stdout.isatty() else text)
        return
    every = [stored_query(one) for one in stored_queries()]
    rows = [[one.name, one.summary, _signature(one.params)] for one in every]
    write_rows(["name", "summary", "params"], rows, format)


def _signature(params: Mapping[str, Parameter]) -> str:
    return " ".join(name if one.required else f"[{name}]" for name, one in params.items())
