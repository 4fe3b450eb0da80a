"""The queue on disk: one row a call, in SQLite."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random_exponential

from ..errors import StoreError
from ..stores.guard import Guarded
from .faults import QUEUE_FILE, RESERVE, DiskFullError, queue_fault

__all__ = ["Call", "Journal", "moment"]

_VERSION = 1
_BUSY = 60.0
_LAST = 253_402_300_799  # the end of the year 9999
_WAL_KEPT = 4_000_000
_WAL_PAGES = 128  # of 4 kB: taking rows out writes less than the reserve before it starts anew
_FREE_KEPT = 4_000_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS call (
    id INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL, queued REAL NOT NULL,
    payload BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS call_of_target ON call (target, id);
CREATE TABLE IF NOT EXISTS trouble (
    target TEXT PRIMARY KEY, since REAL NOT NULL, reason TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Call:
    """One insert that waits.

    Attributes:
        id: its place in the order; never used twice in a folder.
        queued: when it was queued, in seconds since 1970.
        payload: its quads as N-Quads.
    """

    id: int
    queued: float
    payload: bytes


def moment(seconds: object) -> datetime:
    """Read when a call was queued; a clock or a row may be far off.

    Args:
        seconds: since 1970.

    Returns:
        A time in UTC, within the years that there are dates for.

    Example:
        >>> moment(1e99).year, moment("?").year
        (9999, 1970)
    """
    known = seconds if isinstance(seconds, (int, float)) else 0
    return datetime.fromtimestamp(max(0, min(known, _LAST)), timezone.utc)


class Journal(Guarded):
    """Calls that wait for one store, in the order in which they were queued.

    Threads and processes may share a folder, on a disk of this machine: the locks of SQLite's
    write-ahead log do not reach over a network.

    Args:
        folder: where the queue is; it is made when it is not there.
        target: name of the store that the calls are for; calls for others are not seen.
        fsync: whether a call that returned outlives a power cut, at the cost of one fsync each
            (`synchronous=FULL`). Without it (`NORMAL`) it outlives the death of the process alone.

    Raises:
        StoreError: the folder or the queue in it cannot be used.
    """

    def __init__(self, folder: Path, target: str, *, fsync: bool = True) -> None:
        self.folder = folder
        self.target = target
        self._file = folder / QUEUE_FILE
        self._synchronous = "FULL" if fsync else "NORMAL"
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._closed = False
        super().__init__()
        with self._using():
            pass

    def append(self, payload: bytes) -> int:
        """Queue a call, whole or not at all; it is on the disk when this returns.

        Raises:
            DiskFullError: the disk is full.
            StoreError: the queue cannot be written.
        """
        with self._using() as connection:
            if not self._has_space(connection, len(payload)):
                _shrink(connection)
                if not self._has_space(connection, len(payload)):
                    raise DiskFullError(self.target, f"the outbox {self.folder}", self.folder)
            with _transaction(connection):
                row = connection.execute(
                    "INSERT INTO call (target, queued, payload) VALUES (?, ?, ?)",
                    (self.target, time.time(), payload),
                )
            return int(row.lastrowid or 0)

    def oldest(self, calls: int, size: int) -> list[Call]:
        """The calls to send next.

        Args:
            calls: at most so many.
            size: at most so many bytes in all, but always one call.
        """
        found: list[Call] = []
        with self._using() as connection:
            rows = connection.execute(
                "SELECT id, queued, CAST(payload AS BLOB) FROM call WHERE target = ? "
                "ORDER BY id LIMIT ?",
                (self.target, calls),
            )
            for row in rows:
                call = Call(*row)
                size -= len(call.payload)
                if found and size < 0:
                    break
                found.append(call)
            rows.close()
        return found

    def remove(self, calls: Sequence[Call]) -> None:
        """Take calls out; a power cut may bring them back, and they are sent again."""
        with self._using() as connection:
            connection.execute("PRAGMA synchronous = NORMAL")
            try:
                with _transaction(connection):
                    connection.executemany(
                        "DELETE FROM call WHERE id = ?", [(call.id,) for call in calls]
                    )
            finally:
                connection.execute(f"PRAGMA synchronous = {self._synchronous}")
            if _free_bytes(connection) > _FREE_KEPT and _is_empty(connection):
                _shrink(connection)

    def newest(self) -> int:
        """The id of the last call that waits, 0 when none does."""
        with self._using() as connection:
            newest = connection.execute(
                "SELECT max(id) FROM call WHERE target = ?", (self.target,)
            ).fetchone()
            return int(newest[0] or 0)

    def pending(self, up_to: int | None = None) -> int:
        """Count the calls that wait.

        Args:
            up_to: id of the last one that counts.
        """
        with self._using() as connection:
            count = connection.execute(
                "SELECT count(*) FROM call WHERE target = ? AND id <= ?",
                (self.target, 2**62 if up_to is None else up_to),
            ).fetchone()
            return int(count[0])

    def trouble(self) -> str | None:
        """Why sending fails just now, as the process that sends has noted it."""
        with self._using() as connection:
            row = connection.execute(
                "SELECT reason FROM trouble WHERE target = ?", (self.target,)
            ).fetchone()
            return None if row is None else str(row[0])

    def note_trouble(self, reason: str | None) -> None:
        """Note why sending fails, for other processes and `status`; None when it works again."""
        with self._using() as connection, _transaction(connection):
            if reason is None:
                connection.execute("DELETE FROM trouble WHERE target = ?", (self.target,))
            else:
                connection.execute(
                    "INSERT INTO trouble VALUES (?, ?, ?) "
                    "ON CONFLICT (target) DO UPDATE SET reason = excluded.reason",
                    (self.target, time.time(), reason),
                )

    def close(self) -> None:
        """Let go of the queue; what waits stays in it."""
        with self.lock:
            self._closed = True
            self.before_fork()

    def before_fork(self) -> None:
        """Close the connection, which must not cross a fork; the next use opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self.lock:
            if self._closed:
                raise StoreError(self.target, "is closed; open it again")
            try:
                if self._connection is not None and self._identity != self._identify():
                    self.before_fork()  # the folder was removed or replaced under our feet
                if self._connection is None:
                    self._connection = self._connect()
                    self._identity = self._identify()
                if self._connection.in_transaction:  # Ctrl-C fell between two lines below
                    self._connection.execute("ROLLBACK")
                yield self._connection
            except (sqlite3.Error, OSError) as error:
                raise queue_fault(self.target, self.folder, error) from None

    def _connect(self) -> sqlite3.Connection:
        self.folder.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            self._file, timeout=_BUSY, isolation_level=None, check_same_thread=False
        )
        try:
            for attempt in _while_locked():
                with attempt:
                    self._set_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_up(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            raise StoreError(
                self.target,
                f"the outbox {self.folder} was made by a newer version of trustgraph-prov; "
                "upgrade, or name another folder",
            )
        # Debian's SQLite overwrites what is deleted, which takes as much room as it frees.
        connection.execute("PRAGMA secure_delete = FAST")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA journal_size_limit = {_WAL_KEPT}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        if version < _VERSION:
            connection.executescript(
                f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;"
            )

    def _identify(self) -> tuple[int, int] | None:
        try:
            status = self._file.stat()
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino

    def _has_space(self, connection: sqlite3.Connection, size: int) -> bool:
        # The row goes into the log now, and later into the file with all that is in the log.
        try:
            log = self._file.with_name(f"{QUEUE_FILE}-wal").stat().st_size
        except FileNotFoundError:
            log = 0
        needed = size + max(0, size + log - _free_bytes(connection)) + RESERVE
        return shutil.disk_usage(self.folder).free >= needed


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _free_bytes(connection: sqlite3.Connection) -> int:
    """Bytes in the file that hold nothing."""
    pages = int(connection.execute("PRAGMA freelist_count").fetchone()[0])
    return pages * int(connection.execute("PRAGMA page_size").fetchone()[0])


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM call LIMIT 1").fetchone() is None


def _shrink(connection: sqlite3.Connection) -> None:
    """Give space that holds nothing back to the disk, as far as others let go of it."""
    with contextlib.suppress(sqlite3.Error):
        if _is_empty(connection):
            connection.execute("VACUUM")  # with rows left, it would need room for all of them
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _while_locked() -> Retrying:
    # Two processes that make the queue at once: switching to the log does not wait by itself.
    return Retrying(
        retry=retry_if_exception(
            lambda error: isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
        ),
        wait=wait_random_exponential(multiplier=0.01, max=0.5),
        stop=stop_after_delay(_BUSY),
        reraise=True,
    )
