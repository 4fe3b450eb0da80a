"""Whose node is it, and what `index` adds to runs that were written without."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from listing_cases import derive, objects, question, say
from narrowing import rows
from pyoxigraph import Literal, Quad

from trustgraph_prov import answers, indexing
from trustgraph_prov import namespaces as ns
from trustgraph_prov.errors import StoreError
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.indexing import IndexReport, index
from trustgraph_prov.outbox import OutboxStore
from trustgraph_prov.ownership import owners
from trustgraph_prov.queries import stored_query
from trustgraph_prov.stores import Store, open_store
from trustgraph_prov.stores.base import QueryResult
from trustgraph_prov.users import owner_quads

AGENT = "urn:trustgraph:agent:"
AT = "2026-03-02T12:00:00Z"


@pytest.mark.parametrize(
    ("questions", "links", "expected"),
    [
        ("", {"a": ["b"]}, {}),
        ("q", {"a": ["q"], "b": ["a"], "x": ["y"]}, {"a": "q", "b": "q"}),
        # a step after a called run reaches that run and its own
        ("qr", {"a": ["q"], "r": ["a"], "z": ["r"], "b": ["a", "z"]}, {"b": "q", "z": "r"}),
        # a synthesis over the answers of runs that its own run called
        (
            "qrst",
            {
                "d": ["q"],
                "r": ["d"],
                "s": ["d"],
                "t": ["d"],
                "1": ["r"],
                "2": ["s"],
                "3": ["t"],
                "e": ["1", "2", "3"],
            },
            {"e": "q", "1": "r"},
        ),
        # a run called by a called run: the nearest caller, not the outermost
        (
            "qrs",
            {"a": ["q"], "r": ["a"], "b": ["r"], "s": ["b"], "c": ["s"], "d": ["b", "c"]},
            {"b": "r", "c": "s", "d": "r"},
        ),
        # two runs that nobody called: it is nobody's
        ("qr", {"a": ["q"], "b": ["r"], "c": ["a", "b"]}, {"a": "q", "b": "r"}),
        # circles end
        ("q", {"a": ["b"], "b": ["a"], "c": ["c", "q"]}, {"c": "q"}),
        ("qr", {"q": ["b"], "r": ["a"], "a": ["q"], "b": ["r"], "c": ["a", "b"]}, {"c": "q"}),
    ],
)
def test_owners(questions: str, links: dict[str, list[str]], expected: dict[str, str]) -> None:
    found = owners(set(questions), links)
    assert {node: found.get(node) for node in expected} == expected
    assert all(found[node] == node for node in links if node in questions)
    if not expected:
        assert found == {}


def test_a_step_of_a_follow_up_that_uses_an_earlier_answer_is_its_own() -> None:
    one, two = AGENT + "1", AGENT + "2"
    links = {f"{one}/final": [one], two: [f"{one}/final"], f"{two}/i1": [two, f"{one}/final"]}
    assert owners({one, two}, links)[f"{two}/i1"] == two


@given(
    st.dictionaries(
        st.sampled_from("abcdefgqrs"), st.lists(st.sampled_from("abcdefgqrs"), max_size=3)
    )
)
def test_any_graph_has_an_end(links: dict[str, list[str]]) -> None:
    found = owners(set("qrs"), links)
    assert set(found) <= set(links)
    assert set(found.values()) <= set("qrs")


def test_nothing_to_do(store: Store) -> None:
    assert index(store) == IndexReport()
    store.insert(question("urn:q", AT))
    assert index(store) == IndexReport()


def test_what_is_added(store: Store) -> None:
    store.insert(question("urn:q", "2026-03-02T14:00:00.50+02:00", index=False))
    derive(store, "urn:i1", "urn:q")
    store.insert(say("urn:f", (ns.PROV_WAS_DERIVED_FROM, "urn:i1"), (ns.TG_SELECTED_EDGE, "urn:e")))
    store.insert(say("urn:e", (ns.TG_EDGE, "urn:statement")))
    store.insert(say("urn:f", (ns.TG_SELECTED_CHUNK, "urn:c"), (ns.TG_SELECTED_CHUNK, "urn:x")))
    store.insert(say("urn:c", (ns.TG_DOCUMENT, "urn:chunk")))
    report = index(store, user="ben", collection="c")
    assert report == IndexReport(runs=1, nodes=5)
    nodes = ("urn:q", "urn:i1", "urn:f", "urn:e", "urn:c")
    assert objects(store, ns.TGP_TRACE) == {node: {"urn:q"} for node in nodes}
    run = list_traces(store).traces[0]
    assert (run.user, run.collection) == ("ben", "c")
    assert objects(store, ns.TGP_IN_HOUR)["urn:q"] == {
        "urn:trustgraph-prov:hour:ben:c:2026-03-02T12"
    }
    before = set(store.quads())
    assert index(store, user="other") == IndexReport()
    assert set(store.quads()) == before


def test_what_a_run_says_of_itself_is_kept(store: Store) -> None:
    store.insert(question("urn:q", AT, index=False))
    store.insert(say("urn:q", (ns.TGP_USER, Literal("eva"))))
    index(store, user="ben", collection="c")
    assert list_traces(store, user="eva", collection="c").traces[0].uri == "urn:q"


def test_late_steps_of_an_indexed_run(store: Store) -> None:
    store.insert(question("urn:q", AT))
    derive(store, "urn:i1", "urn:q")
    assert index(store) == IndexReport(nodes=1)
    derive(store, "urn:i2", "urn:i1")
    assert index(store) == IndexReport(nodes=1)
    assert objects(store, ns.TGP_TRACE)["urn:i2"] == {"urn:q"}


def test_starts_that_cannot_be_read(store: Store) -> None:
    store.insert(question("urn:junk", "2026-03-02 at noon", index=False))
    store.insert(question("urn:none", None, index=False))
    store.insert(question("urn:odd", "2026-02-30T12:00:00Z", index=False))
    store.insert(question("urn:two", "soon", index=False))
    store.insert(question("urn:two", "2026-03-02 12:00:00", index=False))
    assert index(store) == IndexReport(runs=4, nodes=4, undated=3)
    assert list_traces(store).traces[0].uri == "urn:two"


def test_nodes_of_nobody(store: Store) -> None:
    store.insert(question("urn:q", AT))
    store.insert(question("urn:r", AT))
    derive(store, "urn:lost", "urn:nowhere")
    derive(store, "urn:both", "urn:q", "urn:r")
    assert index(store) == IndexReport(unowned=2)


def test_batches_and_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "PAGE", 7)
    monkeypatch.setattr(answers, "BATCH", 3)
    store = open_store("memory:")
    for n in range(9):
        run = f"{AGENT}{n}"
        store.insert(question(run, AT, index=False))
        derive(store, f"{run}/i1", run)
        derive(store, f"{run}/i2", f"{run}/i1")
        derive(store, f"{run}/final", f"{run}/i2", kind=ns.TG_CONCLUSION)
        if n:
            derive(store, run, f"{AGENT}{n - 1}/final", kind=ns.TG_QUESTION)
            derive(store, f"{run}/i2", f"{AGENT}{n - 1}/final")
    seen: list[int] = []
    report = index(store, progress=lambda done, total: seen.append(done))
    assert report == IndexReport(runs=9, nodes=36)
    assert seen == sorted(seen)
    assert seen[-1] == 36
    trace = objects(store, ns.TGP_TRACE)
    assert all(runs == {node.partition("/")[0]} for node, runs in trace.items())


def test_only_what_is_not_indexed_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store("memory:")
    for n in range(20):
        store.insert(question(f"urn:{n}", AT))
    store.insert(question("urn:new", AT, index=False))
    asked: list[str] = []
    query = store.query

    def ask(text: str) -> QueryResult:
        asked.append(text)
        return query(text)

    monkeypatch.setattr(store, "query", ask)
    index(store)
    assert not any("<urn:1>" in text for text in asked)
    assert any("<urn:new>" in text for text in asked)


def test_nodes_alone_are_indexed_with_what_waited_for_them(store: Store) -> None:
    for run in "qr":
        store.insert(question(f"urn:{run}", AT, index=False))
        derive(store, f"urn:{run}/1", f"urn:{run}")
        derive(store, f"urn:{run}/2", f"urn:{run}/1")
    assert index(store, nodes=["urn:q/2"], user="ann") == IndexReport(nodes=1)
    assert index(store, nodes=["urn:q/2", "urn:nobody"]) == IndexReport(unowned=1)
    assert objects(store, ns.TGP_TRACE) == {"urn:q/2": {"urn:q"}}
    assert index(store, nodes=["urn:q"], user="ann") == IndexReport(runs=1, nodes=2)
    assert objects(store, ns.TGP_USER) == {"urn:q": {"ann"}}
    assert index(store, nodes=["urn:r"]) == IndexReport(runs=1, nodes=3)
    assert index(store, nodes=[]) == index(store) == IndexReport()


def test_a_start_that_comes_late_is_indexed_with_its_node(store: Store) -> None:
    store.insert(question("urn:q", None, index=False))
    assert index(store, nodes=["urn:q"]) == IndexReport(runs=1, nodes=1, undated=1)
    store.insert(say("urn:q", (ns.PROV_STARTED_AT_TIME, Literal(AT))))
    assert index(store, nodes=["urn:q"]) == IndexReport(runs=1)
    assert index(store, nodes=["urn:q"]) == index(store) == IndexReport()


def test_whose_a_run_is_need_not_be_said_twice() -> None:
    store = open_store("memory:")
    store.insert(say("urn:q", (ns.TGP_USER, Literal("eva"))))
    stated = say("urn:r", (ns.TGP_COLLECTION, Literal("maps")))
    told = {ns.TGP_USER: "ana", ns.TGP_COLLECTION: "books"}
    added = owner_quads(store, {"urn:q": told, "urn:r": told}, stated)
    assert {str(quad.subject) + str(quad.object) for quad in added} == {
        '<urn:q>"books"',
        '<urn:r>"ana"',
    }


class Deaf:
    """A store that cannot be written."""

    name = "deaf"
    read_only = False

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def insert(self, quads: Iterable[Quad]) -> None:
        raise StoreError(self.name, "quota")


@pytest.mark.parametrize("nodes", [None, ["urn:i2", "urn:r", "urn:lost"]])
def test_behind_a_queue_that_is_read_at_once_everything_is_placed_once(
    tmp_path: Path, nodes: list[str] | None
) -> None:
    store = open_store("memory:")
    store.insert(question("urn:q", AT))
    store.insert(question("urn:r", AT, index=False))
    derive(store, "urn:i1", "urn:q", kind=ns.TG_DECOMPOSITION)
    derive(store, "urn:r", "urn:i1", kind=ns.TG_QUESTION)
    derive(store, "urn:s", "urn:r", kind=ns.TG_SYNTHESIS)
    derive(store, "urn:i2", "urn:i1", "urn:s")
    derive(store, "urn:lost", "urn:nowhere")
    remote: Any = Deaf(store)
    placed: list[Quad] = []
    with OutboxStore(remote, tmp_path, stale_reads=True, linger=0) as outbox:
        insert = outbox.insert

        def noted(quads: Iterable[Quad]) -> None:
            batch = list(quads)
            placed.extend(set(batch))
            assert len(placed) < 100
            insert(batch)

        outbox.insert = noted  # type: ignore[method-assign]
        report = index(outbox, nodes=nodes)
    traced = [str(quad.subject) for quad in placed if quad.predicate.value == ns.TGP_TRACE]
    assert sorted(traced) == sorted(set(traced))
    assert {"<urn:r>", "<urn:i2>"} <= set(traced)
    assert len([quad for quad in placed if quad.predicate.value == ns.TGP_CALLED_FROM]) <= 1
    assert (report.runs, report.nodes, report.unowned) == (1, len(traced), 1)


def test_a_run_whose_nodes_are_partly_nobodys_is_counted_once(store: Store) -> None:
    store.insert(question("urn:q", None, index=False))
    derive(store, "urn:lost", "urn:nowhere")
    assert index(store) == IndexReport(runs=1, nodes=1, undated=1, unowned=1)


REAL = sorted((Path(__file__).parent / "data").rglob("*.nq"))


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_the_updates_for_stores_without_python_agree(path: Path) -> None:
    quads = [quad for quad in ox.parse(path=str(path)) if not isinstance(quad.object, ox.Triple)]
    by_python, by_sparql = open_store("memory:"), open_store("memory:")
    by_python.insert(quads)
    by_sparql.insert(quads)
    report = index(by_python)
    by_sparql.update(stored_query("update/index-hours").text)
    by_sparql.update(stored_query("update/index-traces").text)
    assert set(by_sparql.quads()) <= set(by_python.quads())
    if report.calls == 0:
        assert set(by_sparql.quads()) == set(by_python.quads())
    assert rows(by_python.query(stored_query("audit/unindexed").text)) == []


def test_a_start_with_an_offset_is_left_to_python(store: Store) -> None:
    store.insert(question("urn:q", "2026-03-02T14:00:00+02:00", index=False))
    store.update(stored_query("update/index-hours").text)
    assert objects(store, ns.TGP_IN_HOUR) == {}
