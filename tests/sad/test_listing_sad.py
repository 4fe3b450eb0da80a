"""Lists that nobody can make."""

from __future__ import annotations

from typing import Any

import pytest

from trustgraph_prov.errors import InvalidValueError
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.stores import open_store


@pytest.mark.parametrize(
    ("filters", "why"),
    [
        ({"type": "agent"}, "type is 'agent'; expected one of Agent, GraphRAG, DocRAG, Question"),
        ({"limit": 0}, "limit is 0; expected 1 or more"),
        ({"since": "yesterday"}, "time is 'yesterday'"),
        ({"until": "2026-13-01T00:00:00Z"}, "time is '2026-13-01"),
    ],
)
def test_a_filter_that_does_not_fit(filters: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidValueError, match=why):
        list_traces(open_store("memory:"), **filters)
