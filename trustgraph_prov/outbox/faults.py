"""Say in one line what is wrong with an outbox on disk, and the right way out."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ..errors import StoreBusyError, StoreError
from ..stores.faults import disk_is_full, free_bytes

__all__ = ["CHECK", "QUEUE_FILE", "RESERVE", "DiskFullError", "QueueError", "queue_fault"]

QUEUE_FILE = "queue.sqlite"

RESERVE = 1_000_000
"""Bytes that stay free on the disk: rows are taken out of a full queue too, which needs room."""

CHECK = "check the folder and its permissions"
"""The way out where the system refuses."""

_FULL_WITHOUT_ROOM = ("disk I/O error", "unable to open database file")
_DAMAGED = ("not a database", "malformed")


class DiskFullError(StoreError):
    """The disk of this machine is full.

    Args:
        store: what waits for it cannot be written.
        place: what is on the disk, in words.
        folder: on the disk, or to be made there.
    """

    def __init__(self, store: str, place: str, folder: Path) -> None:
        free = free_bytes(folder) / 1e6
        super().__init__(store, f"the disk of {place} is full ({free:.1f} MB free)", "make space")


class QueueError(StoreError):
    """The queue itself cannot be used, whatever the store is like."""


def queue_fault(
    name: str, folder: Path, error: sqlite3.Error | OSError, where: str = ""
) -> StoreError:
    """Translate what SQLite or the system said when a queue was read or written.

    Args:
        name: begins the message.
        folder: the outbox.
        error: what was raised.
        where: the outbox in words; without it, with its folder.
    """
    text, where = str(error), where or f"the outbox {folder}"
    if folder.exists() and not folder.is_dir():
        return QueueError(name, f"{where} is a file", "name a folder")
    if disk_is_full(error) or (
        any(words in text for words in _FULL_WITHOUT_ROOM) and free_bytes(folder) < RESERVE
    ):
        return DiskFullError(name, where, folder)
    if "locked" in text:
        what = f"{where} is in use by others all the time"
        return StoreBusyError(name, what, "try again in a moment")
    if any(words in text for words in _DAMAGED):
        return QueueError(
            name,
            f"{where} is damaged ({text})",
            f"keep {QUEUE_FILE} for rescue and name another folder",
        )
    return QueueError(name, f"{where} cannot be used ({text})", CHECK)
