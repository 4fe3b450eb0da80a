"""Write files that are whole or not there."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path

from ..errors import StoreError

__all__ = ["DiskFullError", "write_lines", "write_whole"]


class DiskFullError(StoreError):
    """The disk of this machine is full.

    Args:
        store: what waits for it cannot be written.
        what: is on the disk, in words.
        folder: on the disk.
    """

    def __init__(self, store: str, what: str, folder: Path) -> None:
        free = shutil.disk_usage(folder).free
        super().__init__(
            store, f"the disk of {what} is full ({free / 1e6:.1f} MB free); make space"
        )


def write_whole(name: str, file: Path, content: bytes) -> bool:
    """Write a file and its folder to the disk, in one step for whoever reads it.

    Args:
        name: the store, for messages.
        file: what to write; a file that is there with this content is left alone.
        content: all of it.

    Returns:
        Whether the file is new.

    Raises:
        DiskFullError: the disk is full; here and below no part of the file is left.
        StoreError: the folder cannot be written.
    """
    try:
        if file.exists() and file.read_bytes() == content:
            return False
        file.parent.mkdir(parents=True, exist_ok=True)
        new = not file.exists()
        draft = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}.draft")
        try:
            with draft.open("wb") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
            draft.replace(file)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise _fault(name, file, error) from None
    return new


def write_lines(name: str, file: Path, *objects: dict[str, object]) -> None:
    """Write a file of JSON lines.

    Args:
        name: the store, for messages.
        file: what to write.
        objects: one a line.
    """
    lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in objects]
    write_whole(name, file, "".join(lines).encode())


def _fault(name: str, file: Path, error: OSError) -> StoreError:
    if "No space left" not in str(error):
        why = f"cannot write {file} ({error}); check the folder and its permissions"
        return StoreError(name, why)
    folder = next(parent for parent in file.parents if parent.exists())
    return DiskFullError(name, str(file.parent), folder)
