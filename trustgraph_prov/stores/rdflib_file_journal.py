"""What was written to a dataset since its file was: in a file beside it, call after call.

It is N-Quads with comments between: first a line that tells it from a file of somebody else; then
of each call what it took away and a line `#-`, if it took something, and what it added and a line
`#+`, which ends the call. What comes after the last `#+` was cut off by a kill or a full disk, and
no call that returned. Doing all of it twice is doing it once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pyoxigraph import Quad

from ..errors import InputSyntaxError, StoreError
from ..n_quads import decode, encode
from .faults import held_for_writing, one_line
from .lease import Lease

__all__ = ["FileJournal"]

_FIRST = b"#tg-prov journal: calls that are not in the file beside it yet; each ends with #+\n"
_TAKEN, _ADDED = b"#-\n", b"#+\n"
_CLOSE = "close the store, which writes what was recorded, and open it again"


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
        self._writing = False
        self._end = 0
        self._found: bytes | None = None

    def open(self, mode: int | None) -> None:
        """Take the lock, before anything is read.

        Args:
            mode: permissions of the dataset's file, which are the journal's too; None where there
                is no such file.

        Raises:
            StoreBusyError: another one has it.
            StoreError: nothing can be written there, or what is there is no journal.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._writing = self._lease.acquire()
            if self._writing:
                self._take_over(mode)
        except BaseException as error:
            self._lease.release()
            if isinstance(error, OSError):
                raise StoreError(
                    self._store,
                    f"cannot be opened for writing ({one_line(error)}); name another place, or "
                    "open it for reading alone",
                ) from None
            raise
        if not self._writing:
            raise held_for_writing(self._store, "another process, or another store of this one,")

    def _take_over(self, mode: int | None) -> None:
        self._found = self._whole_calls()  # refuses a file of somebody else, before it is touched
        if mode is not None:
            with suppress(OSError):  # of another user's file
                os.fchmod(self._lease.descriptor, mode | 0o600)
        self._end = len(self._found)
        os.ftruncate(self._lease.descriptor, self._end)

    def text(self) -> bytes:
        """Every whole call; nothing where there is no journal.

        What `open` read is given once, and not read again. Who has the lock reads what was locked,
        wherever that is by now.

        Raises:
            OSError: it cannot be read.
            StoreError: what is there is no journal, or has lost calls that had returned.
        """
        found, self._found = self._found, None
        if found is not None:
            return found
        whole = self._whole_calls()
        if len(whole) < self._end:
            raise self._lost("cut short", _CLOSE)
        return whole

    def _whole_calls(self) -> bytes:
        text = self._read()
        # A kill may have cut the first line, and a power cut leaves NULs too.
        if not text.startswith(_FIRST) and not _FIRST.startswith(text.rstrip(b"\0")):
            raise StoreError(
                self._store, f"{self.path.name} beside it is no journal of this store; move it away"
            )
        whole, end, _ = text.rpartition(b"\n" + _ADDED)
        return whole + end

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
        text = b"" if self._end else _FIRST
        text += encode(taken) + _TAKEN if taken else b""
        text += encode(added) + _ADDED
        try:
            self.check_place()
            if not self._end:
                os.ftruncate(self._lease.descriptor, 0)  # `clear` may have been broken off
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
            gone: let pass what is lost, for who has all of it, where nobody put another journal
                in its place.

        Raises:
            StoreError: the journal was removed, and another process may have one of its own; or it
                has lost calls that had returned.
        """
        call = "" if gone else "nothing of this call was written; "
        if not self._lease.in_place():
            if self.path.exists():
                raise self._lost("removed, moved or replaced", f"{call}{self._alone()}")
            if not gone:
                raise self._lost("removed, moved or replaced", f"{call}{_CLOSE}")
        elif self.stat().st_size < self._end and not gone:
            raise self._lost("cut short", f"{call}{_CLOSE}")

    def safe(self) -> bool:
        """Whether who opens the store next finds every call that returned."""
        try:
            self.check_place()
        except (OSError, StoreError):
            return False
        return True

    def stat(self) -> os.stat_result:
        """Size, permissions and the rest, for who has the lock."""
        return os.fstat(self._lease.descriptor)

    def clear(self) -> None:
        """Forget all of it: the file has it now."""
        self._end = 0  # first, since Ctrl-C may come between
        os.ftruncate(self._lease.descriptor, 0)

    def close(self) -> None:
        """Let go of the lock; a journal that holds something, or cannot be removed, stays."""
        self._lease.release(remove=not self._end)

    def _lost(self, how: str, then: str) -> StoreError:
        return StoreError(
            self._store, f"{self.path.name} beside it was {how} while it was open; {then}"
        )

    def _alone(self) -> str:
        return (
            "what was recorded since is in this store only; export it, or move the "
            f"{self.path.name} that is there now away and flush again"
        )

    def _read(self) -> bytes:
        try:
            if not self._writing:
                return self.path.read_bytes()
            with open(self._lease.descriptor, "rb", closefd=False) as file:
                file.seek(0)
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return b""

    def _write(self, text: bytes) -> None:
        at, left = self._end, memoryview(text)
        while left:
            written = os.pwrite(self._lease.descriptor, left, at)
            at, left = at + written, left[written:]
