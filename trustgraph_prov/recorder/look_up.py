"""Look things up before they are recorded, without holding recording up."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as StillRunning
from contextlib import contextmanager
from typing import TypeVar

from pyoxigraph import Quad

from ..errors import QueryTimeoutError, StoreError
from ..stores.base import QueryResult, Queue

__all__ = ["Glance", "Names"]

T = TypeVar("T")

LOOK_UP = 2.0
"""Seconds that recording waits for an answer of a store behind a queue, or for an update of it."""

PAUSE = 5.0
"""Seconds until a store that gave none in that time is asked again."""


class Glance:
    """A store behind a queue, asked for no longer than recording may be held up.

    Args:
        store: the store with its queue.
    """

    def __init__(self, store: Queue) -> None:
        self._store = store
        self._why = ""
        self._until = 0.0
        self._updated: Future[None] | None = None

    def attempt(self, work: Callable[[], T]) -> tuple[T | None, str | None]:
        """Do something with the store, unless there is no asking just now.

        Returns:
            What came of it, and why nothing did; None where it was done.
        """
        why = self._trouble()
        if why is None:
            try:
                return work(), None
            except StoreError as error:
                why = str(error)
        return None, why

    def _trouble(self) -> str | None:
        updating = self._updated is not None and not self._updated.done()
        return self._why if updating or time.monotonic() < self._until else self._store.trouble()

    def query(self, query: str) -> QueryResult:
        """Run a SPARQL query.

        Raises:
            StoreError: there is no answer, or not in time.
        """
        begun = time.monotonic()
        try:
            return self._store.query(query, timeout=LOOK_UP)
        except StoreError as error:
            if time.monotonic() - begun >= LOOK_UP or isinstance(error, QueryTimeoutError):
                self._pause(str(error))
            raise

    def insert(self, quads: Iterable[Quad]) -> None:
        """Add quads: all of one call or none."""
        self._store.insert(quads)

    def update(self, update: str) -> None:
        """Run a SPARQL update. One that takes longer goes on, and nothing is asked until it ends.

        Raises:
            StoreError: it failed, or did not end in time.
        """
        updated = self._updated = Future[None]()
        threading.Thread(target=self._update, args=(update, updated), daemon=True).start()
        try:
            updated.result(LOOK_UP)
        except StillRunning:
            error = StoreError(self._store.name, f"an update did not end within {LOOK_UP:g} s")
            self._pause(str(error))
            raise error from None

    def _update(self, update: str, updated: Future[None]) -> None:
        try:
            self._store.update(update)
        except BaseException as error:  # who waits for it gets it
            updated.set_exception(error)
        else:
            updated.set_result(None)

    def _pause(self, why: str) -> None:
        self._why, self._until = why, time.monotonic() + PAUSE


class Names:
    """Names that threads claim: of two with one name, one waits; others do not.

    Example:
        >>> names = Names()
        >>> with names.claim("urn:trustgraph:agent:7"):
        ...     pass
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._claims: dict[str, tuple[threading.RLock, list[None]]] = {}

    @contextmanager
    def claim(self, name: str) -> Iterator[None]:
        """Hold a name; the thread that holds it may claim it again."""
        if os.getpid() != self._process:  # a child has none of the threads that hold one
            self._begin()
        with self._lock:
            lock, claims = self._claims.setdefault(name, (threading.RLock(), []))
            claims.append(None)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                claims.pop()
                if not claims:
                    self._claims.pop(name, None)
