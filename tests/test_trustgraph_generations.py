"""Every generation of TrustGraph's runs, in every form, is listed and shown alike."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, Quad, QuerySolutions, RdfFormat, parse
from rich.console import Console
from trustgraph_cases import DATA, FILES, edge, expected, graph_rag, take, told

from trustgraph_prov import (
    delete_trace,
    export_quads,
    import_quads,
    list_traces,
    open_store,
    render,
    resources,
    stored_query,
    terms,
    trace,
    validate,
)
from trustgraph_prov.explain.earlier import SUCCESSORS, with_types_of_today
from trustgraph_prov.explain.graph import by_node
from trustgraph_prov.explain.model import plain
from trustgraph_prov.explain.typed import DECIMALS, INTEGERS, TIMES
from trustgraph_prov.namespaces import (
    GRAPH_RETRIEVAL,
    PROV_STARTED_AT_TIME,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_STATEMENT,
    RDF_TYPE,
    TG_ANSWER_TYPE,
    TG_CONTENT,
    TG_QUERY,
    TG_REASONING,
    TG_SCORE,
    TG_SELECTED_EDGE,
    XSD_STRING,
)
from trustgraph_prov.stores import Store
from trustgraph_prov.trustgraph import add_documents, import_messages, read_documents
from trustgraph_prov.vocabulary import vocabulary

ROOTS = json.loads((DATA / "roots.json").read_text(encoding="utf-8"))
EACH_FILE = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
UPGRADE = "update/upgrade-legacy"


def documents(file: Path) -> dict[str, str]:
    return read_documents(file.with_name(f"{file.stem}.docs.json"))


def as_messages(store: Store, file: Path) -> None:
    import_messages(store, file, documents=documents(file))


def as_quads(store: Store, file: Path) -> None:
    import_quads(store, file.with_suffix(".nq"))
    add_documents(store, documents(file))


def upgraded(store: Store, file: Path) -> None:
    as_quads(store, file)
    store.update(stored_query(UPGRADE).bind())


FORMS: dict[str, Callable[[Store, Path], None]] = {
    "messages": as_messages,
    "quads": as_quads,
    "upgraded": upgraded,
}


def views(store: Store) -> tuple[list[Any], list[dict[str, Any]], list[str]]:
    """The list, and the JSON, the text and the drawings of each run."""
    runs = list_traces(store, called=True, limit=1000).traces
    shown = [trace(store, run.uri) for run in runs]
    return runs, [render.to_dict(run) for run in shown], [drawn(run) for run in shown]


def drawn(run: Any) -> str:
    console = Console(file=io.StringIO(), width=120)
    render.text(run, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue() + render.html(run) + render.mermaid(run) + render.dot(run)


@EACH_FILE
def test_all_three_forms_give_the_same_list_and_show(file: Path) -> None:
    found = []
    for put in FORMS.values():
        with open_store("memory:") as store:
            put(store, file)
            found.append(views(store))
    messages, quads, after = found
    assert {run.uri for run in messages[0]} >= set(ROOTS[file.stem])
    assert messages == quads == after


@EACH_FILE
def test_an_upgrade_changes_nothing_that_is_listed_or_shown(file: Path, store: Store) -> None:
    as_messages(store, file)
    before = views(store)
    for _ in range(2):
        store.update(stored_query(UPGRADE).bind())
        assert views(store) == before


@EACH_FILE
@pytest.mark.parametrize("form", FORMS)
def test_no_triple_and_no_text_is_missing_from_show(file: Path, form: str) -> None:
    content = NamedNode(TG_CONTENT)
    texts = [
        Quad(NamedNode(node), content, Literal(text)) for node, text in documents(file).items()
    ]
    quads = list(parse(path=file.with_suffix(".nq"), format=RdfFormat.N_QUADS))
    with open_store("memory:") as store:
        FORMS[form](store, file)
        found = told(store, *ROOTS[file.stem])
    assert {expected(quad) for quad in (*quads, *texts)} - found == set()


@pytest.mark.parametrize("indexed", [True, False])
def test_the_first_sessions_are_graph_rag_runs_before_and_after(indexed: bool) -> None:
    file = DATA / "legacy.jsonl"
    (session,) = (uri for uri in ROOTS["legacy"] if ":session:" in uri)
    with open_store("memory:") as store:
        if indexed:
            as_messages(store, file)
        else:
            store.insert(parse(path=file.with_suffix(".nq"), format=RdfFormat.N_QUADS))
        for _ in range(2):
            run = trace(store, session)
            assert (run.type, [node.label for node in run.steps]) == (
                "GraphRAG",
                ["Exploration", "Focus", "Synthesis"],
            )
            store.update(stored_query(UPGRADE).bind())
        assert "https://trustgraph.ai/ns/GraphRagQuestion" in trace(store, session).question.types


def test_an_upgrade_adds_the_types_of_today_and_erases_none(store: Store) -> None:
    for file in FILES:
        as_quads(store, file)
    before = types(store)
    store.update(stored_query(UPGRADE).bind())
    after = types(store)
    for node, recorded in before.items():
        assert recorded <= after[node]
        for old in recorded & SUCCESSORS.keys():
            assert after[node] >= {*SUCCESSORS[old]}
    for quad in store.quads(GRAPH_RETRIEVAL):
        value = quad.object
        if quad.predicate.value in TIMES | INTEGERS | DECIMALS:
            assert isinstance(value, Literal)
            assert value.datatype.value != XSD_STRING, quad


def types(store: Store) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for quad in store.quads(GRAPH_RETRIEVAL):
        if quad.predicate.value == RDF_TYPE and isinstance(quad.subject, NamedNode):
            assert isinstance(quad.object, NamedNode)
            found[quad.subject.value].add(quad.object.value)
    return found


EARLIER = {
    "urn:trustgraph:session:7": ((TG_QUERY, terms.text("Why?")),),
    "urn:trustgraph:session:8": ((PROV_WAS_DERIVED_FROM, NamedNode("urn:trustgraph:session:7")),),
    "urn:trustgraph:prov:retrieval:7": (
        (PROV_WAS_GENERATED_BY, NamedNode("urn:trustgraph:session:7")),
    ),
    "urn:trustgraph:prov:selection:7": (
        (PROV_WAS_DERIVED_FROM, NamedNode("urn:trustgraph:prov:retrieval:7")),
        (TG_SELECTED_EDGE, NamedNode("urn:trustgraph:prov:edge:7:0")),
        (TG_SELECTED_EDGE, NamedNode("urn:a:statement")),
        (TG_SELECTED_EDGE, NamedNode("urn:nothing:known:of:it")),
    ),
    "urn:trustgraph:prov:edge:7:0": ((TG_REASONING, terms.text("It says so")),),
    "urn:a:statement": ((RDF_TYPE, NamedNode(RDF_STATEMENT)),),
    "urn:trustgraph:prov:answer:7": (
        (PROV_WAS_DERIVED_FROM, NamedNode("urn:trustgraph:prov:selection:7")),
    ),
    **{f"urn:of:{old}": ((RDF_TYPE, NamedNode(old)),) for old in SUCCESSORS},
}


def test_the_upgrade_and_the_reader_give_the_same_types(store: Store) -> None:
    nodes = by_node((uri, *said) for uri, saying in EARLIER.items() for said in saying)
    read = with_types_of_today(nodes)
    graph = NamedNode(GRAPH_RETRIEVAL)
    store.insert(
        Quad(NamedNode(uri), NamedNode(property), value, graph)
        for uri, saying in EARLIER.items()
        for property, value in saying
    )
    store.update(stored_query(UPGRADE).bind())
    expected = {uri: {plain(one) for one in said.get(RDF_TYPE, ())} for uri, said in read.items()}
    assert types(store) == {uri: of_it for uri, of_it in expected.items() if of_it}


def test_every_deprecated_class_has_its_successor_among_the_types_of_today() -> None:
    replaced = {
        triple.subject.value: triple.object.value
        for triple in parse(path=resources.folder("ontology") / "trustgraph.ttl")
        if triple.predicate.value == "http://purl.org/dc/terms/isReplacedBy"
    }
    assert replaced.keys() == SUCCESSORS.keys()
    for old, new in replaced.items():
        assert {new, *vocabulary().superclasses(new)} - {TG_ANSWER_TYPE} <= {*SUCCESSORS[old]}


def test_an_upgrade_leaves_alone_what_is_no_date_or_number(store: Store) -> None:
    node, graph = NamedNode("urn:trustgraph:agent:1"), NamedNode(GRAPH_RETRIEVAL)
    junk = {
        TG_QUERY: "42",
        PROV_STARTED_AT_TIME: "yesterday",
        TG_SCORE: "high",
        "https://trustgraph.ai/ns/stepNumber": "007",
        "https://trustgraph.ai/ns/inToken": "1,893",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#object": "2026-03-02T08:15:00Z",
        "https://trustgraph.ai/ns/planStep": "3",
    }
    quads = {Quad(node, NamedNode(p), terms.text(value), graph) for p, value in junk.items()}
    elsewhere = Quad(node, NamedNode(TG_SCORE), terms.text("0.5"), NamedNode("urn:graph:other"))
    store.insert([*quads, elsewhere])
    store.update(stored_query(UPGRADE).bind())
    assert set(store.quads()) == {*quads, elsewhere}


NUMBERS = [
    (PROV_STARTED_AT_TIME, "2026-03-02 08:15:00", "2026-03-02T08:15:00Z"),
    (PROV_STARTED_AT_TIME, "2026-03-02T10:15:00.500+02:00", "2026-03-02T08:15:00.5Z"),
    (TG_SCORE, "0.90", "0.9"),
    (TG_SCORE, "-3", "-3"),
    (TG_SCORE, "1e-05", "0.00001"),
    ("https://trustgraph.ai/ns/edgeCount", "0", "0"),
]


@pytest.mark.parametrize(("property", "given", "read"), NUMBERS)
def test_dates_and_numbers_are_read_as_such_before_and_after(
    property: str, given: str, read: str, store: Store
) -> None:
    node, graph = NamedNode("urn:trustgraph:question:1"), NamedNode(GRAPH_RETRIEVAL)
    store.insert(
        [
            Quad(node, NamedNode(TG_QUERY), terms.text("Why?"), graph),
            Quad(node, NamedNode(property), terms.text(given), graph),
        ]
    )
    before = render.to_dict(trace(store, node.value))
    (value,) = before["question"]["properties"][property]
    assert (value["value"], "datatype" in value) == (read, True)
    store.update(stored_query(UPGRADE).bind())
    assert render.to_dict(trace(store, node.value)) == before


def test_scores_are_drawn_alike_before_and_after(store: Store) -> None:
    edges = [
        {"edge": edge("urn:s", "urn:p", f"urn:o:{score}"), "score": score}
        for score in ("1e-05", "0.90", "1", "high")
    ]
    take(store, *graph_rag("g1", edges))
    before = views(store)
    store.update(stored_query(UPGRADE).bind())
    assert views(store) == before
    for score in ("0.00001", "0.9", "1", "high"):
        assert f"score {score}" in before[2][0]


def test_import_keeps_literals_as_they_came() -> None:
    with open_store("memory:") as store:
        for file in FILES:
            as_messages(store, file)
        kept = {quad.object for quad in store.quads() if quad.predicate.value in INTEGERS}
        starts = {q.object for q in store.quads() if q.predicate.value == PROV_STARTED_AT_TIME}
    assert kept
    assert starts
    for literal in kept | starts:
        assert isinstance(literal, Literal)
        assert literal.datatype.value == XSD_STRING


def test_the_upgrade_and_the_reader_name_the_same_properties() -> None:
    text = stored_query(UPGRADE).text
    for property in TIMES | INTEGERS | DECIMALS:
        name = property.rpartition("#")[2].rpartition("/")[2]
        assert f"prov:{name}" in text or f"tg:{name}" in text, name


@EACH_FILE
@pytest.mark.parametrize("form", ["messages", "upgraded"])
def test_imported_runs_are_valid_found_exported_and_deleted_with_their_texts(
    file: Path, form: str
) -> None:
    (root, *others) = ROOTS[file.stem]
    with open_store("memory:") as store, open_store("memory:") as other:
        FORMS[form](store, file)
        assert validate(store).conforms
        run = trace(store, root)
        assert run.answer
        found = list_traces(store, text=run.answer[:40].upper()).traces
        assert root in [one.uri for one in found]
        out = io.BytesIO()
        export_quads(store, out, trace=root)
        out.seek(0)
        import_quads(other, out, format="nquads")
        assert render.to_dict(trace(other, root)) == render.to_dict(run)
        for uri in (root, *others):
            delete_trace(store, uri, called=True)
        left = {quad.predicate.value for quad in store.quads()}
    assert not [property for property in left if property.startswith("https://trustgraph.ai/")]


QUESTIONS = (
    *("audit/failed-steps", "audit/orphans", "audit/unfinished", "audit/unindexed"),
    *("audit/unlinked-answers", "usage/durations", "usage/per-day", "usage/runs"),
    *("usage/tokens", "usage/tools"),
)


@EACH_FILE
def test_usage_and_audit_answer_alike_in_every_form(file: Path) -> None:
    found = []
    for put in FORMS.values():
        with open_store("memory:") as store:
            put(store, file)
            found.append({name: answered(store, name) for name in QUESTIONS})
    messages, quads, after = found
    assert messages == quads == after


def test_runs_of_earlier_releases_are_counted_as_those_of_today(store: Store) -> None:
    as_quads(store, DATA / "legacy.jsonl")
    before = answered(store, "usage/runs")
    assert sorted(row[0].rpartition("/")[2] for row in before) == [
        "AgentQuestion",
        "DocRagQuestion",
        "GraphRagQuestion",
    ]
    assert sum(int(row[1]) for row in before) == len(ROOTS["legacy"])
    store.update(stored_query(UPGRADE).bind())
    assert answered(store, "usage/runs") == before


def answered(store: Store, name: str) -> list[list[str]]:
    found = store.query(stored_query(name).bind())
    assert isinstance(found, QuerySolutions)
    return [["" if cell is None else cell.value for cell in row] for row in found]
