"""Messages that are none are refused with their line, and nothing is written."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable
from typing import Any

import pytest
from pyoxigraph import Quad
from trustgraph_cases import explained, graph_rag

from trustgraph_prov import InputSyntaxError, InvalidTermError, StoreError
from trustgraph_prov.stores import Store
from trustgraph_prov.stores.oxigraph import OxigraphStore
from trustgraph_prov.trustgraph import import_messages, ingest, read_documents

GOOD = {"s": "urn:s", "p": "urn:p", "o": {"t": "l", "v": "o"}}


def nested(depth: int) -> dict[str, Any]:
    triple: dict[str, Any] = GOOD
    for _ in range(depth):
        triple = {**GOOD, "o": {"t": "t", "tr": triple}}
    return triple


@pytest.mark.parametrize(
    ("triple", "why"),
    [
        ({**GOOD, "s": None}, "a triple has no subject"),
        ({"s": "urn:s", "p": "urn:p"}, "a triple has no object"),
        ({**GOOD, "p": {"t": "l", "v": "p"}}, "a subject is an IRI or a blank node"),
        ({**GOOD, "s": {"t": "l", "v": "s"}}, "a subject is an IRI or a blank node"),
        ({**GOOD, "s": "run 7"}, "'run 7' is not an absolute IRI"),
        ({**GOOD, "s": "urn:\ud800"}, "is not an absolute IRI"),
        ({**GOOD, "o": {"t": "x", "v": "o"}}, "unknown type 'x'"),
        ({**GOOD, "o": {"t": ["l"], "v": "o"}}, "unknown type"),
        ({**GOOD, "o": ["o"]}, "neither text nor an object"),
        ({**GOOD, "o": {"t": "i"}}, "a term has no value"),
        ({**GOOD, "o": {"t": "l", "v": ["x"]}}, "a term has no value"),
        ({**GOOD, "o": {"t": "l", "v": "x", "ln": "not a tag"}}, "is not a language tag"),
        ({**GOOD, "o": {"t": "l", "v": "x", "dt": "no iri"}}, "'no iri' is not valid"),
        ({**GOOD, "o": {"t": "l", "v": "x", "dt": 5}}, "5 is not a datatype"),
        ({**GOOD, "o": {"t": "t"}}, "a triple is not an object"),
        ({**GOOD, "o": {"t": "l", "v": 10**5_000}}, "a number has too many digits"),
        ({**GOOD, "o": 10**5_000}, "a number has too many digits"),
        ({**GOOD, "g": "graph"}, "'graph' is not an absolute IRI"),
        ("urn:s", "a triple is not an object"),
        (nested(200), "quoted more than 100 deep"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_triple_that_is_none(here: Store, triple: Any, why: str) -> None:
    messages = [{"explain_id": "urn:s", "explain_triples": one} for one in ([GOOD], [triple])]
    with pytest.raises(InputSyntaxError, match=why) as caught:
        ingest(messages, here, source="socket")
    assert (caught.value.source, caught.value.line) == ("socket", 2)
    assert list(here.quads()) == []


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("text", "a message is a JSON object"),
        (None, "a message is a JSON object"),
        ({"spans": []}, "this is no message of TrustGraph"),
        ({}, "this is no message of TrustGraph"),
        ({"explain_triples": {"s": "urn:s"}}, "the triples of a message are a list"),
        ({"explain_graph": 5, "explain_triples": [GOOD]}, "5 is not an absolute IRI"),
        ({"triples": "urn:s"}, "the triples of a message are a list"),
    ],
    ids=str,
)
def test_a_message_that_is_none(here: Store, message: Any, why: str) -> None:
    with pytest.raises(InputSyntaxError, match=f"messages:1: {why}"):
        ingest([message], here)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"message_type": "thought"}\n\n{"message_type": \n', "input:3: not JSON: .* a line"),
        (
            b'{\n  "message_type": "thought"\n}',
            "input:1: not JSON: .*; a file has one message a line",
        ),
        ('{"message_type": "thought"}'.encode("utf-16"), "input:1: not JSON: not in UTF-8"),
        (b'{"content": ' + b"1" * 5000 + b"}", "input:1: not JSON: a number too long at column 13"),
        (b"[{}", "input:1: not JSON: "),
        (b'{"message_type": "\xff"}', "input:1: not JSON: not in UTF-8"),
        (b"[" * 100_000, "input:?.*: not JSON: nested too deep"),
        (b'\n{"a": 1}', "input:2: this is no message"),
        (b'[{"message_type": "thought"}, 7]', "input:2: a message is a JSON object"),
        (gzip.compress(b"{}" * 1000)[:-20], "input: damaged gzip file"),
    ],
    ids=[
        "cut line",
        "many lines",
        "UTF-16",
        "long number",
        "cut array",
        "no UTF-8",
        "nested without end",
        "other JSON",
        "array",
        "gzip",
    ],
)
def test_a_file_that_holds_no_messages(here: Store, content: bytes, why: str) -> None:
    with pytest.raises(InputSyntaxError, match=why):
        import_messages(here, io.BytesIO(content))
    assert list(here.quads()) == []


@pytest.mark.parametrize("content", [b"[]", b'{"urn:a": 7}', b"7", b"{", b""])
def test_documents_that_are_none(content: bytes) -> None:
    with pytest.raises(InputSyntaxError, match=r"input(:1)?: (expected a JSON object|not JSON)"):
        read_documents(io.BytesIO(content))


def test_what_an_interrupted_ingest_left_is_completed_by_the_next(here: Store) -> None:
    class Interrupted(OxigraphStore):
        calls = 0

        def insert(self, quads: Iterable[Quad]) -> None:
            self.calls += 1
            if self.calls == 2:
                raise KeyboardInterrupt
            super().insert(quads)

    parts = [part for n in range(400) for part in graph_rag(f"g{n}")]
    messages = explained(*parts)
    store = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        ingest(messages, store)
    assert len(list(store.quads())) == 10_000
    ingest(messages, store)
    ingest(messages, here)
    assert set(store.quads()) == set(here.quads())


def test_a_store_that_fails_says_how_far_it_came(here: Store) -> None:
    class Full(OxigraphStore):
        calls = 0

        def insert(self, quads: Iterable[Quad]) -> None:
            self.calls += 1
            if self.calls == 2:
                raise StoreError(self.name, "no space left")
            super().insert(quads)

    messages = explained(*(part for n in range(400) for part in graph_rag(f"g{n}")))
    why = r"no space left; 10000 of \d+ quads of messages are written, and importing it again is"
    with pytest.raises(StoreError, match=why):
        ingest(messages, Full())


def test_a_graph_that_is_no_iri(here: Store) -> None:
    with pytest.raises(InvalidTermError, match="not an absolute IRI"):
        ingest([], here, graph="retrieval")


def test_quoted_triples_that_hold_each_other_end(here: Store) -> None:
    """A reifier inside the triple that it reifies has no name by content, and stays a node."""
    inner = {"s": {"t": "b", "d": "r"}, "p": "urn:p", "o": {"t": "l", "v": "o"}}
    reifies = "http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies"
    triple = {"s": {"t": "b", "d": "r"}, "p": reifies, "o": {"t": "t", "tr": inner}}
    ingest([{"explain_id": "urn:s", "explain_triples": [triple]}], here)
    assert len({quad.subject for quad in here.quads()}) == 1
