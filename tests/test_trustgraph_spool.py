"""What messages state waits outside memory, in its order, and is written a part at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

import pytest
from narrowing import value
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple
from trustgraph_cases import agent, explained, graph_rag, step

from trustgraph_prov import open_store
from trustgraph_prov.namespaces import GRAPH_RETRIEVAL, TGP_WAITING_CONTENT
from trustgraph_prov.stores.oxigraph import OxigraphStore
from trustgraph_prov.trustgraph import ingest, spool
from trustgraph_prov.trustgraph.spool import Spool

GRAPH = NamedNode(GRAPH_RETRIEVAL)


def quad(value: Any) -> Quad:
    return Quad(BlankNode("b1"), NamedNode("urn:p"), value, GRAPH)


def test_quads_come_back_in_their_order_as_often_as_wanted() -> None:
    edge = Triple(BlankNode("b2"), NamedNode("urn:p"), Literal("Foss", language="nb-no"))
    large = [quad(Literal("x" * (spool._PARSED + number))) for number in range(3)]
    parts = [
        *([], [large[0]], [quad(Literal('\x00\r\n"')), quad(edge)]),
        *([large[1]], [large[2]], [quad(NamedNode("urn:a"))]),
    ]
    with closing(Spool()) as kept:
        assert list(kept) == []
        for part in parts:
            kept.add(part)
        assert [list(kept) for _ in range(2)] == [[one for part in parts for one in part]] * 2


class Watched(OxigraphStore):
    """Remembers what each insert brought."""

    def __init__(self) -> None:
        super().__init__()
        self.inserts: list[list[Quad]] = []

    def insert(self, quads: Iterable[Quad]) -> None:
        self.inserts.append(list(quads))
        super().insert(self.inserts[-1])


def test_nothing_is_written_before_all_is_read_and_then_a_part_at_a_time() -> None:
    store = Watched()

    def messages() -> Iterator[Any]:
        for number in range(600):
            yield from explained(*graph_rag(f"g{number}"))
            assert store.inserts == []

    report = ingest(messages(), store)
    sizes = [len(one) for one in store.inserts]
    assert sizes[0] == 10_000
    assert max(sizes) <= 10_000
    assert report.written > 10_000


def test_long_texts_are_written_few_at_a_time() -> None:
    store, texts = Watched(), {f"urn:text:{number}": f"{number}" * 3_000_000 for number in range(9)}
    runs = [agent("a1"), *(step("a1", n, thought_uri=f"urn:t:{n}") for n in range(9))]
    for number, part in enumerate(runs[1:]):
        part += step(
            "a1", number, thought_uri=f"urn:t:{number}", thought_document_id=[*texts][number]
        )
    ingest(explained(*runs), store, documents=texts)
    bringing = [
        sum(len(value(one.object)) for one in quads if one.predicate.value == TGP_WAITING_CONTENT)
        for quads in store.inserts
    ]
    assert sum(bringing) == 27_000_000
    assert max(bringing) <= 12_000_000


@pytest.mark.parametrize("limit", [1, 1_000])
def test_values_that_no_parser_takes_are_kept_beside(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = explained(*graph_rag("g1"), agent("a1"))
    with open_store("memory:") as usual, open_store("memory:") as beside:
        ingest(messages, usual)
        monkeypatch.setattr(spool, "_PARSED", limit)
        ingest(messages, beside)
        assert set(beside.quads()) == set(usual.quads())
