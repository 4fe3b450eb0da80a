"""SPARQL results in JSON, however long a text is."""

from __future__ import annotations

import io
import json

import pyoxigraph as ox
import pytest
from pyoxigraph import (
    BaseDirection,
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryResultsFormat,
    QuerySolutions,
    Triple,
)

from trustgraph_prov.stores import results
from trustgraph_prov.stores.results import read_result

A, P = NamedNode("urn:a"), NamedNode("urn:p")
EVERY = "".join(map(chr, [*range(0x3000), 0xFFFE, 0xFFFF, 0x1F600]))
TERMS: list[NamedNode | BlankNode | Literal | Triple] = [
    *map(Literal, ("", " ", " white \t space\r\n ", '<a href="&amp;">\\"</a>', EVERY)),
    Literal(EVERY, language="en-gb"),
    Literal(EVERY, language="ar", direction=BaseDirection.RTL),
    Literal("007", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#integer")),
    NamedNode("urn:b?c&d='é'"),
    BlankNode("b"),
    Triple(A, P, Triple(BlankNode("c"), P, Literal(EVERY, language="en"))),
]


def rows(found: object) -> list[tuple[object, ...]]:
    assert isinstance(found, QuerySolutions)
    return [tuple(row) for row in found]


def test_every_term_is_read_in_the_long_way_as_in_the_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = ox.Store()
    store.extend(Quad(A, P, term) for term in TERMS)
    found = store.query("SELECT * { ?s ?p ?o OPTIONAL { ?s <urn:none> ?none } } ORDER BY ?o")
    assert isinstance(found, QuerySolutions)
    text = io.BytesIO()
    found.serialize(text, format=QueryResultsFormat.JSON)
    short = rows(read_result(text.getvalue()))
    monkeypatch.setattr(results, "_has_long_text", lambda text: True)
    long = rows(read_result(text.getvalue()))
    assert len(long) == len(TERMS)
    assert long == short


@pytest.mark.parametrize("before", [0, 5_000_000])
@pytest.mark.parametrize("mebibytes", [5, 7, 9, 17])
def test_a_text_over_8_mib_is_read_again_wherever_it_stands(mebibytes: int, before: int) -> None:
    """pyoxigraph's parser ends at 8 MiB with a MemoryError, after the rows before."""
    line = 'a line of "words" \\ \n'
    texts = ["s" * before, line * (mebibytes * 1024 * 1024 // len(line)), "after"]
    cells = [{"a": {"type": "literal", "value": text}} for text in texts]
    answer = {"head": {"vars": ["a"]}, "results": {"bindings": cells}}
    assert rows(read_result(json.dumps(answer).encode())) == [(Literal(text),) for text in texts]


@pytest.mark.parametrize(
    "answer",
    [
        '{"head": ',
        "[]",
        "{}",
        '{"head": {"vars": 1}, "results": {"bindings": []}}',
        '{"head": {"vars": []}, "results": {"bindings": [[]]}}',
        '{"head": {"vars": ["a"]}, "results": {"bindings": [{"a": {"type": "uri"}}]}}',
        '{"head": {"vars": ["a"]}, "results": {"bindings": [{"a": {"type": "uri", "value": 1}}]}}',
        pytest.param("[" * 100_000, id="deep"),
    ],
)
@pytest.mark.parametrize("long", [False, True])
def test_what_is_no_result_is_a_syntax_error_in_the_long_way_as_in_the_short(
    long: bool, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "_has_long_text", lambda text: long)
    with pytest.raises(SyntaxError):
        rows(read_result(answer.encode()))
