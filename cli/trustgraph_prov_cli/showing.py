"""One run, as `tg-prov show`, `demo` and the alias write it."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from .files import whole
from .options import ShowFormat
from .output import write_json

if TYPE_CHECKING:
    from trustgraph_prov import Trace

__all__ = ["write_trace"]


def write_trace(
    run: Trace,
    format: ShowFormat,
    *,
    output: Path | None = None,
    max_answer: int | None = None,
    show_provenance: bool = False,
) -> None:
    """Write a run to stdout, or whole to a file."""
    from trustgraph_prov import render

    if format is ShowFormat.text:
        from rich.console import Console

        with nullcontext(sys.stdout) if output is None else whole(output) as file:
            console = Console(file=file, highlight=False)
            render.text(run, console, max_answer=max_answer, show_provenance=show_provenance)
        return
    text = getattr(render, format.value)(run)
    if output is not None:
        with whole(output) as file:
            file.write(text)
    elif format is ShowFormat.json:
        write_json(text)
    else:
        sys.stdout.write(text.rstrip("\n") + "\n")
