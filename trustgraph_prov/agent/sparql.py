"""The tool `sparql-query`: ask the store, and never change it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from pyoxigraph import NamedNode, Quad, RdfFormat

from ..errors import InvalidValueError, QueryTimeoutError, ToolError
from ..stores.base import Store, traits_of
from ..stores.sparql_presets import is_endpoint
from . import sparql_child
from .domain import HIDDEN, check_domain, dataset_of, shows_runs
from .guard import check_query, within

__all__ = ["SparqlQuery"]

_HIDDEN = {NamedNode(name) for name in HIDDEN}
_ELSEWHERE = {"SERVICE": "only this store is asked"}
_OTHERWISE = {
    **_ELSEWHERE,
    **dict.fromkeys(("GRAPH", "FROM"), "the graph of knowledge alone is asked, as it stands"),
    "DESCRIBE": "servers describe from all graphs; use CONSTRUCT",
}
_ON_SERVER = (
    "Runs a SPARQL 1.1 SELECT, ASK or CONSTRUCT query, without GRAPH, FROM or SERVICE, on the"
    " knowledge graph, and returns its rows. It reads only."
)
_MERGED = (
    "this server's default graph holds the runs and sources of agents too, which are no knowledge;"
    " name its kind (`rdf4j+http://…`) where it has one, or the graph that holds the knowledge"
)


class SparqlQuery:
    """Runs a query of the model's within a time limit.

    An embedded store is read by a process of its own, on a snapshot of the folder or on a dump,
    which is killed when the time is over, and which sees no graph of runs or sources. A server gets
    the time limit with the query, and the one graph that it may read as its FROM; where that cannot
    be said, its default graph being the union of all and without a name, it is not asked. Neither
    can be made to write, or to ask other servers.

    Args:
        store: what to ask.
        graph: IRI of the graph that holds the knowledge, `""` for the default graph.
        timeout: seconds.
        rows: the most rows to return.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> SparqlQuery(open_store("memory:"))("ASK { ?s ?p ?o }")
        {'answer': False}
    """

    name = "sparql-query"
    description = (
        "Runs a SPARQL 1.1 SELECT, ASK, CONSTRUCT or DESCRIBE query on the knowledge graph, and"
        " returns its rows. It reads only."
    )

    def __init__(
        self, store: Store, *, graph: str = "", timeout: float = 10.0, rows: int = 100
    ) -> None:
        if not timeout > 0:
            raise InvalidValueError("timeout", timeout, "seconds, more than 0")
        self._store = store
        self._on_server = is_endpoint(store.name)
        if self._on_server:
            self.description = _ON_SERVER
        self._graph = check_domain(graph)
        self._timeout = timeout
        self._rows = rows

    def __call__(self, query: str) -> dict[str, Any]:
        """Run a query.

        Args:
            query: SPARQL.

        Returns:
            `columns` and `rows`, with `more` where rows were left out, or the `answer` to an ASK.

        Raises:
            ToolError: it is none that may be run, or its time is over.
        """
        end = time.monotonic() + self._timeout
        if self._on_server:
            found = self._by_server(query, end)
        else:
            check_query(self.name, query, _ELSEWHERE)
            folder = traits_of(self._store).folder
            data = self._dump(end) if folder is None else b""
            found = self._by_child(query, folder, data, end)
        if "error" in found:
            raise ToolError(self.name, str(found["error"]))
        return found

    def _by_server(self, query: str, end: float) -> dict[str, Any]:
        check_query(self.name, query, _OTHERWISE, on_server=True)
        tried = self._by_child(query, None, b"", end)
        if "error" in tried:
            return tried
        try:
            # Every engine heeds a FROM; not all heed the protocol's parameter of the same meaning.
            graph = dataset_of(self._store, self._graph)
            if not graph and shows_runs(self._store, self._left(end)):
                raise ToolError(self.name, _MERGED)
            text = within(query, graph)
            result = self._store.query(text, timeout=self._left(end))
            return sparql_child.table(result, self._rows)
        except QueryTimeoutError:
            raise self._too_slow() from None

    def _left(self, end: float) -> float:
        left = end - time.monotonic()
        if left <= 0:
            raise self._too_slow()
        return left

    def _by_child(self, query: str, folder: Path | None, data: bytes, end: float) -> dict[str, Any]:
        order = {
            "query": query,
            "folder": None if folder is None else str(folder),
            "domain": self._graph,
            "hidden": HIDDEN,
            "rows": self._rows,
            "seconds": self._timeout,
        }
        data = json.dumps(order).encode() + b"\n" + data
        with subprocess.Popen(
            [sys.executable, "-I", sparql_child.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as child:
            try:
                out, _ = child.communicate(data, timeout=max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise self._too_slow() from None
            finally:
                child.kill()
        if child.returncode or not out:
            raise ToolError(self.name, "the query took more than it may, and was ended")
        found: dict[str, Any] = json.loads(out)
        return found

    def _dump(self, end: float) -> bytes:
        """Write the store down, without what is no knowledge."""

        def shown() -> Iterator[Quad]:
            for quad in self._store.quads():
                if time.monotonic() > end:
                    raise self._too_slow()
                if quad.graph_name not in _HIDDEN:
                    yield quad

        def write() -> None:
            try:
                done.append(ox.serialize(shown(), format=RdfFormat.N_QUADS) or b"")
            except Exception as error:  # handed to the thread that waits
                failed.append(error.with_traceback(None))

        done: list[bytes] = []
        failed: list[Exception] = []
        # A store may copy everything before it hands out the first quad.
        thread = threading.Thread(target=write, name="trustgraph-prov dump", daemon=True)
        thread.start()
        thread.join(max(0.0, end - time.monotonic()))
        if failed:
            raise failed[0]
        if not done:
            raise self._too_slow()
        return done[0]

    def _too_slow(self) -> ToolError:
        return ToolError(self.name, f"the query did not end within {self._timeout:g} s; narrow it")
