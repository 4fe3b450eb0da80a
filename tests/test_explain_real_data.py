"""Runs that TrustGraph wrote, of every generation, are shown with nothing missing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from explain_cases import REAL, Counting, load, roots
from narrowing import leaf, narrow, subject
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from trustgraph_prov import terms
from trustgraph_prov.explain import trace
from trustgraph_prov.explain.nodes import Analysis
from trustgraph_prov.explain.typed import typed
from trustgraph_prov.indexing import index
from trustgraph_prov.namespaces import GRAPH_RETRIEVAL, RDF_TYPE, TG_CONTENT, TG_DOCUMENT
from trustgraph_prov.render import json as to_json
from trustgraph_prov.stores import Store, open_store

FILES = pytest.mark.parametrize("file", REAL, ids=lambda file: file.stem)


def triples(shown: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Every triple that the JSON of a run tells, as subject, property and value."""
    for node in (shown["question"], *shown["steps"]):
        yield from of_node(node)


def of_node(node: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    yield from ((node["uri"], RDF_TYPE, type) for type in node["types"])
    for property, values in node["properties"].items():
        yield from ((node["uri"], property, json.dumps(value, sort_keys=True)) for value in values)
    for part in node["parts"]:
        yield from of_node(part)
    for run in node["called"]:
        yield from triples(run)


def expected(quad: Quad) -> tuple[str, str, str]:
    node, value = subject(quad), leaf(typed(quad.predicate.value, quad.object))
    if quad.predicate.value == RDF_TYPE:
        return node, RDF_TYPE, value.value
    term = {"type": "uri" if isinstance(value, NamedNode) else "literal", "value": value.value}
    if isinstance(value, Literal) and value.language:
        term["xml:lang"] = value.language
    elif isinstance(value, Literal) and not value.datatype.value.endswith("#string"):
        term["datatype"] = value.datatype.value
    return node, quad.predicate.value, json.dumps(term, sort_keys=True)


def shown(store: Store, quads: list[Quad]) -> list[dict[str, Any]]:
    return [json.loads(to_json(trace(store, uri))) for uri in roots(quads)]


@FILES
@pytest.mark.parametrize("indexed", [False, True], ids=["by links", "indexed"])
def test_every_triple_of_the_file_is_in_the_json(file: Path, indexed: bool) -> None:
    with open_store("memory:") as store:
        quads = load(store, file)
        if indexed:
            index(store)
        told = {triple for run in shown(store, quads) for triple in triples(run)}
    missing = {expected(quad) for quad in quads} - told
    assert not missing


@FILES
def test_found_by_links_or_by_index_a_run_is_the_same(file: Path) -> None:
    with open_store("memory:") as store:
        quads = load(store, file)
        before = {run["uri"]: run for run in shown(store, quads)}
        index(store)
        after = {run["uri"]: run for run in shown(store, quads)}
    assert before.keys() == after.keys()
    for uri, run in before.items():
        assert outline(run) == outline(after[uri])


def outline(run: dict[str, Any]) -> list[object]:
    """What a run is made of, without the index."""
    return [
        run["uri"],
        run["type"],
        run["status"],
        run["answers"],
        [
            (step["uri"], step["kind"], step["parents"], [part["uri"] for part in step["parts"]])
            for step in run["steps"]
        ],
        [outline(called) for step in run["steps"] for called in step["called"]],
    ]


@FILES
def test_triple_terms_that_were_never_imported_are_shown_too(file: Path) -> None:
    quads = list(parse(path=file, format=RdfFormat.N_QUADS))
    with open_store("memory:") as raw, open_store("memory:") as imported:
        raw.insert(quads)
        load(imported, file)
        for uri in roots(quads):
            one, other = trace(raw, uri), trace(imported, uri)
            assert [node.uri for node in one.nodes] == [node.uri for node in other.nodes]
            assert to_json(one)


def test_texts_of_documents_are_what_the_run_says() -> None:
    (file,) = (file for file in REAL if file.stem == "agent_react")
    with open_store("memory:") as store:
        quads = load(store, file)
        documents = {narrow(q.object, NamedNode) for q in quads if q.predicate.value == TG_DOCUMENT}
        for document in documents:
            text = terms.text(f"text of {document.value}")
            graph = NamedNode(GRAPH_RETRIEVAL)
            store.insert([Quad(document, NamedNode(TG_CONTENT), text, graph)])
        run = trace(store, roots(quads)[0])
    assert run.answer == f"text of {run.uri}/answer"
    step = narrow(run.steps[0], Analysis)
    assert step.thought == f"text of {step.uri}/thought"
    assert step.observation == f"text of {step.uri}/observation"


def test_generation_without_types_is_a_graph_rag_run() -> None:
    (file,) = (file for file in REAL if file.stem == "legacy")
    with open_store("memory:") as store:
        (uri,) = (uri for uri in roots(load(store, file)) if ":session:" in uri)
        run = trace(store, uri)
    assert (run.type, run.status) == ("GraphRAG", "finished")
    assert [step.label for step in run.steps] == ["Exploration", "Focus", "Synthesis"]
    assert [part.label for part in run.steps[1].parts] == ["Edge selection"] * 2
    assert run.answer is not None
    assert run.answer.startswith("The barrier reopened late")


def test_runs_called_by_a_step_of_a_plan_stand_inside_it() -> None:
    (file,) = (file for file in REAL if file.stem == "agent_plan")
    with open_store("memory:") as store:
        (run,) = (one for one in (trace(store, u) for u in roots(load(store, file))) if one.called)
    called = {step.uri.rpartition("/")[2]: [one.type for one in step.called] for step in run.steps}
    assert called["0"] == called["1"] == ["GraphRAG"]
    assert called["plan"] == called["2"] == called["synthesis"] == []


@FILES
def test_an_indexed_run_takes_one_query_and_one_for_each_run_that_it_called(file: Path) -> None:
    with open_store("memory:") as store:
        quads = load(store, file)
        index(store)
        for uri in roots(quads):
            asked: Any = Counting(store)
            assert len(list(trace(asked, uri).runs())) == asked.count
