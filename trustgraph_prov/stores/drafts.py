"""Write files that are whole or as they were: a draft beside each, then renamed over it."""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["remove_drafts", "replace_file", "sync_folder"]

_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP)


def replace_file(
    file: Path, write: Callable[[BinaryIO], object], *, mode: int | None = None
) -> None:
    """Write a file to the disk, in one step for whoever reads it; its folder is made if need be.

    Its new name is on the disk after `sync_folder`.

    Args:
        file: what to replace, or what is new.
        write: writes all of the content; if it raises, the file is as it was.
        mode: permissions; without it those of any new file.

    Raises:
        OSError: it cannot be written, and is as it was.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "file")
        ...     replace_file(file, lambda out: out.write(b"all of it"))
        ...     file.read_bytes()
        b'all of it'
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}.tmp")

    def private(path: str, flags: int) -> int:
        return os.open(path, flags, 0o666 if mode is None else mode & 0o777)

    try:
        with open(draft, "xb", opener=private) as out:
            if mode is not None:
                os.fchmod(out.fileno(), mode)
            write(out)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, before what a renamed file replaces is forgotten.

    Raises:
        OSError: they may not be there.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:  # not every file system can
            raise
    finally:
        os.close(descriptor)


def remove_drafts(file: Path) -> None:
    """Delete what processes that were killed while they replaced a file left beside it.

    Args:
        file: that nobody else replaces now.
    """
    own = re.compile(rf"\.{re.escape(file.name)}\.[0-9a-f]{{8}}\.tmp")
    with suppress(OSError):
        for other in file.parent.iterdir():
            if own.fullmatch(other.name):
                other.unlink()
