"""Runs within runs, and pieces within pieces, a thousand deep: all is read, and rendered so far."""

from __future__ import annotations

import io
import json
from itertools import pairwise
from typing import Any

import pytest
from cli_cases import AGENT
from explain_cases import Story
from pyoxigraph import Literal, NamedNode, Quad
from rich.console import Console

from trustgraph_prov import export_quads, render
from trustgraph_prov import namespaces as ns
from trustgraph_prov.explain import Trace, trace
from trustgraph_prov.extraction import printing as extraction
from trustgraph_prov.extraction.tree import sources
from trustgraph_prov.indexing import index
from trustgraph_prov.stores import open_store

LEVELS = 1000
SHOWN = 50
TOP = "urn:trustgraph:agent:0"
GRAPH = NamedNode(ns.GRAPH_RETRIEVAL)
DEEP = f"urn:trustgraph:agent:{SHOWN + 1}"


@pytest.fixture(scope="module", params=[True, False], ids=["indexed", "by links"])
def run(request: pytest.FixtureRequest) -> Trace:
    store = open_store("memory:")
    quads = []
    for level in range(LEVELS):
        uri = f"urn:trustgraph:agent:{level}"
        quads.append(
            Quad(NamedNode(uri), NamedNode(ns.TG_QUERY), Literal(f"Level {level}?"), GRAPH)
        )
        links = [(f"{uri}/i1", uri)]
        links += [(uri, f"urn:trustgraph:agent:{level - 1}/i1")] if level else []
        came = NamedNode(ns.PROV_WAS_DERIVED_FROM)
        quads += [Quad(NamedNode(one), came, NamedNode(other), GRAPH) for one, other in links]
    store.insert(quads)
    if request.param:
        index(store)
    out = io.BytesIO()
    assert export_quads(store, out, trace=TOP) >= len(quads)
    return trace(store, TOP)


def printed(run: Trace, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    render.text(run, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_every_run_is_read(run: Trace) -> None:
    assert [one.uri.rpartition(":")[2] for one in run.runs()] == [*map(str, range(LEVELS))]


def test_json_names_what_is_too_deep(run: Trace) -> None:
    deepest: dict[str, Any] = json.loads(render.json(run))
    for _ in range(SHOWN + 1):
        assert "show" not in deepest
        (deepest,) = deepest["steps"][0]["called"]
    assert deepest == {
        "uri": DEEP,
        "type": "Agent",
        "status": "unfinished",
        "query": f"Level {SHOWN + 1}?",
        "show": f"tg-prov show {DEEP}",
    }


def test_text_says_at_the_end_what_shows_it(run: Trace) -> None:
    shown = printed(run)
    assert shown.endswith(f"Too deep to be shown here: tg-prov show {DEEP}\n")
    assert shown.count("tg-prov show") == 1


@pytest.mark.parametrize("width", [20, 80])
def test_text_says_it_on_one_line_at_any_width(width: int) -> None:
    deep = Story(AGENT).trace()
    for level in range(SHOWN + 1):
        deep = Story(f"urn:{level}").trace((f"urn:{level}", deep))
    last = printed(deep, width).splitlines()[-1]
    assert last == f"Too deep to be shown here: tg-prov show {AGENT}"


@pytest.mark.parametrize("name", ["html", "mermaid", "dot"])
def test_drawings_and_the_page_name_what_is_too_deep(name: str, run: Trace) -> None:
    drawn = getattr(render, name)(run).replace("#58;", ":")
    assert f"Level {SHOWN}?" in drawn
    assert f"tg-prov show {DEEP}" in drawn
    assert f"Level {SHOWN + 2}?" not in drawn


def test_the_command_quotes_what_a_shell_would_read(run: Trace) -> None:
    deep = Story("urn:a$(b)'c").trace()
    for level in range(SHOWN + 1):
        deep = Story(f"urn:{level}").trace((f"urn:{level}", deep))
    assert """tg-prov show 'urn:a$(b)'"'"'c'""" in printed(deep)


def test_documents_in_documents() -> None:
    story = Story()
    step = story.step("i1")
    for level in range(LEVELS):
        story.add(step, {ns.TG_DOCUMENT: f"urn:d{level}"})
        step = f"urn:d{level}"
        story.add(step, {ns.RDF_TYPE: NamedNode(ns.TG_DOCUMENT_TYPE)})
    story.add(step, {ns.TG_CONTENT: "The last word"})
    run = story.trace()
    assert {node.uri for node in run.nodes} >= {f"urn:d{level}" for level in range(LEVELS)}
    assert run.steps[0].text == "The last word"
    for name in ("json", "html", "mermaid", "dot"):
        assert getattr(render, name)(run)
    assert printed(run)


def test_a_chunk_that_comes_from_far_away() -> None:
    store = open_store("memory:")
    chunks = [NamedNode(f"urn:chunk:{level}") for level in range(LEVELS)]
    story = Story()
    story.step("i1", selectedChunk=chunks[0])
    store.insert(story.quads())
    came, source = NamedNode(ns.PROV_WAS_DERIVED_FROM), NamedNode(ns.GRAPH_SOURCE)
    store.insert(Quad(one, came, other, source) for one, other in pairwise(chunks))
    run = trace(store, story.uri, provenance=True)
    assert f"urn:chunk:{SHOWN}" in render.json(run)
    assert render.html(run)
    assert printed(run)
    below = extraction.json(sources(store, chunks[-1].value))
    far = LEVELS - SHOWN - 2
    assert f'"tg-prov sources urn:chunk:{far}"' in below
    assert f'urn:chunk:{far - 1}"' not in below
