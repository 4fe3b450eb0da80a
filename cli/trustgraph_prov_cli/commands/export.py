"""`tg-prov export`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Annotated, cast

import typer

from ..failures import note
from ..files import ending, whole_binary
from ..options import RDF_FORMATS, Store
from ..progress import progress
from ..stores import reading
from ..text import TerminalBytes, counted

__all__ = ["export"]


def export(
    trace: Annotated[
        str | None,
        typer.Argument(
            help="IRI of one run, with the runs it called. Default: everything.", metavar="URI"
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file.")
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help=f"{RDF_FORMATS}. Default: what the ending of the file's name says, or nquads"
            " without one.",
            show_default=False,
        ),
    ] = None,
    graph: Annotated[
        str | None,
        typer.Option("--graph", "-g", help='One graph; "" is the default graph.', metavar="IRI"),
    ] = None,
    triple_terms: Annotated[
        bool,
        typer.Option(
            "--triple-terms",
            help="Write statements as <statement> rdf:reifies <<( s p o )>> (RDF 1.2).",
        ),
    ] = False,
    store: Store = None,
) -> None:
    """Write a run, a graph or everything as RDF."""
    from trustgraph_prov import export_quads

    if format is None:
        format = ending(output, _known, RDF_FORMATS) or "nquads"
    terminal = output is None and sys.stdout.isatty()
    with (
        reading(store) as opened,
        nullcontext(None) if terminal else progress("export") as tick,
        nullcontext(_stdout(format)) if output is None else whole_binary(output) as out,
    ):
        written = export_quads(
            opened,
            out,
            format=format,
            triple_terms=triple_terms,
            trace=trace,
            graph=graph,
            progress=tick,
        )
    if output is not None:
        note(f"{output}: {counted(written, 'quad')}")


def _known(name: str) -> str | None:
    from trustgraph_prov import InvalidValueError, rdf_format

    try:
        rdf_format(name, "output")
    except InvalidValueError:
        return None
    return name


def _stdout(format: str) -> IO[bytes]:
    from trustgraph_prov import FORMATS, rdf_format

    if not sys.stdout.isatty():
        return sys.stdout.buffer
    json = rdf_format(format, "output") == FORMATS["jsonld"]
    return cast(IO[bytes], TerminalBytes(json=json))
