"""Read the body of an answer in pieces: to its end, and no further than there is room for it."""

from __future__ import annotations

import http.client
import zlib

__all__ = ["BodyTooLargeError", "read_beginning", "read_body"]

PIECE = 64 * 1024
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


def read_beginning(answer: http.client.HTTPResponse, most: int) -> bytes:
    """Read a body up to so many bytes.

    Raises:
        http.client.HTTPException: it breaks off before.
    """
    return bytes(_read(answer, most)[:most])


def _read(answer: http.client.HTTPResponse, enough: int) -> bytearray:
    packed = (answer.headers.get("Content-Encoding") or "").lower() in ("gzip", "x-gzip")
    unpacking = zlib.decompressobj(_GZIP) if packed else None
    body, came = bytearray(), 0
    try:
        while len(body) < enough and (piece := answer.read(PIECE)):
            came += len(piece)
            body += unpacking.decompress(piece, enough - len(body)) if unpacking else piece
    except http.client.IncompleteRead as error:
        raise _broke_off(came + len(error.partial)) from None
    except zlib.error:
        raise http.client.HTTPException("the answer is no gzip, as it says it is") from None
    if len(body) < enough and (answer.length or (came and unpacking and not unpacking.eof)):
        raise _broke_off(came, answer.length)
    return body


def _broke_off(came: int, missing: int | None = None) -> http.client.HTTPException:
    lacking = f", {missing:,} bytes missing" if missing else ""
    return http.client.HTTPException(f"the answer broke off after {came:,} bytes{lacking}")
