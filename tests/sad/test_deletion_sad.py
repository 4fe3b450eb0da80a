"""Runs that cannot be removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from listing_cases import derive, question

from trustgraph_prov.deletion import delete_trace
from trustgraph_prov.errors import StoreError, TraceNotFoundError
from trustgraph_prov.stores import Store, open_store


@pytest.mark.parametrize("uri", ["urn:other", "urn:q/i1"])
def test_a_run_that_is_not_there(store: Store, uri: str) -> None:
    store.insert(question("urn:q", "2026-03-02T12:00:00Z"))
    before = set(store.quads())
    with pytest.raises(TraceNotFoundError, match=f"{uri}: no such run"):
        delete_trace(store, uri)
    assert set(store.quads()) == before


def test_an_unindexed_run_cannot_be_counted_read_only(tmp_path: Path) -> None:
    with open_store(tmp_path / "store") as store:
        store.insert(question("urn:q", "2026-03-02T12:00:00Z", index=False))
    with (
        open_store(tmp_path / "store", read_only=True) as store,
        pytest.raises(StoreError, match=r"urn:q is not indexed, so .*; `tg-prov index` first"),
    ):
        delete_trace(store, "urn:q", dry_run=True)


def test_a_run_that_is_indexed_in_part_cannot_be_counted_read_only(tmp_path: Path) -> None:
    with open_store(tmp_path / "store") as store:
        store.insert(question("urn:q", "2026-03-02T12:00:00Z"))
        derive(store, "urn:i1", "urn:q")
    with (
        open_store(tmp_path / "store", read_only=True) as store,
        pytest.raises(StoreError, match=r"urn:q is not wholly indexed, so "),
    ):
        delete_trace(store, "urn:q", dry_run=True)
