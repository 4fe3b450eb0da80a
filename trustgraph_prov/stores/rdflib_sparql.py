"""Parse SPARQL with RDFLib, say where it is wrong, and keep lexical forms as they are written.

RDFLib rewrites typed literals while it translates a parse tree (`…Z` becomes `…+00:00`), unless a
global setting of its own is off. Others in the process may rely on that setting, so the literals
are made here, before RDFLib comes to them. This module imports RDFLib, so only `stores.rdflib_`
imports it.
"""

from __future__ import annotations

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

__all__ = ["parse_query", "parse_update"]


def parse_query(store: str, text: str) -> tuple[Query, bool]:
    """Parse a query.

    Args:
        store: for messages.
        text: SPARQL.

    Returns:
        The query, and whether it asks for every variable (`SELECT *`).

    Raises:
        InputSyntaxError: not SPARQL.
        StoreError: it calls a function that RDFLib does not have.

    Example:
        >>> parse_query("rdflib:", "SELECT * { ?s none:p ?o }")
        Traceback (most recent call last):
        trustgraph_prov.errors.InputSyntaxError: query:1: not SPARQL at column 21: ...
    """
    try:
        text.encode()
        tree = parser.parseQuery(text)
        prologue = translatePrologue(tree[0], None, None, None)
        tree[1] = _prepare(store, tree[1], prologue)
        every_variable = tree[1].name == "SelectQuery" and not tree[1].projection
        return translateQuery(tree), every_variable
    except StoreError:
        raise
    except UnicodeEncodeError as error:
        raise syntax_fault("query", error) from None
    except Exception as error:
        raise _syntax_error("query", text, error) from None


def parse_update(store: str, text: str) -> Update:
    """Parse an update.

    Args:
        store: for messages.
        text: SPARQL.

    Raises:
        InputSyntaxError: not SPARQL.
        StoreError: it asks for something that RDFLib does not have.
    """
    try:
        text.encode()
        tree = parser.parseUpdate(text)
        prologue = None
        for n, (head, request) in enumerate(zip(tree.prologue, tree.request, strict=False)):
            prologue = translatePrologue(head, None, None, prologue)
            if request.name in ("Load", "Create"):
                raise StoreError(store, f"RDFLib has no {request.name.upper()}; insert the quads")
            tree.request[n] = _prepare(store, request, prologue)
        return translateUpdate(tree)
    except StoreError:
        raise
    except UnicodeEncodeError as error:
        raise syntax_fault("update", error) from None
    except Exception as error:
        raise _syntax_error("update", text, error) from None


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
