"""Validation without pySHACL, and of a run that is not there."""

from __future__ import annotations

import sys

import pytest

from trustgraph_prov.errors import MissingExtraError, TraceNotFoundError
from trustgraph_prov.stores import open_store
from trustgraph_prov.validate import validate


def test_without_pyshacl_one_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyshacl", None)
    with open_store("memory:") as store, pytest.raises(MissingExtraError) as caught:
        validate(store)
    assert str(caught.value) == "validation needs: pip install 'trustgraph-prov[shacl]'"
    assert caught.value.extra == "shacl"


def test_a_run_that_is_not_there() -> None:
    with (
        open_store("memory:") as store,
        pytest.raises(TraceNotFoundError, match="urn:trustgraph:agent:nobody: no such run"),
    ):
        validate(store, trace="urn:trustgraph:agent:nobody")
