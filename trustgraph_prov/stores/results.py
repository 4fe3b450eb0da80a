"""Read SPARQL results in JSON, however long a text is.

pyoxigraph's parser of JSON holds 8 MiB of a text at most, its parser of XML any number. XML needs
care: white space at the ends of a text is lost, and line ends change, unless they are written as
character references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pyoxigraph as ox
from pyoxigraph import QueryBoolean, QueryResultsFormat, QuerySolutions

from ..strict_json import read_json
from .faults import one_line

__all__ = ["read_result"]

WINDOW, STEP = 4 * 1024 * 1024, 2 * 1024 * 1024
"""Bytes that are looked into at each step of so many: more than their sum has no end in sight."""

_QUOTE = re.compile(rb'(?<!\\)"')
_REFERENCES = {"&": "&amp;"} | {each: f"&#{ord(each)};" for each in "<>\"' \t\n\r"}
"""In this order: a reference holds an ampersand itself."""

_BEGIN = (
    '<sparql xmlns="http://www.w3.org/2005/sparql-results#" '
    'xmlns:its="http://www.w3.org/2005/11/its">'
)
_ATTRIBUTES = ("xml:lang", "its:dir", "datatype")
_KINDS = {"typed-literal": "literal"}


def read_result(text: bytes) -> QuerySolutions | QueryBoolean:
    """Read the answer to a SELECT or ASK.

    Args:
        text: SPARQL 1.2 Query Results JSON.

    Raises:
        SyntaxError: it is something else.

    Example:
        >>> [row[0].value for row in read_result(
        ...     b'{"head": {"vars": ["a"]}, "results": {"bindings": ['
        ...     b'{"a": {"type": "literal", "value": "b"}}]}}'
        ... )]
        ['b']
    """
    if not _has_long_text(text):
        return ox.parse_query_results(text, format=QueryResultsFormat.JSON)
    try:
        xml = "".join(_as_xml(read_json(text))).encode()
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise SyntaxError(f"not the results of a query in JSON: {one_line(error)}") from None
    return ox.parse_query_results(xml, format=QueryResultsFormat.XML)


def _has_long_text(text: bytes) -> bool:
    starts = range(0, len(text) - WINDOW, STEP)
    return any(_QUOTE.search(text, start, start + WINDOW) is None for start in starts)


def _as_xml(found: dict[str, Any]) -> Iterator[str]:
    """The same result as XML (SPARQL 1.2 Query Results XML Format)."""
    yield f"{_BEGIN}<head>"
    for name in found["head"]["vars"]:
        yield f'<variable name="{_escaped(name)}"/>'
    yield "</head><results>"
    for row in found["results"]["bindings"]:
        yield "<result>"
        for name, term in row.items():
            yield f'<binding name="{_escaped(name)}">{_term(term)}</binding>'
        yield "</result>"
    yield "</results></sparql>"


def _term(term: dict[str, Any]) -> str:
    kind, value = _KINDS.get(term["type"], term["type"]), term["value"]
    if kind == "triple":
        parts = (f"<{part}>{_term(value[part])}</{part}>" for part in value)
        return f"<triple>{''.join(parts)}</triple>"
    attributes = (f' {name}="{_escaped(term[name])}"' for name in _ATTRIBUTES if name in term)
    return f"<{kind}{''.join(attributes)}>{_escaped(value)}</{kind}>"


def _escaped(text: str) -> str:
    for character, reference in _REFERENCES.items():
        text = text.replace(character, reference)
    return text
