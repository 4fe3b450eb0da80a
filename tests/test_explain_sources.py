"""What an edge or a chunk came from, up to the document."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from narrowing import narrow, value
from pyoxigraph import BlankNode, Literal, NamedNode, Quad
from rich.console import Console

from trustgraph_prov import Recorder, extraction, render
from trustgraph_prov.explain import ChunkSelection, Source, Statement, trace
from trustgraph_prov.explain.graph import Nodes
from trustgraph_prov.explain.model import Trace
from trustgraph_prov.explain.sources import _Built, _Origins
from trustgraph_prov.namespaces import (
    DC_TITLE,
    GRAPH_RETRIEVAL,
    GRAPH_SOURCE,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_TYPE,
    RDFS_LABEL,
    TG,
    TG_CONTAINS,
    TG_EDGE,
    TG_EDGE_SELECTION,
    TG_FOCUS,
    TG_SELECTED_EDGE,
)
from trustgraph_prov.statement import statement_triples
from trustgraph_prov.stores import Store

GRAPH_RAG = "urn:trustgraph:question:8d3f2c44-6a1b-4e0f-b7c5-2e9a4d6f8b03"
DOC_RAG = "urn:trustgraph:docrag:e1a7c9d0-3b52-4f86-9d14-7c8b5a2f6e04"


def path(source: Source) -> list[str]:
    return [source.title, *(name for origin in source.origins[:1] for name in path(origin))]


def test_edge_leads_to_chunk_page_and_document(loaded: Store) -> None:
    run = trace(loaded, GRAPH_RAG, provenance=True)
    edges = [part.uri for part in run.nodes if part.label == "Statement"]
    assert edges
    for edge in edges:
        chunk = path(run.sources[edge])[1:]
        assert chunk == ["chunk 0", "page 4", "Bathymetric survey of Lake Quarrow, September 2025"]
    (origin,) = run.sources[edges[0]].origins
    assert (origin.kind, origin.origins[0].kind) == ("Chunk", "Page")


def test_chunk_leads_to_its_own_document(loaded: Store) -> None:
    run = trace(loaded, DOC_RAG, provenance=True)
    kept = [narrow(part, ChunkSelection).chunk for step in run.steps for part in step.parts]
    assert len(kept) == 2
    titles = {tuple(path(run.sources[chunk])[1:]) for chunk in kept if chunk}
    assert titles == {("page 1", "Diving log: intake screens of Lake Quarrow, October 2025")}


def test_nothing_is_asked_without_provenance(loaded: Store) -> None:
    assert trace(loaded, GRAPH_RAG).sources == {}


def test_chunks_of_a_run_without_a_focus_lead_to_their_documents(store: Store) -> None:
    """A run that answers from every chunk it found named no source of any."""
    with Recorder(store).doc_rag("Why?") as run:
        for index in (0, 1):
            chunk = f"urn:chunk:{index}"
            run.passage(
                *(chunk, "urn:doc:1", "Report"),
                index=index,
                offset=0,
                length=9,
                component="c",
                version="1",
            )
        run.exploration(["urn:chunk:0", "urn:chunk:1", "urn:chunk:2", "a name alone"])
        run.synthesis("Therefore.")
    told = trace(store, run.uri, provenance=True)
    written = io.StringIO()
    render.text(told, Console(file=written), show_provenance=True)
    assert written.getvalue().count("from document Report") == 2
    assert written.getvalue().count("no source recorded") == 2
    assert render.html(told).count('From <span title="urn:doc:1">document Report</span>') == 2
    assert path(told.sources["urn:chunk:1"])[1:] == ["Report"]
    assert set(json.loads(render.json(told))["sources"]) == {"urn:chunk:0", "urn:chunk:1"}


def edge_of(object: Literal, chunk: str) -> tuple[str, list[Quad]]:
    triples = statement_triples(NamedNode("urn:s"), NamedNode("urn:p"), object)
    source = NamedNode(GRAPH_SOURCE)
    edge, graph = triples[0].subject, NamedNode(f"{chunk}/edges")
    quads = [Quad(t.subject, t.predicate, t.object, NamedNode(GRAPH_RETRIEVAL)) for t in triples]
    quads.append(Quad(graph, NamedNode(TG_CONTAINS), edge, source))
    quads.append(Quad(graph, NamedNode(PROV_WAS_DERIVED_FROM), NamedNode(chunk), source))
    return value(edge), quads


def run_with(store: Store, edge: str) -> Trace:
    from explain_cases import Story

    story = Story("urn:trustgraph:question:1")
    focus = story.step("focus", kind=TG_FOCUS)
    story.add(focus, {TG_SELECTED_EDGE: "urn:trustgraph:prov:edge:1:0"})
    story.add(
        "urn:trustgraph:prov:edge:1:0", {RDF_TYPE: NamedNode(TG_EDGE_SELECTION), TG_EDGE: edge}
    )
    store.insert(story.quads())
    return trace(store, story.uri, provenance=True)


@pytest.mark.parametrize(
    ("object", "chunk"),
    [
        (Literal("42"), "urn:chunk:text"),
        (Literal(42), "urn:chunk:number"),
        (Literal("42", language="en"), "urn:chunk:english"),
    ],
)
def test_42_the_number_and_42_the_text_have_their_own_source(
    store: Store, object: Literal, chunk: str
) -> None:
    everything = {
        "urn:chunk:text": edge_of(Literal("42"), "urn:chunk:text"),
        "urn:chunk:number": edge_of(Literal(42), "urn:chunk:number"),
        "urn:chunk:english": edge_of(Literal("42", language="en"), "urn:chunk:english"),
    }
    for _, quads in everything.values():
        store.insert(quads)
    edge = everything[chunk][0]
    run = run_with(store, edge)
    assert [origin.uri for origin in run.sources[edge].origins] == [chunk]
    statement = narrow(run.steps[0].parts[0].parts[0], Statement)
    assert statement.object == object


def test_sources_in_a_circle_end_and_labels_stand_in_for_titles(store: Store) -> None:
    edge, quads = edge_of(Literal("x"), "urn:chunk:1")
    source = NamedNode(GRAPH_SOURCE)
    for one, other in (("urn:chunk:1", "urn:page:1"), ("urn:page:1", "urn:chunk:1")):
        link = Quad(NamedNode(one), NamedNode(PROV_WAS_DERIVED_FROM), NamedNode(other), source)
        quads.append(link)
    page = NamedNode("urn:page:1")
    quads.append(Quad(page, NamedNode(RDFS_LABEL), Literal("Sheet A"), source))
    quads.append(Quad(page, NamedNode(RDF_TYPE), NamedNode(TG + "Page"), source))
    store.insert(quads)
    run = run_with(store, edge)
    assert path(run.sources[edge]) == ["", "", "Sheet A"]
    store.insert([Quad(page, NamedNode(DC_TITLE), Literal("A"), source)])
    again = trace(store, run.uri, provenance=True)
    assert path(again.sources[edge]) == ["", "", "A"]


def test_what_has_no_iri_is_named_and_not_asked_about(here: Store) -> None:
    edge, quads = edge_of(Literal("x"), "urn:chunk:1")
    source, subgraph = NamedNode(GRAPH_SOURCE), NamedNode("urn:chunk:1/edges")
    nameless = BlankNode("c")
    quads.append(Quad(subgraph, NamedNode(PROV_WAS_DERIVED_FROM), nameless, source))
    quads.append(Quad(subgraph, NamedNode(PROV_WAS_GENERATED_BY), nameless, source))
    here.insert(quads)
    run = run_with(here, edge)
    assert [origin.uri for origin in run.sources[edge].origins] == ["_:c", "urn:chunk:1"]
    assert extraction.sources(here, "urn:chunk:1").parts[0].made_by == ()


def test_many_ways_to_a_source_are_told_in_time_and_a_shared_page_with_its_document(
    here: Store,
) -> None:
    edge, quads = edge_of(Literal("x"), "urn:chunk:1")
    source, link = NamedNode(GRAPH_SOURCE), NamedNode(PROV_WAS_DERIVED_FROM)
    levels = [["urn:chunk:1"], *([f"urn:{side}:{level}" for side in "ab"] for level in range(30))]
    for below, above in pairwise(levels):
        quads += [Quad(NamedNode(b), link, NamedNode(a), source) for b in below for a in above]
    for chunk in ("urn:chunk:2", "urn:chunk:3"):
        quads.append(Quad(NamedNode("urn:chunk:1/edges"), link, NamedNode(chunk), source))
        quads.append(Quad(NamedNode(chunk), link, NamedNode("urn:page:1"), source))
    quads.append(Quad(NamedNode("urn:page:1"), link, NamedNode("urn:doc:1"), source))
    here.insert(quads)
    run = run_with(here, edge)
    many, second, third = run.sources[edge].origins
    assert [origin.uri for origin in many.origins] == ["urn:a:0", "urn:b:0"]
    assert second.origins == third.origins
    assert second.origins[0].origins[0].uri == "urn:doc:1"
    assert len(render.json(run)) < 10_000_000


LETTERS = [f"urn:{letter}" for letter in "abcdef"]
THINGS = st.dictionaries(
    st.sampled_from(LETTERS), st.sets(st.sampled_from(LETTERS), max_size=3), max_size=6
)


def derived(links: Mapping[str, Iterable[str]]) -> Nodes:
    return {
        uri: {PROV_WAS_DERIVED_FROM: [NamedNode(above) for above in found]}
        for uri, found in links.items()
    }


@given(THINGS, st.permutations(LETTERS))
def test_a_source_is_the_same_whichever_was_asked_for_before(
    links: dict[str, set[str]], order: list[str]
) -> None:
    shared = _Origins(derived(links))
    for uri in order:
        assert shared.of(uri) == _Origins(derived(links)).of(uri)


def test_origins_are_told_fifty_deep_from_each_source() -> None:
    chain = derived({f"urn:{n}": [f"urn:{n + 1}"] for n in range(120)})
    for order in ([0, 45, 20, 100], [100, 20, 45, 0]):
        known = _Origins(chain)
        for start in order:
            told = [source.uri for source in _line(known.of(f"urn:{start}"))]
            assert told == [f"urn:{n}" for n in range(start, min(start + 50, 120) + 1)]


def test_of_a_dense_circle_no_more_is_built_than_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    every = [f"urn:{n}" for n in range(120)]
    known = _Origins(derived(dict.fromkeys(every, every)))
    built: list[tuple[str, int]] = []
    build = known._build

    def noted(uri: str, depth: int) -> _Built:
        built.append((uri, depth))
        return build(uri, depth)

    monkeypatch.setattr(known, "_build", noted)
    for uri in every[:3]:
        built.clear()
        told = known.of(uri)
        assert len(told.origins) == 119
        assert len(built) == len(set(built)) < 4_000


def _line(source: Source) -> Iterator[Source]:
    yield source
    for origin in source.origins:
        yield from _line(origin)
