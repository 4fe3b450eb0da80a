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
from typing import Any, TypeAlias

import yaml
from pyoxigraph import Literal, NamedNode

from . import resources, terms
from .errors import InputSyntaxError, ProvError, QueryError

__all__ = ["Parameter", "StoredQuery", "stored_queries", "stored_query"]

Value: TypeAlias = "str | int | float | datetime | NamedNode | Literal"

_KEYS = {"summary", "description", "tags", "params", "returns"}
_PARAMETER_KEYS = {"type", "required", "description"}
_TYPES: dict[str, Callable[[Any], NamedNode | Literal]] = {
    "iri": terms.iri,
    "string": lambda value: value if isinstance(value, Literal) else terms.text(str(value)),
    "dateTime": lambda value: value if isinstance(value, Literal) else terms.date_time(value),
    "integer": lambda value: value if isinstance(value, Literal) else terms.integer(int(value)),
    "term": terms.iri_or_text,
}
_VALUES_MARK = re.compile(r"VALUES[ ]\?(?P<name>\w+)[ ]\{(?P<default>.*)\}[ ]*#[ ]param[ ]*$", re.M)
_LIMIT_MARK = re.compile(r"LIMIT[ ](?P<default>\d+)[ ]*#[ ]param:[ ](?P<name>\w+)[ ]*$", re.M)
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

        def values_line(match: re.Match[str]) -> str:
            name = match["name"]
            if name not in given:
                return match[0]
            return f"VALUES ?{name} {{ {self._terms(name, given[name])} }}"

        def limit_line(match: re.Match[str]) -> str:
            name = match["name"]
            return f"LIMIT {self._limit(name, given[name])}" if name in given else match[0]

        return _LIMIT_MARK.sub(limit_line, _VALUES_MARK.sub(values_line, self.text))

    def _terms(self, name: str, value: Value | Iterable[Value]) -> str:
        one_term = isinstance(value, (str, NamedNode, Literal)) or not isinstance(value, Iterable)
        every: Iterable[Any] = [value] if one_term else value  # type: ignore[assignment]
        parse = _TYPES[self.params[name].type]
        try:
            return " ".join(str(parse(one)) for one in every)
        except (ProvError, ValueError, TypeError) as error:
            raise QueryError(self.name, f"{name}: {error}") from None

    def _limit(self, name: str, value: Any) -> int:
        try:
            number = int(value)
        except (TypeError, ValueError):
            number = -1
        if isinstance(value, bool) or number < 0:
            raise QueryError(self.name, f"{name} is {value!r}; expected a whole number, 0 or more")
        return number


def stored_query(name: str) -> StoredQuery:
    """Load a stored query by name.

    Args:
        name: folder and file without the ending, as in `trace/show`.

    Raises:
        QueryError: no such query; the message names the nearest.
        InputSyntaxError: its header or its marks are wrong, with file and line.
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
    files = sorted([*root.rglob("*.rq"), *root.rglob("*.ru")])
    return {path.relative_to(root).with_suffix("").as_posix(): path for path in files}


@cache
def load(path: Path, name: str) -> StoredQuery:
    """Read one file.

    Raises:
        InputSyntaxError: the header is not YAML, has an unknown key or lacks its summary, or a
            parameter is declared and not used, or used and not declared.
    """
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    count = next((n for n, line in enumerate(lines) if not line.startswith("#+")), len(lines))
    head = _header(path, "\n".join(line[2:] for line in lines[:count]))
    used = _marks(path, source)
    params = {p.name: p for p in _parameters(path, head.get("params"), used)}
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


def _header(path: Path, source: str) -> dict[str, Any]:
    try:
        head = yaml.safe_load(source)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputSyntaxError(str(path), line, f"header is not YAML: {error.problem}") from None
    if not isinstance(head, dict) or not head.get("summary"):
        raise InputSyntaxError(str(path), 1, "needs a `#+ summary:` header")
    for key in head:
        if key not in _KEYS:
            line = next(
                n for n, text in enumerate(source.splitlines(), 1) if text.strip().startswith(key)
            )
            raise InputSyntaxError(str(path), line, f"unknown header key {key!r}")
    return head


def _marks(path: Path, source: str) -> dict[str, tuple[str, int]]:
    used: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(source.splitlines(), 1):
        if line.startswith("#+") or not _ANY_MARK.search(line):
            continue
        values, limit = _VALUES_MARK.search(line), _LIMIT_MARK.search(line)
        if values:
            used[values["name"]] = ("values", number)
        elif limit:
            used[limit["name"]] = ("limit", number)
        else:
            raise InputSyntaxError(
                str(path), number, "a mark stands behind `VALUES ?x { … }` or `LIMIT n` alone"
            )
    return used


def _parameters(
    path: Path, declared: object, used: Mapping[str, tuple[str, int]]
) -> Iterable[Parameter]:
    declared = {} if declared is None else declared
    if not isinstance(declared, dict):
        raise InputSyntaxError(str(path), 1, "`params` is a mapping")
    for name, (_, line) in used.items():
        if name not in declared:
            raise InputSyntaxError(str(path), line, f"parameter {name!r} is used and not declared")
    for name, fields in declared.items():
        if name not in used:
            raise InputSyntaxError(str(path), 1, f"parameter {name!r} is declared and not used")
        mark, line = used[name]
        unknown = set(fields) - _PARAMETER_KEYS
        if unknown:
            raise InputSyntaxError(
                str(path), line, f"parameter {name!r}: unknown {sorted(unknown)}"
            )
        if fields.get("type") not in ({"limit"} if mark == "limit" else set(_TYPES)):
            raise InputSyntaxError(
                str(path), line, f"parameter {name!r} has no type of {sorted({*_TYPES, 'limit'})}"
            )
        yield Parameter(name, **fields)
