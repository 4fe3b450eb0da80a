"""Errors a caller may want to catch: one root, one leaf a cause.

Each holds its data as attributes and says in its message what to do next.
"""

from __future__ import annotations

from typing import Any

from .characters import message

__all__ = [
    "AlreadyRecordedError",
    "InputSyntaxError",
    "InvalidTermError",
    "InvalidValueError",
    "MissingExtraError",
    "ModelError",
    "ProvError",
    "ProvWarning",
    "QueryError",
    "QueryTimeoutError",
    "RunExistsError",
    "RunFinishedError",
    "SourceNotFoundError",
    "StoreBusyError",
    "StoreDeniedError",
    "StoreError",
    "StoreMissingError",
    "StorePendingError",
    "StoreRefusedError",
    "ToolError",
    "TraceNotFoundError",
]

_LONGEST = 500


class ProvError(Exception):
    """Root of every error that trustgraph-prov raises on purpose."""

    @property
    def why(self) -> str:
        """The message, without the name of a store that the reader knows already."""
        return str(self)

    def __str__(self) -> str:
        return message(super().__str__())

    def __reduce__(self) -> tuple[Any, ...]:
        """Be copied and pickled as it stands: the message is not what its class is made from."""
        return _again, (type(self), self.args), self.__dict__


class ProvWarning(UserWarning):
    """Something was recorded differently from how it was given; the message says how."""

    def __str__(self) -> str:
        return message(super().__str__())


class InvalidTermError(ProvError, ValueError):
    """A text that cannot be an IRI, a literal or another RDF term.

    Attributes:
        term: what was given.
    """

    def __init__(self, term: object, why: str) -> None:
        self.term = term
        super().__init__(f"{_shown(term)} is not valid: {why}")


class InvalidValueError(ProvError, ValueError):
    """An argument outside what it may be.

    Attributes:
        name: the argument.
        value: what was given.
        expected: what it may be.
    """

    def __init__(self, name: str, value: object, expected: str) -> None:
        self.name = name
        self.value = value
        self.expected = expected
        super().__init__(f"{name} is {_shown(value)}; expected {expected}")


class InputSyntaxError(ProvError, ValueError):
    """Input that does not parse.

    Attributes:
        source: file or other name of the input.
        line: 1-based line, or None where the input has none.
    """

    def __init__(self, source: str, line: int | None, why: str) -> None:
        self.source = source
        self.line = line
        place = source if line is None else f"{source}:{line}"
        super().__init__(f"{place}: {why}")


class QueryError(ProvError, ValueError):
    """A stored query that is not there, is ill-formed, or is given wrong parameters.

    Attributes:
        query: name or file of the query.
    """

    def __init__(self, query: str, why: str) -> None:
        self.query = query
        super().__init__(f"{query}: {why}")


class StoreError(ProvError):
    """A store that cannot be opened, read or written.

    Attributes:
        store: the store as the user named it, without credentials.
        what: is wrong.
        way_out: what to do about it, where `what` does not say it.

    Example:
        >>> error = StoreError("runs", "is a file", "name a folder")
        >>> str(error), error.why
        ('runs: is a file; name a folder', 'is a file; name a folder')
    """

    def __init__(self, store: str, what: str, way_out: str = "") -> None:
        self.store = store
        self.what = what
        self.way_out = way_out
        super().__init__(store, what, way_out)

    @property
    def why(self) -> str:
        """The message without the store."""
        return message(f"{self.what}; {self.way_out}" if self.way_out else self.what)

    def __str__(self) -> str:
        return f"{message(self.store.removesuffix(':'))}: {self.why}"


class StoreMissingError(StoreError):
    """There is no store at that place."""


class StoreBusyError(StoreError):
    """Another process has the store open and this one must wait."""


class StoreRefusedError(StoreError):
    """A server that refuses what it was sent for good: sent again, it would be refused again.

    A server that is down, busy or asks for a password raises a plain StoreError: that may pass.
    """


class StoreDeniedError(StoreError):
    """A server that forbids what it was sent, be it what stands in it or who sends it.

    Sent again, it may pass, once the right is given; where others pass meanwhile, it will not.
    """


class StorePendingError(StoreError):
    """What was recorded has not reached the store yet; it is kept, and sent later.

    Attributes:
        pending: calls that wait.
    """

    def __init__(self, store: str, why: str, pending: int) -> None:
        self.pending = pending
        super().__init__(store, why)


class QueryTimeoutError(StoreError):
    """A query did not end within its time.

    Attributes:
        seconds: the limit.
    """

    def __init__(self, store: str, seconds: float) -> None:
        self.seconds = seconds
        limit = f"{round(seconds, 3):g}"
        super().__init__(
            store, f"the query did not end within {limit} s; narrow it or give it more time"
        )


class RunExistsError(ProvError):
    """A session id that already has a run.

    Attributes:
        uri: the run's IRI.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        super().__init__(f"{uri} already has a run; use another id, or resume it")


class RunFinishedError(ProvError):
    """A step or an answer added to a run that has ended.

    Attributes:
        uri: the run's IRI.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        super().__init__(f"{uri} has ended; start another run, or resume this one")


class AlreadyRecordedError(ProvError):
    """A part of a run that is there already and that a run, or a step, has once.

    Attributes:
        uri: the IRI of the part.
    """

    def __init__(self, uri: str, what: str) -> None:
        self.uri = uri
        super().__init__(f"{uri}: {what} is recorded already; add another step, or another run")


class TraceNotFoundError(ProvError, LookupError):
    """No run with that IRI.

    Attributes:
        uri: what was asked for.
        nearest: IRIs of runs that look like it, best first.
    """

    def __init__(self, uri: str, nearest: tuple[str, ...] = (), why: str = "") -> None:
        self.uri = uri
        self.nearest = nearest
        hint = f"nearest: {', '.join(nearest)}" if nearest else "`tg-prov list` shows all"
        super().__init__(f"{uri}: {why or f'no such run; {hint}'}")


class SourceNotFoundError(ProvError, LookupError):
    """Nothing that extraction recorded has that IRI.

    Attributes:
        uri: what was asked for.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        super().__init__(
            f"{uri}: no such document, page or chunk in urn:graph:source; `tg-prov query "
            "lineage/sources -p answer=IRI` names those that an answer rests on"
        )


class MissingExtraError(ProvError, ImportError):
    """An optional dependency that is not installed.

    Attributes:
        extra: the extra to install.
    """

    def __init__(self, extra: str, what: str) -> None:
        self.extra = extra
        super().__init__(f"{what} needs: pip install 'trustgraph-prov[{extra}]'")


class ModelError(ProvError):
    """A language model that cannot be reached, refuses, or answers with something else.

    Attributes:
        model: its name.
    """

    def __init__(self, model: str, why: str) -> None:
        self.model = model
        super().__init__(f"{model}: {why}")


class ToolError(ProvError):
    """A tool that cannot do what an agent asks of it; the agent is told, and goes on.

    Attributes:
        tool: its name.
    """

    def __init__(self, tool: str, why: str) -> None:
        self.tool = tool
        super().__init__(f"{tool}: {why}")


def _again(kind: type[ProvError], args: tuple[Any, ...]) -> ProvError:
    error = kind.__new__(kind, *args)
    super(ProvError, error).__init__(*args)
    return error


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # of an int of over 4,300 digits, or an object of somebody else
        return f"an object of type {type(value).__name__} without a repr()"
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
