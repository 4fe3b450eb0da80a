"""Values that hardly any argument takes."""

from __future__ import annotations

from typing import Any

from pyoxigraph import BlankNode

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
