"""Listing runs: order, pages, filters, and stores that are indexed in part or not at all."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from listing_cases import question, say
from pyoxigraph import Literal

from trustgraph_prov import namespaces as ns
from trustgraph_prov.explain import listing
from trustgraph_prov.explain.listing import Cursor, list_traces
from trustgraph_prov.explain.model import TraceSummary
from trustgraph_prov.stores import Store, open_store

NOON = datetime(2026, 3, 2, 12, tzinfo=timezone.utc)


def uris(runs: list[TraceSummary]) -> list[str]:
    return [run.uri for run in runs]


def pages(store: Store, limit: int, **filters: Any) -> list[str]:
    """Every run, read a page at a time."""
    found: list[str] = []
    before: Cursor | None = None
    while True:
        page = list_traces(store, limit=limit, before=before, **filters)
        found += uris(page.traces)
        assert len(page.traces) == limit or page.more is None
        if page.more is None:
            return found
        before = page.more


def test_an_empty_store(store: Store) -> None:
    assert list_traces(store) == listing.TraceList([])
    assert list_traces(store, text="why", user="ana", type="Agent").traces == []


def test_newest_first_by_instant_and_ties_by_iri(store: Store) -> None:
    store.insert(question("urn:b", "2026-03-02T12:00:00Z"))
    store.insert(question("urn:a", "2026-03-02T13:00:00+01:00", user="ben"))
    store.insert(question("urn:c", "2026-03-02T11:59:59.5Z", collection="other"))
    store.insert(question("urn:d", "2026-03-02T12:30:00+02:00"))
    assert uris(list_traces(store).traces) == ["urn:a", "urn:b", "urn:c", "urn:d"]
    assert list_traces(store).traces[0] == TraceSummary(
        "urn:a", "Agent", "Why?", NOON, "ben", "default"
    )


@pytest.mark.parametrize("limit", [3, 50])
def test_pages_by_cursor_with_ties_over_collections(store: Store, limit: int) -> None:
    names = [f"urn:{n:02}" for n in range(12)]
    for n, name in enumerate(names):
        start = NOON + timedelta(hours=n // 5)
        store.insert(
            question(name, start.isoformat(), user=("ana", "ben")[n % 2], collection=f"c{n % 3}")
        )
    expected = names[10:] + names[5:10] + names[:5]
    assert pages(store, limit) == expected


def test_many_hours_and_days(store: Store) -> None:
    for n in range(60):
        store.insert(question(f"urn:{n:02}", (NOON + timedelta(hours=7 * n)).isoformat()))
    newest_first = [f"urn:{n:02}" for n in range(59, -1, -1)]
    assert uris(list_traces(store, limit=10).traces) == newest_first[:10]
    assert uris(list_traces(store, limit=50).traces) == newest_first[:50]
    assert pages(store, 20) == newest_first


def test_more_called_runs_than_a_page_looks_at(store: Store) -> None:
    store.insert(question("urn:listed", NOON.isoformat()))
    for n in range(25):
        at = (NOON + timedelta(minutes=n)).isoformat()
        store.insert(question(f"urn:called-{n:02}", at, called_from="urn:step"))
    assert uris(list_traces(store, limit=1).traces) == ["urn:listed"]


def test_since_and_until_include_both_ends(store: Store) -> None:
    for hour in range(20, 29):
        start = datetime(2026, 3, 2, tzinfo=timezone.utc) + timedelta(hours=hour)
        store.insert(question(f"urn:{hour}", start.isoformat()))
    store.insert(question("urn:undated"))
    found = list_traces(store, since="2026-03-02T22:00:00Z", until="2026-03-03T01:00:00Z")
    assert uris(found.traces) == ["urn:25", "urn:24", "urn:23", "urn:22"]
    found = list_traces(store, since="2026-03-02T22:00:01Z", until="2026-03-03T00:59:59Z")
    assert uris(found.traces) == ["urn:24", "urn:23"]
    assert pages(store, 2, since="2026-03-03T02:00:00Z") == ["urn:28", "urn:27", "urn:26"]
    assert pages(store, 2, until="2026-03-02T21:30:00Z") == ["urn:21", "urn:20"]


def test_user_collection_and_type(store: Store) -> None:
    store.insert(question("urn:1", "2026-03-02T12:00:00Z", user="ana"))
    store.insert(question("urn:2", "2026-03-02T12:00:01Z", user="ben", kind="GraphRAG"))
    store.insert(question("urn:3", "2026-03-02T12:00:02Z", user="ben", collection="x"))
    store.insert(question("urn:4", "2026-03-02T12:00:03Z", user="a:b", collection="c"))
    store.insert(question("urn:5", "2026-03-02T12:00:04Z", user="a", collection="b:c"))
    store.insert(question("urn:6", "2026-03-02T12:00:05Z", kind="Session"))
    assert uris(list_traces(store, user="ben").traces) == ["urn:3", "urn:2"]
    assert uris(list_traces(store, user="ben", collection="x").traces) == ["urn:3"]
    assert uris(list_traces(store, user="a").traces) == ["urn:5"]
    assert uris(list_traces(store, type="GraphRAG").traces) == ["urn:2"]
    assert pages(store, 2, type="Agent") == ["urn:6", "urn:5", "urn:4", "urn:3", "urn:1"]
    assert list_traces(store, user='"} UNION {').traces == []


def test_runs_without_a_kind(store: Store) -> None:
    at = "2026-03-02T12:00:00Z"
    store.insert(question("urn:trustgraph:docrag:7", at, kind=None))
    store.insert(question("urn:trustgraph:session:7", at, kind=None))
    store.insert(question("urn:steps", at, kind=None))
    store.insert(say("urn:steps/1", (ns.TGP_TRACE, "urn:steps"), (ns.RDF_TYPE, ns.TG_ANALYSIS)))
    store.insert(question("urn:unknown", at, kind=None))
    types = {run.uri: run.type for run in list_traces(store).traces}
    assert types == {
        "urn:steps": "Agent",
        "urn:trustgraph:docrag:7": "DocRAG",
        "urn:trustgraph:session:7": "GraphRAG",
        "urn:unknown": "Question",
    }
    for uri, kind in types.items():
        assert pages(store, 1, type=kind) == [uri]


def test_a_run_of_two_kinds_is_listed_once(store: Store) -> None:
    store.insert(question("urn:1", "2026-03-02T12:00:00Z"))
    store.insert(question("urn:1", "2026-03-02T12:00:00Z", kind="Session", text="Why again?"))
    assert uris(list_traces(store).traces) == ["urn:1"]


def test_called_runs_are_hidden_and_follow_ups_listed(store: Store) -> None:
    store.insert(question("urn:caller", "2026-03-02T12:00:00Z"))
    store.insert(question("urn:called", "2026-03-02T12:00:01Z", called_from="urn:caller/i1"))
    store.insert(question("urn:next", "2026-03-02T12:00:02Z"))
    store.insert(say("urn:next", (ns.PROV_WAS_DERIVED_FROM, "urn:caller/final")))
    assert uris(list_traces(store).traces) == ["urn:next", "urn:caller"]
    every = list_traces(store, called=True).traces
    assert uris(every) == ["urn:next", "urn:called", "urn:caller"]
    assert every[1].called_from == "urn:caller/i1"


def test_the_limit_applies_after_hiding_called_runs(store: Store) -> None:
    for n in range(30):
        at = (NOON + timedelta(minutes=n)).isoformat()
        store.insert(question(f"urn:{n:02}", at, called_from="urn:step" if n > 2 else None))
    assert uris(list_traces(store, limit=3).traces) == ["urn:02", "urn:01", "urn:00"]


def test_undated_runs_come_last(store: Store) -> None:
    store.insert(question("urn:dated", "2026-03-02T12:00:00Z"))
    store.insert(question("urn:undated"))
    store.insert(question("urn:junk", "soon", index=False))
    store.insert(question("urn:not-indexed", "2027-01-01T00:00:00Z", index=False))
    expected = ["urn:dated", "urn:junk", "urn:not-indexed", "urn:undated"]
    for limit in (2, 50):
        assert pages(store, limit) == expected
    found = list_traces(store, since="2026-12-31T00:00:00Z")
    assert uris(found.traces) == ["urn:not-indexed"]
    assert list_traces(store).traces[2].started_at == datetime(2027, 1, 1, tzinfo=timezone.utc)


def test_a_store_without_a_tree(store: Store) -> None:
    starts = {"urn:a": "2026-03-02T12:00:00+02:00", "urn:b": "2026-03-02T11:00:00Z"}
    starts |= {"urn:c": "junk", "urn:d": "2026-03-02 11:30:00", "urn:f": "2026-03-02T10:00:00.0Z"}
    for uri, start in starts.items():
        store.insert(question(uri, start, index=False))
    store.insert(question("urn:e", None, index=False, kind="GraphRAG"))
    expected = ["urn:d", "urn:b", "urn:a", "urn:f", "urn:c", "urn:e"]
    for limit in (4, 50):
        assert pages(store, limit) == expected
    assert pages(store, 2, until="2026-03-02T11:00:00Z") == ["urn:b", "urn:a", "urn:f"]
    assert pages(store, 2, type="GraphRAG") == ["urn:e"]
    assert uris(list_traces(store, text="WHY", limit=2).traces) == ["urn:d", "urn:b"]


def test_a_text_in_question_or_answer(store: Store) -> None:
    for n in range(8):
        uri, at = f"urn:{n}", (NOON + timedelta(days=n)).isoformat()
        store.insert(question(uri, at, text="Why did it RAIN?" if n % 3 == 0 else "How?"))
        answer = Literal("It did (not) rain." if n % 4 == 1 else "Who knows.")
        store.insert(say(f"{uri}/final", (ns.TGP_TRACE, uri), (ns.TG_ANSWER, answer)))
    said = (ns.TG_CONTENT, Literal("rain, I thought"))
    thought = (ns.RDF_TYPE, ns.TG_THOUGHT_TYPE)
    store.insert(say("urn:2/thought", (ns.TGP_TRACE, "urn:2"), thought, said))
    store.insert(say("urn:4/final", (ns.TG_DOCUMENT, "urn:4/text")))
    store.insert(say("urn:4/text", (ns.TG_CONTENT, Literal("Rain again."))))
    found = list_traces(store, text="rain")
    assert uris(found.traces) == ["urn:6", "urn:5", "urn:4", "urn:3", "urn:1", "urn:0"]
    assert (found.more, found.searched_back_to) == (None, None)
    assert pages(store, 2, text="rain") == uris(found.traces)
    found = list_traces(store, text="(NOT)", limit=1)
    assert uris(found.traces) == ["urn:5"]
    assert found.searched_back_to == found.traces[0].started_at
    assert list_traces(store, text="snow").traces == []
    assert list_traces(store, text="rain", limit=6).more is None or pages(
        store, 6, text="rain"
    ) == uris(list_traces(store, text="rain").traces)


def test_a_search_says_how_far_back_it_looked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "SEARCH_BACK", 4)
    for n in range(9):
        store.insert(question(f"urn:{n}", (NOON + timedelta(days=n)).isoformat(), text=f"Q{n}"))
    found = list_traces(store, text="q1")
    assert (found.traces, found.searched_back_to) == ([], NOON + timedelta(days=5))
    assert found.more is not None
    assert uris(list_traces(store, text="q1", before=found.more).traces) == ["urn:1"]
    assert uris(list_traces(store, text="q1", since="2026-01-01T00:00:00Z").traces) == ["urn:1"]


SECONDS = st.integers(0, 200_000) | st.sampled_from([0, 3599, 3600, 86399, 86400])


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    runs=st.lists(
        st.tuples(SECONDS | st.none(), st.sampled_from("ab"), st.booleans()), max_size=25
    ),
    limit=st.integers(1, 9),
    bounds=st.tuples(SECONDS, SECONDS) | st.none(),
)
def test_pages_are_a_plain_sort(
    runs: list[tuple[int | None, str, bool]], limit: int, bounds: tuple[int, int] | None
) -> None:
    store = open_store("memory:")
    number = count()
    wanted = []
    since, until = (NOON + timedelta(seconds=one) for one in sorted(bounds or (0, 0)))
    for seconds, user, called in runs:
        uri = f"urn:{next(number):02}"
        start = None if seconds is None else NOON + timedelta(seconds=seconds)
        text = start.isoformat() if start else None
        store.insert(question(uri, text, user=user, called_from="urn:s" if called else None))
        if called or user != "a":
            continue
        if bounds is None or (start is not None and since <= start <= until):
            wanted.append((start is None, -start.timestamp() if start else 0.0, uri))
    filters = {"since": since, "until": until} if bounds else {}
    assert pages(store, limit, user="a", **filters) == [uri for _, _, uri in sorted(wanted)]
