"""`tg-prov demo`."""

from __future__ import annotations

from typing import Annotated

import typer

from ..failures import fail
from ..listing import write_list
from ..options import ShowFormat, Store, TableFormat
from ..showing import write_trace
from ..stores import writing

__all__ = ["demo"]


def demo(
    force: Annotated[
        bool, typer.Option("--force", help="Add the demo's runs beside other runs.")
    ] = False,
    store: Store = None,
) -> None:
    """Record four made-up runs, list and explain.

    A second demo changes nothing. In a store that holds other runs it wants --force.
    """
    from trustgraph_prov import DEMO_RUNS, list_traces, record_demo, trace

    with writing(store) as opened:
        found = list_traces(opened, called=True, limit=len(DEMO_RUNS) + 1)
        if not force and any(run.uri not in DEMO_RUNS for run in found.traces):
            fail(f"{opened.name} holds other runs; --force adds the demo's beside them")
        record_demo(opened)
        write_list(list_traces(opened), TableFormat.table)
        run = trace(opened, DEMO_RUNS[0])
    print()
    write_trace(run, ShowFormat.text)
