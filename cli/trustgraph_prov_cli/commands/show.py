"""`tg-prov show`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..files import ending
from ..options import MaxAnswer, Provenance, ShowFormat, Store
from ..showing import write_trace
from ..stores import reading

__all__ = ["show"]

_ENDINGS = {
    "txt": ShowFormat.text,
    "json": ShowFormat.json,
    "html": ShowFormat.html,
    "htm": ShowFormat.html,
    "mmd": ShowFormat.mermaid,
    "mermaid": ShowFormat.mermaid,
    "dot": ShowFormat.dot,
    "gv": ShowFormat.dot,
}
_NAMES = ", ".join(ShowFormat)


def show(
    uri: Annotated[str, typer.Argument(help="IRI of the run, as `list` shows it.", metavar="URI")],
    format: Annotated[
        ShowFormat | None,
        typer.Option(
            "--format",
            "-f",
            help="Default: what the ending of the file's name says, or text without one.",
            show_default=False,
        ),
    ] = None,
    max_answer: MaxAnswer = None,
    show_provenance: Provenance = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file.")
    ] = None,
    outbox: Annotated[
        str | None,
        typer.Option(
            "--outbox",
            envvar="TG_PROV_OUTBOX",
            help="Look here for texts that were cut. Default: a folder of your own.",
            metavar="FOLDER",
            show_default=False,
        ),
    ] = None,
    store: Store = None,
) -> None:
    """Explain one run, step by step."""
    from trustgraph_prov import trace

    if format is None:
        format = ending(output, _ENDINGS.get, _NAMES) or ShowFormat.text
    with reading(store) as opened:
        run = trace(opened, uri, provenance=show_provenance)
    write_trace(
        run,
        format,
        output=output,
        max_answer=max_answer,
        show_provenance=show_provenance,
        outbox=outbox,
    )
