"""Whatever the source graph holds, the tree of a document ends and tells each of its triples."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from narrowing import subject
from pyoxigraph import Literal, NamedNode, Quad, Triple
from rich.console import Console

from trustgraph_prov import SourceNotFoundError, extraction, open_store, record_demo
from trustgraph_prov.namespaces import (
    DC_TITLE,
    GRAPH_SOURCE,
    PROV_WAS_ASSOCIATED_WITH,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_OBJECT,
    RDF_PREDICATE,
    RDF_SUBJECT,
    RDF_TYPE,
    TG_CHUNK_INDEX,
    TG_CONTAINS,
    TG_DOCUMENT_TYPE,
    TG_PAGE_NUMBER,
)

NODES = [NamedNode(f"urn:n:{number}") for number in range(6)]
PROPERTIES = (
    *(DC_TITLE, PROV_WAS_ASSOCIATED_WITH, PROV_WAS_DERIVED_FROM, PROV_WAS_GENERATED_BY, RDF_TYPE),
    *(RDF_SUBJECT, RDF_PREDICATE, RDF_OBJECT, TG_CHUNK_INDEX, TG_CONTAINS, TG_PAGE_NUMBER),
)
EDGE = Triple(NODES[0], NODES[1], Literal("42"))
VALUES = st.sampled_from(
    [*NODES, Literal("1"), Literal("٣"), Literal("x\n\x1b[2J"), EDGE, NamedNode(TG_DOCUMENT_TYPE)]
)
QUADS = st.builds(
    lambda node, property, value: Quad(node, NamedNode(property), value, NamedNode(GRAPH_SOURCE)),
    st.sampled_from(NODES),
    st.sampled_from(PROPERTIES),
    VALUES,
)


@settings(max_examples=200)
@given(st.lists(QUADS, max_size=14))
def test_any_graph_is_a_tree(quads: list[Quad]) -> None:
    with open_store("memory:") as store:
        store.insert(quads)
        try:
            tree = extraction.sources(store, NODES[0].value)
        except SourceNotFoundError:
            assert not [quad for quad in quads if quad.subject == NODES[0]]
            return
    found = [one.uri for one in tree.walk()]
    assert len(found) == len(set(found))
    below = {subject(quad) for quad in quads if quad.object == NODES[0] and made(quad)}
    assert below - {NODES[0].value} <= set(found)
    console = Console(file=io.StringIO(), width=80)
    extraction.text(tree, console)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert len(lines) == len(found) + sum(len(one.edges) for one in tree.walk())
    assert "\x1b" not in "".join(lines)
    assert json.loads(extraction.json(tree)) == extraction.to_dict(tree)
    assert extraction.mermaid(tree).count("-->") == len(found) - 1


def made(quad: Quad) -> bool:
    return quad.predicate.value == PROV_WAS_DERIVED_FROM


def test_what_is_not_there_is_an_error() -> None:
    with (
        open_store("memory:") as store,
        pytest.raises(SourceNotFoundError, match="urn:doc:1: no such document, page or chunk"),
    ):
        extraction.sources(store, "urn:doc:1")


@pytest.mark.parametrize("width", [40, 80])
def test_lines_are_wrapped_behind_their_guides_on_a_terminal(width: int) -> None:
    """The terminal broke them within words, and the guides were lost."""
    with open_store("memory:") as store:
        record_demo(store)
        tree = extraction.sources(store, "https://example.org/doc/quarrow-outage-report-2025")
    file = io.StringIO()
    extraction.text(tree, Console(file=file, width=width, force_terminal=True, color_system=None))
    lines = file.getvalue().splitlines()
    iris = {one.uri for one in tree.walk()}
    assert all(len(line) <= width or line.split()[-1] in iris for line in lines)
    assert iris <= set(file.getvalue().split())
    inner = lines[lines.index(tree.uri) + 1 :]
    assert all(line.startswith(("├── ", "└── ", "│   ", "    ")) for line in inner)
