"""Carry one request to a server and its answer back: with deadline, retries, authentication."""

from __future__ import annotations

import itertools
import ssl
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..errors import InvalidValueError, QueryTimeoutError, StoreError
from .addresses import secrets_of_proxy
from .interrupt import check_seconds
from .sparql_auth import Auth, is_field, secrets_of_value
from .sparql_body import BodyTooLargeError
from .sparql_retry import with_retries
from .sparql_transport import (
    ConnectionLostError,
    DeadlineError,
    HandshakeError,
    Reply,
    Signer,
    send,
)

__all__ = ["Client", "Deadline"]

LONGEST = 1_000_000
"""Seconds that a socket can wait, on every system, and that anybody may want to: eleven days."""

UPDATE_ANSWER = 10_000_000
"""Bytes of the answer to an update; Virtuoso says a line of each operation."""


@dataclass(frozen=True)
class Deadline:
    """A moment, and how long it was away.

    Attributes:
        seconds: as the caller gave them.
        end: on the monotonic clock.
    """

    seconds: float
    end: float

    @classmethod
    def in_(cls, seconds: float) -> Deadline:
        """The moment so many seconds from now."""
        return cls(seconds, time.monotonic() + min(seconds, LONGEST))

    def left(self) -> float:
        """Seconds from now."""
        return self.end - time.monotonic()


