"""The embedded store: pyoxigraph, in a folder or in memory."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pyoxigraph as ox
from pyoxigraph import Literal, Quad

from ..errors import ProvError, QueryTimeoutError, StoreError
from .addresses import bare_name
from .base import QueryResult, Traits
from .cursor import Cursor, Cursors, from_live, from_spool
from .engine import open_reader, open_writer, reading_again, until_free
from .faults import engine_failed, fault, is_stale, syntax_fault
from .forks import Engine
from .interrupt import Answer, GivenUpError, await_answer, check_timeout, read_whole
from .opened import Opened

__all__ = ["OxigraphStore"]

T = TypeVar("T")

FLUSH_AFTER = 20_000
"""Quads after which the store flushes itself, about 500 runs.

RocksDB's memory and its log grow until then, and whoever opens the folder to read replays the log:
190,000 quads (5,000 runs) took twenty times as long as 20,000; writing took no longer.
"""

LONG_TEXT = 1_250
"""Characters that count as one more quad: what a quad of ordinary length takes in the log."""

UPDATE_WEIGHT = 500
"""What an update counts for in quads; the engine does not tell how many it wrote."""


class OxigraphStore(Opened):
    """Quads in a folder or in memory, with SPARQL 1.1.

    One process at a time has a folder open for writing; any number read it meanwhile, each from
    the moment it opened or reopened. Everything of one call is written or nothing.

    Args:
        path: a folder, which is made when it is not there; None for a store in memory.
        read_only: refuse writing, and read beside a process that writes.
        flush_after: quads after which what was written is handed to the disk.

    Raises:
        StoreBusyError: another process has the folder open for writing; or, reading, is replacing
            files all the time.
        StoreMissingError: read-only, and there is no store.
        StoreError: the path is a file, a folder with something else, not accessible or damaged.

    Example:
        >>> from pyoxigraph import Literal, NamedNode
        >>> with OxigraphStore() as store:
        ...     store.insert([Quad(NamedNode("urn:a"), NamedNode("urn:b"), Literal("c"))])
        ...     bool(store.query("ASK { ?s ?p 'c' }"))
        True
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        read_only: bool = False,
        flush_after: int = FLUSH_AFTER,
    ) -> None:
        name = "memory:" if path is None else bare_name(str(path))
        super().__init__(name, read_only=read_only)
        self._folder = None if path is None else Path(path).absolute()
        self._swapping = threading.RLock()
        self._writing = threading.RLock()
        self._cursors = Cursors()
        self._failed = False
        self._flush_after = flush_after
        self._unflushed = 0
        self._engine: Engine | None = self._open()
        self._lock_file = self._stat_lock()

    @property
    def traits(self) -> Traits:
        """Where it is kept."""
        return Traits(folder=self._folder)

    def insert(self, quads: Iterable[Quad]) -> None:
        """Add quads: all of one call or none. Adding what is there changes nothing."""
        self._check(writing=True)
        batch = list(quads)
        self._write("insert", lambda engine: engine.extend(batch), _weight(batch))

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        """Run a SPARQL query. Ctrl-C ends the wait for it at once."""
        self._check()
        check_timeout(timeout)
        longest = min(timeout or 0, threading.TIMEOUT_MAX)
        deadline = None if timeout is None else time.monotonic() + longest

        def work(given_up: threading.Event) -> Answer:
            engine = self._current()  # held until the answer is read
            return read_whole(engine.store, query, given_up)

        def ask() -> Answer:
            return await_answer(work, None if deadline is None else deadline - time.monotonic())

        try:
            return self._reading(ask).result()
        except GivenUpError:
            raise QueryTimeoutError(self.name, timeout or 0) from None
        except (SyntaxError, UnicodeEncodeError) as error:
            raise syntax_fault("query", error) from None

    def update(self, update: str) -> None:
        """Run a SPARQL update, whole or not at all; Ctrl-C waits until it is done."""
        self._check(writing=True)
        self._write(
            "update", lambda engine: engine.update(update), UPDATE_WEIGHT + len(update) // LONG_TEXT
        )

    def quads(self, graph: str | None = None) -> Iterator[Quad]:
        """Read quads, in no order, as they were when reading began.

        The iterator belongs to the thread that first reads it, and ends with a StoreError when the
        store is closed meanwhile.
        """
        self._check()
        reader = from_spool if self._beside_writer else from_live

        def start() -> Iterator[Quad]:
            engine = self._current()
            return reader(engine.store, graph)

        return self._cursors.track(Cursor(self.name, lambda: self._reading(start)))

    def flush(self) -> None:
        """Hand everything written to the disk; returns when it is there."""
        self._check()
        if not self.read_only:
            self._write("flush", ox.Store.flush)

    def reopen(self) -> None:
        """See what other processes have written; a store open for writing sees all anyway."""
        self._check()
        if self._beside_writer:
            fresh = self._open()
            with self._swapping:
                self._engine = fresh

    def close(self) -> None:
        """Flush and let go of the store; closing twice is fine, in a forked child too."""
        if self._closed or os.getpid() != self._pid:
            return
        with self._writing, self._swapping:
            try:
                if not self.read_only and self._unflushed and not self._failed:
                    self.flush()
            finally:
                self._closed = True
                self._cursors.close()
                self._engine = None

    def _check_place(self) -> None:
        """Refuse to write into a folder that nobody can open again.

        The engine goes on writing to files that have no name any more, and says that all is well.
        """
        if self._stat_lock() != self._lock_file:
            raise StoreError(
                self.name,
                "the folder was removed, moved or replaced while it was open, and with it what was "
                "written; nothing of this call was; close the store and open it again",
            )

    def _stat_lock(self) -> tuple[int, int] | None:
        """Identify the folder by the file that the engine holds open, whose number stays taken."""
        if self._folder is None or self.read_only:
            return None
        try:
            found = (self._folder / "LOCK").stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _open(self) -> Engine:
        if self._folder is None:
            return Engine(ox.Store(), in_folder=False)
        opening = open_reader if self.read_only else open_writer
        return opening(self.name, self._folder)

    def _current(self) -> Engine:
        with self._swapping:
            self._check()
            if self._engine is None:
                self._engine = self._open()
            return self._engine

    def _write(self, what: str, work: Callable[[ox.Store], None], weight: int = 0) -> None:
        with self._writing:
            self._check(writing=True)
            self._check_place()
            if self._failed:
                self._replace()
            failure = self._try(what, work)
            if failure is None:
                self._unflushed += weight
                if self._unflushed >= self._flush_after:
                    # If that fails, what was to be written is written all the same; the next write
                    # meets the failed engine and says so.
                    self._try("flush", ox.Store.flush)
        # Raised here, where no frame holds the engine: who keeps the error would keep it open.
        if failure is not None:
            raise failure

    def _try(self, what: str, work: Callable[[ox.Store], None]) -> ProvError | None:
        try:
            work(self._current().store)
        except (SyntaxError, UnicodeEncodeError) as error:
            return syntax_fault(what, error)
        except (OSError, RuntimeError) as error:
            self._failed = self._folder is not None and engine_failed(error)
            return fault(self.name, self._folder, error)
        if what == "flush":
            self._unflushed = 0
        return None

    def _replace(self) -> None:
        """Open anew: after a failed write RocksDB refuses every other until it is reopened."""
        with self._swapping:
            self._cursors.close()
            self._engine = None
            try:
                for attempt in until_free():
                    with attempt:
                        self._engine = self._open()
                self._failed = False
            finally:
                if self._engine is None and self._folder is not None:
                    with suppress(StoreError):
                        self._engine = open_reader(self.name, self._folder)

    @property
    def _beside_writer(self) -> bool:
        return self.read_only and self._folder is not None

    def _reading(self, work: Callable[[], T]) -> T:
        """Read; beside a writer, open anew and read again when files have been replaced."""
        try:
            if not self._beside_writer:
                return work()
            for attempt in reading_again(self.name):
                with attempt:
                    try:
                        return work()
                    except (OSError, RuntimeError) as error:
                        if is_stale(error):
                            self.reopen()
                        raise
        except (OSError, RuntimeError) as error:
            failure = fault(self.name, self._folder, error)
        raise failure


def _weight(batch: list[Quad]) -> int:
    texts = (quad.object.value for quad in batch if isinstance(quad.object, Literal))
    return len(batch) + sum(map(len, texts)) // LONG_TEXT
