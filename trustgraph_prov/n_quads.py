"""Quads as N-Quads and back, however long a text is.

pyoxigraph's parsers hold 16 MiB of a line at most, and so cannot read what its writers write. Here
the long values of a long line are read apart from the rest of it. Blank nodes keep their labels, so
a repeat is the same node.
"""

from __future__ import annotations

import io
import re
import uuid
from collections.abc import Iterable, Iterator
from itertools import count
from typing import IO, TYPE_CHECKING, Any

import pyoxigraph as ox
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["decode", "encode"]

LONG_LINE = 8 * 1024 * 1024
"""Bytes of a line from which on its values are looked at one by one."""

LONG_VALUE = 64 * 1024
"""Bytes of a text or an IRI in such a line that is read apart from the rest."""

_IN_LINES = (RdfFormat.N_QUADS, RdfFormat.N_TRIPLES)
_CHUNK = 1024 * 1024
_OPENS = re.compile(rb'["<#]')
_LINE_END = re.compile(rb"[\r\n]")
_ESCAPE = re.compile(rb"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.?)", re.S)
_WRITTEN = {
    rb"\t": b"\t",
    rb"\b": b"\b",
    rb"\n": b"\n",
    rb"\r": b"\r",
    rb"\f": b"\f",
    rb"\"": b'"',
    rb"\'": b"'",
}


def encode(quads: Iterable[Quad]) -> bytes:
    """Write quads as N-Quads.

    Example:
        >>> encode([Quad(NamedNode("urn:a"), NamedNode("urn:b"), Literal("c"))])
        b'<urn:a> <urn:b> "c" .\\n'
    """
    out = io.BytesIO()
    ox.serialize(quads, out, format=RdfFormat.N_QUADS)
    return out.getvalue()


def decode(source: bytes | IO[bytes], format: RdfFormat = RdfFormat.N_QUADS) -> Iterator[Quad]:
    """Read quads one after the other, in N-Quads and N-Triples however long a value is.

    Args:
        source: text, or a stream that is read as the iterator goes on.
        format: any that pyoxigraph reads.

    Raises:
        SyntaxError: it is something else, with the line; or a value in another format is too long.

    Example:
        >>> [quad.object.value for quad in decode(b'<urn:a> <urn:b> "c" .')]
        ['c']
    """
    small = isinstance(source, bytes) and len(source) <= LONG_LINE
    try:
        if small or format not in _IN_LINES:
            yield from ox.parse(source, format=format)
            return
        stream = _Shortened(io.BytesIO(source) if isinstance(source, bytes) else source)
        for quad in ox.parse(io.BufferedReader(stream), format=format):
            yield stream.restored(quad) if stream.long else quad
    except MemoryError:  # of a text, a comment or, in JSON-LD, a key
        most = 8 if format == RdfFormat.JSON_LD else 16
        raise SyntaxError(f"one value or comment in it is over {most} MiB") from None


class _Shortened(io.RawIOBase):
    """A text in which short names stand for the long values of long lines.

    Attributes:
        long: the values, by those names.
    """

    def __init__(self, source: IO[bytes]) -> None:
        self._lines = _in_lines(source)
        self._rest = memoryview(b"")
        self._prefix = f"urn:uuid:{uuid.uuid4()}:"
        self._numbers = count()
        self._line = 1
        self.long: dict[str, str] = {}

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read on, as a raw stream does."""
        while not self._rest:
            lines = next(self._lines, None)
            if lines is None:
                return 0
            self._rest = memoryview(lines if len(lines) <= LONG_LINE else self._shorten(lines))
            self._line += lines.count(b"\n")
        target = memoryview(buffer)
        size = min(len(target), len(self._rest))
        target[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def restored(self, quad: Quad) -> Quad:
        """The quad with its own values."""
        terms = (quad.subject, quad.predicate, quad.object, quad.graph_name)
        return Quad(*map(self._term, terms))

    def _term(self, term: Any) -> Any:
        if isinstance(term, Triple):
            return Triple(*map(self._term, (term.subject, term.predicate, term.object)))
        if isinstance(term, NamedNode):
            return NamedNode(self.long.pop(term.value)) if term.value in self.long else term
        if not isinstance(term, Literal):
            return term
        value = self.long.pop(term.value, term.value)
        if term.language is not None:
            return Literal(value, language=term.language, direction=term.direction)
        return Literal(value, datatype=self._term(term.datatype))

    def _shorten(self, line: bytes) -> bytes:
        plain = line.replace(rb"\\", b"__").replace(rb"\"", b"__")  # a quote in it ends a text
        parts: list[bytes] = []
        at = 0
        while match := _OPENS.search(plain, at):
            start = match.end()
            if match[0] == b"#":  # a comment, which nobody reads
                parts.append(line[at : start - 1])
                ends = _LINE_END.search(plain, start)
                at = ends.start() if ends else len(line)
                continue
            end = plain.find(b">" if match[0] == b"<" else b'"', start)
            if plain.startswith(b"<<", start - 1):  # of a triple term
                end = start
            parts.append(line[at:start])
            at = start
            if end < 0 or end - start > LONG_VALUE:
                try:
                    parts.append(self._name(match[0], line[start:end], ends=end >= 0))
                except (SyntaxError, ValueError) as error:  # NamedNode raises the latter
                    raise self._fault(str(error), plain, start) from None
                at = end
            parts.append(line[at : end + 1])
            at = end + 1
        return b"".join([*parts, line[at:]])

    def _name(self, opens: bytes, value: bytes, *, ends: bool) -> bytes:
        if not ends:
            raise SyntaxError("a text or an IRI has no end in its line")
        name = f"{self._prefix}{next(self._numbers)}"
        text = _unescaped(value)
        self.long[name] = NamedNode(text).value if opens == b"<" else text
        return name.encode()

    def _fault(self, why: str, text: bytes, at: int) -> SyntaxError:
        return SyntaxError(why, (None, self._line + text.count(b"\n", 0, at), None, None))


def _in_lines(source: IO[bytes]) -> Iterator[bytes]:
    """Whole lines, as many as come at once, and each long one alone."""
    begun: list[bytes] = []
    while chunk := source.read(_CHUNK):
        first, end, rest = chunk.partition(b"\n")
        begun.append(first + end)
        if not end:
            continue
        yield b"".join(begun)
        whole, end, last = rest.rpartition(b"\n")
        yield whole + end
        begun = [last]
    yield b"".join(begun)


def _unescaped(value: bytes) -> str:
    if b"\r" in value:
        raise SyntaxError("a line ends in the middle of a text or an IRI")
    try:
        return b"\\".join(map(_without_escapes, value.split(b"\\\\"))).decode()
    except (ValueError, OverflowError) as error:
        raise SyntaxError(f"a text is no Unicode: {error}") from None


def _without_escapes(value: bytes) -> bytes:
    if b"\\" not in value:
        return value
    for written, character in _WRITTEN.items():  # there are millions of them in a long text
        value = value.replace(written, character)
    return _ESCAPE.sub(_character, value)


def _character(match: re.Match[bytes]) -> bytes:
    digits = match[1] or match[2]
    if digits is None:
        raise SyntaxError(f"{match[0].decode(errors='replace')} stands for no character")
    return chr(int(digits, 16)).encode()
