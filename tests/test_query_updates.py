"""Stored updates: `upgrade-legacy` on what earlier releases wrote, and `reopen-trace`."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from listing_cases import objects, question, say
from pyoxigraph import Literal
from query_cases import rows, values

from trustgraph_prov import namespaces as ns
from trustgraph_prov.demo import DEMO_RUNS
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.queries import stored_query
from trustgraph_prov.stores import Store, open_store
from trustgraph_prov.terms import date_time, instant

REAL = sorted((Path(__file__).parent / "data" / "trustgraph").glob("*.nq"))
UPGRADE = stored_query("update/upgrade-legacy").text
TIMES = (ns.PROV_STARTED_AT_TIME, ns.PROV_ENDED_AT_TIME, ns.PROV_GENERATED_AT_TIME)
NUMBERS = (ns.TG_STEP_NUMBER, ns.TG_EDGE_COUNT, ns.TG_CHUNK_COUNT, ns.TG_IN_TOKEN, ns.TG_SCORE)


def test_there_is_data() -> None:
    assert len(REAL) >= 7


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_the_list_is_the_same_before_and_after(path: Path) -> None:
    store = open_store("memory:")
    store.insert(ox.parse(path=str(path)))
    before, size = list_traces(store), len(set(store.quads()))
    store.update(UPGRADE)
    assert list_traces(store) == before
    upgraded = set(store.quads())
    assert len(upgraded) >= size
    for quad in upgraded:
        if quad.predicate.value in (*TIMES, *NUMBERS):
            assert isinstance(quad.object, ox.Literal)
            assert quad.object.datatype.value != ns.XSD_STRING
    store.update(UPGRADE)
    assert set(store.quads()) == upgraded


def test_runs_of_the_first_releases_get_the_classes_of_today(store: Store) -> None:
    session, prov = "urn:trustgraph:session:7", "urn:trustgraph:prov:"
    came = ns.PROV_WAS_DERIVED_FROM
    store.insert(say(session, (ns.TG_QUERY, Literal("Why?")), (ns.RDF_TYPE, ns.PROV_ACTIVITY)))
    store.insert(say(f"{prov}retrieval:7", (ns.PROV_WAS_GENERATED_BY, session)))
    edge = f"{prov}edge:7:0"
    store.insert(say(f"{prov}selection:7", (came, f"{prov}retrieval:7")))
    store.insert(say(f"{prov}selection:7", (ns.TG_SELECTED_EDGE, edge)))
    store.insert(say(edge, (ns.TG_REASONING, Literal("It says so"))))
    store.insert(say(f"{prov}answer:7", (came, f"{prov}selection:7")))
    store.insert(question("urn:a", "2026-03-02T12:00:00Z", kind="Session", index=False))
    store.insert(say("urn:a/i1", (ns.RDF_TYPE, ns.TG_AGENT_ITERATION), (came, "urn:a")))
    store.insert(say("urn:a/final", (ns.RDF_TYPE, ns.TG_AGENT_FINAL), (came, "urn:a/i1")))
    store.update(UPGRADE)
    assert objects(store, ns.RDF_TYPE) == {
        session: {ns.PROV_ACTIVITY, ns.TG_QUESTION, ns.TG_GRAPH_RAG_QUESTION},
        f"{prov}retrieval:7": {ns.TG_EXPLORATION},
        f"{prov}selection:7": {ns.TG_FOCUS},
        f"{prov}answer:7": {ns.TG_SYNTHESIS},
        edge: {ns.TG_EDGE_SELECTION},
        "urn:a": {ns.PROV_ACTIVITY, ns.TG_QUESTION, ns.TG_AGENT_QUESTION, ns.TG_AGENT_SESSION},
        "urn:a/i1": {ns.PROV_ENTITY, ns.TG_ANALYSIS, ns.TG_AGENT_ITERATION},
        "urn:a/final": {ns.PROV_ENTITY, ns.TG_CONCLUSION, ns.TG_AGENT_FINAL},
    }


@pytest.mark.parametrize(
    ("property", "text", "kind"),
    [
        (ns.PROV_STARTED_AT_TIME, "2026-03-02 12:00:00", ns.XSD_DATE_TIME),
        (ns.PROV_ENDED_AT_TIME, "2026-03-02T14:00:00.5+02:00", ns.XSD_DATE_TIME),
        (ns.PROV_GENERATED_AT_TIME, "2026-03-02 at noon", ns.XSD_STRING),
        (ns.PROV_GENERATED_AT_TIME, "2026-13-02T12:00:00Z", ns.XSD_STRING),
        (ns.TG_IN_TOKEN, "700", ns.XSD_INTEGER),
        (ns.TG_IN_TOKEN, "many", ns.XSD_STRING),
        (ns.TG_SCORE, "-0.5", ns.XSD_DECIMAL),
        (ns.TG_SCORE, "high", ns.XSD_STRING),
        (ns.TG_OBSERVATION, "42", ns.XSD_STRING),
    ],
)
def test_what_is_a_date_or_a_number_gets_its_datatype(
    store: Store, property: str, text: str, kind: str
) -> None:
    store.insert(say("urn:a", (property, Literal(text))))
    store.update(UPGRADE)
    (value,) = (quad.object for quad in store.quads())
    assert isinstance(value, ox.Literal)
    assert value.datatype.value == kind
    if kind == ns.XSD_DATE_TIME:
        assert instant(value.value) == instant(text)
    else:
        assert value.value == text


def test_reopening_takes_the_end_from_one_run_and_nothing_else(loaded: Store) -> None:
    run, before = DEMO_RUNS[-1], set(loaded.quads())
    end = {
        quad
        for quad in before
        if str(quad.subject) == f"<{run}>" and quad.predicate.value == ns.PROV_ENDED_AT_TIME
    }
    assert len(end) == 1
    for _ in range(2):
        loaded.update(stored_query("update/reopen-trace").bind(trace=run))
        assert set(loaded.quads()) == before - end


def test_a_reopened_run_is_unfinished_and_is_counted_as_before(store: Store) -> None:
    store.insert(question("urn:a", "2026-03-02T12:00:00Z"))
    store.insert(say("urn:a", (ns.PROV_ENDED_AT_TIME, date_time("2026-03-02T12:00:09Z"))))
    unfinished, counted = (stored_query(name).text for name in ("audit/unfinished", "usage/runs"))
    before = values(rows(store, counted))
    assert before
    assert rows(store, unfinished) == []
    store.update(stored_query("update/reopen-trace").bind(trace="urn:a"))
    assert [row[0].value for row in rows(store, unfinished)] == ["urn:a"]
    assert values(rows(store, counted)) == before
