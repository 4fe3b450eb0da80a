"""Find the SPARQL that a command line means: a stored query, a file, stdin, or the text itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from .failures import fail
from .files import STDIN, binary_input

__all__ = ["parameters", "request"]

_COMMENT_OR_PROLOGUE = re.compile(
    r"\s+|#[^\n]*|BASE\s*<[^>]*>|PREFIX\s+[^:\s]*:\s*<[^>]*>", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z]*")
_UPDATES = {
    "ADD", "CLEAR", "COPY", "CREATE", "DELETE", "DROP", "INSERT", "LOAD", "MOVE", "WITH",
}  # fmt: skip


def parameters(given: Sequence[str]) -> Mapping[str, list[str]]:
    """Read `name=value`; a name that comes up again has several values."""
    values: dict[str, list[str]] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            fail(f"--param {one}: expected name=value")
        values.setdefault(name, []).append(value)
    return values


def request(name: str, values: Mapping[str, list[str]]) -> tuple[str, bool]:
    """Find and bind.

    Args:
        name: of a stored query, else of a file; `-` is stdin, and what has braces is SPARQL.
        values: as `parameters` reads them; for stored queries alone.

    Returns:
        SPARQL ready to run, and whether it is an update.
    """
    from trustgraph_prov import stored_queries, stored_query

    if "{" in name or not name.strip():
        text = name
    elif name == STDIN or (name not in stored_queries() and Path(name).exists()):
        text = _read(name)
    elif " " in name.strip():
        text = name
    elif Path(name).suffix:
        fail(f"{name}: no such file; `tg-prov queries` lists the stored queries")
    else:
        query = stored_query(name)
        bound = {key: one[0] if len(one) == 1 else one for key, one in values.items()}
        return query.bind(**bound), query.form == "UPDATE"
    if values:
        fail(f"--param is for stored queries; put the values into {name}")
    return text, is_update(text)


def _read(name: str) -> str:
    with binary_input(name) as file:
        try:
            return file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            fail(f"{'stdin' if name == STDIN else name}: not SPARQL: not in UTF-8")


def is_update(text: str) -> bool:
    """Tell an update from a query by the first word after its prologue (SPARQL 1.1, section 19.8).

    Example:
        >>> is_update("PREFIX a: <urn:a> # INSERT\\nSELECT * { ?s ?p ?o }")
        False
    """
    at = 0
    while match := _COMMENT_OR_PROLOGUE.match(text, at):
        at = match.end()
    word = _WORD.match(text, at)
    return word is not None and word[0].upper() in _UPDATES
