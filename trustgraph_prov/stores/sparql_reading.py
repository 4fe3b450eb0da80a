"""Answer queries whole, whatever number of rows a server cuts its answers at."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, cast

import pyoxigraph as ox
from pyoxigraph import QuerySolutions

from ..errors import InputSyntaxError, StoreError
from .faults import one_line, syntax_fault
from .interrupt import Answer
from .sparql_answers import check_status, read_rows, read_triples
from .sparql_client import Deadline
from .sparql_paging import Row, all_rows, as_select, assemble, can_order, page_query, select_text
from .sparql_presets import PRESETS
from .sparql_text import QUERY_FORMS, Parts, form, parts
from .sparql_transport import Reply

__all__ = ["Reader", "check_syntax"]

_COUNT = re.compile(r"\d{1,18}", re.ASCII)

Send: TypeAlias = "Callable[[str, str, Deadline | None], Reply]"
"""Sends a query, given its form and its text."""


class Reader:
    """Reads answers, and learns where the server cuts them.

    Args:
        name: of the store, for messages.
        send: sends a query.
        row_cap: rows at which answers are cut, or None.

    Attributes:
        server: what the server calls itself, once it has answered.
    """

    def __init__(self, name: str, send: Send, row_cap: int | None) -> None:
        self._name, self._send = name, send
        self.row_cap = row_cap
        self.server = ""

    def answer(self, query: str, deadline: Deadline | None) -> Answer:
        """Run a query and read all of its answer.

        Raises:
            InputSyntaxError: not a query.
            StoreError: it cannot be had, or not whole.
        """
        try:
            return self._answer(query, deadline)
        except SyntaxError as error:  # of a server that takes more than the engine that joins pages
            check_syntax("query", query)
            raise StoreError(
                self._name, f"pages of its answer cannot be joined: {one_line(error)}"
            ) from None

    def _answer(self, query: str, deadline: Deadline | None) -> Answer:
        kind = form(query)
        if kind not in QUERY_FORMS:
            check_syntax("query", query)
            raise InputSyntaxError("query", None, f"not SPARQL: {kind or 'nothing'} asks nothing")
        if kind == "CONSTRUCT":
            return self._triples(query, deadline)
        if kind == "DESCRIBE":
            return read_triples(self._name, self._ask(kind, query, deadline))
        reply = self._ask(kind, query, deadline, may_sort_too_much=True)
        select = parts(query)
        if reply.status >= 400 and select is not None:
            _, _, names = self._rows(select_text(select, order="LIMIT 1"), deadline)
            return self._in_pages(select, select, names, deadline)
        answer, count, names = read_rows(
            self._name,
            reply,
            ask=kind == "ASK",
            in_order=select is not None and select.every_variable,
        )
        if select is not None and self._is_cut(count, select):
            return self._in_pages(select, select, names, deadline)
        return answer

    def _triples(self, query: str, deadline: Deadline | None) -> Answer:
        template = parts(query)
        if self.row_cap is None or template is None:
            reply = self._ask("CONSTRUCT", query, deadline)
            if self.row_cap is None or template is None:
                return read_triples(self._name, reply)
        # A server that cuts the rows of a CONSTRUCT does not say so: fill the template here.
        select = as_select(template)
        answer, count, names = self._rows(select_text(select), deadline)
        if self._is_cut(count, select):
            return self._in_pages(template, select, names, deadline)
        return assemble(template, names, _each(answer))

    def _in_pages(
        self, query: Parts, select: Parts, names: Sequence[str], deadline: Deadline | None
    ) -> Answer:
        cap = self.row_cap or 1
        if not can_order(query, names):
            raise StoreError(
                self._name,
                f"cuts answers at {cap:,} rows, and this query orders by what it does not return; "
                f"return it too, or give a LIMIT below {cap}",
            )

        def page(after: str | None, rows: int) -> list[Row]:
            text = page_query(select, names, rows, after)
            return list(_each(self._rows(text, deadline)[0]))

        try:
            return assemble(query, names, all_rows(page, cap))
        except OverflowError:
            raise StoreError(
                self._name,
                f"cuts answers at {cap:,} rows, and as many are equal; ask DISTINCT",
            ) from None

    def _rows(self, query: str, deadline: Deadline | None) -> tuple[Answer, int, list[str]]:
        return read_rows(self._name, self._ask("SELECT", query, deadline))

    def _is_cut(self, count: int, query: Parts) -> bool:
        whole = query.limit is not None and count >= query.limit
        return self.row_cap is not None and count >= self.row_cap and not whole

    def _ask(
        self, kind: str, query: str, deadline: Deadline | None, *, may_sort_too_much: bool = False
    ) -> Reply:
        reply = self._send(kind, query, deadline)
        server = reply.headers.get("Server") or ""
        self.server = reply.clean(server)
        said = reply.headers.get("X-SPARQL-MaxRows") or ""
        cap = int(said) if _COUNT.fullmatch(said) else 0
        if cap:
            self.row_cap = cap
        elif self.row_cap is None and server.startswith("Virtuoso"):
            self.row_cap = PRESETS["virtuoso"].max_rows
        if reply.status == 400:
            check_syntax("query", query)
        too_much = b"Error SR353:" in reply.body[:100] and self.row_cap is not None
        if not (may_sort_too_much and too_much):
            check_status(self._name, reply)
        return reply


def check_syntax(what: str, text: str) -> None:
    """Find the line where a refused query or update is wrong; nothing where it is right for us.

    Args:
        what: `query` or `update`.
        text: what was refused.

    Raises:
        InputSyntaxError: not SPARQL; with the line.
    """
    words = text.upper()
    if "SERVICE" in words or "LOAD" in words:
        return  # would fetch something
    engine = ox.Store()
    try:
        if what == "query":
            engine.query(text)
        else:
            engine.update(text)
    except SyntaxError as error:
        raise syntax_fault(what, error) from None
    except (OSError, RuntimeError, ValueError):
        return


def _each(answer: Answer) -> Iterator[Row]:
    return (tuple(row) for row in cast(QuerySolutions, answer.result()))
