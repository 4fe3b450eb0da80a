"""Short forms of terms, times and amounts."""

from __future__ import annotations

import pytest
from pyoxigraph import Literal, NamedNode, Triple

from trustgraph_prov.namespaces import XSD
from trustgraph_prov.render.names import arguments, duration, object_name, short, tokens

E = "https://example.org/"


@pytest.mark.parametrize(
    ("term", "name"),
    [
        ("https://trustgraph.ai/ns/query", "tg:query"),
        ("https://trustgraph.ai/ns/", "ns"),
        (E + "kg/Bod%C3%B8", "Bodø"),
        (E + "kg#a", "a"),
        (E, "example.org"),
        ("urn:trustgraph-prov:user:a%3Ab", "trustgraph-prov:user:a:b"),
        ("", ""),
        (NamedNode(E + "x/"), "x"),
        (Literal("text"), "text"),
        (Triple(NamedNode(E + "s"), NamedNode(E + "p"), Literal("o")), "s p o"),
    ],
)
def test_short(term: str | NamedNode | Literal | Triple, name: str) -> None:
    assert short(term) == name


@pytest.mark.parametrize(
    ("term", "name"),
    [
        (NamedNode(E + "x"), "x"),
        (Literal("2026-03-01", datatype=NamedNode(XSD + "date")), "2026-03-01"),
        (Literal("3", datatype=NamedNode(E + "metre")), '"3"^^metre'),
        (Literal("true"), '"true"'),
        (Literal(True), "true"),
    ],
)
def test_object_name(term: NamedNode | Literal, name: str) -> None:
    assert object_name(term) == name


@pytest.mark.parametrize(
    ("read", "written", "said"),
    [(None, None, ""), (1200, None, "1,200 tokens in"), (None, 3, "3 tokens out")],
)
def test_tokens(read: int | None, written: int | None, said: str) -> None:
    assert tokens(read, written) == said


def test_durations_round_up_to_the_next_unit() -> None:
    assert [duration(value) for value in (0, 59_940, 59_960)] == ["0 ms", "59.9 s", "1 min 0 s"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1, "b": ["ø", {"c": null}]}', 'a: 1\nb: ["ø", {"c": null}]'),
        ("{}", "{}"),
        ("[1]", "[1]"),
        ("not json", "not json"),
        ("[" * 100_000, "[" * 100_000),
    ],
    ids=["object", "empty", "list", "text", "deep"],
)
def test_arguments(text: str, said: str) -> None:
    assert arguments(text) == said
