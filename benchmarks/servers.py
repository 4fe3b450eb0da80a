"""Listing and showing runs on a triplestore over HTTP: time and number of requests.

`python -m benchmarks.servers URL [RUNS]`, with an empty store; it is left with the runs in it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from itertools import islice
from statistics import median

from pyoxigraph import Quad

from benchmarks.corpus import START, quads
from benchmarks.timing import repeated
from trustgraph_prov import list_traces, trace
from trustgraph_prov.stores.sparql import SparqlStore

BATCH = 20_000
TRIES = 15


def main(url: str, runs: int = 10_000) -> None:
    """Load the runs, then list and show."""
    store = SparqlStore(url, timeout=600)
    start = time.perf_counter()
    count = 0
    source: Iterator[Quad] = quads(0, runs)
    while batch := list(islice(source, BATCH)):
        store.insert(batch)
        count += len(batch)
    seconds = time.perf_counter() - start
    print(f"{url}: {runs:,} runs, {count:,} quads in {seconds:.0f} s, {store.requests} requests")
    newest = list_traces(store, limit=50).traces
    measure(store, "list, newest 50", lambda: list_traces(store, limit=50))
    early = START + timedelta(minutes=20)
    measure(store, "list, 20 oldest", lambda: list_traces(store, limit=50, until=early))
    for kind in ("Agent", "GraphRAG", "DocRAG"):
        run = next(one for one in newest if one.type == kind)
        measure(store, f"show, {kind}", partial(trace, store, run.uri))
    steps = (run.called_from for run in list_traces(store, limit=100, called=True).traces)
    caller = next(step for step in steps if step).rpartition("/")[0]
    measure(store, "show, with a called", partial(trace, store, caller))


def measure(store: SparqlStore, what: str, work: Callable[[], object]) -> None:
    """Print the median and the worst time of some tries, and the requests of one."""
    sent = store.requests
    times = repeated(work, TRIES, time.perf_counter)
    each = (store.requests - sent) / (TRIES + 1)
    print(
        f"  {what:19} median {median(times):6.0f} ms, worst {max(times):6.0f} ms, {each:g} requests"
    )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
