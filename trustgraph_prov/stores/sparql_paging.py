"""Read the whole of an answer that a server cuts at so many rows.

Pages go on from the last key, never by OFFSET (Virtuoso refuses one beyond 10,000). The key is a
hash of the row: every server orders and compares such texts alike, whatever is in the row. What
the query orders by is done here, once all rows are together.
"""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import pyoxigraph as ox
from pyoxigraph import BlankNode, Literal, NamedNode

from .interrupt import Answer
from .sparql_text import Parts
from .sparql_updates import written

__all__ = ["Row", "all_rows", "as_select", "assemble", "can_order", "page_query", "select_text"]

Row: TypeAlias = "tuple[Any, ...]"

KEY = "pageKey"
BLANK = "urn:x-trustgraph-prov:blank:"
_BLANK_IN_JSON = re.compile(rb'"type":"uri","value":"' + BLANK.encode() + rb'([^"]*)"')
_BLANK_IN_TRIPLES = re.compile(rb"<" + BLANK.encode() + rb"([^>]*)>")


def page_query(query: Parts, variables: Sequence[str], rows: int, after: str | None) -> str:
    """One page of a query's rows, each with its key.

    Args:
        query: the query.
        variables: what it projects.
        rows: of a page.
        after: key to begin with, or None for the first page.
    """
    inner = _joined("SELECT", query.head, query.where, query.groups, query.values)
    if query.order and not can_order(query, variables):
        inner = _joined("SELECT", query.head, query.where, query.groups, query.order, query.values)
    texts = ", ' ', ".join(f"COALESCE(STR(?{name}), '')" for name in variables)
    return _joined(
        query.prologue,
        f"SELECT {_listed([*variables, KEY])}",
        query.datasets,
        "WHERE {",
        f"{{ {inner} }}",
        f"BIND(MD5(CONCAT('', {texts})) AS ?{KEY})",
        "" if after is None else f"FILTER(?{KEY} >= {Literal(after)})",
        f"}} ORDER BY ?{KEY}",
        f"LIMIT {rows}",
    )


def all_rows(ask: Callable[[str | None, int], list[Row]], rows: int) -> Iterator[Row]:
    """Go through the pages.

    Args:
        ask: reads the page that begins with a key; the key is the last of each row.
        rows: of a page.

    Yields:
        Rows without their keys, each as often as it is in the answer.

    Raises:
        OverflowError: more than a page of rows have the same key.
    """
    after: str | None = None
    while True:
        page = ask(after, rows)
        if len(page) < rows:
            yield from (row[:-1] for row in page)
            return
        last = page[-1][-1]
        whole = [row[:-1] for row in page if row[-1] != last]
        if not whole:
            raise OverflowError
        yield from whole
        after = last.value


def can_order(query: Parts, variables: Sequence[str]) -> bool:
    """Whether ORDER BY needs nothing but the rows themselves."""
    return query.order_variables <= set(variables)


def as_select(query: Parts) -> Parts:
    """The SELECT that finds what a CONSTRUCT fills into its template."""
    distinct = "" if query.blank or query.order else "DISTINCT "
    head = distinct + (_listed(query.head_variables) if query.head_variables else "*")
    return dataclasses.replace(query, form="SELECT", head=head)


def select_text(query: Parts, order: str | None = None) -> str:
    """A SELECT as text again, with another ORDER BY and LIMIT if one is given."""
    return _joined(
        query.prologue,
        "SELECT",
        query.head,
        query.datasets,
        query.where,
        query.groups,
        query.order if order is None else order,
        query.values,
    )


def assemble(query: Parts, variables: Sequence[str], rows: Iterator[Row]) -> Answer:
    """Put all rows together, in the order and up to the limit that the query asks for.

    Args:
        query: a SELECT, or a CONSTRUCT whose template is to be filled.
        variables: the columns.
        rows: all of them.
    """
    values = io.StringIO()
    values.write(f"VALUES ({_listed(variables)}) {{\n")
    for row in rows:
        values.write(f"({' '.join(_written(term) for term in row)})\n")
    values.write("}")
    construct = query.form == "CONSTRUCT"
    head = f"CONSTRUCT {query.head}" if construct else f"SELECT {_listed(variables) or '*'}"
    order = query.order if can_order(query, variables) and not construct else ""
    text = _joined(query.prologue, head, "WHERE {", values.getvalue(), "}", order)
    found = Answer().take(ox.Store().query(text))
    if BLANK not in text:
        return found
    whole = Answer()
    if construct:
        whole.write_triples(())
        whole.write(_BLANK_IN_TRIPLES.sub(rb"_:\1", found.getvalue()))
    else:
        whole.write(_BLANK_IN_JSON.sub(rb'"type":"bnode","value":"\1"', found.getvalue()))
    return whole


def _joined(*pieces: str) -> str:
    return "\n".join(piece for piece in pieces if piece)


def _listed(names: Sequence[str]) -> str:
    return " ".join(f"?{name}" for name in names)


def _written(term: Any) -> str:
    if term is None:
        return "UNDEF"
    return written(NamedNode(BLANK + term.value) if isinstance(term, BlankNode) else term)
