"""Look into an outbox folder, whoever is sending from it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from .dead_letters import DEAD_LETTERS, kept_in
from .faults import QUEUE_FILE, queue_fault
from .journal import moment

__all__ = ["OutboxStatus", "TargetStatus", "outbox_status"]


@dataclass(frozen=True)
class TargetStatus:
    """What waits for one store.

    Attributes:
        store: its name, without credentials.
        pending: inserts that wait.
        size: their bytes.
        oldest: when the first of them was queued, in UTC.
        trouble: why sending fails just now, or None when it does not.
        trouble_since: since when, in UTC.
    """

    store: str
    pending: int
    size: int
    oldest: datetime | None
    trouble: str | None
    trouble_since: datetime | None


@dataclass(frozen=True)
class OutboxStatus:
    """What is in an outbox folder.

    Attributes:
        folder: where.
        targets: by name of the store; empty when nothing waits and nothing is wrong.
        refused: dead-letter files with statements that a store refused for good, oldest first.
        kept_texts: whole texts of which a store has the first part.
    """

    folder: Path
    targets: tuple[TargetStatus, ...]
    refused: tuple[Path, ...]
    kept_texts: tuple[Path, ...]

    @property
    def letters(self) -> Path:
        """The folder with what was refused or kept."""
        return self.folder / DEAD_LETTERS

    @property
    def pending(self) -> int:
        """Inserts that wait, for any store."""
        return sum(target.pending for target in self.targets)


def outbox_status(folder: str | os.PathLike[str]) -> OutboxStatus:
    """Count what waits in a folder and what was refused; nothing is sent or changed.

    Args:
        folder: one that is not there is an empty outbox.

    Raises:
        StoreError: the folder is a file, or the queue cannot be read.

    Example:
        >>> outbox_status("no-such-folder").pending
        0
    """
    place = Path(folder).absolute()
    letters = place / DEAD_LETTERS
    try:
        with suppress(FileNotFoundError):
            next(place.iterdir(), None)
        targets = _targets(place / QUEUE_FILE)
        texts = tuple(sorted(letters.glob("*.txt")))
        return OutboxStatus(place, targets, kept_in(letters), texts)
    except (sqlite3.Error, OSError) as error:
        raise queue_fault(str(folder), place, error, "the outbox") from None


def _targets(file: Path) -> tuple[TargetStatus, ...]:
    if not file.exists():
        return ()
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=10)) as queue:
        if not queue.execute("PRAGMA user_version").fetchone()[0]:
            return ()  # somebody is making it
        rows = queue.execute(
            "SELECT target, count(id), coalesce(sum(length(payload)), 0), min(queued), "
            "max(reason), max(since) FROM ("
            " SELECT target, id, payload, queued, NULL AS reason, NULL AS since FROM call"
            " UNION ALL SELECT target, NULL, NULL, NULL, reason, since FROM trouble"
            ") GROUP BY target ORDER BY target"
        ).fetchall()
    return tuple(
        TargetStatus(name, count, size, _time(oldest), reason, _time(since))
        for name, count, size, oldest, reason, since in rows
    )


def _time(seconds: float | None) -> datetime | None:
    return None if seconds is None else moment(seconds)
