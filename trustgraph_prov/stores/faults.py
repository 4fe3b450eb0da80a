"""Say in one line what the engine's errors mean for the user."""

from __future__ import annotations

import errno
import re
import shutil
from pathlib import Path

from ..characters import message
from ..errors import InputSyntaxError, ProvError, StoreBusyError, StoreError

__all__ = [
    "disk_is_full",
    "engine_failed",
    "fault",
    "free_bytes",
    "held_for_writing",
    "is_stale",
    "one_line",
    "syntax_fault",
]

_POSITION = re.compile(r"error at (?P<line>\d+):(?P<column>\d+):\s*(?P<why>.*)", re.S)
_ENGINE_FAILED = re.compile(r"(IO error|Corruption|Shutdown in progress|Aborted|Busy)\b")
_STALE = re.compile("No such file|WAL recovery stopped")
_FULL = re.compile("No space left|database or disk is full")
_LONGEST = 200


def one_line(error: BaseException | str) -> str:
    """Cut an engine's message to one line of a readable length, without control characters."""
    text = message(" ".join(str(error).split())) or type(error).__name__
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def syntax_fault(what: str, error: SyntaxError | UnicodeEncodeError) -> InputSyntaxError:
    """Point at the place in a query or an update that does not parse.

    Args:
        what: `query` or `update`.
        error: the engine's error, which has line and column in its text, or what it says of a text
            that is no Unicode.

    Example:
        >>> print(syntax_fault("query", SyntaxError("error at 3:2: expected OPTIONAL")))
        query:3: not SPARQL at column 2: expected OPTIONAL
    """
    match = _POSITION.match(str(error))
    if not match:
        return InputSyntaxError(what, None, f"not SPARQL: {one_line(error)}")
    why = f"not SPARQL at column {match['column']}: {one_line(match['why'])}"
    return InputSyntaxError(what, int(match["line"]), why)


def is_stale(error: BaseException) -> bool:
    """Whether a read-only store stumbled over files that its writer was just replacing.

    RocksDB calls that "Corruption" at times; what tells it is the file that is missing, or a log
    that ends in the middle.
    """
    return isinstance(error, (OSError, RuntimeError)) and bool(_STALE.search(str(error)))


def engine_failed(error: BaseException) -> bool:
    """Whether the engine itself is in trouble, and not, say, the server a LOAD reads from."""
    return isinstance(error, (OSError, RuntimeError)) and bool(_ENGINE_FAILED.match(str(error)))


def disk_is_full(error: BaseException) -> bool:
    """Whether there was no space left, which engines say in words alone.

    Example:
        >>> disk_is_full(OSError(errno.ENOSPC, "in any language"))
        True
    """
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno == errno.ENOSPC
    return bool(_FULL.search(str(error)))


def held_for_writing(name: str, who: str) -> StoreBusyError:
    """Refuse a second writer.

    Args:
        name: the store as the user named it.
        who: has it, in words.
    """
    return StoreBusyError(
        name,
        f"{who} has it open for writing; wait for it or stop it (reading goes on beside it)",
    )


def free_bytes(place: Path) -> int:
    """Bytes that are free on the disk of a file or folder, be it there or not."""
    there = next(one for one in (place, *place.parents) if one.exists())
    return shutil.disk_usage(there).free


def fault(name: str, folder: Path | None, error: BaseException) -> ProvError:
    """Translate an error that the engine raised while it read or wrote.

    Args:
        name: the store as the user named it.
        folder: where it is, or None in memory.
        error: what pyoxigraph raised.
    """
    text = str(error)
    if folder is not None and disk_is_full(error):
        free = free_bytes(folder) / 1e6
        return StoreError(
            name,
            f"the disk is full ({free:.1f} MB free); nothing of this call was written, what was "
            f"written before is safe; make {_needed(folder):.0f} MB of space and write again",
        )
    if "is not supported" in text or "not implemented" in text:
        return StoreError(name, f"the engine has no support for this: {one_line(error)}")
    if isinstance(error, OSError) and not engine_failed(error):
        return StoreError(name, f"could not fetch what the request names: {one_line(error)}")
    if text.startswith("Corruption"):
        return StoreError(
            name, f"the store is damaged ({one_line(error)}); restore the folder from a backup"
        )
    return StoreError(name, f"the engine failed: {one_line(error)}")


def _needed(folder: Path) -> float:
    """MB to open the store again: RocksDB then writes its whole log anew, as tables."""
    return 2 + sum(file.stat().st_size for file in folder.glob("*.log")) / 1e6
