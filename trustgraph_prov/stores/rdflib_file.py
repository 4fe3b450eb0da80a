"""Keep a dataset in a file: read with pyoxigraph, written beside it and then renamed over it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO

import pyoxigraph as ox
from pyoxigraph import DefaultGraph, Quad, RdfFormat, Triple

from ..errors import (
    InputSyntaxError,
    InvalidValueError,
    StoreError,
    StoreMissingError,
    StoreRefusedError,
)
from ..n_quads import decode
from ..namespaces import PREFIXES
from .drafts import remove_drafts, replace_file, sync_folder
from .faults import one_line
from .rdflib_file_journal import FileJournal

__all__ = ["DatasetFile"]

LONGEST = 16_000_000
"""Bytes of a value in a file that is no N-Quads: its parser ends at 16 MiB."""


class DatasetFile:
    """A TriG or N-Quads file, and beside it a journal of what was written since.

    One store at a time has it open for writing; any number read it meanwhile.

    Args:
        name: the store as the user named it.
        path: the file; a symbolic link stays one.
        read_only: refuse a file that is not there, and lock nothing.

    Raises:
        InvalidValueError: an ending other than `.trig` and `.nq`.
        StoreBusyError: another store has it open for writing.
        StoreMissingError: the file is not there and must be.
        StoreError: the path is a folder, or cannot be read or written.
    """

    def __init__(self, name: str, path: Path, *, read_only: bool = False) -> None:
        format_ = RdfFormat.from_extension(path.suffix.removeprefix("."))
        if format_ not in (RdfFormat.TRIG, RdfFormat.N_QUADS):
            raise InvalidValueError("store", name, "a file that ends in .trig or .nq")
        self._name = name
        self._path = Path(os.path.realpath(path))
        self._format = format_
        self._journal = FileJournal(name, self._path)
        self._known: list[tuple[int, ...]] = []
        try:
            found = _stat(self._path)
            there = found is not None or _stat(self._journal.path) is not None
        except OSError as error:
            raise StoreError(name, f"cannot be read: {one_line(error)}") from None
        if found is not None and stat.S_ISDIR(found.st_mode):
            raise StoreError(name, "is a folder; name a file, or leave `rdflib:` out")
        if not read_only:
            self._journal.open(None if found is None else _mode(found))
            remove_drafts(self._path)
        elif not there:
            raise StoreMissingError(name, "no such file; `tg-prov demo` or a recorder makes one")

    @contextmanager
    def read(self) -> Iterator[Iterator[tuple[bool, Quad]]]:
        """Read the file, then its journal; a file that is not there yet is empty.

        It counts as read when the block ends, so what Ctrl-C breaks off is not.

        Yields:
            Quads, each with whether it is to be added or taken away.

        Raises:
            InputSyntaxError: it does not parse, with the line.
            StoreError: it cannot be read.
        """
        try:
            source, calls = self._together()
            with source or nullcontext():
                known = [] if source is None else [_version(os.fstat(source.fileno()))]
                yield self._changes(source, calls)
            self._known = known
        except SyntaxError as error:
            raise InputSyntaxError(self._name, error.lineno, one_line(error.msg)) from None
        except OSError as error:
            raise StoreError(self._name, f"cannot be read: {one_line(error)}") from None

    @property
    def pending(self) -> bool:
        """Whether the journal has what the file has not."""
        return self._journal.pending

    @property
    def safe(self) -> bool:
        """Whether who opens it next finds every call that returned."""
        return self._journal.safe()

    def record(self, taken: Sequence[Quad], added: Sequence[Quad]) -> None:
        """Write what one call took away and added to the journal.

        Raises:
            StoreRefusedError: the file could not be read again with one of the values.
            StoreError: it cannot be written, and nothing of it was.
        """
        if self._format != RdfFormat.N_QUADS:
            self._check_values(added)
        self._journal.append(taken, added)

    def write(self, quads: Iterable[Quad]) -> None:
        """Replace the file's content, whole or not at all, and empty the journal.

        Raises:
            StoreError: it cannot be written, or another program wrote to it since it was read; the
                file and the journal are as they were. Or it is written, and a power cut may undo
                that; the journal is as it was.
        """

        def write(out: BinaryIO) -> None:
            ox.serialize(quads, out, format=self._format, prefixes=PREFIXES)
            out.flush()
            # Now, since Ctrl-C may come right behind the rename; until that, both are known.
            self._known.append(_version(os.fstat(out.fileno())))

        try:
            self._journal.check_place(gone=True)
            found = _stat(self._path)
            self._check_known(found)
            replace_file(self._path, write, mode=_mode(found or self._journal.stat()))
        except OSError as error:
            raise StoreError(
                self._name,
                f"cannot be written ({one_line(error)}); the file is as it was; {self._kept()}",
            ) from None
        del self._known[:-1]
        try:
            sync_folder(self._path.parent)
            self._journal.clear()
        except OSError as error:
            raise StoreError(
                self._name,
                f"is written, but its folder or its journal is not up to date ({one_line(error)}); "
                f"{self._kept()}",
            ) from None

    def close(self) -> None:
        """Let others write to it."""
        self._journal.close()

    def _changes(self, source: BinaryIO | None, calls: bytes) -> Iterator[tuple[bool, Quad]]:
        if source is not None:
            for quad in decode(source, self._format):
                yield True, quad
        yield from self._journal.calls(calls)

    def _check_values(self, quads: Iterable[Quad]) -> None:
        for quad in quads:
            for term in (quad.subject, quad.predicate, quad.object, quad.graph_name):
                value = "" if isinstance(term, (DefaultGraph, Triple)) else term.value
                # A character is written with 6 bytes at most, so most terms need not be.
                if len(value) * 6 > LONGEST and (size := len(str(term).encode())) > LONGEST:
                    raise StoreRefusedError(
                        self._name,
                        f"a value of {size:,} bytes on {str(quad.subject)[:200]}; a "
                        f"{self._path.suffix} file with more than {LONGEST:,} cannot be read "
                        "again; use an .nq file",
                    )

    def _together(self) -> tuple[BinaryIO | None, bytes]:
        """The file, opened, and the journal as it was at one time while that was the file."""
        while True:
            with ExitStack() as held:
                there = _stat(self._path) is not None
                source = held.enter_context(self._path.open("rb")) if there else None
                calls = self._journal.text()
                now = _stat(self._path)
                opened = None if source is None else os.fstat(source.fileno())
                if (now and now.st_ino) == (opened and opened.st_ino):
                    held.pop_all()
                    return source, calls

    def _check_known(self, found: os.stat_result | None) -> None:
        if found is not None and _version(found) not in self._known:
            raise StoreError(
                self._name,
                "another program changed the file since it was read, so it is left as that wrote "
                f"it; {self._kept()}; "
                + ("open the store again, or reopen it," if self.safe else "reopen it")
                + " to write both",
            )

    def _kept(self) -> str:
        if not self.safe:
            return "what was recorded since is in this store only"
        return f"what was recorded since is in {self._journal.path.name} beside it, and is read too"


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _mode(found: os.stat_result) -> int:
    return stat.S_IMODE(found.st_mode)


def _version(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
