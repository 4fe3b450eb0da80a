"""Texts and triples come in different imports, in any order."""

from __future__ import annotations

import json
from io import BytesIO
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, integers, permutations, sets
from narrowing import narrow, serialized
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat
from text_cases import AGENT, apart, bare, react, said_of, say, stream
from trustgraph import provenance as tg
from trustgraph_cases import explained, graph_rag

from trustgraph_prov import import_quads, index, trace
from trustgraph_prov.deletion import delete_trace
from trustgraph_prov.namespaces import TG_CONTENT, TG_DOCUMENT, TGP_WAITING_TEXT
from trustgraph_prov.stores import Store, open_store
from trustgraph_prov.trustgraph import ingest


@pytest.mark.parametrize("own", [True, False], ids=["node is document", "documents"])
@pytest.mark.parametrize("streaming", [True, False], ids=["streaming", "whole"])
@pytest.mark.parametrize("first", ["texts", "triples"])
def test_texts_and_triples_may_come_in_any_order(
    store: Store, first: str, streaming: bool, own: bool
) -> None:
    texts, triples = apart(stream(named=True, streaming=streaming, own=own))
    reports = [
        ingest(part, store) for part in ([texts, triples] if first == "texts" else [triples, texts])
    ]
    found = [(report.texts, report.waiting, report.unplaced) for report in reports]
    last = (0, 6, 0), (5, 0, 0)
    assert found == list(last if first == "texts" else [(0, 0, 0), (5, 1, 0)])
    said_of(store)
    before = set(store.quads())
    for part in (texts, triples, texts):
        ingest(part, store)
    assert set(store.quads()) == before
    with open_store("memory:") as at_once:
        ingest([*texts, *triples], at_once)
        assert set(at_once.quads()) == before


def test_what_a_file_of_quads_brings_gets_the_texts_that_wait_for_it(store: Store) -> None:
    texts, triples = apart(stream(named=True, streaming=True, own=False))
    ingest(texts, store)
    data = BytesIO(serialized(ingest(triples).quads, RdfFormat.N_QUADS))
    assert import_quads(store, data, format="nq").index.texts == 5
    said_of(store)


def test_without_a_store_the_texts_that_wait_are_among_the_quads(here: Store) -> None:
    texts, triples = apart(stream(named=True, streaming=True, own=False))
    here.insert(ingest(texts).quads)
    here.insert(ingest(triples).quads)
    assert index(here).texts == 5
    assert index(here).texts == 0
    said_of(here)


def test_the_texts_that_wait_for_a_run_are_removed_with_it(store: Store) -> None:
    ingest(stream(named=True, streaming=True), store)
    waiting = [quad for quad in store.quads() if quad.predicate.value == TGP_WAITING_TEXT]
    assert [narrow(quad.object, Literal).value for quad in waiting] == ["Now I know."]
    counted = delete_trace(store, AGENT, dry_run=True).triples
    before = len(list(store.quads()))
    assert delete_trace(store, AGENT).triples == counted
    left = list(store.quads())
    assert before - len(left) == counted
    assert not [quad for quad in left if "urn:trustgraph:agent:" in str(quad.subject)]


@given(order=permutations(range(13)), cuts=sets(integers(1, 12), max_size=4))
def test_however_the_messages_are_parted_the_store_is_the_same(
    order: list[int], cuts: set[int]
) -> None:
    messages = [
        *stream(named=True, streaming=False, own=False)[:-1],
        *explained(*graph_rag("g1")[:1]),
    ]
    assert len(messages) == len(order)
    parts = [
        [messages[at] for at in order[start:end]]
        for start, end in pairwise([0, *sorted(cuts), len(order)])
    ]
    found = []
    for imports in ([messages], parts):
        with open_store("memory:") as each:
            for part in imports:
                ingest(part, each)
            found.append(set(each.quads()))
    assert found[0] == found[1]


@given(
    seed=integers(0),
    cuts=sets(integers(1, 80), max_size=80),
    own=booleans(),
    pointed=booleans(),
    plain=booleans(),
)
def test_however_triples_texts_and_documents_are_parted_the_store_is_the_same(
    seed: int, cuts: set[int], own: bool, pointed: bool, plain: bool
) -> None:
    """Each of them may come alone, nodes may have no document, and thoughts any name."""
    sent = stream(named=True, streaming=False, own=own)
    if plain:
        for number in (1, 2):
            thought = tg.agent_thought_uri("a1", number)
            sent = json.loads(json.dumps(sent).replace(thought, f"urn:thought:{number}"))
    texts, triples = apart(sent)
    documents = [
        (narrow(quad.subject, NamedNode).value, narrow(quad.object, Literal).value)
        for quad in ingest([*texts, *triples]).quads
        if quad.predicate.value == TG_CONTENT
    ]
    stated = ingest(triples).quads
    quads = [quad for quad in stated if pointed or quad.predicate.value != TG_DOCUMENT]
    things: list[Any] = [*texts, *documents, *quads]
    order = Random(seed).sample(things, len(things))
    bounds = [0, *sorted(cut for cut in cuts if cut < len(things)), len(things)]
    found = []
    for imports in ([things], [order[start:end] for start, end in pairwise(bounds)]):
        with open_store("memory:") as each:
            for part in imports:
                each.insert(one for one in part if isinstance(one, Quad))
                said = [one for one in part if isinstance(one, dict)]
                ingest(said, each, documents=dict(one for one in part if isinstance(one, tuple)))
            found.append(set(each.quads()))
    assert found[0] == found[1]


def test_of_a_run_whose_triples_come_otherwise_the_texts_are_put_in_place(here: Store) -> None:
    """A release that names each node in an explain message, and stores its triples itself."""
    sent = stream(named=False, streaming=True, own=False)
    _, triples = apart(sent)
    messages = [bare(one) if one["message_type"] == "explain" else one for one in sent]
    early = ingest(messages, here)
    assert (early.texts, early.waiting, early.unplaced) == (0, 5, 1)
    ingest(triples, here)
    said_of(here)
    with open_store("memory:") as other:
        ingest(triples, other)
        late = ingest(messages, other)
        assert (late.texts, late.waiting, late.unplaced) == (5, 0, 1)
        assert set(other.quads()) == set(here.quads())


def test_a_called_run_that_is_only_named_takes_no_text_of_its_caller(here: Store) -> None:
    question, first, seen, final = react(steps=1)
    inner = explained(*graph_rag("g1", parent=tg.agent_iteration_uri("a1", 1)))
    triples = [*question, *first, *inner, *seen, *final]
    ingest([*map(bare, triples), say("answer", "Mine.", last=True)], here)
    ingest(triples, here)
    run = trace(here, AGENT)
    assert run.answer == "Mine."
    (called,) = run.called
    assert called.answer is None
