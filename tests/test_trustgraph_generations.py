"""Every generation of TrustGraph's runs, in every form, is listed and shown alike."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from generation_cases import (
    EACH_FILE,
    FORMS,
    ROOTS,
    UPGRADE,
    as_messages,
    as_quads,
    documents,
    views,
)
from narrowing import rows
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse
from trustgraph_cases import DATA, FILES, expected, told

from trustgraph_prov import (
    delete_trace,
    export_quads,
    import_quads,
    list_traces,
    open_store,
    render,
    stored_query,
    trace,
    validate,
)
from trustgraph_prov.explain.typed import INTEGERS
from trustgraph_prov.namespaces import (
    PROV_STARTED_AT_TIME,
    TG_CONTENT,
    XSD_STRING,
)
from trustgraph_prov.stores import Store


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
    found = rows(store.query(stored_query(name).bind()))
    return [["" if cell is None else cell.value for cell in row] for row in found]
