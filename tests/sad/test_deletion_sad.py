"""Runs that cannot be removed."""

from __future__ import annotations

import pytest
from listing_cases import question

from trustgraph_prov.deletion import delete_trace
from trustgraph_prov.errors import TraceNotFoundError
from trustgraph_prov.stores import Store


@pytest.mark.parametrize("uri", ["urn:other", "urn:q/i1"])
def test_a_run_that_is_not_there(store: Store, uri: str) -> None:
    store.insert(question("urn:q", "2026-03-02T12:00:00Z"))
    before = set(store.quads())
    with pytest.raises(TraceNotFoundError, match=f"{uri}: no such run"):
        delete_trace(store, uri)
    assert set(store.quads()) == before
