"""Whatever graph the nodes of a run make, nothing is dropped and every renderer ends."""

from __future__ import annotations

import io
import json
from collections import Counter

from explain_cases import QUESTION, Story
from hypothesis import given, settings
from hypothesis import strategies as st
from narrowing import value as text
from pyoxigraph import NamedNode
from rich.console import Console

from trustgraph_prov import render
from trustgraph_prov.namespaces import (
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_STATEMENT,
    RDF_TYPE,
    RDFS_LABEL,
    TG,
    TG_ANSWER,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_EDGE,
    TG_EDGE_SELECTION,
    TG_OBSERVATION,
    TG_QUERY,
    TG_SELECTED_CHUNK,
    TG_SELECTED_EDGE,
    TG_STEP_NUMBER,
    TG_THOUGHT,
    TGP_RANK,
)

NODES = [QUESTION, *(f"{QUESTION}/n{number}" for number in range(7))]
KINDS = [
    *(TG + name for name in ("Analysis", "Thought", "Observation", "Focus", "EdgeSelection")),
    *(TG + name for name in ("ChunkSelection", "Conclusion", "Synthesis", "Answer", "Chunk")),
    *(RDF_STATEMENT, "https://example.org/New"),
]
POINTERS = [
    *(PROV_WAS_DERIVED_FROM, PROV_WAS_GENERATED_BY, TG_THOUGHT, TG_OBSERVATION, TG_DOCUMENT),
    *(TG_SELECTED_EDGE, TG_SELECTED_CHUNK, TG_EDGE, "https://example.org/other"),
]
TEXTS = [TG_CONTENT, TG_ANSWER, RDFS_LABEL, TG_QUERY, TG_STEP_NUMBER, TGP_RANK, TG_THOUGHT]

TRIPLES = st.one_of(
    st.tuples(st.sampled_from(NODES), st.just(RDF_TYPE), st.sampled_from(KINDS).map(NamedNode)),
    st.tuples(
        st.sampled_from(NODES), st.sampled_from(POINTERS), st.sampled_from(NODES).map(NamedNode)
    ),
    st.tuples(st.sampled_from(NODES), st.sampled_from(TEXTS), st.sampled_from(["1", "2", "text"])),
)


def story_of(triples: list[tuple[str, str, object]]) -> Story:
    story = Story()
    for node, property, value in triples:
        story.add(node, {property: value})
    return story


@given(st.lists(TRIPLES, max_size=25))
def test_every_node_is_shown_and_none_twice_but_what_is_shared(
    triples: list[tuple[str, str, object]],
) -> None:
    story = story_of(triples)
    trace = story.trace()
    counts = Counter(node.uri for node in trace.nodes)
    assert counts.keys() == story.nodes.keys()
    kinds = {node.uri: node.kind for node in trace.nodes}
    shared = {TG + "Chunk", RDF_STATEMENT, TG + "Document"}
    assert {uri for uri, count in counts.items() if count > 1} <= {
        uri for uri, kind in kinds.items() if kind in shared
    }


@given(st.lists(TRIPLES, max_size=25))
@settings(max_examples=60)
def test_every_value_is_in_the_json(triples: list[tuple[str, str, object]]) -> None:
    story = story_of(triples)
    told: set[tuple[str, str, str]] = set()
    run = json.loads(render.json(story.trace()))
    waiting = [run["question"], *run["steps"]]
    while waiting:
        node = waiting.pop()
        waiting += node["parts"]
        told.update((node["uri"], RDF_TYPE, type) for type in node["types"])
        for property, values in node["properties"].items():
            told.update((node["uri"], property, value["value"]) for value in values)
    recorded = {(node, property, text(value)) for node, property, value in story.rows}
    selected = {value for _, property, value in recorded if property == TG_SELECTED_EDGE}
    assert told >= recorded
    assert told - recorded <= {(node, RDF_TYPE, TG_EDGE_SELECTION) for node in selected}


@given(st.lists(TRIPLES, max_size=25))
@settings(max_examples=40)
def test_every_renderer_ends(triples: list[tuple[str, str, object]]) -> None:
    trace = story_of(triples).trace()
    render.text(trace, Console(file=io.StringIO(), width=60), show_provenance=True)
    for draw in (render.html, render.mermaid, render.dot):
        assert draw(trace)
