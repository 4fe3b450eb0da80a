"""Open a folder with pyoxigraph, and say in one line why that does not work."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pyoxigraph as ox
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    retry_if_exception_type,
    stop_after_delay,
    wait_fixed,
    wait_random_exponential,
)

from ..errors import StoreBusyError, StoreError, StoreMissingError
from .faults import disk_is_full, fault, held_for_writing, is_stale, one_line
from .forks import Engine
from .snapshot import Snapshot, can_hold

__all__ = ["open_reader", "open_writer", "reading_again", "until_free"]

ATTEMPTS = 12
"""Tries to read beside a writer: about two seconds of waiting in all."""

PATIENCE = 5.0
"""Seconds to wait for running queries when a failed engine is replaced."""

ALIKE = 4
"""Tries that miss one and the same file: a writer replaces each file once, so it is lost."""

_ENGINE_FILE = re.compile(
    r"(CURRENT|IDENTITY|LOCK|LOG(\.old\.\d+)?|MANIFEST-\d+|OPTIONS-\d+(\.dbtmp)?"
    r"|\d+\.(log|sst|dbtmp|blob)|lost\+found)\Z"
)


def open_writer(name: str, folder: Path) -> Engine:
    """Open a folder for writing; a new or an empty one becomes a store.

    Raises:
        StoreBusyError: a process has it open for writing.
        StoreError: it is a file, holds something else, is not accessible or is damaged.
    """
    _check_folder(name, folder)
    if folder.is_dir():
        others = [file.name for file in folder.iterdir() if not _ENGINE_FILE.match(file.name)]
        if others and not (folder / "CURRENT").exists():
            raise StoreError(
                name,
                f"the folder holds something else ({sorted(others)[0]}) and no store; "
                "name a new or an empty folder",
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if isinstance(error, PermissionError) or disk_is_full(error):
            raise _open_fault(name, folder, error) from None
        why = one_line(error.strerror or error)
        raise StoreError(name, f"no folder can be made there ({why}); name another place") from None
    try:
        return Engine(ox.Store(str(folder)), in_folder=True)
    except (OSError, RuntimeError) as error:
        text = str(error)
        if "lock hold by current process" in text:
            raise StoreBusyError(
                name,
                "this process, or the one it was forked from, has it open for writing already, "
                "or a query that was given up still runs; use that store, or close it and wait",
            ) from None
        if "LOCK" in text and "unavailable" in text:
            raise held_for_writing(name, "another process") from None
        raise _open_fault(name, folder, error) from None


def open_reader(name: str, folder: Path) -> Engine:
    """Open a folder for reading, beside a writer or not.

    pyoxigraph calls reading beside a writer undefined. What the engine gets is therefore a snapshot
    of files that stay; where the system cannot hold files that are deleted, opening fails now and
    then, and is tried again.

    Raises:
        StoreMissingError: there is no store.
        StoreBusyError: a writer was replacing files all the time.
        StoreError: it is a file, is not accessible or is damaged.
    """
    _check_folder(name, folder)
    for attempt in reading_again(name):
        with attempt:
            if not (folder / "CURRENT").exists():
                raise StoreMissingError(
                    name, "no store there; `tg-prov demo` or a recorder makes one"
                )
            try:
                return _read(folder)
            except (OSError, RuntimeError) as error:
                if is_stale(error):
                    raise
                raise _open_fault(name, folder, error) from None
    raise AssertionError("unreachable: the last attempt returns or raises")


def _read(folder: Path) -> Engine:
    if not can_hold():
        return Engine(ox.Store.read_only(str(folder)), in_folder=True)
    snapshot = Snapshot(folder)
    try:
        engine = Engine(ox.Store.read_only(str(snapshot.path)), in_folder=True, held=snapshot)
        snapshot.drop_logs()
        return engine
    except (OSError, RuntimeError) as error:
        # In the words of the folder the user knows, and alike each time.
        raise type(error)(str(error).replace(str(snapshot.path), str(folder))) from None


def reading_again(name: str) -> Retrying:
    """Attempts at reading beside a writer.

    The same file missing time and again is not a writer at work but a damaged store.
    """

    missing: list[str] = []

    def enough(state: RetryCallState) -> bool:
        missing.append(str(state.outcome.exception() if state.outcome else ""))
        return state.attempt_number >= ATTEMPTS or damaged()

    def damaged() -> bool:
        return len(missing) >= ALIKE and len(set(missing[-ALIKE:])) == 1

    def give_up(state: RetryCallState) -> None:
        if damaged():
            raise _damage(name, missing[-1]) from None
        raise StoreBusyError(
            name, "another process is busy writing to it; try again in a moment"
        ) from None

    return Retrying(
        retry=retry_if_exception(is_stale),
        wait=wait_random_exponential(multiplier=0.01, max=1),
        stop=enough,
        retry_error_callback=give_up,
    )


def until_free() -> Retrying:
    """Attempts at opening for writing, while queries of this process still use the old engine."""
    return Retrying(
        retry=retry_if_exception_type(StoreBusyError),
        wait=wait_fixed(0.05),
        stop=stop_after_delay(PATIENCE),
        reraise=True,
    )


def _check_folder(name: str, folder: Path) -> None:
    try:
        if folder.exists() and not folder.is_dir():
            raise StoreError(name, "is a file; a store is a folder")
        if folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK, effective_ids=True):
            raise PermissionError
    except PermissionError:
        raise StoreError(
            name, "no permission to read this folder; change its permissions or name another"
        ) from None


def _open_fault(name: str, folder: Path, error: BaseException) -> Exception:
    if isinstance(error, PermissionError) or "Permission denied" in str(error):
        return StoreError(
            name, "no permission to open this folder; change its permissions or name another"
        )
    if "No such file" in str(error):
        return _damage(name, str(error))
    if isinstance(error, IsADirectoryError):  # the file that names the newest one names none
        return StoreError(
            name, "the store is damaged (CURRENT is empty); restore the folder from a backup"
        )
    return fault(name, folder, error)


def _damage(name: str, what: str) -> StoreError:
    return StoreError(
        name,
        f"the store is damaged, a file is missing ({one_line(what)}); "
        "restore the folder from a backup",
    )
