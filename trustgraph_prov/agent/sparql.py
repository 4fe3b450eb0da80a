"""The tool `sparql-query`: ask the store, and never change it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from pyoxigraph import NamedNode, Quad, QueryBoolean, QueryTriples, RdfFormat

from ..errors import InvalidValueError, QueryTimeoutError, ToolError
from ..namespaces import GRAPH_ONTOLOGY, GRAPH_RETRIEVAL, GRAPH_SOURCE
from ..stores.base import QueryResult, Store
from . import sparql_child

__all__ = ["HIDDEN", "SparqlQuery", "check_domain"]

HIDDEN = (GRAPH_RETRIEVAL, GRAPH_SOURCE, GRAPH_ONTOLOGY)
"""Graphs that are no knowledge: what agents did, where facts came from, what terms mean."""

_HIDDEN = {NamedNode(name) for name in HIDDEN}
_SERVER = re.compile(r"([A-Za-z0-9]+\+)?https?://", re.I)
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_QUOTED = re.compile(
    r"\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|<[^<>\"{}|^`\\\s]*>|#[^\n]*",
    re.S,
)
_SERVICE = re.compile(r"(?<![\w:?$-])service(?![\w:-])", re.I)


class SparqlQuery:
    """Runs a query of the model's within a time limit.

    An embedded store is read by a process of its own, on a snapshot of the folder or on a dump,
    which is killed when the time is over; a server gets the time limit with the query, after the
    query was found to be one: neither can be made to write, or to ask other servers.

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
        for text in (query, _ESCAPE.sub(_unescaped, query)):
            if _SERVICE.search(_QUOTED.sub(" ", text)):
                raise ToolError(self.name, "SERVICE is not allowed: only this store is asked")
        end = time.monotonic() + self._timeout
        found = (
            self._by_server(query)
            if _SERVER.match(self._store.name)
            else self._by_child(query, end)
        )
        if "error" in found:
            raise ToolError(self.name, str(found["error"]))
        return found

    def _by_server(self, query: str) -> dict[str, Any]:
        try:
            ox.Store().query(query)
        except SyntaxError as error:
            return {"error": " ".join(str(error).split())}
        try:
            result = self._store.query(query, timeout=self._timeout)
        except QueryTimeoutError:
            raise self._too_slow() from None
        return _rows(result, self._rows)

    def _by_child(self, query: str, end: float) -> dict[str, Any]:
        folder = _folder(self._store)
        order = {
            "query": query,
            "folder": folder,
            "domain": self._graph,
            "hidden": HIDDEN,
            "rows": self._rows,
            "seconds": self._timeout,
        }
        data = json.dumps(order).encode() + b"\n"
        if folder is None:
            data += self._dump(end)
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


def check_domain(graph: str) -> str:
    """Refuse a graph that holds no knowledge.

    Raises:
        InvalidValueError: it is one of `HIDDEN`.
    """
    if graph in HIDDEN:
        raise InvalidValueError("graph", graph, "a graph of knowledge; this one records runs")
    return graph


def _folder(store: Store) -> str | None:
    folder = Path(store.name)
    return str(folder.absolute()) if (folder / "CURRENT").is_file() else None


def _rows(result: QueryResult, most: int) -> dict[str, Any]:
    if isinstance(result, QueryBoolean):
        return {"answer": bool(result)}
    columns = ["subject", "predicate", "object"]
    if not isinstance(result, QueryTriples):
        columns = [variable.value for variable in result.variables]
    rows = [[sparql_child.shown(value) for value in row] for row in result]
    found = {"columns": columns, "rows": rows[:most]}
    return {**found, "more": True} if len(rows) > most else found


def _unescaped(match: re.Match[str]) -> str:
    number = int(match[1] or match[2], 16)
    return chr(number) if number <= sys.maxunicode else match[0]
