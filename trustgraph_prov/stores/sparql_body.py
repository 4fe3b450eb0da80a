"""Read the body of an answer in pieces: to its end, and no further than there is room for it."""

from __future__ import annotations

import http.client
import zlib

__all__ = ["GZIP", "BodyTooLargeError", "encoding", "read_beginning", "read_body"]

PIECE = 64 * 1024
GZIP = ("gzip", "x-gzip")
"""Names of the one packing that is undone."""

_GZIP = 16 + zlib.MAX_WBITS


class BodyTooLargeError(Exception):
    """A body over its limit; the rest was not read."""


def read_body(answer: http.client.HTTPResponse, most: int) -> bytes:
    """Read a body, and unpack what was packed with gzip although nobody asked for that.

    Args:
        answer: whose header was read.
        most: bytes, unpacked.

    Raises:
        BodyTooLargeError: there are more, or would be.
        http.client.HTTPException: it breaks off.
    """
    if answer.length is not None and answer.length > most:
        raise BodyTooLargeError
    body = _read(answer, most + 1)
    if len(body) > most:
        raise BodyTooLargeError
    return bytes(body)


def encoding(headers: http.client.HTTPMessage) -> str:
    """How a body is packed, in small letters; `identity` where it is not."""
    return (headers.get("Content-Encoding") or "identity").strip().lower()


def read_beginning(answer: http.client.HTTPResponse, most: int) -> bytes:
    """Read a body up to so many bytes.

    Raises:
        http.client.HTTPException: it breaks off before.
    """
    return bytes(_read(answer, most)[:most])


def _read(answer: http.client.HTTPResponse, enough: int) -> bytearray:
    unpacking = _Unpacking() if encoding(answer.headers) in GZIP else None
    body, came = bytearray(), 0
    try:
        while len(body) < enough and (piece := answer.read(PIECE)):
            came += len(piece)
            body += unpacking.decompress(piece, enough - len(body)) if unpacking else piece
    except http.client.IncompleteRead as error:
        raise _broke_off(came + len(error.partial)) from None
    except zlib.error:
        raise http.client.HTTPException("the answer is no gzip, as it says it is") from None
    if len(body) < enough and (answer.length or (came and unpacking and not unpacking.ended)):
        raise _broke_off(came, answer.length)
    return body


class _Unpacking:
    """Unpacks gzip, which may have several members, one after the other."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP)

    @property
    def ended(self) -> bool:
        return self._member.eof

    def decompress(self, piece: bytes, most: int) -> bytes:
        """Unpack a piece, up to so many bytes; more than none."""
        found = bytearray()
        while piece and len(found) < most:
            if self._member.eof:
                self._member = zlib.decompressobj(_GZIP)
            found += self._member.decompress(piece, most - len(found))
            piece = self._member.unused_data
        return bytes(found)


def _broke_off(came: int, missing: int | None = None) -> http.client.HTTPException:
    lacking = f", {missing:,} bytes missing" if missing else ""
    return http.client.HTTPException(f"the answer broke off after {came:,} bytes{lacking}")
