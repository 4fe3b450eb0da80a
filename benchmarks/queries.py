"""Time every stored query at 1,000 and at 10,000 runs.

    python -m benchmarks.queries

Updates are timed where they find nothing left to do, but for the deletion: it removes a run each
time. Times are those of the processor, so that a busy machine does not change the verdict; the
stores are in memory, so that the state of a disk does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from statistics import median
from uuid import UUID

from pyoxigraph import QueryBoolean

from benchmarks.corpus import chunk, document, edge, quads, source_graph
from benchmarks.timing import milliseconds
from trustgraph_prov import uris
from trustgraph_prov.namespaces import TG_QUERY
from trustgraph_prov.queries import StoredQuery, stored_queries, stored_query
from trustgraph_prov.statement import statement_iri
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
    "source": document(7).value,
    "edge": statement_iri(*edge(7)).value,
    "thing": chunk(7).value,
    "entity": edge(7)[0].value,
    "text": "did so three",
}

OPTIONAL = {"trace/quads": {"predicate": TG_QUERY}}
"""Without it that one returns the whole store."""


def bound(query: StoredQuery, example: dict[str, str]) -> str:
    """Bind the required parameters to what the corpus holds."""
    required = [name for name, parameter in query.params.items() if parameter.required]
    if not example.keys() >= set(required):
        return query.text  # asks for what the corpus has none of
    values = {name: example[name] for name in required} | OPTIONAL.get(query.name, {})
    return query.bind(**values)


def run(store: Store, query: StoredQuery, text: str) -> None:
    """Run a query and read its rows, or an update."""
    if query.form == "UPDATE":
        store.update(text)
        return
    answer = store.query(text)
    assert not isinstance(answer, QueryBoolean)
    for _ in answer:
        pass


def examples(query: StoredQuery) -> Iterator[dict[str, str]]:
    """The same run each time, but another for each deletion."""
    for number in count(1):
        trace = uris.agent_session_uri(str(UUID(int=10 * number + 3)))
        yield EXAMPLES | ({"trace": trace} if query.name == "update/delete-trace" else {})


def measure(store: Store, query: StoredQuery) -> float:
    """Median of several runs, the first of which only warms up."""
    works = (partial(run, store, query, bound(query, example)) for example in examples(query))
    first = milliseconds(next(works))
    if first > LONGEST * 1000:
        return first
    return median(map(milliseconds, islice(works, REPEAT if first < 300 else 3)))


def main() -> int:
    """Print the table; 1 when a query grows too much."""
    print(f"{'query':<26}" + "".join(f"{size:>8,} runs" for size in SIZES) + f"{'growth':>9}")
    failed = []
    names = sorted(stored_queries(), key=lambda name: name.startswith("update/"))
    stores = []
    for size in SIZES:
        stores.append(open_store("memory:"))
        stores[-1].insert(source_graph())
        stores[-1].insert(quads(0, size))
    for name in names:
        small, large = (measure(store, stored_query(name)) for store in stores)
        most = MOST_OF_SHOW if name == "trace/show" else MOST_GROWTH
        failed += [] if large / small <= most else [name]
        note = f"  FAIL: at most {most:g}" if large / small > most else ""
        line = f"{name:<26}{small:>10.2f} ms{large:>10.2f} ms{large / small:>8.1f}x{note}"
        print(line, flush=True)
    print(f"{len(names)} queries: {'FAIL: ' + ', '.join(failed) if failed else 'pass'}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
