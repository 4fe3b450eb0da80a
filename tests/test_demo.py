"""The demo, and the example files that are what it records."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest
from narrowing import subject
from pyoxigraph import BlankNode, NamedNode, Quad
from recorder_cases import facts, short

from trustgraph_prov import resources
from trustgraph_prov.demo import DEMO_RUNS, example, examples, record_demo, trig
from trustgraph_prov.demo.__main__ import main
from trustgraph_prov.namespaces import (
    GRAPH_RETRIEVAL,
    GRAPH_SOURCE,
    TG_CONTAINS,
    TG_DOCUMENT,
    TG_EDGE,
    TG_QUERY,
    TG_SELECTED_CHUNK,
    TGP_CALLED_FROM,
)
from trustgraph_prov.stores import Store

FOLDER = resources.folder("ontology") / "examples"


def values(quads: list[Quad], predicate: str) -> set[str]:
    return {
        quad.object.value
        for quad in quads
        if quad.predicate.value == predicate and isinstance(quad.object, NamedNode)
    }


def test_every_example_has_a_story() -> None:
    assert {path.stem for path in FOLDER.glob("*.trig")} == set(examples())


@pytest.mark.parametrize("name", examples())
def test_an_example_is_what_the_recorder_writes(name: str) -> None:
    written = set(pyoxigraph.parse(path=str(FOLDER / f"{name}.trig")))
    assert written == set(example(name)), "run: python -m trustgraph_prov.demo ontology/examples"


def test_the_files_can_be_written_again(tmp_path: Path) -> None:
    main(str(tmp_path))
    for path in FOLDER.glob("*.trig"):
        again = (tmp_path / path.name).read_text(encoding="utf-8")
        assert set(pyoxigraph.parse(again, format=pyoxigraph.RdfFormat.TRIG)) == set(
            pyoxigraph.parse(path=str(path))
        )
        assert again.startswith("@prefix ")


def test_no_example_has_a_blank_node() -> None:
    for name, quads in examples().items():
        assert quads, name
        for quad in quads:
            assert not isinstance(quad.subject, BlankNode)
            assert not isinstance(quad.object, BlankNode)


def test_a_demo(store: Store) -> None:
    written = record_demo(store)
    assert set(store.quads()) == set(written)
    asked = {subject(quad) for quad in written if quad.predicate.value == TG_QUERY}
    assert asked == set(DEMO_RUNS)
    called = {subject(quad) for quad in written if quad.predicate.value == TGP_CALLED_FROM}
    assert called == {DEMO_RUNS[1]}


def test_a_second_demo_changes_nothing(store: Store) -> None:
    record_demo(store)
    before = set(store.quads())
    record_demo(store)
    assert set(store.quads()) == before


def test_answers_rest_on_the_sources() -> None:
    quads = [quad for each in examples().values() for quad in each]
    source = [quad for quad in quads if quad.graph_name == NamedNode(GRAPH_SOURCE)]
    runs = [quad for quad in quads if quad.graph_name == NamedNode(GRAPH_RETRIEVAL)]
    assert len(values(runs, TG_EDGE)) == 5
    assert values(runs, TG_EDGE) <= values(source, TG_CONTAINS)
    described = {subject(quad) for quad in source}
    chunks = values(runs, TG_DOCUMENT) | {
        chunk for chunk in values(runs, TG_SELECTED_CHUNK) if chunk.startswith("urn:chunk:")
    }
    assert len(chunks) == 3
    assert chunks <= described


def test_the_strict_story_is_the_same_in_other_links() -> None:
    def told(name: str) -> set[str]:
        return {
            f"{short(quad.predicate)} {short(quad.object)}"
            for quad in example(name)
            if quad.predicate.value.startswith("https://trustgraph.ai/ns/")
        }

    def links(name: str) -> set[str]:
        return {
            short(quad.predicate) for quad in example(name) if "prov:was" in short(quad.predicate)
        }

    assert told("agent") == told("agent-strict")
    assert links("agent-strict") - links("agent") == {"prov:wasGeneratedBy"}


def test_the_failed_story(store: Store) -> None:
    record_demo(store)
    assert facts(store, f"{DEMO_RUNS[4]}/final")["tg:terminationReason"] == {"error"}
    assert "tg:toolError" in facts(store, f"{DEMO_RUNS[4]}/i2")


def test_trig_names_only_the_prefixes_it_uses() -> None:
    head = trig(example("failed")).split("\n\n")[0]
    assert [line.split()[1] for line in head.splitlines()] == [
        "prov:",
        "rdfs:",
        "tg:",
        "tgp:",
        "xsd:",
    ]
