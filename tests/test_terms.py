"""RDF terms, minted in the form that no engine rewrites."""

from __future__ import annotations

import warnings
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode
from recorder_cases import short
from strategies import any_text, broken_text

from trustgraph_prov import terms
from trustgraph_prov.errors import ProvWarning


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


@given(st.datetimes(timezones=st.just(timezone.utc)))
def test_an_instant_comes_back_equal(moment: datetime) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert terms.instant(terms.date_time(moment).value) == moment
