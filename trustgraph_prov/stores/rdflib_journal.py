"""An RDFLib store in front of another one: it can undo what was written, and end a query.

RDFLib's own AuditableStore is not graph-aware, so no Dataset can stand on it. This module imports
RDFLib, so only `stores.rdflib_` imports it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from typing import Any

from rdflib import Dataset, Graph
from rdflib.store import Store
from rdflib.term import IdentifiedNode

from .interrupt import GivenUpError

__all__ = ["Journal", "View"]


class Journal(Store):
    """Passes everything on to `inner`.

    Args:
        inner: the store that holds the triples.
        given_up: set once nobody waits any more; reading and adding then raise `GivenUpError`.
    """

    context_aware = True
    graph_aware = True
    formula_aware = False
    transaction_aware = True

    def __init__(self, inner: Store, given_up: threading.Event | None = None) -> None:
        super().__init__()
        self._inner = inner
        self._given_up = given_up
        self._undo: list[Callable[[], object]] = []
        self._there: dict[tuple[Any, IdentifiedNode], bool] = {}
        self._graphs: dict[IdentifiedNode, Graph] = {}

    def rollback(self) -> None:
        """Undo everything since this journal began."""
        while self._undo:
            self._undo.pop()()

    def changes(self, there: bool) -> list[tuple[Any, IdentifiedNode]]:
        """Triples, with their graphs, that came since this journal began, or that went.

        Args:
            there: those that came.
        """
        return [changed for changed, now in self._there.items() if now is there]

    def add(self, triple: Any, context: Any, quoted: bool = False) -> None:
        graph = self._graph(context)
        self._check()
        if next(iter(self._inner.triples(triple, graph)), None) is None:
            self._undo.append(partial(self._inner.remove, triple, graph))
            self._there[triple, graph.identifier] = True
            self._inner.add(triple, graph, quoted)

    def remove(self, triple: Any, context: Any | None = None) -> None:
        graphs = [self._graph(context)] if context is not None else list(self._inner.contexts())
        for graph in graphs:
            for found, _ in list(self._inner.triples(triple, graph)):
                self._undo.append(partial(self._inner.add, found, graph))
                self._there[found, graph.identifier] = False
                self._inner.remove(found, graph)

    def add_graph(self, graph: Graph) -> None:
        inner = self._graph(graph)
        if inner.identifier not in {known.identifier for known in self._inner.contexts()}:
            self._undo.append(partial(self._inner.remove_graph, inner))
            self._inner.add_graph(inner)

    def remove_graph(self, graph: Graph) -> None:
        inner = self._graph(graph)
        self.remove((None, None, None), inner)
        self._undo.append(partial(self._inner.add_graph, inner))
        self._inner.remove_graph(inner)

    def triples(self, triple_pattern: Any, context: Any | None = None) -> Iterator[Any]:
        graph = None if context is None else self._graph(context)
        self._check()
        for found in self._inner.triples(triple_pattern, graph):
            self._check()
            yield found

    def contexts(self, triple: Any | None = None) -> Generator[Graph, None, None]:
        for graph in self._inner.contexts(triple):
            yield Graph(self, graph.identifier)

    def __len__(self, context: Any | None = None) -> int:
        return self._inner.__len__(None if context is None else self._graph(context))

    def _graph(self, context: Any) -> Graph:
        # Memory stores keep the graph object they are given, so they get one of their own.
        name = context.identifier
        if name not in self._graphs:
            self._graphs[name] = Graph(self._inner, name)
        return self._graphs[name]

    def _check(self) -> None:
        if self._given_up is not None and self._given_up.is_set():
            raise GivenUpError


class View(Dataset):
    """A Dataset that RDFLib's SPARQL can use.

    RDFLib takes the Dataset for its default graph: `CLEAR DEFAULT` would empty every graph, and
    `INSERT DATA` without GRAPH fails. Here triples are those of the default graph. Nor does this
    one warn of properties that RDFLib itself reads.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store=store, default_union=False)

    def __iter__(self) -> Generator[Any, None, None]:
        yield from self._default_context

    def __iadd__(self, triples: Iterable[Any]) -> View:  # type: ignore[misc]  # `+` makes a Graph
        self._default_context += triples
        return self

    def __isub__(self, triples: Iterable[Any]) -> View:  # type: ignore[misc]  # as above
        self._default_context -= triples
        return self

    def remove(self, triple: Any) -> View:
        self._default_context.remove(triple)
        return self

    @property
    def default_context(self) -> Graph:
        return self._default_context

    @default_context.setter
    def default_context(self, graph: Graph) -> None:
        self._default_context = graph

    @property
    def identifier(self) -> IdentifiedNode:
        return self._default_context.identifier

    def contexts(self, triple: Any | None = None) -> Generator[Graph, None, None]:
        names = set()
        for graph in super(Dataset, self).contexts(triple):
            names.add(graph.identifier)
            yield graph
        if self._default_context.identifier not in names:
            yield self._default_context
