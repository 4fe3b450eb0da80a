"""Send one HTTP request: to the end or to its deadline, never on to another address.

urllib's own opener follows redirects (an update becomes a GET and is lost, credentials go along)
and takes a time-out for each read (a server that drips its answer holds it for hours). So each
request has an opener of its own, without redirects, on a thread that is cut off at the deadline.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import urllib.error
import urllib.request
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from .addresses import without_secrets
from .faults import one_line
from .interrupt import GivenUpError, await_answer
from .sparql_body import read_beginning, read_body

__all__ = ["ConnectionLostError", "DeadlineError", "HandshakeError", "Reply", "Signer", "send"]

ERROR_BYTES = 1_000_000
"""What is read of an answer that is an error."""

Signer: TypeAlias = "Callable[[str, str, Mapping[str, str], bytes], Mapping[str, str]]"
"""Called with method, URL, header fields and body; returns the header fields to add."""


@dataclass(frozen=True)
class Reply:
    """What a server answered.

    Attributes:
        url: where the request went, without a query string.
        status: HTTP status.
        headers: header fields; looking one up ignores case.
        body: all of the answer, without a byte order mark.
        secrets: texts that no message about this answer may hold.
    """

    url: str
    status: int
    headers: http.client.HTTPMessage
    body: bytes
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def beginning(self, most: int) -> str:
        """So many bytes of the body as text, in the encoding that the answer names."""
        part = self.body[:most]
        try:
            return part.decode(self.headers.get_content_charset("utf-8"), "replace")
        except (LookupError, ValueError):  # no encoding that anybody knows
            return part.decode("utf-8", "replace")

    def clean(self, text: object) -> str:
        """What the server says, or what was made of it, as a message may show it."""
        return _clean(text, self.secrets)


class ConnectionLostError(Exception):
    """No connection, or one that broke.

    Attributes:
        sent: whether the server may have read the request.
    """

    def __init__(self, why: str, sent: bool) -> None:
        self.sent = sent
        super().__init__(why)


class DeadlineError(Exception):
    """The time for the whole request is over."""


class HandshakeError(Exception):
    """A certificate or a challenge that cannot be met: trying again is no use."""


def send(
    request: urllib.request.Request,
    timeout: float,
    *,
    most: int,
    context: ssl.SSLContext | None = None,
    handlers: Iterable[urllib.request.BaseHandler] = (),
    proxies: Mapping[str, str] | None = None,
    secrets: tuple[str, ...] = (),
) -> Reply:
    """Send a request and read the whole answer, whatever its status.

    Args:
        request: complete, with method, header fields and body.
        timeout: seconds for all of it: name, connection, sending, answer.
        most: bytes of an answer that is no error; of one that is, the beginning is read.
        context: for https.
        handlers: that answer an authentication challenge.
        proxies: URL of the proxy by scheme; none is used otherwise.
        secrets: to be kept out of messages about the answer.

    Raises:
        ConnectionLostError: refused, reset, or an answer that ends too early.
        BodyTooLargeError: more than `most` bytes.
        DeadlineError: the time is over.
        HandshakeError: TLS or authentication failed.
    """
    line = _Line()
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(dict(proxies or {})),
        urllib.request.UnknownHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
        _Http(line),
        _Https(line, context),
        *handlers,
    ):
        opener.add_handler(handler)
    try:
        return await_answer(lambda _: _exchange(opener, request, timeout, most, secrets), timeout)
    except (GivenUpError, TimeoutError):
        raise DeadlineError from None
    except ssl.SSLCertVerificationError as error:
        why = _clean(error.verify_message, secrets)
        raise HandshakeError(f"its certificate is not trusted: {why}") from None
    except ValueError as error:  # holds what the server wants to know
        raise HandshakeError(_clean(error, secrets)) from None
    except (OSError, http.client.HTTPException) as error:
        raise ConnectionLostError(_why(error, secrets), line.connected) from None
    finally:
        line.cut()


def _exchange(
    opener: urllib.request.OpenerDirector,
    request: urllib.request.Request,
    timeout: float,
    most: int,
    secrets: tuple[str, ...],
) -> Reply:
    url = request.full_url.partition("?")[0]
    try:
        with opener.open(request, timeout=timeout) as answer:
            if answer.status == 200 and not _is_framed(answer):
                raise http.client.HTTPException("the header fields broke off")
            body = read_body(answer, most).removeprefix(BOM_UTF8)
            return Reply(url, answer.status, answer.headers, body, secrets)
    except urllib.error.HTTPError as error:
        with error:
            answer = cast(http.client.HTTPResponse, error.fp)
            body = read_beginning(answer, ERROR_BYTES).removeprefix(BOM_UTF8)
            return Reply(url, answer.status, answer.headers, body, secrets)
    except urllib.error.URLError as error:
        reason = error.reason
        raise (reason if isinstance(reason, OSError) else OSError(str(reason))) from None


def _is_framed(answer: http.client.HTTPResponse) -> bool:
    """Whether an answer says where it ends; one whose header breaks off looks like any other."""
    closing = "close" in (answer.headers.get("Connection") or "").lower()
    framed = answer.length is not None or answer.headers.get("Transfer-Encoding") is not None
    return framed or closing or answer.version < 11


def _why(error: Exception, secrets: Iterable[str]) -> str:
    said = (isinstance(error, OSError) and error.strerror) or error
    return _clean(said, secrets) or type(error).__name__  # a status line may be anything


def _clean(text: object, secrets: Iterable[str]) -> str:
    """One line of a readable length, without control characters and secrets."""
    shown = "".join(c if c.isprintable() else " " for c in without_secrets(str(text), secrets))
    return one_line(shown) if shown.strip() else ""


class _Line:
    """The sockets of one request, to be cut from another thread."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._cut = False
        self.connected = False

    def add(self, one: socket.socket) -> None:
        with self._lock:
            self._sockets.append(one)
            self.connected = True
            if self._cut:
                _shut(one)

    def cut(self) -> None:
        """Wake whoever still reads or writes."""
        with self._lock:
            self._cut = True
            for one in self._sockets:
                _shut(one)


def _shut(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)


class _Http(urllib.request.HTTPHandler):
    def __init__(self, line: _Line) -> None:
        super().__init__()
        self._line = line

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        def connection(host: str, **options: Any) -> http.client.HTTPConnection:
            made = _Connection(host, **options)
            made.line = self._line
            return made

        return self.do_open(connection, req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, line: _Line, context: ssl.SSLContext | None) -> None:
        super().__init__(context=context)
        self._line = line
        self._ssl = context

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        def connection(host: str, **options: Any) -> http.client.HTTPConnection:
            made = _SecureConnection(host, context=self._ssl, **options)
            made.line = self._line
            return made

        return self.do_open(connection, req)


class _KeptAlive(http.client.HTTPConnection):
    """Asks the server to keep the connection, as urllib does not.

    It is closed after one answer all the same; but so the server has to say where that ends, and
    one that was cut is not taken for whole.
    """

    def putheader(self, header: str | bytes, *values: Any) -> None:
        name = header if isinstance(header, str) else header.decode()
        super().putheader(header, *(("keep-alive",) if name.lower() == "connection" else values))


class _Connection(_KeptAlive):
    line: _Line

    def connect(self) -> None:
        super().connect()
        self.line.add(self.sock)


class _SecureConnection(_KeptAlive, http.client.HTTPSConnection):
    line: _Line

    def connect(self) -> None:
        super().connect()
        self.line.add(self.sock)
