"""A store that takes what is recorded at once, and sends it on when its remote store can."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import itertools
import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pyoxigraph import Quad

from ..errors import InvalidValueError, ProvError, StoreError, StorePendingError
from ..n_quads import encode
from ..stores.base import QueryResult, Store, Traits, traits_of
from ..stores.interrupt import check_seconds, check_timeout
from ..stores.lease import Lease
from ..stores.opened import Opened
from ..wording import counted
from .dead_letters import DEAD_LETTERS, kept_in, was_for
from .faults import DiskFullError, QueueError
from .journal import Journal
from .limit import check_limit, cut_texts
from .sender import Sender

__all__ = ["OutboxStore"]

_LOOK = 0.25
"""Seconds until a wait looks at the queue again, which another process may be emptying."""

_LEAST = 0.01
"""Seconds that a query has when waiting took nearly all of its time."""

_LAST_REQUEST = 1.0
"""Seconds that `close` waits for a request on its way; unanswered, it is repeated next time."""

_log = logging.getLogger("trustgraph_prov.outbox")


class OutboxStore(Opened):
    """A remote store behind a durable queue, so that recording goes on while it is away.

    `insert` writes to the queue, an SQLite file, and returns. A thread sends what is queued, in
    order and at least once; a repeat changes nothing in RDF. What a process leaves in the queue,
    however it ends, is sent by the next one that opens the folder for the same store. Several
    processes may share a folder: one of them sends, for all.

    Reading and updating see every insert that returned before: they wait until it is delivered,
    and fail when the store is away. A process that ends without `close` sends on for a moment too.
    Statements that the store refuses for good go to files in `dead-letters`, with the reason.

    Args:
        store: the remote store, which is closed with this one, or as soon as it has answered then;
            or what opens it, called until it does.
        folder: the outbox, on a disk of this machine; it is made when it is not there.
        name: of the store that a callable opens, without credentials. The queue is kept by it; a
            store that takes updates elsewhere keeps the name and so the queue.
        fsync: whether an insert that returned outlives a power cut, at one fsync each (about
            4 ms on a plain disk). Without it, an insert outlives the death of the process, and a
            power cut may take the last seconds.
        max_text_bytes: cut longer texts, and keep them whole in `dead-letters`; None for what the
            store's `traits` say, if anything.
        wait: seconds that reading, updating and `flush` wait for delivery, the first two as long
            as the store answers; None for no limit.
        linger: seconds that `close` goes on sending, as long as the store answers.
        longest_pause: seconds between two attempts at a store that is away, at most.
        stale_reads: read at once what the store has, without waiting.

    Raises:
        StoreError: the folder cannot be used.
        InvalidValueError: a callable without a name, a read-only store, a limit below 1, seconds
            that are none or too few.

    Example:
        >>> import tempfile
        >>> from pyoxigraph import Literal, NamedNode
        >>> from trustgraph_prov.stores import open_store
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with OutboxStore(open_store("memory:"), folder) as store:
        ...         store.insert([Quad(NamedNode("urn:a"), NamedNode("urn:b"), Literal("c"))])
        ...         bool(store.query("ASK { ?s ?p 'c' }")), store.pending()
        (True, 0)
    """

    def __init__(
        self,
        store: Store | Callable[[], Store],
        folder: str | os.PathLike[str],
        *,
        name: str | None = None,
        fsync: bool = True,
        max_text_bytes: int | None = None,
        wait: float | None = 30.0,
        linger: float = 5.0,
        longest_pause: float = 5.0,
        stale_reads: bool = False,
    ) -> None:
        check_limit(max_text_bytes)
        check_timeout(wait, "wait")
        check_seconds(longest_pause, "longest_pause")
        check_seconds(linger, "linger", zero=True)
        self._store: Store | None = None
        if callable(store):
            self._opener = store
            if not name:
                raise InvalidValueError("name", name, "the name of the store that is opened later")
        else:
            if store.read_only:
                raise InvalidValueError("store", store.name, "a store that is open for writing")
            self._store, self._opener, name = store, lambda: store, store.name
            if max_text_bytes is None:
                max_text_bytes = traits_of(store).text_limit
        super().__init__(name)
        self.folder = Path(folder).absolute()
        self._max_text_bytes = max_text_bytes
        self._wait = wait
        self._linger = linger
        self._stale_reads = stale_reads
        self._opening = threading.Lock()
        self._leaving = itertools.count()
        self._gone = False
        self._letters = self.folder / DEAD_LETTERS
        self._known = frozenset(kept_in(self._letters))
        self._journal = Journal(self.folder, self.name, fsync=fsync)
        digest = hashlib.sha256(self.name.encode()).hexdigest()[:16]
        self._sender = Sender(
            self._remote,
            self._journal,
            Lease(self.folder / f"sender-{digest}.lock"),
            self._letters,
            longest_pause=longest_pause,
            at_end=self._leave_late,
        )
        self._sender.start()
        _open_stores.add(self)

    @property
    def traits(self) -> Traits:
        """What is known about the remote store, which is opened for it.

        Raises:
            StoreError: it cannot be opened, or this one is closed.
        """
        self._check()
        return traits_of(self._remote())

    def insert(self, quads: Iterable[Quad]) -> None:
        """Queue quads: all of one call or none. They are on this machine's disk on return.

        Raises:
            StoreError: the disk is full or the store is closed; nothing of the call is queued.

        Warns:
            ProvWarning: texts over the limit were cut.
        """
        self._check()
        batch = list(quads)
        try:
            self._queue(batch)
        except DiskFullError as error:
            raise StoreError(
                self.name,
                f"{error.why} and record it again: nothing of this call was queued, what was "
                "queued before is safe",
            ) from None

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        """Run a SPARQL query on the remote store, once it has what was queued before.

        `timeout` is for both; without it, the first has the `wait` of the outbox.
        """
        begun = time.monotonic()
        self._check()
        check_timeout(timeout)
        self._before_reading(timeout)
        if timeout is not None:
            timeout = max(timeout - (time.monotonic() - begun), _LEAST)
        return self._remote().query(query, timeout=timeout)

    def update(self, update: str) -> None:
        """Run a SPARQL update on the remote store, once it has what was queued before.

        It is not queued: it has run when this returns. Inserts of other threads and processes
        that are queued meanwhile may arrive before or after it.

        Raises:
            StorePendingError: the queue was not delivered in time; the update was not sent.
        """
        self._check()
        self._deliver(self._wait, patient=False)
        self._remote().update(update)

    def quads(self, graph: str | None = None) -> Iterator[Quad]:
        """Read the remote store's quads, once it has what was queued before."""
        self._before_reading()
        return self._remote().quads(graph)

    def pending(self) -> int:
        """Count the inserts in the folder, of all processes, that this store has not got yet."""
        self._check()
        return self._journal.pending()

    def trouble(self) -> str | None:
        """Why what waits cannot be sent just now; None where it can, or nothing waits."""
        self._check()
        return self._sender.trouble if self._journal.newest() else None

    def refused(self) -> tuple[Path, ...]:
        """Files of what its store refused for good since this outbox was opened, one an insert.

        A closed outbox tells it too. What another process sends meanwhile counts.
        """
        new = (file for file in kept_in(self._letters) if file not in self._known)
        return tuple(file for file in new if was_for(file, self.name))

    def flush(self, timeout: float | None = None) -> None:
        """Wait until the remote store has everything that was queued before this call.

        Args:
            timeout: seconds; without it, the `wait` of the outbox.

        Raises:
            StorePendingError: the time is over; what is pending is sent later.
        """
        self._check()
        check_timeout(timeout)
        self._deliver(self._wait if timeout is None else timeout)
        self._remote().flush()

    def reopen(self) -> None:
        """See what other processes have written to the remote store."""
        self._check()
        self._remote().reopen()

    def close(self) -> None:
        """Send on for a moment while the store answers, then let go; the rest waits on disk.

        Closing twice is fine, in a forked child too.
        """
        if self._closed or os.getpid() != self._pid:
            return
        self._closed = True
        try:
            with contextlib.suppress(StoreError):
                self._deliver(self._linger, patient=False)
        finally:
            try:
                self._sender.stop(_LAST_REQUEST)
            finally:
                self._journal.close()
                self._leave()

    def __repr__(self) -> str:
        return f"OutboxStore({self.name!r}, {str(self.folder)!r})"

    def _check(self, *, writing: bool = False) -> None:
        if os.getpid() != self._pid:
            raise StoreError(
                self.name,
                f"its outbox was opened by process {self._pid} and this is its child "
                f"{os.getpid()}; open an outbox of its own here, in the same folder if you like",
            )
        if self._closed:
            raise StoreError(self.name, "is closed; open it again")

    def _queue(self, quads: list[Quad]) -> None:
        if self._max_text_bytes is not None:
            quads, _ = cut_texts(quads, self._max_text_bytes, self._letters, name=self.name)
        if quads:
            self._journal.append(encode(quads))
            self._sender.wake()

    def _remote(self) -> Store:
        with self._opening:
            if self._store is None:
                self._store = self._opener()
            if self._gone:  # closed while it was being opened
                self._store.close()
                self._check()
            return self._store

    def _leave(self) -> None:
        """Close the store, unless the sender or who calls `close` still uses it: the last one does.

        A thread that still waits for an answer when the process ends goes with it.
        """
        if next(self._leaving):
            self._gone = True
            if self._store is not None:
                self._store.close()

    def _leave_late(self) -> None:
        try:
            self._leave()
        except Exception as error:  # nobody waits who could be told
            _log.warning("%s", error)

    def _before_reading(self, timeout: float | None = None) -> None:
        self._check()
        if not self._stale_reads:
            limits = [limit for limit in (self._wait, timeout) if limit is not None]
            self._deliver(min(limits, default=None), patient=False)

    def _deliver(self, seconds: float | None, *, patient: bool = True) -> None:
        last = self._journal.newest()
        if not last:
            return
        end = None if seconds is None else time.monotonic() + seconds
        failures = self._sender.failures
        self._sender.hurry()
        while pending := self._journal.pending(last):
            left = _LOOK if end is None else end - time.monotonic()
            if left <= 0 or (not patient and self._sender.failed_since(failures)):
                if self._sender.fault:
                    raise QueueError(self.name, self._sender.fault)
                why = self._sender.trouble or "the store is still taking what was queued before"
                raise StorePendingError(
                    self.name,
                    f"{counted(pending, 'insert')} not delivered yet "
                    f"({why}); what waits is kept in {self.folder} "
                    "and sent as soon as that works",
                    pending,
                )
            self._sender.await_progress(min(left, _LOOK))


_open_stores: weakref.WeakSet[OutboxStore] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    # A thread inside the engine must not meet the end of the interpreter, which would abort.
    for store in list(_open_stores):
        with contextlib.suppress(ProvError, OSError):
            store.close()
