"""`tg-prov import`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..failures import note
from ..files import STDIN
from ..options import RunCollection, RunUser, Store
from ..progress import progress
from ..stores import writing

__all__ = ["import_"]


def import_(
    files: Annotated[list[str], typer.Argument(help="RDF files, or - for stdin.", metavar="FILE…")],
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help="nquads, trig, turtle, ntriples or jsonld. Default: what the file's name says.",
            show_default=False,
        ),
    ] = None,
    user: RunUser = "trustgraph",
    collection: RunCollection = "default",
    graph: Annotated[
        str | None,
        typer.Option(
            "--graph",
            "-g",
            help="Graph for triples that have none, such as urn:graph:retrieval.",
            metavar="IRI",
        ),
    ] = None,
    store: Store = None,
) -> None:
    """Add RDF files; twice changes nothing.

    A file with a fault in it is named with its line, and nothing of it is written. Triple terms
    become statement nodes, and blank nodes get IRIs.
    """
    from trustgraph_prov import GRAPH_RETRIEVAL, import_quads

    with writing(store) as opened:
        for file in files:
            with progress(f"import {file}") as tick:
                report = import_quads(
                    opened,
                    sys.stdin.buffer if file == STDIN else file,
                    format=format,
                    user=user,
                    collection=collection,
                    graph=graph,
                    progress=tick,
                )
            print(f"{file}: {report.quads} quads, {report.index.runs} runs indexed")
            if report.graphs.get("") and GRAPH_RETRIEVAL not in report.graphs:
                note(
                    f"{report.graphs['']} quads are in the default graph, where no run is looked"
                    f" for; --graph {GRAPH_RETRIEVAL} puts them among the runs"
                )
