"""What is no RDF term is refused, by name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from trustgraph_prov import terms
from trustgraph_prov.errors import InvalidTermError, InvalidValueError, ProvError


@pytest.mark.parametrize("value", ["", "Paris", "http://e/a b", "../x", "http://e/\x00"])
def test_no_iri(value: str) -> None:
    with pytest.raises(InvalidTermError, match="not an absolute IRI") as caught:
        terms.iri(value)
    assert caught.value.term == value


def test_an_iri_is_a_text() -> None:
    number: Any = 7
    with pytest.raises(InvalidTermError, match="7 is not valid: an IRI is a str"):
        terms.iri(number)


def test_a_number_that_python_does_not_write_is_refused_like_any_other() -> None:
    number: Any = 10**5000
    for make in (terms.iri, terms.integer, terms.decimal, terms.text, terms.date_time):
        with pytest.raises(ProvError, match=r"an object of type int without a repr\(\)"):
            make(number)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (terms.integer, "an int of 4,300 digits at most"),
        (terms.decimal, "a number of 4,300 digits at most"),
    ],
)
def test_a_number_with_too_many_digits_is_told_how_many_it_may_have(
    make: Callable[[int], object], expected: str
) -> None:
    """A number was wanted, said the message about one."""
    for number in (10**5000, -(10**4300)):
        with pytest.raises(InvalidValueError) as caught:
            make(number)
        assert (caught.value.expected, caught.value.value) == (expected, number)
    make(10**4299)


@pytest.mark.parametrize("value", [True, 1.5, "7"])
def test_no_integer(value: Any) -> None:
    with pytest.raises(InvalidValueError, match="expected an int"):
        terms.integer(value)


@pytest.mark.parametrize("value", ["x", "", "1_0", "\u0663", float("nan"), float("inf"), "-inf"])
def test_no_decimal(value: Any) -> None:
    with pytest.raises(InvalidValueError, match=r"expected a (finite )?number"):
        terms.decimal(value)


@pytest.mark.parametrize(
    "value", ["", "yesterday", "2026-03-02", "2026-02-30T00:00:00Z", "9999-12-31T23:59:59-01:00", 5]
)
def test_no_time(value: Any) -> None:
    with pytest.raises(InvalidValueError, match="expected a datetime or ISO 8601 text") as caught:
        terms.instant(value)
    assert (caught.value.name, caught.value.value) == ("time", value)


def test_a_moment_outside_the_calendar() -> None:
    with pytest.raises(InvalidValueError, match="expected a datetime"):
        terms.date_time("0001-01-01T00:00:00+14:00")
    assert terms.date_time(datetime.min).value == "0001-01-01T00:00:00Z"
