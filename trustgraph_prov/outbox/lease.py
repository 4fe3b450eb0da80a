"""One sender at a time: a lock on a file, which the kernel lifts when its process dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from .guard import Guarded

__all__ = ["Lease"]


class Lease(Guarded):
    """The right to send.

    Args:
        file: its lock; it is made when it is not there, and stays.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     mine, yours = Lease(Path(folder, "lock")), Lease(Path(folder, "lock"))
        ...     taken = mine.acquire(), yours.acquire()
        ...     mine.release()
        ...     taken, yours.acquire(), yours.release()
        ((True, False), True, None)
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None
        super().__init__()

    def acquire(self) -> bool:
        """Take the lease, unless another one has it.

        Raises:
            OSError: the file cannot be opened.
        """
        with self.lock:
            if self._descriptor is None:
                descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o666)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(descriptor)
                    return False
                self._descriptor = descriptor
            return True

    def release(self) -> None:
        """Let another one send; without the lease it does nothing."""
        with self.lock:
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None

    def in_child(self) -> None:
        """Close the inherited descriptor; the parent's lock stays."""
        self.release()
