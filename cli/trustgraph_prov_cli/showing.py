"""One run, as `tg-prov show`, `demo` and the alias write it."""

from __future__ import annotations

import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .failures import note
from .files import whole
from .options import ShowFormat
from .output import write_json
from .stores import outbox_folder

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
    outbox: str | None = None,
) -> None:
    """Write a run to stdout, or whole to a file; of texts that were cut, say where they are whole.

    Args:
        run: the run.
        format: how.
        output: the file.
        max_answer, show_provenance: as in `render.text`.
        outbox: folder in which whole texts are looked for, or None for the user's own.
    """
    _write(run, format, output, max_answer, show_provenance)
    _tell_whole_texts(run, outbox_folder(outbox))


def _write(
    run: Trace,
    format: ShowFormat,
    output: Path | None,
    max_answer: int | None,
    show_provenance: bool,
) -> None:
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


def _tell_whole_texts(run: Trace, outbox: str) -> None:
    from trustgraph_prov import ProvError, outbox_status

    cut = {
        sha256: node.uri
        for part in run.runs()
        for node in part.nodes
        for sha256 in node.whole_texts
    }
    if not cut:
        return
    with suppress(ProvError):  # an outbox that cannot be read is no fault of what is shown
        for file in outbox_status(outbox).kept_texts:
            if file.stem in cut:
                note(f"the whole text of {cut[file.stem]} is in {file}")
