"""One holder at a time: a lock on a file, which the kernel lifts when its process dies."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from .guard import Guarded

__all__ = ["Lease"]


class Lease(Guarded):
    """The right to do what one process at a time may: to send, or to write.

    Args:
        file: its lock; it is made when it is not there, and stays unless it is removed.

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

    def __del__(self) -> None:
        self.release()

    @property
    def descriptor(self) -> int:
        """Of the file, while the lease is held: it may be written."""
        if self._descriptor is None:
            raise ValueError(f"the lease of {self._file} is not held")
        return self._descriptor

    def acquire(self) -> bool:
        """Take the lease, unless another one has it.

        Raises:
            OSError: the file cannot be opened.
        """
        with self.lock:
            while self._descriptor is None:
                descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o666)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if self._is_file(descriptor):  # and not what a holder has just removed
                        self._descriptor, descriptor = descriptor, -1
                except BlockingIOError:
                    return False
                finally:
                    if descriptor >= 0:
                        os.close(descriptor)
            return True

    def in_place(self) -> bool:
        """Whether the file is still the one that was locked, so that no other can be."""
        with self.lock:
            return self._descriptor is not None and self._is_file(self._descriptor)

    def release(self, *, remove: bool = False) -> None:
        """Let another one have it; without the lease it does nothing.

        Args:
            remove: the file as well, where that can be done.
        """
        with self.lock:
            if self._descriptor is None:
                return
            try:
                with suppress(OSError):
                    if remove and self._is_file(self._descriptor):
                        self._file.unlink()
            finally:
                os.close(self._descriptor)
                self._descriptor = None

    def in_child(self) -> None:
        """Close the inherited descriptor; the parent's lock stays."""
        self.release()

    def _is_file(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self._file.stat())
        except (FileNotFoundError, NotADirectoryError):
            return False
