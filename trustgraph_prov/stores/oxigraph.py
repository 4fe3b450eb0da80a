"""The embedded store: pyoxigraph, in a folder or in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType

import pyoxigraph as ox
from pyoxigraph import DefaultGraph, NamedNode, Quad

from ..errors import InputSyntaxError
from .base import QueryResult


class OxigraphStore:
    def __init__(self, path: str | None = None, *, read_only: bool = False) -> None:
        self.name = path or "memory:"
        self._engine = (
            ox.Store.read_only(path)
            if path and read_only
            else ox.Store(path)
            if path
            else ox.Store()
        )

    def insert(self, quads: Iterable[Quad]) -> None:
        self._engine.extend(quads)

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        try:
            return self._engine.query(query)
        except SyntaxError as error:
            raise InputSyntaxError("query", None, str(error)) from None

    def update(self, update: str) -> None:
        self._engine.update(update)

    def quads(self, graph: str | None = None) -> Iterator[Quad]:
        name = None if graph is None else NamedNode(graph) if graph else DefaultGraph()
        return self._engine.quads_for_pattern(None, None, None, name)

    def flush(self) -> None:
        self._engine.flush()

    def reopen(self) -> None: ...

    def close(self) -> None: ...

    def __enter__(self) -> OxigraphStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
