"""Answer one query on a snapshot, in a process that its parent may kill at any time.

Run as a script, so that it loads pyoxigraph and nothing else. Its first line of input says what to
do; N-Quads follow where there is no folder to read. Its output is one JSON object.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from contextlib import suppress
from typing import Any, BinaryIO

import pyoxigraph as ox

MEMORY = 4 << 30
"""Bytes that a query may take, whatever it multiplies."""

CELL = 2_000
"""Characters of a value that are shown."""

WAITS = (0.05, 0.1, 0.2, 0.4)
"""Seconds between tries to open a folder in which a writer is replacing files."""


def answer(order: dict[str, Any], data: BinaryIO) -> dict[str, Any]:
    """Open the snapshot and ask.

    Args:
        order: `query`, `folder` or None, `domain` (IRI of a graph, or "" for the default graph),
            `hidden` (IRIs of graphs that do not exist for the query), and `rows`, the most to give.
        data: N-Quads, where there is no folder.
    """
    store = _opened(order["folder"], data)
    hidden = set(order["hidden"])
    domain = order["domain"]
    result = store.query(
        order["query"],
        default_graph=ox.NamedNode(domain) if domain else ox.DefaultGraph(),
        named_graphs=[graph for graph in store.named_graphs() if graph.value not in hidden],
    )
    return table(result, order["rows"])


def table(
    result: ox.QueryBoolean | ox.QuerySolutions | ox.QueryTriples, most: int
) -> dict[str, Any]:
    """Write a result for a model, no further than its first rows.

    Args:
        result: of a query.
        most: rows to give.

    Returns:
        `columns` and `rows`, with `more` where rows were left out, or the `answer` to an ASK.
    """
    if isinstance(result, ox.QueryBoolean):
        return {"answer": bool(result)}
    columns = ["subject", "predicate", "object"]
    if isinstance(result, ox.QuerySolutions):
        columns = [variable.value for variable in result.variables]
    rows: list[list[str | None]] = []
    for row in result:
        if len(rows) == most:
            return {"columns": columns, "rows": rows, "more": True}
        rows.append([shown(value) for value in row])
    return {"columns": columns, "rows": rows}


def _opened(folder: str | None, data: BinaryIO) -> ox.Store:
    if folder is None:
        store = ox.Store()
        store.bulk_load(data, format=ox.RdfFormat.N_QUADS)
        return store
    for seconds in WAITS:
        with suppress(OSError, RuntimeError):
            return ox.Store.read_only(folder)
        time.sleep(seconds)
    return ox.Store.read_only(folder)


def shown(term: Any) -> str | None:
    """Write a value for a model: texts bare, IRIs in angle brackets, no more than `CELL`."""
    if term is None:
        return None
    text: str = term.value if isinstance(term, ox.Literal) else str(term)
    return text if len(text) <= CELL else f"{text[:CELL]}…"


def main() -> None:
    """Read the order, write the answer."""
    order = json.loads(sys.stdin.buffer.readline())
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # Should the parent be gone, nobody else ends a query that goes on for ever.
    seconds = int(order["seconds"]) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        found = answer(order, sys.stdin.buffer)
    except (SyntaxError, ValueError, OSError, RuntimeError, MemoryError) as error:
        found = {"error": " ".join(str(error).split()) or type(error).__name__}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
