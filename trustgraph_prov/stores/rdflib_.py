"""A store over an RDFLib Dataset: your own, an empty one, or one kept in a TriG or N-Quads file.

Importing this module imports RDFLib; `open_store` does so only when such a store is asked for.
"""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import rdflib
import rdflib.plugins.sparql
from pyoxigraph import Quad, Triple
from rdflib.term import Node

from ..errors import ProvError, QueryTimeoutError, StoreError
from .addresses import bare_name
from .base import QueryResult, graph_term
from .cursor import Cursor, Cursors
from .faults import one_line
from .interrupt import Answer, GivenUpError, await_answer, check_timeout
from .opened import Opened
from .rdflib_file import DatasetFile
from .rdflib_journal import Journal, View
from .rdflib_sparql import parsed_query, parsed_update
from .rdflib_terms import (
    from_rdflib,
    graph_from_rdflib,
    graph_to_rdflib,
    quad_to_rdflib,
    quiet,
)

__all__ = ["RdflibStore"]


class RdflibStore(Opened):
    """Quads in an RDFLib Dataset.

    Lexical forms stay as they are given. One thread at a time gets in; the others wait.
    Ctrl-C and a timeout end a query at once.

    Args:
        dataset: where the quads are. The default graph is never the union of the others, however
            the Dataset is set.
        read_only: refuse writing.
        name: for messages.
        file: read into the dataset now, written at `flush`; until then its journal has each call.

    Example:
        >>> from pyoxigraph import Literal, NamedNode
        >>> dataset = rdflib.Dataset()
        >>> with RdflibStore(dataset) as store:
        ...     store.insert([Quad(NamedNode("urn:a"), NamedNode("urn:b"), Literal("c"))])
        >>> len(dataset)
        1
    """

    def __init__(
        self,
        dataset: rdflib.Dataset,
        *,
        read_only: bool = False,
        name: str = "rdflib:",
        file: DatasetFile | None = None,
    ) -> None:
        if not isinstance(dataset, rdflib.Dataset):
            raise StoreError(name, f"is a {type(dataset).__name__}; expected an rdflib.Dataset")
        # Otherwise FROM makes RDFLib fetch a graph it does not hold from the network.
        rdflib.plugins.sparql.SPARQL_LOAD_GRAPHS = False
        super().__init__(name, read_only=read_only)
        self._dataset = dataset
        self._file = file
        self._lock = threading.RLock()
        self._cursors = Cursors()
        try:
            self._load(dataset)
        except BaseException:
            self._let_go()
            raise

    @classmethod
    def from_file(cls, name: str, *, read_only: bool = False) -> RdflibStore:
        """Open `rdflib:` or `rdflib:FILE`."""
        path = name.partition(":")[2]
        shown = bare_name(name)
        file = DatasetFile(shown, Path(path), read_only=read_only) if path else None
        return cls(rdflib.Dataset(), read_only=read_only, name=shown, file=file)

    def insert(self, quads: Iterable[Quad]) -> None:
        """Add quads: all of one call or none, with Ctrl-C too. What is there stays."""
        self._check(writing=True)
        with quiet():
            batch = [(quad_to_rdflib(quad), graph_to_rdflib(quad.graph_name)) for quad in quads]

        def work(given_up: threading.Event) -> None:
            with self._lock, self._whole(given_up) as journal:
                graphs = {name: rdflib.Graph(journal, name) for name in {name for _, name in batch}}
                for triple, name in batch:
                    journal.add(triple, graphs[name])

        if threading.current_thread() is threading.main_thread():
            # Ctrl-C inside RDFLib would leave half a triple. A handler that held it back meanwhile
            # would cost less, but other signals and threads raise here too, and signal.signal()
            # takes away for good a handler that a C library has set.
            await_answer(work, None)
        else:
            work(threading.Event())

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        """Run a SPARQL query. Ctrl-C ends it at once."""
        self._check()
        check_timeout(timeout)

        def work(given_up: threading.Event) -> Answer:
            with (
                self._lock,
                quiet(),
                parsed_query(self.name, query) as (parsed, every_variable),
                self._said_in_one_line(),
            ):
                view = View(Journal(self._dataset.store, given_up))
                return _answer(view.query(parsed), every_variable)

        try:
            return await_answer(work, timeout).result()
        except GivenUpError:
            raise QueryTimeoutError(self.name, timeout or 0) from None

    def update(self, update: str) -> None:
        """Run a SPARQL update, whole or not at all; Ctrl-C undoes what was done so far."""
        self._check(writing=True)

        def work(given_up: threading.Event) -> None:
            with (
                self._lock,
                quiet(),
                parsed_update(self.name, update) as parsed,
                self._whole(given_up) as journal,
                self._said_in_one_line(),
            ):
                View(journal).update(parsed)

        # On a thread of its own, as queries are: what RDFLib and its parser leave behind holds the
        # frames of whoever called, and so their results, which only their own thread may free.
        await_answer(work, None)

    def quads(self, graph: str | None = None) -> Iterator[Quad]:
        """Read quads, in no order, as they were when reading began."""
        self._check()

        def start() -> Iterator[Quad]:
            with self._lock:
                return iter(list(self._read(graph)))

        return self._cursors.track(Cursor(self.name, start))

    def flush(self) -> None:
        """Write the file, if the store has one, whole or not at all."""
        self._check()
        with self._lock:
            if self._file is not None and self._file.pending and not self.read_only:
                self._file.write(self._read(None))

    def reopen(self) -> None:
        """Read the file again, with its journal, which has what was changed here."""
        self._check()
        with self._lock:
            if self._file is not None:
                self._load(rdflib.Dataset())

    def close(self) -> None:
        """Flush and let go of the dataset; closing twice is fine.

        A file that cannot be written is as it was, and its journal stays and is read with it.
        Where the journal is lost as well, the store stays open: it alone has what was recorded.
        """
        if self._closed or os.getpid() != self._pid:
            return
        with self._lock:
            alone = False
            try:
                self.flush()
            except StoreError:
                alone = self._file is not None and not self._file.safe
                raise
            finally:
                if not alone:
                    self._closed = True
                    self._cursors.close()
                    self._let_go()

    @contextmanager
    def _whole(self, given_up: threading.Event) -> Iterator[Journal]:
        """A journal of one call, which is recorded, or undone if it fails."""
        journal = Journal(self._dataset.store, given_up)
        try:
            yield journal
            self._record(journal)
        except BaseException:
            journal.rollback()
            raise

    @contextmanager
    def _said_in_one_line(self) -> Iterator[None]:
        try:
            yield
        except (ProvError, GivenUpError):
            raise
        except Exception as error:  # RDFLib raises what comes: ValueError, NotImplementedError, …
            raise StoreError(self.name, f"RDFLib could not do it: {one_line(error)}") from None

    def _load(self, dataset: rdflib.Dataset) -> None:
        if self._file is not None:
            with quiet(), self._file.read() as changes:
                for added, quad in changes:
                    graph = rdflib.Graph(dataset.store, graph_to_rdflib(quad.graph_name))
                    change = dataset.store.add if added else dataset.store.remove
                    change(quad_to_rdflib(quad), graph)
                self._dataset = dataset

    def _record(self, journal: Journal) -> None:
        if self._file is not None:
            taken, added = (
                [
                    Quad(*_terms(triple), graph_from_rdflib(name))
                    for triple, name in journal.changes(there)
                ]
                for there in (False, True)
            )
            if taken or added:
                self._file.record(taken, added)

    def _let_go(self) -> None:
        if self._file is not None:
            self._file.close()

    def _read(self, graph: str | None) -> Iterator[Quad]:
        store = self._dataset.store
        only = graph_term(graph)
        name = None if graph is None else rdflib.URIRef(graph) if graph else _DEFAULT
        wanted = None if name is None else rdflib.Graph(store, name)
        for s, p, o, found in View(store).quads((None, None, None, wanted)):
            graph_name = graph_from_rdflib(found)  # RDFLib names every graph that has the triple
            if only is None or graph_name == only:
                yield Quad(*_terms((s, p, o)), graph_name)


_DEFAULT = graph_to_rdflib(ox.DefaultGraph())


def _answer(result: rdflib.query.Result, every_variable: bool) -> Answer:
    answer = Answer()
    if result.graph is not None:
        answer.write_triples(Triple(*_terms(triple)) for triple in result.graph)
        return answer
    if result.vars is not None and every_variable:
        result.vars = sorted(result.vars)  # RDFLib takes the variables of SELECT * from a set
    text = io.BytesIO()
    result.serialize(text, format="json")
    answer.write(text.getvalue())
    return answer


def _terms(triple: tuple[Node, Node, Node]) -> tuple[Any, Any, Any]:
    subject, predicate, object_ = triple
    return from_rdflib(subject), from_rdflib(predicate), from_rdflib(object_)
