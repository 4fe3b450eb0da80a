"""RDF terms: canonical forms, and the names of statements."""

from __future__ import annotations

import hashlib
import warnings
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode
from recorder_cases import short
from strategies import any_text, broken_text, edges

from trustgraph_prov import terms
from trustgraph_prov.errors import ProvWarning
from trustgraph_prov.namespaces import XSD


def typed(value: str, kind: str) -> Literal:
    return Literal(value, datatype=NamedNode(XSD + kind))


@given(any_text)
def test_text_is_kept(value: str) -> None:
    assert terms.text(value) == Literal(value)


@given(broken_text)
def test_lone_surrogates_are_replaced_and_counted(value: str) -> None:
    broken = sum("\ud800" <= letter <= "\udfff" for letter in value)
    if broken:
        with pytest.warns(ProvWarning, match=rf"^{broken} lone surrogates? in a text of"):
            literal = terms.text(value)
    else:
        literal = terms.text(value)
    assert literal.value.count("\ufffd") == broken
    assert len(literal.value) == len(value)


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (0.1, "0.1"),
        (1e-5, "0.00001"),
        ("1e3", "1000"),
        (Decimal("-0.0"), "0"),
        (Decimal("42.500"), "42.5"),
        (-3, "-3"),
        ("100", "100"),
    ],
)
def test_decimal(value: Decimal | float | str, form: str) -> None:
    assert short(terms.decimal(value)) == f"{form}^^xsd:decimal"


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (datetime(2026, 3, 2, 8, 15), "2026-03-02T08:15:00Z"),
        (
            datetime(2026, 3, 2, 8, 15, tzinfo=timezone(timedelta(hours=2))),
            "2026-03-02T06:15:00Z",
        ),
        ("2026-03-02 08:15:00", "2026-03-02T08:15:00Z"),
        ("2026-03-02T08:15:00.1234567-00:30", "2026-03-02T08:45:00.123456Z"),
        ("0999-03-02T08:15:00Z", "0999-03-02T08:15:00Z"),
    ],
)
def test_date_time(value: datetime | str, form: str) -> None:
    assert short(terms.date_time(value)) == f"{form}^^xsd:dateTime"


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
    assert terms.canonical(typed(given_form, kind)) == typed(form, kind)


def test_language_tags_are_lower_case() -> None:
    assert terms.canonical(Literal("grey", language="en-GB")) == Literal("grey", language="en-gb")


@given(edges)
def test_canonical_is_stable(edge: tuple[str, str, NamedNode | Literal]) -> None:
    if isinstance(edge[2], Literal):
        once = terms.canonical(edge[2])
        assert terms.canonical(once) == once


@given(edges)
def test_equal_edges_have_one_name(edge: tuple[str, str, NamedNode | Literal]) -> None:
    subject, predicate = NamedNode(edge[0]), NamedNode(edge[1])
    first = terms.statement_triples(subject, predicate, edge[2])
    again = terms.statement_triples(subject, predicate, first[3].object)
    assert first == again
    assert first[0].subject == terms.statement_iri(subject, predicate, edge[2])


def test_the_name_is_the_hash_of_a_canonical_line() -> None:
    value = Literal('a"b\\c\n\t\x01\x7fé')
    line = '<http://e/s> <http://e/p> "a\\"b\\\\c\\n\\t\\u0001\\u007Fé" .\n'
    name = hashlib.sha256(line.encode()).hexdigest()[:32]
    node = terms.statement_iri(NamedNode("http://e/s"), NamedNode("http://e/p"), value)
    assert node.value == f"urn:trustgraph-prov:statement:{name}"


@pytest.mark.parametrize(
    ("value", "is_iri"),
    [
        ("urn:chunk:1", True),
        ("https://e/ü", True),
        ("mailto:a@b", True),
        ("chunk 1", False),
        ("chunk-1", False),
        ("urn:chunk 1", False),
        ("http://e/<x>", False),
        ("12:30", False),
        ("", False),
        ("http://[", False),
    ],
)
def test_iri_or_text(value: str, is_iri: bool) -> None:
    assert isinstance(terms.iri_or_text(value), NamedNode) == is_iri


def test_terms_stay_what_they_are() -> None:
    for term in (NamedNode("urn:a"), Literal("urn:a")):
        assert terms.iri_or_text(term) is term
    assert terms.iri(NamedNode("urn:a")) == NamedNode("urn:a")
    assert terms.boolean(False).value == "false"


@given(st.datetimes(timezones=st.just(timezone.utc)))
def test_an_instant_comes_back_equal(moment: datetime) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert terms.instant(terms.date_time(moment).value) == moment
