"""Read messages and documents from files."""

from __future__ import annotations

from collections.abc import Iterator
from json import JSONDecodeError
from pathlib import Path
from typing import IO, cast

from ..errors import InputSyntaxError
from ..exchange.formats import name_of, rewindable, skip_mark
from ..strict_json import read_json

__all__ = ["numbered", "read_documents", "read_messages"]

_ONE_A_LINE = "; a file has one message a line, or is one JSON array"


def read_messages(source: str | Path | IO[bytes], name: str | None = None) -> Iterator[object]:
    """Read messages from a file of JSON lines, or of one JSON array; gzip is unpacked.

    Args:
        source: a path, or an open binary stream.
        name: how error messages call it.

    Raises:
        InputSyntaxError: a line that is no JSON, with its number.

    Example:
        >>> import io
        >>> list(read_messages(io.BytesIO(b'{"message_type": "thought"}')))
        [{'message_type': 'thought'}]
    """
    return (message for _, message in numbered(source, name or name_of(source)))


def numbered(source: str | Path | IO[bytes], name: str) -> Iterator[tuple[int, object]]:
    """Read messages, each after the number of its line, or of its place in the array."""
    with rewindable(source, name) as stream:
        skip_mark(stream)
        first = next((byte for byte in iter(lambda: stream.read(1), b"") if byte.strip()), b"")
        stream.seek(0)
        skip_mark(stream)
        if first == b"[":
            yield from enumerate(cast("list[object]", _decoded(stream.read(), name, None)), 1)
            return
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield number, _decoded(line, name, number, _ONE_A_LINE)


def read_documents(source: str | Path | IO[bytes], name: str | None = None) -> dict[str, str]:
    """Read the texts of documents: one JSON object, the text of each by its IRI.

    An empty text is none.

    Raises:
        InputSyntaxError: the file holds something else.

    Example:
        >>> import io
        >>> read_documents(io.BytesIO(b'{"urn:doc:1": "Paris"}'))
        {'urn:doc:1': 'Paris'}
    """
    name = name or name_of(source)
    with rewindable(source, name) as stream:
        skip_mark(stream)
        found = _decoded(stream.read(), name, None)
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise InputSyntaxError(name, None, "expected a JSON object, the text of each IRI")
    return {iri: text for iri, text in found.items() if text}


def _decoded(text: bytes, name: str, line: int | None, expected: str = "") -> object:
    try:
        return read_json(text)
    except JSONDecodeError as error:
        why = f"not JSON: {error.msg} at column {error.colno}{expected}"
        raise InputSyntaxError(name, line or error.lineno, why) from None
