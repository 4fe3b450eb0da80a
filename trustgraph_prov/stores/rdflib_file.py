"""Keep a dataset in a file: read with pyoxigraph, written beside it and then renamed over it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyoxigraph as ox
from pyoxigraph import Quad, RdfFormat

from ..errors import InputSyntaxError, InvalidValueError, StoreError, StoreMissingError
from ..namespaces import PREFIXES
from .faults import one_line

__all__ = ["DatasetFile"]


class DatasetFile:
    """A TriG or N-Quads file.

    Args:
        name: the store as the user named it.
        path: the file; a symbolic link stays one.
        must_exist: refuse a file that is not there.

    Raises:
        InvalidValueError: an ending other than `.trig` and `.nq`.
        StoreMissingError: the file is not there and must be.
        StoreError: the path is a folder.
    """

    def __init__(self, name: str, path: Path, *, must_exist: bool = False) -> None:
        format_ = RdfFormat.from_extension(path.suffix.removeprefix("."))
        if format_ is None or not format_.supports_datasets or path.suffix == ".jsonld":
            raise InvalidValueError("store", name, "a file that ends in .trig or .nq")
        if path.is_dir():
            raise StoreError(name, "is a folder; name a file, or leave `rdflib:` out")
        if must_exist and not path.exists():
            raise StoreMissingError(name, "no such file; `tg-prov demo` or a recorder makes one")
        self._name = name
        self._path = Path(os.path.realpath(path))
        self._format = format_

    def read(self) -> Iterator[Quad]:
        """Read the file; a file that is not there yet is empty.

        Raises:
            InputSyntaxError: it does not parse, with the line.
            StoreError: it cannot be read.
        """
        if not self._path.exists():
            return
        try:
            yield from ox.parse(path=str(self._path), format=self._format)
        except SyntaxError as error:
            raise InputSyntaxError(self._name, error.lineno, one_line(error.msg)) from None
        except MemoryError:
            raise InputSyntaxError(
                self._name, None, "one value or comment in it is over 16 MiB"
            ) from None
        except OSError as error:
            raise StoreError(self._name, f"cannot be read: {one_line(error)}") from None

    def write(self, quads: Iterable[Quad]) -> None:
        """Replace the file's content, whole or not at all.

        Raises:
            StoreError: it cannot be written; the file is as it was.
        """
        temporary: Path | None = None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                dir=self._path.parent, prefix=f".{self._path.name}.", delete=False
            ) as out:
                temporary = Path(out.name)
                ox.serialize(quads, out, format=self._format, prefixes=PREFIXES)
                out.flush()
                os.fsync(out.fileno())
            temporary.chmod(self._mode())
            temporary.replace(self._path)
        except OSError as error:
            raise StoreError(
                self._name, f"cannot be written ({one_line(error)}); the file is as it was"
            ) from None
        finally:
            if temporary is not None:
                temporary.unlink(missing_ok=True)

    def _mode(self) -> int:
        if self._path.exists():
            return self._path.stat().st_mode & 0o7777
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
