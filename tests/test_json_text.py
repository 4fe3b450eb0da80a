"""Any value as JSON text."""

from __future__ import annotations

import json
from datetime import date
from enum import Enum

import pytest
from hypothesis import given
from strategies import json_values

from trustgraph_prov.json_text import json_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None]}, '{"b": 1, "a": [true, null]}'),
        ("Bern", '"Bern"'),
        ('{"city": "Bern"}', '{"city": "Bern"}'),
        ("[1, 2]", "[1, 2]"),
        ("[1, 2", '"[1, 2"'),
        ('{"x": NaN}', '"{\\"x\\": NaN}"'),
        (("Zürich", 2.5), '["Zürich", 2.5]'),
        ({3, 1, 2}, "[1, 2, 3]"),
        ({1: "one", None: "none"}, '{"1": "one", "None": "none"}'),
        ({1: "a", "1": "b"}, '{"1": "a", "1 (2)": "b"}'),
        (date(2026, 3, 2), '"2026-03-02"'),
        ({"x": float("nan"), "y": float("-inf")}, '{"x": "nan", "y": "-inf"}'),
        (True, "true"),
    ],
)
def test_values(value: object, text: str) -> None:
    assert json_text(value) == text


@given(json_values)
def test_json_comes_back_equal(value: object) -> None:
    assert json.loads(json_text({"value": value})) == {"value": value}


class Colour(str, Enum):
    RED = "red"
    LIST = '["red"]'


class Size(int, Enum):
    LARGE = 3


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Colour.RED, '"red"'),
        ([Colour.RED], '["red"]'),
        ({Colour.RED: Size.LARGE}, '{"red": 3}'),
        ({Size.LARGE: Colour.RED}, '{"3": "red"}'),
        ({Colour.RED}, '["red"]'),
        (Colour.LIST, '["red"]'),
    ],
)
def test_a_member_of_an_enumeration_is_its_value(value: object, text: str) -> None:
    assert json_text(value) == text
    assert json_text({"in": value}, mask=str.upper) == json_text({"in": value}).upper()


def test_a_value_without_words_is_named() -> None:
    class Mute:
        def __str__(self) -> str:
            raise OSError("no words")

    assert json_text({"tool": Mute()}) == '{"tool": "<Mute: OSError in its str()>"}'


def test_a_circle_and_a_well_end() -> None:
    circle: list[object] = []
    circle.append(circle)
    assert json_text(circle) == "[" * 100 + '"[[...]]"' + "]" * 100
    well: object = "water"
    for _ in range(300):
        well = [well]
    assert "water" in json_text(well)


def test_a_number_of_many_digits_is_written_in_hex() -> None:
    assert json.loads(json_text(10**5000)) == hex(10**5000)


def test_a_mask_reaches_texts_keys_and_numbers() -> None:
    def mask(text: str) -> str:
        return text.replace("555", "***")

    value = {"555": ["a555", 5551, 5.5, None], "other": {"n": 1555}}
    assert json.loads(json_text(value, mask=mask)) == {
        "***": ["a***", "***1", 5.5, None],
        "other": {"n": "1***"},
    }
    assert json_text('{"to": "555"}', mask=mask) == '{"to": "***"}'
