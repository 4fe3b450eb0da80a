"""JSON as RFC 8259 has it: what is read can be written again, and every fault tells its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustgraph_prov.strict_json import read_json


@pytest.mark.parametrize(
    ("words", "line", "column", "why"),
    [
        ("", 1, 1, "Expecting value"),
        ('{"a": 1,\n "b": NaN}', 2, 7, "NaN is not a number"),
        ("[1, -Infinity]", 1, 5, "-Infinity is not a number"),
        ('{"NaN": 1, "a": NaN}', 1, 17, "NaN is not a number"),
        ('["Infinity", "-Infinity", Infinity]', 1, 27, "Infinity is not a number"),
        (r'["\" NaN", "\\", NaN]', 1, 18, "NaN is not a number"),
        ('{"1e999":\n 1e999}', 2, 2, "a number too large"),
        (f"[0.{'0' * 700}1e999, 1e999]", 1, 711, "a number too large"),
        ("[1, 1e999]", 1, 5, "a number too large"),
        ("[" + "1" * 4301 + "]", 1, 2, "a number too long"),
        (b'{"caf\xc3\xa9":\n"\xe9"}', 2, 2, "not in UTF-8"),
        ("[" * 100_000, 1, 1, "nested too deep"),
    ],
)
def test_every_fault_is_one_error_with_its_place(
    words: str | bytes, line: int, column: int, why: str
) -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        read_json(words)
    assert (caught.value.lineno, caught.value.colno, caught.value.msg) == (line, column, why)


@given(st.binary(max_size=30) | st.text(alphabet='[]{}",:0123456789.eE+-NaInfty', max_size=30))
def test_what_is_read_can_be_written_as_json(words: str | bytes) -> None:
    try:
        found = read_json(words)
    except json.JSONDecodeError:
        return
    assert read_json(json.dumps(found, allow_nan=False)) == found
