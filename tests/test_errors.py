"""Errors that travel: between processes, and as copies, with message and attributes."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import trustgraph_prov
from trustgraph_prov import errors
from trustgraph_prov.errors import (
    InvalidValueError,
    MissingExtraError,
    ProvError,
    QueryTimeoutError,
    StoreError,
)

GIVEN: dict[str, object] = {
    "folder": Path(),
    "line": 3,
    "nearest": ("urn:a", "urn:b"),
    "pending": 2,
    "seconds": 1.5,
    "value": [7],
}
"""What is no text among the arguments of errors."""


def sent(error: Any, protocol: int = pickle.DEFAULT_PROTOCOL) -> Any:
    """What another process gets."""
    return pickle.loads(pickle.dumps(error, protocol))  # noqa: S301 - written by this test


WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    **{
        f"pickle {number}": partial(sent, protocol=number)
        for number in range(pickle.HIGHEST_PROTOCOL + 1)
    },
}


def below(kind: type[ProvError]) -> Iterator[type[ProvError]]:
    yield kind
    for one in kind.__subclasses__():
        yield from below(one)


def every_kind() -> list[type[ProvError]]:
    for module in pkgutil.walk_packages(trustgraph_prov.__path__, "trustgraph_prov."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found = {kind.__name__: kind for kind in below(ProvError)}
    assert found.keys() >= {name for name in errors.__all__ if name.endswith("Error")}
    return [found[name] for name in sorted(found)]


def made(kind: type[ProvError]) -> ProvError:
    own = kind.__init__ is not ProvError.__init__
    names = list(inspect.signature(kind).parameters) if own else ["message"]
    return kind(*(GIVEN.get(name, f"some {name}") for name in names))


@pytest.mark.parametrize("kind", every_kind(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_error_comes_back_the_same(kind: type[ProvError], way: Callable[[Any], Any]) -> None:
    error = made(kind)
    error.__dict__["note"] = "added later"
    back = way(error)
    assert type(back) is kind
    assert (str(back), repr(back), back.why) == (str(error), repr(error), error.why)
    assert (back.args, vars(back)) == (error.args, vars(error))


def test_error_that_was_changed_comes_back_as_it_is_now() -> None:
    error = StoreError("h", "no answer")
    error.what = "no answer; two requests were done"
    assert str(sent(error)) == "h: no answer; two requests were done"


def test_error_of_an_import_keeps_what_imports_say() -> None:
    error = MissingExtraError("agent", "the agent")
    assert sent(error).msg == error.msg == str(error)


def test_error_with_a_value_that_cannot_be_shown_comes_back() -> None:
    error = InvalidValueError("limit", 10**5000, "1 or more")
    assert str(sent(error)) == str(error)


def test_time_of_a_query_is_told_in_round_seconds() -> None:
    assert "within 2 s;" in str(QueryTimeoutError("h", 1.99988))
    assert "within 1800 s;" in str(QueryTimeoutError("h", 1800))
