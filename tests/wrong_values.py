"""Values that hardly any argument takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyoxigraph import BlankNode

from trustgraph_prov import ProvError

WRONG: list[Any] = [
    5,
    0.5,
    b"x",
    True,
    object(),
    BlankNode("b"),
    [5],
    {"edge": 5},
    (None,),
    lambda: 0,
]

HELPERS = {"text", "integer", "decimal", "time"}
"""What an error calls a value when it names what makes a term of it, not what was given."""


def refusal(call: Callable[[], object]) -> ProvError | None:
    """The error of ours with which a call refuses what it is given, if it does."""
    try:
        call()
    except ProvError as error:
        return error
    return None
