"""Keep a dataset in a file: read with pyoxigraph, written beside it and then renamed over it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, nullcontext, suppress
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
from .faults import one_line
from .rdflib_file_journal import FileJournal

__all__ = ["DatasetFile"]

_TEMPORARY = ".tmp"

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
        StoreError: the path is a folder, or cannot be written.
    """

    def __init__(self, name: str, path: Path, *, read_only: bool = False) -> None:
        format_ = RdfFormat.from_extension(path.suffix.removeprefix("."))
        if format_ is None or not format_.supports_datasets or path.suffix == ".jsonld":
            raise InvalidValueError("store", name, "a file that ends in .trig or .nq")
        if path.is_dir():
            raise StoreError(name, "is a folder; name a file, or leave `rdflib:` out")
        self._name = name
        self._path = Path(os.path.realpath(path))
        self._format = format_
        self._journal = FileJournal(name, self._path)
        self._read: os.stat_result | None = None
        if not read_only:
            self._journal.open(self._mode())
            self._remove_leftovers()
        elif not (self._path.exists() or self._journal.path.exists()):
            raise StoreMissingError(name, "no such file; `tg-prov demo` or a recorder makes one")

    def read(self) -> Iterator[tuple[bool, Quad]]:
        """Read the file, then its journal; a file that is not there yet is empty.

        Yields:
            A quad, and whether it is to be added or taken away.

        Raises:
            InputSyntaxError: it does not parse, with the line.
            StoreError: it cannot be read.
        """
        try:
            source, calls = self._together()
            with source or nullcontext():
                found = None if source is None else os.fstat(source.fileno())
                if source is not None:
                    for quad in decode(source, self._format):
                        yield True, quad
            yield from self._journal.calls(calls)
            self._read = found
        except SyntaxError as error:
            raise InputSyntaxError(self._name, error.lineno, one_line(error.msg)) from None
        except OSError as error:
            raise StoreError(self._name, f"cannot be read: {one_line(error)}") from None

    @property
    def pending(self) -> bool:
        """Whether the journal has what the file has not."""
        return self._journal.pending

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
                file and the journal are as they were.
        """
        self._journal.check_place(gone=True)
        if self._changed():
            raise StoreError(
                self._name,
                "another program changed the file since it was read, so it is left as that wrote "
                f"it; {self._kept()}; open the store again, or reopen it, to write both",
            )
        temporary: Path | None = None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                dir=self._path.parent,
                prefix=f".{self._path.name}.",
                suffix=_TEMPORARY,
                delete=False,
            ) as out:
                temporary = Path(out.name)
                ox.serialize(quads, out, format=self._format, prefixes=PREFIXES)
                out.flush()
                os.fsync(out.fileno())
            temporary.chmod(self._mode())
            written = temporary.stat()
            temporary.replace(self._path)
            self._read = written
            _sync(self._path.parent)
            self._journal.clear()
        except OSError as error:
            raise StoreError(
                self._name,
                f"cannot be written ({one_line(error)}); the file is as it was; {self._kept()}",
            ) from None
        finally:
            if temporary is not None:
                temporary.unlink(missing_ok=True)

    def close(self) -> None:
        """Let others write to it."""
        self._journal.close()

    def _remove_leftovers(self) -> None:
        """Delete what a process that was killed while it wrote the file left beside it."""
        own = re.compile(rf"\.{re.escape(self._path.name)}\.[a-z0-9_]{{8}}{_TEMPORARY}")
        with suppress(OSError):
            for file in self._path.parent.iterdir():
                if own.fullmatch(file.name):
                    file.unlink()

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
                there = self._path.exists()
                source = held.enter_context(self._path.open("rb")) if there else None
                calls = self._journal.text()
                now = self._stat()
                opened = None if source is None else os.fstat(source.fileno())
                if (now and now.st_ino) == (opened and opened.st_ino):
                    held.pop_all()
                    return source, calls

    def _changed(self) -> bool:
        now, read = self._stat(), self._read
        return now is not None and (read is None or _version(now) != _version(read))

    def _kept(self) -> str:
        if not self._journal.path.exists():
            return "what was recorded since is in this store only"
        return f"what was recorded since is in {self._journal.path.name} beside it, and is read too"

    def _stat(self) -> os.stat_result | None:
        try:
            return self._path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _mode(self) -> int:
        if found := self._stat():
            return found.st_mode & 0o7777
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _version(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _sync(folder: Path) -> None:
    """Bring a renamed file's name to the disk, before what it replaces is forgotten."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # not every file system can
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
