"""Stored queries: a file, its `#+` header, and text with its parameters bound.

A parameter is one marked line, `VALUES ?x { default }   # param`, whose braces are rewritten with
serialised terms, or an integer named in its mark, `LIMIT 50   # param: limit`. Nothing else is ever
substituted, so the files run as they stand in any SPARQL 1.1 store.

Example:
    >>> show = stored_query("trace/show")
    >>> show.summary
    'The steps of one run, with everything recorded about each'
    >>> "VALUES ?trace { <urn:trustgraph:agent:7> }" in show.bind(trace="urn:trustgraph:agent:7")
    True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, cast

from pyoxigraph import Literal, NamedNode

from . import resources, terms
from .errors import InvalidTermError, InvalidValueError, ProvError, QueryError
from .query_header import MARK, Parameter, read_header

__all__ = ["StoredQuery", "stored_queries", "stored_query"]

Value: TypeAlias = "str | int | float | datetime | NamedNode | Literal"

_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+\Z", re.ASCII)
MOST = 2**31 - 1
"""The largest `LIMIT` that every engine reads."""


def _string(value: Any) -> Literal:
    if isinstance(value, Literal):
        return value
    if isinstance(value, NamedNode):
        raise InvalidTermError(value.value, "a text is wanted, not an IRI")
    return terms.text(value if isinstance(value, str) else str(value))


def _date_time(value: Any) -> Literal:
    if isinstance(value, Literal):
        value = value.value
    if isinstance(value, str) and _DATE.match(value):
        value += "T00:00:00Z"
    return terms.date_time(value)


def _integer(value: Any) -> Literal:
    if isinstance(value, Literal):
        value = value.value
    return terms.integer(_whole(value) if isinstance(value, str) else value)


def _whole(text: str) -> int:
    """Read digits as SPARQL has them; Python's own int() takes `1_0` and other scripts, too."""
    if not _WHOLE.match(text.strip()):
        raise InvalidTermError(text, "a whole number in ASCII digits is wanted")
    try:
        return int(text)
    except ValueError:  # Python reads 4,300 digits
        raise InvalidTermError(text, "a whole number of 4,300 digits at most is wanted") from None


_TYPES: dict[str, Callable[[Any], NamedNode | Literal]] = {
    "iri": terms.iri,
    "string": _string,
    "dateTime": _date_time,
    "integer": _integer,
    "term": terms.iri_or_text,
}
_FORM = re.compile(r"^[ \t]*(SELECT|CONSTRUCT|ASK|DESCRIBE|INSERT|DELETE|WITH)\b", re.M)


@dataclass(frozen=True)
class StoredQuery:
    """A query from a file.

    Attributes:
        name: folder and file without the ending: `trace/show`.
        path: the file.
        text: the file as it stands, which runs with its defaults.
        summary, description, tags, returns: from the header.
        params: the parameters, by name.
    """

    name: str
    path: Path
    text: str
    summary: str
    description: str
    tags: tuple[str, ...]
    params: Mapping[str, Parameter]
    returns: tuple[str, ...]

    @property
    def form(self) -> str:
        """`SELECT`, `CONSTRUCT`, `ASK`, `DESCRIBE` or `UPDATE`."""
        match = _FORM.search(self.text)
        word = match[1] if match else ""
        return "UPDATE" if word in ("INSERT", "DELETE", "WITH") else word

    def bind(self, **values: Value | Iterable[Value] | None) -> str:
        """Rewrite the marked lines.

        Args:
            values: one value or several for each parameter. None, or no value, leaves an optional
                parameter at the default that stands in the file.

        Returns:
            SPARQL ready to run.

        Raises:
            QueryError: an unknown parameter, a required one without a value, or a value that is
                not of the parameter's type.
        """
        for name in values:
            if name not in self.params:
                known = ", ".join(sorted(self.params)) or "none"
                raise QueryError(self.name, f"no parameter {name!r}; it has: {known}")
        given = {name: value for name, value in values.items() if value is not None}
        missing = [p.name for p in self.params.values() if p.required and p.name not in given]
        if missing:
            raise QueryError(
                self.name, f"needs {', '.join(missing)}; give it with --param NAME=VALUE"
            )

        def line(match: re.Match[str]) -> str:
            name = match["values"] or match["limit"]
            if name not in given:
                return match[0]
            if match["limit"]:
                return f"LIMIT {self._limit(name, given[name])}"
            return f"VALUES ?{name} {{ {self._terms(name, given[name])} }}"

        return MARK.sub(line, self.text)  # once over the file: no value is ever read as a mark

    def _terms(self, name: str, value: Value | Iterable[Value]) -> str:
        one_term = isinstance(value, (str, NamedNode, Literal)) or not isinstance(value, Iterable)
        every: Iterable[Any] = [value] if one_term else cast("Iterable[Any]", value)
        parse = _TYPES[self.params[name].type]
        try:
            found = [str(parse(one)) for one in every]
            if not found:
                raise QueryError(self.name, f"{name}: no value; leave it out, or give one")
            return " ".join(found)
        except QueryError:
            raise
        except (ProvError, ValueError, TypeError) as error:
            raise QueryError(self.name, f"{name}: {error}") from None

    def _limit(self, name: str, value: Any) -> int:
        try:
            number = int(_integer(value).value)
        except ProvError:
            number = -1
        if not 0 <= number <= MOST:
            expected = f"a whole number in ASCII digits, from 0 to {MOST}"
            raise QueryError(self.name, str(InvalidValueError(name, value, expected)))
        return number


def stored_query(name: str) -> StoredQuery:
    """Load a stored query by name.

    Args:
        name: folder and file without the ending, as in `trace/show`.

    Raises:
        QueryError: no such query; the message names the nearest.
        InputSyntaxError: its header or its marks are wrong, with file and line.

    Example:
        >>> stored_query("trace/show").returns
        ('node', 'property', 'value')
    """
    every = stored_queries()
    if name not in every:
        from difflib import get_close_matches

        near = get_close_matches(name, every, n=3, cutoff=0.4)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise QueryError(name, f"no stored query of that name{hint}; `tg-prov queries` lists all")
    return load(every[name], name)


@cache
def stored_queries() -> Mapping[str, Path]:
    """Find every stored query.

    Returns:
        Files by name, in the order of the names.
    """
    root = resources.folder("queries")
    files = [*root.rglob("*.rq"), *root.rglob("*.ru")]
    return dict(sorted((path.relative_to(root).with_suffix("").as_posix(), path) for path in files))


@cache
def load(path: Path, name: str) -> StoredQuery:
    """Read one file.

    Raises:
        InputSyntaxError: the header is not YAML, has an unknown key, a value of another form than
            its key takes, or no summary, or a parameter is declared and not used, or used and not
            declared.
    """
    source = path.read_text(encoding="utf-8")
    header = read_header(path, source, _TYPES)
    return StoredQuery(
        name=name,
        path=path,
        text=source,
        summary=header.summary,
        description=header.description,
        tags=header.tags,
        params=header.params,
        returns=header.returns,
    )
