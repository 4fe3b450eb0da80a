"""SPARQL stands in `queries/` alone, and no f-string puts it together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_cases import CLI, PACKAGE, modules

HOLE = "\N{WHITE SQUARE}"
"""Stands for what an f-string fills in."""

FORM = "SELECT|CONSTRUCT|ASK|DESCRIBE|INSERT|DELETE|WITH"
WHOLE = re.compile(rf"\b({FORM})\b[^{{}}]*(\{{|\bWHERE\s*[{{{HOLE}])")
CLAUSES = f"{FORM}|FROM|WHERE|GRAPH|FILTER|BIND|OPTIONAL|MINUS|UNION|SERVICE|VALUES"
PIECE = re.compile(rf"\b({CLAUSES})\b(\s+(DISTINCT|DATA|NOT EXISTS))?\s*[({{<?{HOLE}]")

WRITERS = {
    "agent/guard.py": "holds the query of a model to one graph, by the FROM that it lacks",
    "queries.py": "binds the parameters of stored queries, each by the serialiser of its kind",
    "stores/interrupt.py": "has pyoxigraph hand triples over; no store is asked anything",
    "stores/sparql_paging.py": "asks a user's query page by page, in clauses that are the user's",
    "stores/sparql_quads.py": "reads a whole graph, whose place and whose cut differ by server",
    "stores/sparql_updates.py": "inserts quads, in requests that a server takes",
}
"""Modules that write texts of the protocol's own, which are no question about provenance."""


def texts(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Every text but docstrings, and whether it is an f-string."""
    formatted = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    passed = {part for node in formatted for part in node.values}
    passed |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(map(literal, node.values)), True
        elif node not in passed and isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, False


def literal(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else HOLE


def sparql(code: str) -> list[str]:
    """The texts of some code that are SPARQL."""
    return [
        text
        for text, formatted in texts(ast.parse(code))
        if WHOLE.search(text) or (formatted and PIECE.search(text))
    ]


@pytest.mark.parametrize(
    "path", [*modules(PACKAGE), *modules(CLI)], ids=lambda p: str(p.relative_to(PACKAGE.parent))
)
def test_sparql_stands_in_queries_alone(path: Path) -> None:
    found = sparql(path.read_text(encoding="utf-8"))
    place = path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else ""
    if place in WRITERS:
        assert found, f"{place} writes no SPARQL, so it needs no exception"
    else:
        assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "q = 'SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }'",
        "q = 'SELECT * { [] ?p ?o }'",
        "q = 'ASK {}'",
        "q = 'WITH <urn:g> DELETE WHERE { ?s ?p ?o }'",
        "q = 'INSERT DATA {\\n' + rows",
        "q = f'SELECT ?s {dataset} WHERE {pattern}'",
        "q = f'CONSTRUCT {template} WHERE {{ ?s ?p ?o }}'",
        "q = f'VALUES ?s {{ {terms} }}'",
        "q = f'{head} FILTER(?s = {iri})'",
        "q = f'GRAPH <{graph}>'",
        "q = f'SELECT {names}'",
    ],
)
def test_sparql_is_known_where_it_stands(code: str) -> None:
    assert len(sparql(code)) == 1


@pytest.mark.parametrize(
    "code",
    [
        "'''Ask, as in `SELECT * { ?s ?p ?o }`.'''",
        "def f():\n    '''SELECT * { ?s ?p ?o }'''",
        "word = 'CONSTRUCT'",
        "q = 'SELECT reason FROM trouble WHERE target = ?'",
        "q = 'INSERT INTO call (target) VALUES (?)'",
        "why = f'expected SELECT or ASK, not {form}'",
        "why = 'a mark stands behind `VALUES ?x { … }` alone'",
    ],
)
def test_other_texts_are_none(code: str) -> None:
    assert sparql(code) == []
