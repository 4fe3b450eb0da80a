"""Wait for a query in a way that Ctrl-C and a time limit can end.

pyoxigraph lets other threads run while it works, but holds SIGINT back until it is done, and has
no way to cancel. So the query runs and is read to its end on a thread of its own, and the caller
waits where Python can be interrupted. A query that was given up stops at its next row; one that
is inside a long sort or count goes on in the background until that ends.
"""

from __future__ import annotations

import _thread
import io
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Generic, TypeVar

import pyoxigraph as ox
from pyoxigraph import QueryResultsFormat, QueryTriples, RdfFormat, Triple

from ..errors import InvalidValueError
from ..n_quads import decode
from .base import QueryResult
from .results import read_result

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["Answer", "GivenUpError", "await_answer", "check_seconds", "check_timeout", "read_whole"]

T = TypeVar("T")

_ALL_TRIPLES = "CONSTRUCT WHERE { ?s ?p ?o }"


class GivenUpError(Exception):
    """Nobody waits for the answer any more, or its time is over."""


class Answer(io.BytesIO):
    """A query's answer as bytes, free of the engine and of the thread that read it.

    Args:
        given_up: set once nobody waits any more; writing then raises `GivenUpError`.
    """

    def __init__(self, given_up: threading.Event | None = None) -> None:
        super().__init__()
        self._given_up = given_up
        self._triples = False

    def write(self, part: ReadableBuffer) -> int:
        """Take a part of the answer, in SPARQL JSON or N-Triples."""
        if self._given_up is not None and self._given_up.is_set():
            raise GivenUpError
        return super().write(part)

    def write_triples(self, triples: Iterable[Triple]) -> None:
        """Take the answer to a CONSTRUCT or DESCRIBE."""
        self._triples = True
        ox.serialize(triples, self, format=RdfFormat.N_TRIPLES)

    def take(self, result: QueryResult) -> Answer:
        """Read a result to its end, on the thread that made it."""
        if isinstance(result, QueryTriples):
            self.write_triples(result)
        else:
            result.serialize(self, format=QueryResultsFormat.JSON)
        return self

    def result(self) -> QueryResult:
        """The same result again, on the thread that wants it."""
        text = self.getvalue()
        if not self._triples:
            return read_result(text)
        graph = ox.Store()
        graph.extend(decode(text, RdfFormat.N_TRIPLES))
        return graph.query(_ALL_TRIPLES)


class _Call(Generic[T]):
    def __init__(self, work: Callable[[threading.Event], T]) -> None:
        self._work = work
        self._running = _thread.allocate_lock()
        self._running.acquire()
        self.given_up = threading.Event()
        self.value: list[T] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.value.append(self._work(self.given_up))
        except BaseException as error:  # handed to the waiting thread, whatever it is
            # Its frames hold engine objects, which only this thread may let go of.
            self.error = error.with_traceback(None)
            self.error.__context__ = self.error.__cause__ = None
        finally:
            del self._work
            self._running.release()

    def wait(self, timeout: float | None) -> bool:
        if timeout is None:
            return self._running.acquire()
        # A deadline may have passed meanwhile, and less than 0 means without end, or is refused.
        return self._running.acquire(timeout=max(0.0, min(timeout, threading.TIMEOUT_MAX)))


def await_answer(work: Callable[[threading.Event], T], timeout: float | None) -> T:
    """Run `work` on a daemon thread and wait for it.

    Args:
        work: gets an event that is set once nobody waits any more.
        timeout: seconds, or None for no limit; 0 or less is over already.

    Raises:
        GivenUpError: the time is over.
    """
    call = _Call(work)
    try:
        # Ctrl-C breaks Thread and Event, which are written in Python; and they are slow.
        try:
            _thread.start_new_thread(call.run, ())
        except RuntimeError:  # Python ends, or there can be no more threads
            call.run()
        in_time = call.wait(timeout)
    except BaseException:
        call.given_up.set()
        raise
    if not in_time:
        call.given_up.set()
        raise GivenUpError
    if call.error is not None:
        raise call.error
    return call.value[0]


def check_timeout(timeout: object, name: str = "timeout") -> None:
    """Refuse a timeout that is not a positive number.

    Args:
        timeout: seconds, or None for no limit.
        name: of the argument.

    Raises:
        InvalidValueError: it is zero, negative or not a number.
    """
    if timeout is not None:
        check_seconds(timeout, name)


def check_seconds(seconds: object, name: str, *, zero: bool = False) -> None:
    """Refuse what is no number of seconds; None is none.

    Args:
        seconds: a number, whole or not.
        name: of the argument.
        zero: whether it may be 0.

    Raises:
        InvalidValueError: it is negative, not a number, or 0 where it may not be.
    """
    expected = f"seconds, {'0 or more' if zero else 'more than 0'}"
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
        raise InvalidValueError(name, seconds, expected)
    if not (seconds > 0 or (zero and seconds == 0)):
        raise InvalidValueError(name, seconds, expected)


def read_whole(engine: ox.Store, query: str, given_up: threading.Event) -> Answer:
    """Evaluate a query and read all of its answer."""
    return Answer(given_up).take(engine.query(query))
