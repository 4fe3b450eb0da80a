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

import yaml
from pyoxigraph import Literal, NamedNode

from . import resources, terms
from .errors import InputSyntaxError, InvalidTermError, ProvError, QueryError

__all__ = ["Parameter", "StoredQuery", "stored_queries", "stored_query"]

Value: TypeAlias = "str | int | float | datetime | NamedNode | Literal"

_KEYS = {"summary", "description", "tags", "params", "returns"}
_PARAMETER_KEYS = {"type", "required", "description"}
_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+\Z", re.ASCII)
MOST = 2**31 - 1
"""The largest `LIMIT` that every engine reads."""


def _string(value: Any) -> Literal:
    if isinstance(value, Literal):
        return value
    if isinstance(value, NamedNode):
        raise InvalidTermError(value.value, "a text is wanted, not an IRI")
    return terms.text(str(value))


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
    return int(text)


_TYPES: dict[str, Callable[[Any], NamedNode | Literal]] = {
    "iri": terms.iri,
    "string": _string,
    "dateTime": _date_time,
    "integer": _integer,
    "term": terms.iri_or_text,
}
_MARK = re.compile(
    r"VALUES[ ]\?(?P<values>\w+)[ ]\{(?P<default>.*)\}[ ]*#[ ]param[ ]*$"
    r"|LIMIT[ ]\d+[ ]*#[ ]param:[ ](?P<limit>\w+)[ ]*$",
    re.M,
)
_ANY_MARK = re.compile(r"#[ ]*param\b")
_FORM = re.compile(r"^[ \t]*(SELECT|CONSTRUCT|ASK|DESCRIBE|INSERT|DELETE|WITH)\b", re.M)


@dataclass(frozen=True)
class Parameter:
    """What a stored query may be given.

    Attributes:
        name: the variable, or the name in a `LIMIT` mark.
        type: `iri`, `string`, `dateTime`, `integer`, `term` (an IRI or else text), or `limit`.
        required: without a value the query is refused, and its default serves as an example only.
        description: one line for people.
    """

    name: str
    type: str
    required: bool = False
    description: str = ""


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

        return _MARK.sub(line, self.text)  # once over the file: no value is ever read as a mark

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
            raise QueryError(self.name, f"{name} is {value!r}; expected {expected}")
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
        InputSyntaxError: the header is not YAML, has an unknown key or lacks its summary, or a
            parameter is declared and not used, or used and not declared.
    """
    source = path.read_text(encoding="utf-8")
    lines = source.split("\n")
    count = next((n for n, line in enumerate(lines) if not line.startswith("#+")), len(lines))
    head = _header(path, source, "\n".join(line[2:] for line in lines[:count]))
    used = _marks(path, source)
    params = {p.name: p for p in _parameters(path, source, head.get("params"), used)}
    return StoredQuery(
        name=name,
        path=path,
        text=source,
        summary=str(head["summary"]),
        description=str(head.get("description", "")),
        tags=tuple(head.get("tags", ())),
        params=params,
        returns=tuple(head.get("returns", ())),
    )


def _header(path: Path, source: str, header: str) -> dict[str, Any]:
    try:
        head = yaml.safe_load(header)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputSyntaxError(str(path), line, f"header is not YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise InputSyntaxError(str(path), 1, f"header is not YAML: {error}") from None
    if not isinstance(head, dict) or not head.get("summary"):
        raise InputSyntaxError(str(path), 1, "needs a `#+ summary:` header")
    for key in head:
        if key not in _KEYS:
            raise InputSyntaxError(
                str(path), _header_line(source, key), f"unknown header key {key!r}"
            )
    return head


def _marks(path: Path, source: str) -> dict[str, tuple[str, int]]:
    used: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(source.split("\n"), 1):
        if line.startswith("#+") or not _ANY_MARK.search(line):
            continue
        match = _MARK.search(line)
        if not match:
            raise InputSyntaxError(
                str(path), number, "a mark stands behind `VALUES ?x { … }` or `LIMIT n` alone"
            )
        name, mark = match["values"] or match["limit"], "values" if match["values"] else "limit"
        if used.setdefault(name, (mark, number))[0] != mark:
            raise InputSyntaxError(
                str(path), number, f"parameter {name!r} is a value and a limit at once"
            )
    return used


def _parameters(
    path: Path, source: str, declared: object, used: Mapping[str, tuple[str, int]]
) -> Iterable[Parameter]:
    declared = {} if declared is None else declared
    if not isinstance(declared, dict):
        raise InputSyntaxError(str(path), _header_line(source, "params"), "`params` is a mapping")
    for name, (_, line) in used.items():
        if name not in declared:
            raise InputSyntaxError(str(path), line, f"parameter {name!r} is used and not declared")
    for name, fields in declared.items():
        line = _header_line(source, name)
        if name not in used:
            raise InputSyntaxError(str(path), line, f"parameter {name!r} is declared and not used")
        if not isinstance(fields, dict):
            raise InputSyntaxError(str(path), line, f"parameter {name!r} is a mapping")
        unknown = set(fields) - _PARAMETER_KEYS
        if unknown:
            raise InputSyntaxError(
                str(path), line, f"parameter {name!r}: unknown {sorted(map(str, unknown))}"
            )
        known = {"limit"} if used[name][0] == "limit" else set(_TYPES)
        if fields.get("type") not in known:
            raise InputSyntaxError(
                str(path), line, f"parameter {name!r}: its type is one of {sorted(known)}"
            )
        yield Parameter(name, **fields)


def _header_line(source: str, key: str) -> int:
    """Find the line of a key in a header; a flow mapping may hold several in one line."""
    wanted = re.compile(rf"^#\+.*(?<![\w-]){re.escape(str(key))}\s*:")
    lines = source.split("\n")
    return next((n for n, line in enumerate(lines, 1) if wanted.match(line)), 1)
