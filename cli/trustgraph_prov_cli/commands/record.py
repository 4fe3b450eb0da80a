"""`tg-prov record`."""

from __future__ import annotations

from typing import Annotated

import typer

from ..failures import FINDINGS, note
from ..files import STDIN, binary_input
from ..options import DEFAULT_COLLECTION, DEFAULT_USER, Outbox, RunCollection, RunUser, Store
from ..queued import tell_outcome
from ..stores import queueing, writing
from ..text import counted

__all__ = ["record"]


def record(
    file: Annotated[
        str, typer.Argument(help="File of JSON lines, or - for stdin.", metavar="FILE|-")
    ] = STDIN,
    user: RunUser = DEFAULT_USER,
    collection: RunCollection = DEFAULT_COLLECTION,
    outbox: Outbox = None,
    store: Store = None,
) -> None:
    """Record runs from JSON lines of any language.

    A bad line is named on stderr and the rest goes on; the exit code is 1 then.
    """
    from trustgraph_prov import Recorder, record_lines

    name = "stdin" if file == STDIN else file
    with binary_input(file) as raw:
        queue = queueing(store, outbox)
        with queue or writing(store) as opened:
            recorder = Recorder(opened, user=user, collection=collection)
            report = record_lines(recorder, raw)
    for line, why in report.faults:
        note(f"{name}:{line}: {why}")
    repeated = f", {report.repeated:,} there already" if report.repeated else ""
    note(f"{counted(report.recorded, 'line')} recorded{repeated}, {len(report.faults):,} refused")
    if queue is not None:
        tell_outcome(queue, store)
    if report.faults:
        raise typer.Exit(FINDINGS)
