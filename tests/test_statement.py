"""The names of statements: canonical forms, and the hash of a line."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from narrowing import leaf
from pyoxigraph import Literal, NamedNode
from strategies import edges

from trustgraph_prov.namespaces import XSD
from trustgraph_prov.statement import canonical, statement_iri, statement_triples


def typed(value: str, kind: str) -> Literal:
    return Literal(value, datatype=NamedNode(XSD + kind))


@pytest.mark.parametrize(
    ("given_form", "kind", "form"),
    [
        ("+007", "integer", "7"),
        ("-0", "integer", "0"),
        ("seven", "integer", "seven"),
        ("42.50", "decimal", "42.5"),
        (".5", "decimal", "0.5"),
        ("1.", "decimal", "1"),
        ("42,5", "decimal", "42,5"),
        ("100", "double", "1.0E2"),
        ("1e-7", "double", "1.0E-7"),
        ("-0", "double", "-0.0E0"),
        ("0", "double", "0.0E0"),
        ("1e999", "double", "INF"),
        ("-1e999", "double", "-INF"),
        ("+INF", "double", "INF"),
        ("NaN", "double", "NaN"),
        ("one", "double", "one"),
        ("1", "boolean", "true"),
        ("yes", "boolean", "yes"),
        ("2026-03-02T00:30:00.50+01:00", "dateTime", "2026-03-01T23:30:00.5Z"),
        ("2026-03-02T00:30:00", "dateTime", "2026-03-02T00:30:00"),
        ("2026-13-02T00:30:00Z", "dateTime", "2026-13-02T00:30:00Z"),
        ("monday", "dateTime", "monday"),
        ("2026-03-02", "date", "2026-03-02"),
    ],
)
def test_canonical(given_form: str, kind: str, form: str) -> None:
    assert canonical(typed(given_form, kind)) == typed(form, kind)


def test_language_tags_are_lower_case() -> None:
    assert canonical(Literal("grey", language="en-GB")) == Literal("grey", language="en-gb")


@given(edges)
def test_canonical_is_stable(edge: tuple[str, str, NamedNode | Literal]) -> None:
    if isinstance(edge[2], Literal):
        once = canonical(edge[2])
        assert canonical(once) == once


@given(edges)
def test_equal_edges_have_one_name(edge: tuple[str, str, NamedNode | Literal]) -> None:
    subject, predicate = NamedNode(edge[0]), NamedNode(edge[1])
    first = statement_triples(subject, predicate, edge[2])
    again = statement_triples(subject, predicate, leaf(first[3].object))
    assert first == again
    assert first[0].subject == statement_iri(subject, predicate, edge[2])


def test_the_name_is_the_hash_of_a_canonical_line() -> None:
    value = Literal('a"b\\c\n\t\x01\x7fé')
    line = '<http://e/s> <http://e/p> "a\\"b\\\\c\\n\\t\\u0001\\u007Fé" .\n'
    name = hashlib.sha256(line.encode()).hexdigest()[:32]
    node = statement_iri(NamedNode("http://e/s"), NamedNode("http://e/p"), value)
    assert node.value == f"urn:trustgraph-prov:statement:{name}"
