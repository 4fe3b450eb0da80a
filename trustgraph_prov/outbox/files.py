"""Write files that are whole or not there."""

from __future__ import annotations

import json
from pathlib import Path

from ..errors import StoreError
from ..stores.drafts import replace_file, sync_folder
from ..stores.faults import disk_is_full
from .faults import CHECK, DiskFullError

__all__ = ["write_lines", "write_whole"]


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
        new = not file.exists()
        replace_file(file, lambda out: out.write(content))
        sync_folder(file.parent)
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
    if disk_is_full(error):
        return DiskFullError(name, str(file.parent), file.parent)
    return StoreError(name, f"cannot write {file} ({error})", CHECK)
