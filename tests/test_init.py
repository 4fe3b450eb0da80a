"""Loading twice, in requests of 1 kB, is loading once, and is judged alike, on every engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from conftest import ENGINES, example_quads
from ontology_cases import MALFORMED
from servers import SERVERS

from trustgraph_prov import GRAPH_ONTOLOGY, load_ontology, open_store
from trustgraph_prov.stores import Store
from trustgraph_prov.stores.sparql import SparqlStore
from trustgraph_prov.validate import validate

SIZE = 1_000
"""Bytes of a request."""


@pytest.fixture
def small(engine: str, tmp_path: Path) -> Iterator[Store]:
    """An empty store, in small requests where it is sent requests."""
    options: dict[str, Any] = {"max_bytes": SIZE} if engine in SERVERS else {}
    with open_store(ENGINES[engine](tmp_path), **options) as opened:
        yield opened


@pytest.fixture
def embedded() -> Iterator[Store]:
    """The embedded engine, loaded once."""
    with open_store("memory:") as opened:
        yield opened


def test_init_twice_in_small_requests_gives_equal_counts_and_reports(
    small: Store, embedded: Store
) -> None:
    stores = (embedded, small)
    for one in (*stores, small):
        load_ontology(one)
    if isinstance(small, SparqlStore):
        size = sum(len(str(quad)) for quad in embedded.quads())
        assert small.requests > size / SIZE  # each of two loadings takes more than half as many
    for one in stores:
        one.insert(example_quads())
    assert [len(list(one.quads())) for one in stores] == [len(set(embedded.quads()))] * 2
    assert set(small.quads(GRAPH_ONTOLOGY)) == set(embedded.quads(GRAPH_ONTOLOGY))
    reports = [validate(one) for one in stores]
    assert reports[0].conforms
    assert reports[0] == reports[1]
    for one in stores:
        one.insert(ox.parse(path=str(MALFORMED / "negative-tokens.trig")))
    reports = [validate(one) for one in stores]
    assert not reports[0].conforms
    assert reports[0] == reports[1]
