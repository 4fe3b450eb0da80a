"""Say in one line what is wrong with a queue on disk, and the right way out."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from ..errors import StoreBusyError, StoreError
from .files import DiskFullError

__all__ = ["QUEUE_FILE", "RESERVE", "QueueError", "queue_fault"]

QUEUE_FILE = "queue.sqlite"

RESERVE = 1_000_000
"""Bytes that stay free on the disk: rows are taken out of a full queue too, which needs room."""

_FULL = ("is full", "No space left")
_FULL_WITHOUT_ROOM = ("disk I/O error", "unable to open database file")
_DAMAGED = ("not a database", "malformed")


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
        return QueueError(name, f"{where} is a file; name a folder")
    if any(words in text for words in _FULL) or (
        any(words in text for words in _FULL_WITHOUT_ROOM) and _free(folder) < RESERVE
    ):
        return DiskFullError(name, where, _existing(folder))
    if "locked" in text:
        return StoreBusyError(name, f"{where} is in use by others all the time")
    if any(words in text for words in _DAMAGED):
        return QueueError(
            name,
            f"{where} is damaged ({text}); keep {QUEUE_FILE} for rescue and name another folder",
        )
    return QueueError(
        name, f"{where} cannot be used ({text}); check the folder and its permissions"
    )


def _free(folder: Path) -> int:
    return shutil.disk_usage(_existing(folder)).free


def _existing(folder: Path) -> Path:
    return next(place for place in (folder, *folder.parents) if place.exists())
