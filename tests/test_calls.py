"""Who called whom, as `index` and `import` record it, and what a list hides for it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping

import pyoxigraph as ox
import pytest
from listing_cases import derive, objects, question, say
from narrowing import serialized
from pyoxigraph import Quad

from trustgraph_prov import namespaces as ns
from trustgraph_prov.exchange import import_quads
from trustgraph_prov.explain import Trace, trace
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.indexing import IndexReport, index
from trustgraph_prov.stores import Store

AT = "2026-03-02T12:00:00Z"


def test_a_run_that_derives_from_a_step_was_called(store: Store) -> None:
    store.insert(question("urn:q", AT, index=False))
    store.insert(question("urn:r", AT, index=False))
    derive(store, "urn:i1", "urn:q", kind=ns.TG_DECOMPOSITION)
    derive(store, "urn:r", "urn:i1", kind=ns.TG_QUESTION)
    derive(store, "urn:s", "urn:r", kind=ns.TG_SYNTHESIS)
    derive(store, "urn:i2", "urn:i1", "urn:s")
    assert index(store).calls == 1
    assert objects(store, ns.TGP_CALLED_FROM) == {"urn:r": {"urn:i1"}}
    assert objects(store, ns.PROV_WAS_INFORMED_BY) == {"urn:r": {"urn:q"}}
    assert objects(store, ns.TGP_TRACE)["urn:i2"] == {"urn:q"}
    assert [run.uri for run in list_traces(store).traces] == ["urn:q"]


@pytest.mark.parametrize("origin", ["urn:q", "urn:final", "urn:trustgraph:prov:answer:7"])
def test_a_follow_up_is_no_called_run(store: Store, origin: str) -> None:
    store.insert(question("urn:q", AT, index=False))
    derive(store, "urn:i1", "urn:q")
    derive(store, "urn:final", "urn:i1", kind=ns.TG_CONCLUSION)
    derive(store, "urn:trustgraph:prov:answer:7", "urn:i1", kind=ns.PROV_ENTITY)
    store.insert(question("urn:r", AT, index=False))
    derive(store, "urn:r", origin, kind=ns.TG_QUESTION)
    derive(store, "urn:s", "urn:r", kind=ns.TG_SYNTHESIS)
    assert index(store).calls == 0
    assert len(list_traces(store).traces) == 2
    derive(store, "urn:i2", "urn:i1", "urn:s")  # unless a step of that run derives from it later
    assert index(store).calls == 1
    assert objects(store, ns.TGP_CALLED_FROM) == {"urn:r": {"urn:i2"}}
    assert len(list_traces(store).traces) == 1


CIRCLE = {"urn:b": "urn:c", "urn:c": "urn:a", "urn:a": "urn:b"}
"""Runs by the one that a step of theirs called."""


def circle(starts: Mapping[str, str | None]) -> Iterator[Quad]:
    for run, called in CIRCLE.items():
        yield from question(run, starts[run], index=False)
        yield from say(f"{run}/i1", (ns.RDF_TYPE, ns.TG_ANALYSIS), (ns.PROV_WAS_DERIVED_FROM, run))
        yield from say(called, (ns.PROV_WAS_DERIVED_FROM, f"{run}/i1"))


def by_import(store: Store, quads: Iterable[Quad]) -> IndexReport:
    file = io.BytesIO(serialized(quads, ox.RdfFormat.N_QUADS))
    return import_quads(store, file, format="nquads").index


def by_index(store: Store, quads: Iterable[Quad]) -> IndexReport:
    store.insert(quads)
    return index(store)


@pytest.mark.parametrize("bring", [by_index, by_import])
@pytest.mark.parametrize(
    ("starts", "listed"),
    [
        (("2026-03-02T09:00:00Z", "2026-03-02T10:00:00+02:00", "2026-03-02T11:00:00Z"), "urn:b"),
        ((None, None, "2026-03-02T11:00:00Z"), "urn:c"),
        ((AT, AT, AT), "urn:a"),
        ((None, None, None), "urn:a"),
    ],
    ids=["earliest", "dated", "same start", "undated"],
)
def test_runs_that_call_each_other_in_a_circle_stay_listed_by_the_one_that_started_first(
    store: Store,
    bring: Callable[[Store, Iterable[Quad]], IndexReport],
    starts: tuple[str | None, ...],
    listed: str,
) -> None:
    report = bring(store, circle(dict(zip(("urn:a", "urn:b", "urn:c"), starts, strict=True))))
    assert report.calls == 2
    assert [run.uri for run in list_traces(store).traces] == [listed]
    assert objects(store, ns.TGP_CALLED_FROM) == {
        called: {f"{run}/i1"} for run, called in CIRCLE.items() if called != listed
    }
    assert index(store).calls == 0
    shown = [run.uri for run in trace(store, listed).runs()]
    assert shown == [listed, CIRCLE[listed], CIRCLE[CIRCLE[listed]]]


def test_a_call_that_would_close_a_circle_of_recorded_calls_is_not_added(store: Store) -> None:
    store.insert(question("urn:b", AT, called_from="urn:a/i1"))
    store.insert(question("urn:c", AT, called_from="urn:b/i1"))
    store.insert(question("urn:a", "2026-03-02T13:00:00Z", index=False))
    for run in ("urn:a", "urn:b", "urn:c"):
        derive(store, f"{run}/i1", run)
    derive(store, "urn:a", "urn:c/i1", kind=ns.TG_QUESTION)
    assert index(store).calls == 0
    assert [run.uri for run in list_traces(store).traces] == ["urn:a"]


def test_a_run_that_may_not_be_called_by_one_is_called_by_the_next(store: Store) -> None:
    store.insert(question("urn:a", AT, index=False))
    for run in ("urn:b", "urn:c"):
        store.insert(question(run, "2026-03-02T13:00:00Z", index=False))
    derive(store, "urn:a/i1", "urn:a")
    derive(store, "urn:b/i1", "urn:b")
    derive(store, "urn:c/i1", "urn:c")
    derive(store, "urn:b", "urn:a/i1", kind=ns.TG_QUESTION)
    derive(store, "urn:a", "urn:b/i1", "urn:c/i1", kind=ns.TG_QUESTION)
    assert index(store).calls == 2
    assert objects(store, ns.TGP_CALLED_FROM) == {"urn:b": {"urn:a/i1"}, "urn:a": {"urn:c/i1"}}


def test_the_index_ties_runs_as_they_are_shown_without_it(store: Store) -> None:
    starts = dict.fromkeys(CIRCLE, AT) | {"urn:c": "2026-03-02T09:00:00Z"}
    store.insert(circle(starts))
    before = {run: to_tree(trace(store, run)) for run in CIRCLE}
    index(store)
    assert {run: to_tree(trace(store, run)) for run in CIRCLE} == before


def to_tree(run: Trace) -> object:
    return run.uri, [(step.uri, [to_tree(one) for one in step.called]) for step in run.steps]
