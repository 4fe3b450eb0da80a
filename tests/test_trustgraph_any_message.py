"""Whatever is sent as messages is refused in one line, or taken over, listed and shown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trustgraph_prov import InputSyntaxError, list_traces, open_store, render, trace
from trustgraph_prov.namespaces import (
    PROV_WAS_DERIVED_FROM,
    RDF_REIFIES,
    TG_DOCUMENT,
    TG_QUERY,
)
from trustgraph_prov.trustgraph import ingest

TERM_KEYS = [
    "s",
    "p",
    "o",
    "g",
    "t",
    "i",
    "v",
    "d",
    "l",
    "tr",
    "dt",
    "ln",
    "e",
    "type",
    "iri",
    "value",
    "datatype",
    "language",
    "triple",
]
MESSAGE_KEYS = [
    "message_type",
    "chunk_type",
    "explain_id",
    "explain_triples",
    "explain_graph",
    "triples",
    "response",
    "content",
    "message_id",
    "error",
    "metadata",
    "user",
    "collection",
    "end_of_dialog",
    "end_of_session",
    "end_of_message",
    "thought",
    "observation",
    "answer",
    "chunk",
    "id",
]
WORDS = st.sampled_from(
    [
        *("i", "l", "b", "t", "", "a b", "thought", "answer", "explain", "urn:a"),
        *("urn:trustgraph:agent:1", "urn:trustgraph:agent:1/i1", "urn:trustgraph:question:2"),
        *(TG_QUERY, TG_DOCUMENT, PROV_WAS_DERIVED_FROM, RDF_REIFIES, "urn:graph:retrieval"),
    ]
)
VALUES = WORDS | st.booleans() | st.none() | st.integers(-5, 5)
PLAIN = st.fixed_dictionaries({"s": WORDS, "p": WORDS, "o": WORDS})
TERMS = VALUES | st.fixed_dictionaries(
    {},
    optional={
        "t": st.sampled_from(["i", "l", "b", "t", 1, ""]),
        **dict.fromkeys(("i", "v", "d", "ln", "dt"), VALUES),
        "tr": PLAIN,
    },
)
TRIPLES = st.fixed_dictionaries({"s": TERMS, "p": TERMS, "o": TERMS}, optional={"g": TERMS})
LIKELY = st.fixed_dictionaries(
    {"explain_triples": st.lists(TRIPLES, max_size=3)},
    optional=dict.fromkeys(
        ("explain_id", "explain_graph", "message_type", "content", "message_id", "error"), VALUES
    ),
)
KEYS = st.sampled_from([*TERM_KEYS, *MESSAGE_KEYS])
ANYTHING = st.recursive(
    VALUES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=4,
)


@settings(max_examples=200)
@given(st.lists(LIKELY | st.dictionaries(KEYS, ANYTHING, max_size=5) | ANYTHING, max_size=4))
def test_any_message_is_refused_or_shown(messages: list[Any]) -> None:
    with open_store("memory:") as store:
        try:
            ingest(messages, store)
        except InputSyntaxError:
            assert list(store.quads()) == []
            return
        before = set(store.quads())
        ingest(messages, store)
        assert set(store.quads()) == before
        for run in list_traces(store, called=True).traces:
            render.json(trace(store, run.uri))


@pytest.mark.parametrize(
    "message",
    [
        {"message_type": ["thought"], "content": "x"},
        {"message_type": "thought", "content": "x", "message_id": "no iri"},
        {"message_type": "thought", "content": "x", "message_id": 7},
        {"error": {"message": ["x"]}},
    ],
    ids=str,
)
def test_fields_of_another_kind_are_no_reason_to_fail(message: Any) -> None:
    with open_store("memory:") as store:
        report = ingest([message], store, documents={"no iri": "x"})
    assert (report.quads, report.misnamed) == ([], 1)
