"""Lists that nobody can make."""

from __future__ import annotations

from typing import Any

import pytest
from listing_cases import question

from trustgraph_prov.errors import InvalidValueError
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.stores import Store, open_store


@pytest.mark.parametrize(
    ("filters", "why"),
    [
        ({"type": "robot"}, "type is 'robot'; expected one of Agent, GraphRAG, DocRAG, Question"),
        ({"type": 5}, "type is 5; expected one of Agent, GraphRAG, DocRAG, Question"),
        ({"type": ["Agent"]}, r"type is \['Agent'\]; expected one of Agent"),
        ({"limit": 0}, "limit is 0; expected an int, 1 or more"),
        ({"limit": "5"}, "limit is '5'; expected an int, 1 or more"),
        ({"limit": 2.5}, "limit is 2.5; expected an int, 1 or more"),
        ({"limit": True}, "limit is True; expected an int, 1 or more"),
        ({"limit": None}, "limit is None; expected an int, 1 or more"),
        ({"text": 5}, "text is 5; expected a str"),
        ({"text": b"why"}, "text is b'why'; expected a str"),
        ({"before": "urn:a"}, "before is 'urn:a'; expected `more` of the page before"),
        ({"user": 5}, "user is 5; expected a str"),
        ({"collection": b"x"}, "collection is b'x'; expected a str"),
        ({"since": "yesterday"}, "since is 'yesterday'; expected a datetime or ISO 8601 text"),
        ({"since": 5}, "since is 5; expected a datetime or ISO 8601 text"),
        ({"until": "2026-13-01T00:00:00Z"}, "until is '2026-13-01"),
    ],
)
def test_a_filter_that_does_not_fit(filters: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidValueError, match=why):
        list_traces(open_store("memory:"), **filters)


def test_a_limit_beyond_any_number_of_runs_is_all_of_them(store: Store) -> None:
    store.insert(question("urn:q", "2026-03-02T12:00:00Z"))
    assert [run.uri for run in list_traces(store, limit=10**30).traces] == ["urn:q"]
