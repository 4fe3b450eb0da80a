"""Look things up before they are recorded, without holding recording up."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pyoxigraph import Quad

from ..errors import QueryTimeoutError, StoreError
from ..stores.base import QueryResult, Queue

__all__ = ["Glance", "Names"]

LOOK_UP = 2.0
"""Seconds that recording waits for an answer of a store behind a queue."""

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

    def trouble(self) -> str | None:
        """Why there is no asking just now; None where there is."""
        return self._why if time.monotonic() < self._until else self._store.trouble()

    def query(self, query: str) -> QueryResult:
        """Run a SPARQL query.

        Raises:
            StoreError: there is no answer, or not in time.
        """
        begun = time.monotonic()
        try:
            return self._store.query(query, timeout=LOOK_UP)
        except StoreError as error:
            ended = time.monotonic()
            if ended - begun >= LOOK_UP or isinstance(error, QueryTimeoutError):
                self._why, self._until = str(error), ended + PAUSE
            raise

    def insert(self, quads: Iterable[Quad]) -> None:
        """Add quads: all of one call or none."""
        self._store.insert(quads)

    def update(self, update: str) -> None:
        """Run a SPARQL update."""
        self._store.update(update)


class Names:
    """Names that threads claim: of two with one name, one waits; others do not.

    Example:
        >>> names = Names()
        >>> with names.claim("urn:trustgraph:agent:7"):
        ...     pass
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._claims: dict[str, tuple[threading.RLock, list[None]]] = {}

    @contextmanager
    def claim(self, name: str) -> Iterator[None]:
        """Hold a name; the thread that holds it may claim it again."""
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
