"""Time the newest 50 runs at 10,000 and at 100,000 runs, by the tree and by a plain ordered query.

python -m benchmarks.list
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from pyoxigraph import QuerySolutions

from benchmarks.corpus import build
from benchmarks.timing import repeated
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.queries import stored_query
from trustgraph_prov.stores import Store, open_store

SIZES = (10_000, 100_000)
REPEAT = 9
MOST_GROWTH = 2.0
LEAST_GAIN = 20.0


def rows(store: Store, query: str) -> int:
    """Run a SELECT and read its rows."""
    solutions = store.query(query)
    assert isinstance(solutions, QuerySolutions)
    return sum(1 for _ in solutions)


def main() -> int:
    """Print the table; 1 when a target is missed."""
    plain = stored_query("trace/list-plain").bind(limit=50)
    tree: dict[int, float] = {}
    ordered: dict[int, float] = {}
    print(f"{'runs':>9} {'list_traces':>12} {'plain query':>12} {'plain / tree':>13}")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            path = Path(folder) / str(size)
            build(path, size)
            with open_store(str(path), read_only=True) as store:
                assert len(list_traces(store, limit=50).traces) == 50
                tree[size] = median(repeated(lambda: list_traces(store, limit=50), REPEAT))
                ordered[size] = median(repeated(lambda: rows(store, plain), 3))
            gain = ordered[size] / tree[size]
            print(f"{size:>9,} {tree[size]:>9.1f} ms {ordered[size]:>9.0f} ms {gain:>12.0f}x")
    growth = tree[SIZES[1]] / tree[SIZES[0]]
    gain = ordered[SIZES[1]] / tree[SIZES[1]]
    passed = growth <= MOST_GROWTH and gain >= LEAST_GAIN
    print(f"grows {growth:.2f}-fold (at most {MOST_GROWTH:g}), 1/{gain:.0f} of the plain query")
    print(f"(at most 1/{LEAST_GAIN:g}): {'pass' if passed else 'FAIL'}")
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
