"""What was written to a dataset since its file was: in a file beside it, call after call.

It is N-Quads with comments between: what a call took away and a line `#-`, if it took something,
then what it added and a line `#+`, which ends the call. What comes after the last `#+` was cut off
by a kill or a full disk, and no call that returned. Doing all of it twice is doing it once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pyoxigraph import Quad

from ..errors import InputSyntaxError, StoreBusyError, StoreError
from ..n_quads import decode, encode
from .faults import one_line
from .lease import Lease

__all__ = ["FileJournal"]

_TAKEN, _ADDED = b"#-\n", b"#+\n"
_CUT_LINE = re.compile(rb"(<|_|#[-+]?\Z|\Z)")
_COMMENT = re.compile(rb"^#(?!-$)", re.M)


class FileJournal:
    """The journal of a dataset's file, and the lock of who writes to it.

    Args:
        store: the store as the user named it.
        file: the dataset's file.
    """

    def __init__(self, store: str, file: Path) -> None:
        self._store = store
        self.path = file.with_name(f"{file.name}.journal")
        self._lease = Lease(self.path)
        self._end = 0
        self._found: bytes | None = None

    def open(self, mode: int) -> None:
        """Take the lock, before anything is read.

        Args:
            mode: permissions of the dataset's file, which are the journal's too.

        Raises:
            StoreBusyError: another one has it.
            StoreError: nothing can be written there, or what is there is no journal.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            taken = self._lease.acquire()
            if taken:
                self._found = self._own_text()
                with suppress(OSError):  # of another user's file
                    os.fchmod(self._lease.descriptor, mode | 0o600)
                self._end = len(self._found)
                os.ftruncate(self._lease.descriptor, self._end)
        except OSError as error:
            raise StoreError(
                self._store,
                f"cannot be opened for writing ({one_line(error)}); name another place, or open it "
                "for reading alone",
            ) from None
        if not taken:
            raise StoreBusyError(
                self._store,
                "another process, or another store of this one, has it open for writing; wait for "
                "it or stop it (reading goes on beside it)",
            )

    def _own_text(self) -> bytes:
        """Every whole call, of a file that may lose what comes after: nobody else wrote it."""
        text = self._read()
        whole = _whole(text)
        if not whole and not _is_cut_call(text):
            self._lease.release()
            raise StoreError(
                self._store, f"{self.path.name} beside it is no journal of this store; move it away"
            )
        return whole

    def text(self) -> bytes:
        """Every whole call; nothing where there is no journal.

        What `open` read is given once, and not read again.

        Raises:
            OSError: it cannot be read.
        """
        found, self._found = self._found, None
        if found is not None:
            return found
        return _whole(self._read())

    def calls(self, text: bytes) -> Iterator[tuple[bool, Quad]]:
        """Read what `text` gave: each quad, and whether it was added or taken away.

        Raises:
            InputSyntaxError: somebody else wrote to it.
        """
        quads, *rest = text.split(b"\n#")
        for part in rest:
            try:
                for quad in decode(quads):
                    yield part.startswith(b"+"), quad
            except SyntaxError as error:
                raise InputSyntaxError(str(self.path), None, one_line(error.msg)) from None
            quads = part[2:]

    @property
    def pending(self) -> bool:
        """Whether it holds a call, for who has the lock."""
        return self._end > 0

    def append(self, taken: Sequence[Quad], added: Sequence[Quad]) -> None:
        """Write a call; it outlives this process once it returns.

        Raises:
            StoreError: it cannot be written, and nothing of it was.
        """
        text = encode(taken) + _TAKEN if taken else b""
        text += encode(added) + _ADDED
        try:
            self.check_place()
            self._write(text)
        except BaseException as error:
            with suppress(OSError):
                os.ftruncate(self._lease.descriptor, self._end)
            if isinstance(error, OSError):
                raise StoreError(
                    self._store,
                    f"cannot be written ({one_line(error)}); nothing of this call was, what was "
                    "written before is safe",
                ) from None
            raise
        self._end += len(text)

    def check_place(self, *, gone: bool = False) -> None:
        """Refuse to write beside another process, or what nobody would find again.

        Args:
            gone: let pass a journal that nobody put another one in place of.

        Raises:
            StoreError: the journal was removed, and another process may have one of its own.
        """
        if not self._lease.in_place() and not (gone and not self.path.exists()):
            raise StoreError(
                self._store,
                f"{self.path.name} beside it was removed, moved or replaced while it was open; "
                "nothing of this call was written; close the store and open it again",
            )

    def clear(self) -> None:
        """Forget all of it: the file has it now."""
        os.ftruncate(self._lease.descriptor, 0)
        self._end = 0

    def close(self) -> None:
        """Let go of the lock; a journal that holds something, or cannot be removed, stays."""
        self._lease.release(remove=not self._end)

    def _read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return b""

    def _write(self, text: bytes) -> None:
        at, left = self._end, memoryview(text)
        while left:
            written = os.pwrite(self._lease.descriptor, left, at)
            at, left = at + written, left[written:]


def _whole(text: bytes) -> bytes:
    whole, end, _ = text.rpartition(b"\n" + _ADDED)
    return whole + end


def _is_cut_call(text: bytes) -> bool:
    """Whether a kill may have left this of a first call, or a power cut, which leaves NULs too."""
    lines, _, last = text.rstrip(b"\0").rpartition(b"\n")
    if not _CUT_LINE.match(last):
        return False
    try:
        for part in lines.split(b"\n" + _TAKEN):
            for _ in decode(part):
                pass
    except SyntaxError:
        return False
    return not _COMMENT.search(lines)
