"""The file formats, by the names people give them, and reading an input more than once."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import SpooledTemporaryFile, gettempdir
from typing import IO, cast

from pyoxigraph import RdfFormat

from ..errors import InputSyntaxError, InvalidValueError

__all__ = ["FORMATS", "digest", "keep", "name_of", "rdf_format", "rewindable", "skip_mark"]

FORMATS = {
    "nquads": RdfFormat.N_QUADS,
    "trig": RdfFormat.TRIG,
    "turtle": RdfFormat.TURTLE,
    "ntriples": RdfFormat.N_TRIPLES,
    "jsonld": RdfFormat.JSON_LD,
}
"""Formats by name; the first is the one to choose when in doubt."""

_SUFFIXES = {
    ".nq": "nquads",
    ".trig": "trig",
    ".ttl": "turtle",
    ".nt": "ntriples",
    ".jsonld": "jsonld",
    ".json": "jsonld",
}
_IN_MEMORY = 16 * 1024 * 1024
_CHUNK = 1024 * 1024
_GZIP = b"\x1f\x8b"
_MARK = b"\xef\xbb\xbf"


def rdf_format(name: str | None, source: str) -> RdfFormat:
    """Choose a format.

    Args:
        name: a key of `FORMATS` or a file ending such as `nq`, or None to go by the file's name.
        source: the file's name; a last `.gz` is looked through.

    Raises:
        InvalidValueError: no such format, or a name that does not tell.

    Example:
        >>> rdf_format(None, "runs.trig.gz") == rdf_format("trig", "-")
        True
    """
    known = ", ".join(FORMATS)
    if name is None:
        suffix = Path(source.removesuffix(".gz")).suffix.lower()
        if suffix not in _SUFFIXES:
            raise InvalidValueError(
                "file name", source, f"an ending that tells the format, or a format, one of {known}"
            )
        return FORMATS[_SUFFIXES[suffix]]
    key = _SUFFIXES.get(f".{name}", name)
    if key not in FORMATS:
        raise InvalidValueError("format", name, f"one of {known}")
    return FORMATS[key]


@contextmanager
def rewindable(source: str | Path | IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """Open an input that can be read again from its start, unpacked if it is gzip.

    Args:
        source: a file's path, or a stream of bytes. A stream or a named pipe is kept in a
            temporary file if large.
        name: how error messages call it.

    Raises:
        InputSyntaxError: a gzip file that is cut or damaged.
    """
    with ExitStack() as stack:
        if isinstance(source, (str, Path)):
            raw: IO[bytes] = stack.enter_context(Path(source).open("rb"))
        else:
            raw = source
        if raw is source or not raw.seekable():
            spool = stack.enter_context(SpooledTemporaryFile(max_size=_IN_MEMORY))
            while chunk := raw.read(_CHUNK):
                keep(spool, chunk)
            raw = cast(IO[bytes], spool)
        raw.seek(0)
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        if not packed:
            yield raw
            return
        with gzip.open(raw) as unpacked:
            try:
                yield cast(IO[bytes], unpacked)
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise InputSyntaxError(name, None, f"damaged gzip file: {error}") from None


def name_of(source: str | Path | IO[bytes]) -> str:
    """Name an input for error messages."""
    if isinstance(source, (str, Path)):
        return str(source)
    name = str(getattr(source, "name", "input"))
    return "stdin" if name == "<stdin>" else name


def keep(file: IO[bytes], data: bytes) -> None:
    """Write to a temporary file; where it cannot be written, the error names its folder."""
    try:
        file.write(data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, gettempdir()) from None


def skip_mark(stream: IO[bytes]) -> None:
    """Go past the mark that some editors begin a file of UTF-8 with.

    Args:
        stream: at its start.
    """
    if stream.read(len(_MARK)) != _MARK:
        stream.seek(0)


def digest(stream: IO[bytes]) -> str:
    """Name an input by its content, and rewind it.

    Returns:
        32 hex digits.
    """
    total = hashlib.sha256()
    while chunk := stream.read(_CHUNK):
        total.update(chunk)
    stream.seek(0)
    return total.hexdigest()[:32]
