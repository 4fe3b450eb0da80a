"""Parse SPARQL with RDFLib, say where it is wrong, and keep lexical forms as they are written.

RDFLib rewrites typed literals while it translates a parse tree (`…Z` becomes `…+00:00`), unless a
global setting of its own is off. Others in the process may rely on that setting, so the literals
are made here, before RDFLib comes to them. This module imports RDFLib, so only `stores.rdflib_`
imports it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import pyoxigraph as ox
import rdflib
from pyparsing import ParseBaseException
from rdflib.plugins.sparql import operators, parser
from rdflib.plugins.sparql.algebra import (
    translatePrologue,
    translateQuery,
    translateUpdate,
    traverse,
)
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import Prologue, Query, Update

from ..errors import InputSyntaxError, StoreError
from .faults import one_line, syntax_fault

__all__ = ["parsed_query", "parsed_update"]


@contextmanager
def parsed_query(store: str, text: str) -> Iterator[tuple[Query, bool]]:
    """Parse a query, or take it from those that were parsed before.

    Args:
        store: for messages.
        text: SPARQL.

    Yields:
        The query, and whether it asks for every variable (`SELECT *`). Nobody else has it
        meanwhile: while RDFLib evaluates it, an expression holds the solution that it looks at.

    Raises:
        InputSyntaxError: not SPARQL.
        StoreError: it calls a function that RDFLib does not have.

    Example:
        >>> with parsed_query("rdflib:", "SELECT * { ?s none:p ?o }"):
        ...     pass
        Traceback (most recent call last):
        trustgraph_prov.errors.InputSyntaxError: query:1: not SPARQL at column 21: ...
    """
    query: tuple[Query, bool] = _KEPT.take("query", text) or _parse_query(store, text)
    yield query
    _KEPT.give("query", text, query)


@contextmanager
def parsed_update(store: str, text: str) -> Iterator[Update]:
    """Parse an update, or take it from those that were parsed before.

    Args:
        store: for messages.
        text: SPARQL.

    Yields:
        The update; nobody else has it meanwhile.

    Raises:
        InputSyntaxError: not SPARQL.
        StoreError: it asks for something that RDFLib does not have.
    """
    update: Update = _KEPT.take("update", text) or _parse_update(store, text)
    yield update
    if not any(operation.name == "InsertData" for operation in update.algebra):
        _KEPT.give("update", text, update)  # but for one whose blank nodes are new each time


class _Kept:
    """What was parsed lately: RDFLib takes some 50 ms to parse a stored query."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._trees: OrderedDict[tuple[str, str], Any] = OrderedDict()

    def take(self, what: str, text: str) -> Any:
        """Take out what a text was parsed to; None where it was not, or is in use."""
        with self._lock:
            return self._trees.pop((what, text), None)

    def give(self, what: str, text: str, tree: Any) -> None:
        """Put in what was evaluated to its end, and let go of what was not asked for longest."""
        if len(text) > _SHORT:
            return
        with self._lock:
            self._trees[what, text] = tree
            if len(self._trees) > _MOST:
                self._trees.popitem(last=False)


_MOST = 128
"""How many are kept: some 10 MB of our own queries."""

_SHORT = 8_000
"""Characters of the longest text that is kept. A tree takes some fifty times as much memory."""

_KEPT = _Kept()


def _parse_query(store: str, text: str) -> tuple[Query, bool]:
    with _faults("query", text):
        tree = parser.parseQuery(text)
        prologue = translatePrologue(tree[0], None, None, None)
        tree[1] = _prepare(store, tree[1], prologue)
        every_variable = tree[1].name == "SelectQuery" and not tree[1].projection
        return translateQuery(tree), every_variable


def _parse_update(store: str, text: str) -> Update:
    with _faults("update", text):
        tree = parser.parseUpdate(text)
        prologue = None
        for n, (head, request) in enumerate(zip(tree.prologue, tree.request, strict=False)):
            prologue = translatePrologue(head, None, None, prologue)
            if request.name in ("Load", "Create"):
                raise StoreError(store, f"RDFLib has no {request.name.upper()}; insert the quads")
            tree.request[n] = _prepare(store, request, prologue)
        return translateUpdate(tree)


@contextmanager
def _faults(what: str, text: str) -> Iterator[None]:
    """Tell where a text is no SPARQL."""
    try:
        text.encode()
        yield
    except StoreError:
        raise
    except UnicodeEncodeError as error:
        raise syntax_fault(what, error) from None
    except Exception as error:
        raise _syntax_error(what, text, error) from None


def _prepare(store: str, tree: Any, prologue: Prologue) -> Any:
    def visit(node: Any) -> Any:
        if not isinstance(node, CompValue):
            return None
        if node.name == "Function":
            function = prologue.absolutize(node.iri)
            if function not in operators._CUSTOM_FUNCTIONS:  # what is there has no public name
                raise StoreError(store, f"RDFLib has no function <{function}>")
        if node.name == "literal" and node.datatype is not None:
            datatype = str(prologue.absolutize(node.datatype))
            return rdflib.Literal(node.string, datatype=datatype, normalize=False)
        return None

    return traverse(tree, visitPre=visit)


def _syntax_error(what: str, text: str, error: Exception) -> InputSyntaxError:
    """Say where, best in pyoxigraph's words: RDFLib points at the start of what did not parse."""
    try:
        # The NUL is no SPARQL, so this never runs; where it alone is wrong, RDFLib is stricter.
        getattr(ox.Store(), what)(f"{text}\n\0")
    except SyntaxError as other:
        fault = syntax_fault(what, other)
        if fault.line is not None and fault.line <= text.count("\n") + 1:
            return fault
    if isinstance(error, ParseBaseException):
        why = f"not SPARQL at column {error.column}: {one_line(error.msg)}"
        return InputSyntaxError(what, error.lineno, why)
    return InputSyntaxError(what, None, f"not SPARQL: {one_line(error)}")
