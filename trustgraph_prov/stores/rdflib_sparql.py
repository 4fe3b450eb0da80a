"""Parse SPARQL with RDFLib, say where it is wrong, and keep lexical forms as they are written.

RDFLib rewrites typed literals while it translates a parse tree (`…Z` becomes `…+00:00`), unless a
global setting of its own is off. Others in the process may rely on that setting, so the literals
are made here, before RDFLib comes to them. This module imports RDFLib, so only `stores.rdflib_`
imports it.
"""

from __future__ import annotations

from typing import Any

import rdflib
from pyparsing import ParseBaseException
from rdflib.plugins.sparql import parser
from rdflib.plugins.sparql.algebra import (
    translatePrologue,
    translateQuery,
    translateUpdate,
    traverse,
)
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import Prologue, Query, Update

from ..errors import InputSyntaxError
from .faults import one_line

__all__ = ["parse_query", "parse_update"]


def parse_query(text: str) -> tuple[Query, bool]:
    """Parse a query.

    Returns:
        The query, and whether it asks for every variable (`SELECT *`).

    Raises:
        InputSyntaxError: not SPARQL.

    Example:
        >>> parse_query("SELECT * { ?s ?p }")
        Traceback (most recent call last):
        trustgraph_prov.errors.InputSyntaxError: query:1: not SPARQL at column 12: ...
    """
    try:
        tree = parser.parseQuery(text)
        prologue = translatePrologue(tree[0], None, None, None)
        tree[1] = _with_exact_literals(tree[1], prologue)
        every_variable = tree[1].name == "SelectQuery" and not tree[1].projection
        return translateQuery(tree), every_variable
    except Exception as error:
        raise _syntax_error("query", error) from None


def parse_update(text: str) -> Update:
    """Parse an update.

    Raises:
        InputSyntaxError: not SPARQL.
    """
    try:
        tree = parser.parseUpdate(text)
        prologue = None
        for n, (head, request) in enumerate(zip(tree.prologue, tree.request, strict=False)):
            prologue = translatePrologue(head, None, None, prologue)
            tree.request[n] = _with_exact_literals(request, prologue)
        return translateUpdate(tree)
    except Exception as error:
        raise _syntax_error("update", error) from None


def _with_exact_literals(tree: Any, prologue: Prologue) -> Any:
    def visit(node: Any) -> Any:
        if isinstance(node, CompValue) and node.name == "literal" and node.datatype is not None:
            datatype = str(prologue.absolutize(node.datatype))
            return rdflib.Literal(node.string, datatype=datatype, normalize=False)
        return None

    return traverse(tree, visitPre=visit)


def _syntax_error(what: str, error: Exception) -> InputSyntaxError:
    if isinstance(error, ParseBaseException):
        why = f"not SPARQL at column {error.column}: {one_line(error.msg)}"
        return InputSyntaxError(what, error.lineno, why)
    return InputSyntaxError(what, None, f"not SPARQL: {one_line(error)}")
