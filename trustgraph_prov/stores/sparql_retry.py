"""Try again where that may help and can do no harm."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Callable
from time import sleep as pause
from typing import cast

from tenacity import RetryCallState, Retrying, retry_if_exception_type, wait_random_exponential

from .sparql_answers import sql_state
from .sparql_transport import ConnectionLostError, Reply

__all__ = ["with_retries"]

CONNECTIONS = 3
"""Further tries where there is no connection: who waits for a server that is down wants to know."""

LONGEST = 2.0
"""Seconds between two tries, unless the server asks for more."""

_BUSY = {429, 503}  # said before anything was done
_BEHIND = {502, 504}  # said by something in between: it may have been done
_DEADLOCK = "40001"


def with_retries(
    send: Callable[[], Reply],
    *,
    retries: int,
    backoff: float,
    left: Callable[[], float],
    repeatable: bool,
) -> Reply:
    """Send until there is an answer worth having.

    Args:
        send: sends once.
        retries: further tries at the most.
        backoff: seconds before the first of them, about; then twice as long each time.
        left: seconds until the deadline.
        repeatable: doing it twice is the same as once; otherwise it is tried again only where it
            was certainly not done.

    Returns:
        The last answer, good or bad.

    Raises:
        ConnectionLostError: the last try found no connection.
    """

    def once() -> Reply:
        try:
            reply = send()
        except ConnectionLostError as error:
            if repeatable or not error.sent:
                raise _AgainError(error=error, limit=min(retries, CONNECTIONS)) from None
            raise
        passing = reply.status in _BUSY or (
            repeatable and (reply.status in _BEHIND or sql_state(reply) == _DEADLOCK)
        )
        if passing:
            raise _AgainError(reply=reply, limit=retries, after=_retry_after(reply))
        return reply

    def wait(state: RetryCallState) -> float:
        return max(_again(state).after, exponential(state))

    def stop(state: RetryCallState) -> bool:
        again = _again(state)
        return state.attempt_number > again.limit or again.after >= left()

    def give_up(state: RetryCallState) -> Reply:
        again = _again(state)
        if again.reply is None:
            raise again.error or AssertionError("neither an answer nor an error")
        return again.reply

    exponential = wait_random_exponential(multiplier=backoff, max=LONGEST)
    retrying = Retrying(
        retry=retry_if_exception_type(_AgainError),
        wait=wait,
        stop=stop,
        sleep=lambda seconds: pause(max(0.0, min(seconds, left()))),
        retry_error_callback=give_up,
    )
    reply: Reply = retrying(once)
    return reply


class _AgainError(Exception):
    def __init__(
        self,
        *,
        limit: int,
        reply: Reply | None = None,
        error: ConnectionLostError | None = None,
        after: float = 0.0,
    ) -> None:
        self.limit, self.reply, self.error, self.after = limit, reply, error, after
        super().__init__()


def _again(state: RetryCallState) -> _AgainError:
    error = state.outcome.exception() if state.outcome else None
    return cast(_AgainError, error)


def _retry_after(reply: Reply) -> float:
    """Seconds the server asks to wait (RFC 9110, 10.2.3)."""
    text = (reply.headers.get("Retry-After") or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = email.utils.parsedate_to_datetime(text)
        return max(0.0, moment.timestamp() - time.time())
    except (OverflowError, TypeError, ValueError):
        return 0.0
