"""Read what a stored query says of itself: its `#+` header, and the marks of its parameters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from .errors import InputSyntaxError

__all__ = ["MARK", "Header", "Parameter", "read_header"]

MARK = re.compile(
    r"VALUES[ ]\?(?P<values>\w+)[ ]\{(?P<default>.*)\}[ ]*#[ ]param[ ]*$"
    r"|LIMIT[ ]\d+[ ]*#[ ]param:[ ](?P<limit>\w+)[ ]*$",
    re.M,
)
_ANY_MARK = re.compile(r"#[ ]*param\b")
_TEXTS = {"summary", "description"}
_LISTS = {"tags", "returns"}
_KEYS = _TEXTS | _LISTS | {"params"}
_PARAMETER_KEYS = {"type", "required", "description"}


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
class Header:
    """What stands in a header.

    Attributes:
        summary, description, tags, returns: as they stand there.
        params: the parameters, by name.
    """

    summary: str
    description: str
    tags: tuple[str, ...]
    params: Mapping[str, Parameter]
    returns: tuple[str, ...]


def read_header(path: Path, source: str, types: Collection[str]) -> Header:
    """Read the header of a query, and compare it to the marks in the text.

    Args:
        path: where it stands, for messages.
        source: the file.
        types: what a parameter may be.

    Raises:
        InputSyntaxError: the header is not YAML, has an unknown key, a value of another form than
            its key takes, or no summary, or a parameter is declared and not used, or used and not
            declared.
    """
    lines = source.split("\n")
    count = next((n for n, line in enumerate(lines) if not line.startswith("#+")), len(lines))
    head = _header(path, source, "\n".join(line[2:] for line in lines[:count]))
    used = _marks(path, source)
    params = _parameters(path, source, head.get("params"), used, types)
    return Header(
        summary=head["summary"],
        description=head.get("description", ""),
        tags=tuple(head.get("tags", ())),
        params={param.name: param for param in params},
        returns=tuple(head.get("returns", ())),
    )


def _header(path: Path, source: str, header: str) -> dict[str, Any]:
    try:
        # Texts alone: what else YAML reads from a word, it may read wrongly or fail to read.
        head = yaml.load(header, Loader=yaml.BaseLoader)  # noqa: S506 - makes no objects
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputSyntaxError(str(path), line, f"header is not YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise InputSyntaxError(str(path), 1, f"header is not YAML: {error}") from None
    except RecursionError:
        raise InputSyntaxError(str(path), 1, "header is not YAML: nested too deep") from None
    if not isinstance(head, dict) or not head.get("summary"):
        raise InputSyntaxError(str(path), 1, "needs a `#+ summary:` header")
    for key, value in head.items():
        line = _header_line(source, key)
        if key not in _KEYS:
            raise InputSyntaxError(str(path), line, f"unknown header key {key!r}")
        if key in _TEXTS and not isinstance(value, str):
            raise InputSyntaxError(str(path), line, f"`{key}` is a text")
        if key in _LISTS and not _is_list_of_texts(value):
            raise InputSyntaxError(str(path), line, f"`{key}` is a list of texts")
    return head


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _marks(path: Path, source: str) -> dict[str, tuple[str, int]]:
    used: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(source.split("\n"), 1):
        if line.startswith("#+") or not _ANY_MARK.search(line):
            continue
        match = MARK.search(line)
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
    path: Path,
    source: str,
    declared: object,
    used: Mapping[str, tuple[str, int]],
    types: Collection[str],
) -> Iterable[Parameter]:
    declared = {} if declared in (None, "") else declared
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
        known = {"limit"} if used[name][0] == "limit" else set(types)
        if fields.get("type") not in sorted(known):
            raise InputSyntaxError(
                str(path), line, f"parameter {name!r}: its type is one of {sorted(known)}"
            )
        required, description = fields.get("required", "false"), fields.get("description", "")
        if required not in ("true", "false"):
            raise InputSyntaxError(
                str(path), line, f"parameter {name!r}: `required` is true or false"
            )
        if not isinstance(description, str):
            raise InputSyntaxError(
                str(path), line, f"parameter {name!r}: its description is a text"
            )
        yield Parameter(name, fields["type"], required == "true", description)


def _header_line(source: str, key: str) -> int:
    """Find the line of a key in a header; a flow mapping may hold several in one line."""
    wanted = re.compile(rf"^#\+.*(?<![\w-]){re.escape(str(key))}\s*:")
    lines = source.split("\n")
    return next((n for n, line in enumerate(lines, 1) if wanted.match(line)), 1)
