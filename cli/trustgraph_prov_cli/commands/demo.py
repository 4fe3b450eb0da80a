"""`tg-prov demo`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..failures import UNREACHABLE, fail, note
from ..listing import write_list
from ..options import Outbox, ShowFormat, Store, TableFormat
from ..queued import tell_outcome
from ..showing import write_trace
from ..stores import queueing, writing

if TYPE_CHECKING:
    from trustgraph_prov import Store as OpenStore

__all__ = ["demo"]


def demo(
    force: Annotated[
        bool, typer.Option("--force", help="Add the demo's runs beside other runs.")
    ] = False,
    outbox: Outbox = None,
    store: Store = None,
) -> None:
    """Record four made-up runs, list and explain.

    A second demo changes nothing. In a store that holds other runs it wants --force, and so it does
    to be queued for one that is away.
    """
    from trustgraph_prov import DEMO_RUNS, StoreError, list_traces, record_demo, trace

    queue = queueing(store, outbox)
    with queue or writing(store) as opened:
        try:
            others = _other_runs(opened)
        except StoreError as error:
            if queue is None:
                raise
            if not force:
                fail(f"{error}; --force queues the demo without looking", UNREACHABLE)
            others = None
        if others and not force:
            fail(f"{opened.name} holds other runs; --force adds the demo's beside them")
        record_demo(opened)
        if queue is None:
            opened.flush()  # what is said to be recorded is where it was to be
        if others is not None:
            write_list(list_traces(opened), TableFormat.table)
        if others is not None and not (queue and queue.refused()):
            run = trace(opened, DEMO_RUNS[0])
            print()
            write_trace(run, ShowFormat.text)
            note(f"recorded in {opened.name}; see also: tg-prov show, query, stats, export")
    if queue is not None:
        tell_outcome(queue, store)


def _other_runs(store: OpenStore) -> bool:
    from trustgraph_prov import DEMO_RUNS, list_traces

    found = list_traces(store, called=True, limit=len(DEMO_RUNS) + 1)
    return any(run.uri not in DEMO_RUNS for run in found.traces)
