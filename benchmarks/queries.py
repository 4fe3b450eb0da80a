"""Time every stored query at 1,000 and at 10,000 runs.

    python -m benchmarks.queries

Updates are timed where they find nothing left to do, but for the deletion: it removes a run each
time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from uuid import UUID

from pyoxigraph import QueryBoolean

from benchmarks.corpus import build, chunk, document, edge, statement
from trustgraph_prov import uris
from trustgraph_prov.queries import StoredQuery, stored_queries, stored_query
from trustgraph_prov.stores import Store, open_store

SIZES = (1_000, 10_000)
REPEAT = 7
LONGEST = 20.0
"""Seconds after which a query is not repeated."""

MOST_GROWTH = 15.0
MOST_OF_SHOW = 1.5

CALLER = str(UUID(int=50))
EXAMPLES: dict[str, str] = {
    "trace": uris.agent_session_uri(CALLER),
    "node": uris.agent_iteration_uri(CALLER, 2),
    "answer": uris.agent_final_uri(CALLER),
    "source": str(document(7).value),
    "edge": str(statement(7)[0].subject.value),
    "thing": str(chunk(7).value),
    "entity": str(edge(7)[0].value),
    "text": "did so three",
}


def bound(query: StoredQuery, example: dict[str, str]) -> str:
    """Bind the required parameters to what the corpus holds."""
    required = [name for name, parameter in query.params.items() if parameter.required]
    return query.bind(**{name: example[name] for name in required})


def run(store: Store, query: StoredQuery, example: dict[str, str]) -> float:
    """Milliseconds of one run, rows read."""
    text = bound(query, example)
    start = time.perf_counter()
    if query.form == "UPDATE":
        store.update(text)
    else:
        answer = store.query(text)
        assert not isinstance(answer, QueryBoolean)
        for _ in answer:
            pass
    return (time.perf_counter() - start) * 1000


def examples(query: StoredQuery) -> Iterator[dict[str, str]]:
    """The same run each time, but another for each deletion."""
    for number in count(1):
        trace = uris.agent_session_uri(str(UUID(int=10 * number + 3)))
        yield EXAMPLES | ({"trace": trace} if query.name == "update/delete-trace" else {})


def measure(store: Store, query: StoredQuery) -> float:
    """Median of several runs, the first of which only warms up."""
    example = examples(query)
    first = run(store, query, next(example))
    if first > LONGEST * 1000:
        return first
    return median(run(store, query, next(example)) for _ in range(REPEAT if first < 300 else 3))


def main() -> int:
    """Print the table; 1 when a query grows too much."""
    taken: dict[str, list[float]] = {name: [] for name in stored_queries()}
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            path = Path(folder) / str(size)
            build(path, size)
            with open_store(str(path)) as store:
                for name in sorted(taken, key=lambda name: name.startswith("update/")):
                    taken[name].append(measure(store, stored_query(name)))
    print(f"{'query':<26}" + "".join(f"{size:>8,} runs" for size in SIZES) + f"{'growth':>9}")
    failed = []
    for name, (small, large) in taken.items():
        most = MOST_OF_SHOW if name == "trace/show" else MOST_GROWTH
        growth = large / small
        passed = growth <= most
        failed += [] if passed else [name]
        note = "" if passed else f"  FAIL: at most {most:g}"
        print(f"{name:<26}{small:>10.2f} ms{large:>10.2f} ms{growth:>8.1f}x{note}")
    print(f"{len(taken)} queries: {'FAIL: ' + ', '.join(failed) if failed else 'pass'}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
