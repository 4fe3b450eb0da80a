"""What every store can do, whatever engine is behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, TypeAlias, runtime_checkable

from pyoxigraph import DefaultGraph, NamedNode, Quad, QueryBoolean, QuerySolutions, QueryTriples

from ..errors import InvalidValueError

__all__ = ["EVERYTHING", "QueryResult", "Queue", "Store", "Traits", "graph_term", "traits_of"]

EVERYTHING = 100_000_000
"""A LIMIT that says "all": servers that cut answers refuse to sort so many, asked or not."""

QueryResult: TypeAlias = QuerySolutions | QueryTriples | QueryBoolean
"""What a query returns, on every engine, in pyoxigraph's types.

It is complete when the call returns: reading it touches no store, and a store that is closed or
reopened meanwhile changes nothing. It can be read once, and **only on the thread that asked**:
pyoxigraph ends the whole process when another thread reads it. So hand rows to other threads, not
results: `await asyncio.to_thread(lambda: list(store.query(text)))`.

Rows of a SELECT are as the engine gave them. Triples of a CONSTRUCT or DESCRIBE are a set in no
order, numbers and booleans among them in Oxigraph's form ("007" becomes "7").
"""


class Store(Protocol):
    """A place for quads that answers SPARQL 1.1.

    Any thread may use it at any time. A process forked from the one that opened it may not: it
    opens a store of its own.

    Attributes:
        name: the store as the user named it, without credentials; it opens every error message.
        read_only: whether writing is refused.

    It may have `traits` as well.
    """

    @property
    def name(self) -> str: ...

    @property
    def read_only(self) -> bool: ...

    def insert(self, quads: Iterable[Quad]) -> None:
        """Add quads: all of one call or none. Adding what is there changes nothing.

        A quad that was added is still there when this process is killed right after the call;
        `flush` guards against a power cut too.

        Args:
            quads: read to its end before anything is written; what it raises goes to the caller.

        Raises:
            StoreError: the store is closed, read-only, full or out of reach.
        """

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        """Run a SPARQL query. Ctrl-C ends the wait for it at once.

        Args:
            query: SELECT, CONSTRUCT, DESCRIBE or ASK, with every parameter bound.
            timeout: seconds, or None for no limit.

        Raises:
            InputSyntaxError: not SPARQL; with the line.
            QueryTimeoutError: the time is over.
            StoreError: the store is closed or out of reach, or its engine lacks something the
                query asks for.
        """

    def update(self, update: str) -> None:
        """Run a SPARQL update, whole or not at all.

        Raises:
            InputSyntaxError: not SPARQL; with the line.
            StoreError: the store is closed, read-only, full or out of reach.
        """

    def quads(self, graph: str | None = None) -> Iterator[Quad]:
        """Read quads, in no order, as they were when reading began.

        Args:
            graph: IRI of one graph, `""` for the default graph, None for all.

        Raises:
            InvalidValueError: the graph is none of these.
        """

    def flush(self) -> None:
        """Hand everything written to the disk or the server; returns when it is there."""

    def reopen(self) -> None:
        """See what other processes have written since the store was opened."""

    def close(self) -> None:
        """Flush and let go of the store; closing twice is fine."""

    def __enter__(self) -> Store: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


@runtime_checkable
class Queue(Store, Protocol):
    """A store that takes inserts while the one that they are for cannot be read.

    The time of a query is for the inserts before it, too.
    """

    def pending(self) -> int:
        """Count the inserts that wait."""

    def trouble(self) -> str | None:
        """Why what waits cannot be sent just now; None where it can, or nothing waits."""


@dataclass(frozen=True)
class Traits:
    """What is known about a store, beyond what every store can do.

    A store may have them as its attribute `traits`; one that has none is not asked.

    Attributes:
        kind: of server, such as `fuseki`, or `sparql` for a plain URL; None for an embedded store.
        server: what the server calls itself, once it has answered; empty where it does not say.
        folder: where an embedded store is kept, if it is, as pyoxigraph has it.
        text_limit: bytes a literal may have, or None.
        row_cap: rows at which the server cuts answers, or None; known at once, or once it says so.
        default_graph: IRI by which FROM reads the default graph alone; None where none is known.
        default_graph_name: IRI of the named graph that serves as the default graph; empty where
            there is one.
    """

    kind: str | None = None
    server: str = ""
    folder: Path | None = None
    text_limit: int | None = None
    row_cap: int | None = None
    default_graph: str | None = None
    default_graph_name: str = ""


def traits_of(store: object) -> Traits:
    """Say what is known about a store.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> traits_of(open_store("virtuoso+http://127.0.0.1:8890")).row_cap
        10000
        >>> traits_of(open_store("memory:")).row_cap is None
        True
    """
    traits = getattr(store, "traits", None)
    return traits if isinstance(traits, Traits) else Traits()


def graph_term(graph: str | None) -> NamedNode | DefaultGraph | None:
    """Read which graph is asked for, as `Store.quads` takes it.

    Raises:
        InvalidValueError: neither an absolute IRI nor empty nor None.

    Example:
        >>> graph_term("urn:graph:source"), graph_term("")
        (<NamedNode value=urn:graph:source>, <DefaultGraph>)
    """
    if graph is None:
        return None
    try:
        return NamedNode(graph) if graph else DefaultGraph()
    except (ValueError, TypeError):
        expected = 'an absolute IRI, or "" for the default graph'
        raise InvalidValueError("graph", graph, expected) from None
