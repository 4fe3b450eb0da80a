"""Texts of documents that are given, before or after the runs that point at them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_cases import Shell
from pyoxigraph import Literal, NamedNode, Quad
from text_cases import AGENT, apart, said_of, say, stream
from trustgraph import provenance as tgb
from trustgraph_cases import DATA, agent, explained, graph_rag

from trustgraph_prov import rows, trace
from trustgraph_prov.deletion import delete_trace
from trustgraph_prov.errors import TraceNotFoundError
from trustgraph_prov.namespaces import (
    GRAPH_RETRIEVAL,
    RDFS,
    TG_CONTENT,
    TG_DOCUMENT,
    TGP_WAITING_CONTENT,
)
from trustgraph_prov.stores import Store
from trustgraph_prov.text_places import waiting
from trustgraph_prov.trustgraph import add_documents, ingest, read_documents

END = tgb.agent_final_uri("a1")


def texts_on(store: Store, place: str) -> set[str]:
    return {
        quad.object.value
        for quad in store.quads()
        if quad.subject == NamedNode(place)
        and quad.predicate.value == TG_CONTENT
        and isinstance(quad.object, Literal)
    }


def named(store: Store) -> set[str]:
    """What is said something of, but for the index of all runs."""
    names = {str(quad.subject) for quad in store.quads()}
    return {name for name in names if not name.startswith("<urn:trustgraph-prov:")}


def ends(*documents: Any) -> list[Any]:
    """The triples of a run whose answer is held by documents."""
    finals = [tgb.agent_final_triples(END, AGENT, document_id=one) for one in documents or (None,)]
    return explained(agent("a1"), *finals)


def ends_in(graph: str) -> list[Any]:
    """The same in another graph."""
    sent: list[Any] = json.loads(json.dumps(ends("urn:doc:7")).replace(GRAPH_RETRIEVAL, graph))
    return sent


def test_a_text_stays_on_a_node_whose_document_is_named_by_no_iri(store: Store) -> None:
    sent = json.loads(json.dumps(ends("urn:doc:7")).replace("urn:doc:7", "doc 7"))
    report = ingest([*sent, say("answer", "Paris", END)], store)
    assert report.texts == 1
    for _ in range(2):
        assert texts_on(store, END) == {"Paris"}
        assert trace(store, AGENT).answer == "Paris"
        before = set(store.quads())
        ingest([say("answer", "Paris", END)], store)
        assert set(store.quads()) == before


def test_a_document_is_named_as_triples_spell_its_iri(here: Store) -> None:
    assert add_documents(here, {"urn:doc:a b": "All.", "doc:a b": "?"}).misnamed == 1
    ingest(ends("urn:doc:a b"), here)
    assert texts_on(here, "urn:doc:a%20b") == {"All."}


def test_texts_of_a_run_in_a_graph_that_is_not_read_wait(here: Store) -> None:
    report = ingest(
        [*ends_in("urn:g"), say("answer", "All.", END)], here, documents={"urn:doc:7": "All."}
    )
    assert (report.texts, report.waiting, report.unclaimed) == (0, 1, 1)
    assert ingest(ends("urn:doc:7"), here).texts == 2


def test_an_import_of_quads_tells_what_texts_it_put_in_place(tg: Shell, tmp_path: Path) -> None:
    documents, quads = (DATA / f"docrag.{ending}" for ending in ("docs.json", "nq"))
    assert tg("import", "--documents", str(documents)).code == 0
    texts = len(read_documents(documents))
    assert tg("import", str(quads)).lines[0].endswith(f"indexed, {texts} texts put in place")


def test_two_names_of_one_document_give_it_both_texts(here: Store) -> None:
    ingest(ends("urn:doc:a b"), here, documents={"urn:doc:a b": "One.", "urn:doc:a%20b": "Two."})
    assert texts_on(here, "urn:doc:a%20b") == {"One.", "Two."}


def test_a_document_named_as_a_node_is_not_its_text(here: Store) -> None:
    ingest(ends(), here)
    report = add_documents(here, {END: "x"})
    assert (report.texts, report.unclaimed) == (0, 1)
    assert trace(here, AGENT).answer is None


def test_two_texts_of_one_node_are_both_kept_with_a_document_and_without(here: Store) -> None:
    said = [say("answer", "One.", END), say("observation", "Two.", END)]
    ingest([*ends(), *said], here)
    assert texts_on(here, END) == {"One.", "Two."}
    ingest(ends("urn:doc:7"), here)
    assert (texts_on(here, END), texts_on(here, "urn:doc:7")) == (set(), {"One.", "Two."})


@pytest.mark.parametrize("documents", [(), ("urn:doc:7",)])
def test_an_equal_text_of_one_node_is_one(documents: tuple[str, ...]) -> None:
    said = [say("answer", "All.", END), say("observation", "All.", END)]
    report = ingest([*ends(*documents), *said])
    assert (report.texts, report.waiting) == (1, 0)


@pytest.mark.parametrize("first", ["documents", "messages"])
def test_what_a_document_is_given_stands_for_what_was_said_of_a_known_node(
    here: Store, first: str
) -> None:
    ingest(ends("urn:doc:7"), here)
    said, given = [say("answer", "Al…", END)], {"urn:doc:7": "All."}
    ingest(said, here, documents=given)
    if first == "messages":
        add_documents(here, given)
    assert texts_on(here, "urn:doc:7") == {"All."}


def test_what_the_messages_say_is_not_taken_where_documents_are_given_otherwise(
    here: Store,
) -> None:
    sent = [*ends("urn:doc:a b"), say("answer", "Al…", END)]
    assert ingest(sent, here, given=["urn:doc:a b"]).texts == 0
    assert texts_on(here, "urn:doc:a%20b") == set()


def test_an_empty_text_of_a_document_does_not_stand_for_what_was_said(
    tg: Shell, tmp_path: Path
) -> None:
    documents = tmp_path / "texts.json"
    documents.write_text('{"urn:doc:7": ""}', encoding="utf-8")
    lines = "\n".join(map(json.dumps, [*ends("urn:doc:7"), say("answer", "All.", END)]))
    got = tg("import", "--from", "trustgraph", "-", "--documents", str(documents), stdin=lines)
    assert got.lines[0].endswith("1 text, 1 run indexed")
    assert "All." in tg("show", AGENT).out


@pytest.mark.parametrize("times", [1, 2])
def test_a_text_is_counted_once_whether_it_waited_or_not(here: Store, times: int) -> None:
    given = {"urn:doc:7": "All."}
    reports = [add_documents(here, given) for _ in range(times)]
    assert [(one.texts, one.unclaimed) for one in reports] == [(0, 1)] * times
    assert ingest(ends("urn:doc:7"), here, documents=given).texts == 1


def test_texts_of_documents_are_removed_with_the_run_that_never_came(store: Store) -> None:
    texts = read_documents(DATA / "agent_react.docs.json")
    runs = {"/".join(name.split("/")[:1]) for name in texts}
    add_documents(store, texts)
    for run in runs:
        delete_trace(store, run)
        with pytest.raises(TraceNotFoundError):
            delete_trace(store, run)
    assert not list(store.quads())


def test_texts_of_a_document_of_no_known_run_are_removed_by_its_iri(store: Store) -> None:
    add_documents(store, {"urn:doc:7": "All.", "urn:doc:8": "More."})
    assert delete_trace(store, "urn:doc:7").triples == 1
    assert {quad.subject for quad in store.quads()} == {NamedNode("urn:doc:8")}


def test_what_waits_at_a_node_is_removed_by_its_iri_and_leaves_the_run(store: Store) -> None:
    ingest(stream(named=True, streaming=False), store)
    last = tgb.agent_thought_uri("a1", 3)
    before = set(store.quads())
    assert delete_trace(store, last).triples == 2
    assert {str(quad.subject) for quad in before - set(store.quads())} == {f"<{last}>"}
    with pytest.raises(TraceNotFoundError):
        delete_trace(store, last)


def test_a_document_whose_text_waits_goes_with_the_run_that_points_at_it(store: Store) -> None:
    ingest(ends("urn:doc:7"), store)
    store.insert(waiting("urn:doc:7", "All.", TGP_WAITING_CONTENT))
    delete_trace(store, AGENT)
    assert not named(store)


def test_a_node_that_only_a_label_tells_of_is_not_there_yet(here: Store) -> None:
    label = {"s": {"i": END}, "p": {"i": f"{RDFS}label"}, "o": {"v": "The end"}}
    sent = {"message_type": "explain", "explain_id": END, "explain_triples": [label]}
    report = ingest([sent, say("answer", "All.", END)], here)
    assert (report.waiting, report.texts) == (1, 0)
    assert len(list(rows(here, "audit/waiting-texts"))) == 1
    assert ingest(ends("urn:doc:7"), here).texts == 1


def test_a_run_is_deleted_whole_after_its_texts_came_first(store: Store) -> None:
    texts, triples = apart(stream(named=True, streaming=False, own=False))
    ingest(texts, store)
    add_documents(store, {"urn:doc:a1:answer": "All of it."})
    ingest(triples, store)
    said_of(store)
    delete_trace(store, AGENT)
    assert not named(store)


def test_a_document_that_two_runs_share_keeps_its_text_for_the_other(here: Store) -> None:
    one, other = (graph_rag(name) for name in ("g1", "g2"))
    ingest(explained(*one, *other), here)
    answers = [quad for quad in here.quads() if quad.predicate.value == TG_DOCUMENT]
    shared = NamedNode("urn:doc:shared")
    here.insert(
        Quad(quad.subject, quad.predicate, shared, NamedNode(GRAPH_RETRIEVAL)) for quad in answers
    )
    assert len(answers) == 2
    add_documents(here, {"urn:doc:shared": "The reeds."})
    delete_trace(here, tgb.question_uri("g1"))
    assert texts_on(here, "urn:doc:shared") == {"The reeds."}
    delete_trace(here, tgb.question_uri("g2"))
    assert not named(here)


def test_files_and_documents_in_one_import_are_each_counted_once(tg: Shell, tmp_path: Path) -> None:
    names = ("agent_plan", "agent_react")
    texts = {
        name: text
        for file in names
        for name, text in read_documents(DATA / f"{file}.docs.json").items()
    }
    documents = tmp_path / "texts.json"
    documents.write_text(json.dumps(texts), encoding="utf-8")
    files = [str(DATA / f"{name}.jsonl") for name in names]
    got = tg("import", "--from", "trustgraph", *files, "--documents", str(documents))
    assert (got.code, got.err) == (0, "")
    told = [line.partition(": ")[2].split(", ") for line in got.lines]
    assert [line[-2] for line in told[:2]] == ["0 texts", "0 texts"]
    assert told[2] == [f"{len(texts)} texts"]