class Client:
    """Sends requests, and turns what happens to them into the store's errors.

    Args:
        name: of the store, for messages.
        auth, update_auth: for queries and for updates.
        secrets: texts that no message may hold, besides those of `auth` and `proxies`.
        timeout: seconds for one request.
        max_answer: bytes of the answer to a query.
        retries, backoff, ssl_context, signer, proxies: as in `SparqlStore`.

    Attributes:
        requests: how many were sent.
    """

    def __init__(
        self,
        name: str,
        *,
        auth: Auth | None,
        update_auth: Auth | None,
        secrets: tuple[str, ...],
        timeout: float,
        max_answer: int,
        retries: int,
        backoff: float,
        ssl_context: ssl.SSLContext | None,
        signer: Signer | None,
        proxies: Mapping[str, str] | None,
    ) -> None:
        check_seconds(timeout, "timeout")
        check_seconds(backoff, "backoff", zero=True)
        if timeout > LONGEST:
            raise InvalidValueError("timeout", timeout, f"seconds, {LONGEST:,} at most")
        self.requests = 0
        self._name, self._signer, self._proxies = name, signer, proxies
        self._auth, self._update_auth = auth, update_auth
        both = (one.secrets() for one in (auth, update_auth) if one is not None)
        _check_proxies(proxies)
        known = map(secrets_of_proxy, (proxies or {}).values())
        self._secrets = (*secrets, *itertools.chain.from_iterable((*both, *known)))
        self._timeout, self._retries, self._backoff = timeout, retries, backoff
        self._max_answer = max_answer
        self._ssl = ssl_context
        self._counting = threading.Lock()

    def query(self, request: urllib.request.Request, deadline: Deadline | None) -> Reply:
        """Send a query.

        Args:
            request: complete but for credentials.
            deadline: of the whole call; the store's own time for a request holds too.

        Raises:
            QueryTimeoutError: no whole answer in time.
            StoreError: no connection, or an answer that is too large.
        """
        own = Deadline.in_(self._timeout)
        nearer = own if deadline is None or own.end < deadline.end else deadline
        try:
            return self._exchange(request, nearer, self._auth, self._max_answer, repeat=True)
        except DeadlineError:
            raise QueryTimeoutError(self._name, nearer.seconds) from None
        except BodyTooLargeError:
            raise StoreError(
                self._name,
                f"{_bare(request)} answered with more than {self._max_answer:,} bytes; narrow the "
                "query, or raise max_answer",
            ) from None

    def update(self, request: urllib.request.Request, *, repeat: bool) -> Reply:
        """Send an update.

        Args:
            request: complete but for credentials.
            repeat: doing it twice is the same as once.

        Raises:
            StoreError: no connection, no whole answer in time, or one that is too large.
        """
        try:
            deadline = Deadline.in_(self._timeout)
            auth = self._update_auth
            return self._exchange(request, deadline, auth, UPDATE_ANSWER, repeat=repeat)
        except BodyTooLargeError:
            raise StoreError(
                self._name,
                f"{_bare(request)} answered with more than {UPDATE_ANSWER:,} bytes, which no "
                "server says of an update that was done",
            ) from None
        except DeadlineError:
            raise StoreError(
                self._name,
                f"no answer{self._source(request)} within {self._timeout:g} s; "
                + ("sending it again is harmless" if repeat else "it may have been done"),
            ) from None

    def _exchange(
        self,
        request: urllib.request.Request,
        deadline: Deadline,
        auth: Auth | None,
        most: int,
        *,
        repeat: bool,
    ) -> Reply:

        def once() -> Reply:
            left = deadline.left()
            if left <= 0:
                raise DeadlineError
            with self._counting:
                self.requests += 1
            signed, secrets = self._signed(request, auth)
            return send(
                signed,
                left,
                most=most,
                context=self._ssl,
                handlers=auth.handlers(request.full_url) if auth else (),
                proxies=self._proxies,
                secrets=(*self._secrets, *secrets),
            )

        try:
            return with_retries(
                once,
                retries=self._retries,
                backoff=self._backoff,
                left=deadline.left,
                repeatable=repeat,
            )
        except HandshakeError as error:
            raise StoreError(self._name, f"cannot talk to {_bare(request)}: {error}") from None
        except ConnectionLostError as error:
            done = "; it may have been done" if error.sent and not repeat else ""
            raise StoreError(
                self._name,
                f"no answer{self._source(request)}: {error}; see that the server runs{done}",
            ) from None

    def _source(self, request: urllib.request.Request) -> str:
        """Name the address, where the store is not called so already."""
        bare = _bare(request)
        return "" if bare == self._name else f" from {bare}"

    def _signed(
        self, request: urllib.request.Request, auth: Auth | None
    ) -> tuple[urllib.request.Request, list[str]]:
        """A request of its own for each try, and what is secret in its signature.

        Signatures and answers to challenges grow old.
        """
        url, signer = request.full_url, self._signer
        plain: dict[str, str] = dict(request.header_items())
        body = request.data if isinstance(request.data, bytes) else b""
        fields = plain | (self._added("auth", auth.headers) if auth else {})
        if signer is not None:
            fields |= self._added("the signer", lambda: signer("POST", url, dict(fields), body))
        new = [value for name, value in fields.items() if plain.get(name) != value]
        signed = urllib.request.Request(url, body, fields, method="POST")  # noqa: S310 - http(s), see endpoint()
        return signed, [secret for value in new for secret in secrets_of_value(value)]

    def _added(self, who: str, fields: Callable[[], Mapping[str, str]]) -> dict[str, str]:
        """Header fields from code of the user; the text of its errors may hold a key."""
        try:
            added = dict(fields())
        except Exception as error:
            what = f"{who} failed with {type(error).__name__}; call it by itself to see why"
            raise StoreError(self._name, what) from None
        if not all(is_field(name, value) for name, value in added.items()):
            what = f"{who} returned what no header field may hold"
            raise StoreError(self._name, what, "return names and values as text of one line")
        return added


def _check_proxies(proxies: object) -> None:
    """Refuse what is no text by a text, and show of it what is no password."""
    shown: object = type(proxies)
    if isinstance(proxies, Mapping):
        if all(isinstance(one, str) for pair in proxies.items() for one in pair):
            return
        shown = {scheme: type(url) for scheme, url in proxies.items()}
    if proxies is not None:
        raise InvalidValueError("proxies", shown, "a mapping of schemes to URLs, each a str")


def _bare(request: urllib.request.Request) -> str:
    return request.full_url.partition("?")[0]
