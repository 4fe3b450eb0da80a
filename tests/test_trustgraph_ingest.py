"""Messages of TrustGraph's services become runs: every spelling of a term, in any order."""

from __future__ import annotations

import gzip
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from narrowing import value
from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, Triple
from trustgraph import provenance as tg
from trustgraph_cases import DATA, FILES, edge, explained, graph_rag, text

from trustgraph_prov import export_quads, import_quads, list_traces, open_store, trace
from trustgraph_prov.namespaces import (
    GRAPH_RETRIEVAL,
    PROV_WAS_DERIVED_FROM,
    RDF_REIFIES,
    RDF_TYPE,
    RDFS_LABEL,
    TG_ACTION,
    TG_ANALYSIS,
    TG_ANSWER,
    TG_EDGE,
    TG_OBSERVATION,
    TG_PAGE_NUMBER,
    TG_PAGE_TYPE,
    TG_QUERY,
    TG_REASONING,
    TG_SELECTED_CHUNK,
    TG_SELECTED_EDGE,
    TG_THOUGHT,
    TG_TOOL_ERROR,
    TGP_USER,
)
from trustgraph_prov.statement import statement_iri
from trustgraph_prov.stores import Store
from trustgraph_prov.trustgraph import import_messages, ingest, read_messages

XSD = "http://www.w3.org/2001/XMLSchema#"
LONG = {"t": "type", "i": "iri", "v": "value", "dt": "datatype", "ln": "language", "tr": "triple"}
KINDS = {"i": "iri", "l": "literal", "t": "triple", "b": "blank"}
EDGES = [
    edge("urn:s", "urn:p", one)
    for one in (
        text("42.50", XSD + "decimal"),
        text("2026-03-02T08:15:00.000Z", XSD + "dateTime"),
        text("1", XSD + "boolean"),
        text("Foss", language="nb-NO"),
        text("42"),
        text("", XSD + "string"),
    )
]
RUN = explained(*graph_rag("g1", [{"edge": one, "reasoning": "so"} for one in EDGES]))
QUESTION = tg.question_uri("g1")


def spelled(value: Any, words: bool, letters: dict[str, str]) -> Any:
    """A message with the keys of its terms written in another way."""
    if isinstance(value, list):
        return [spelled(inner, words, letters) for inner in value]
    if not isinstance(value, dict):
        return value
    if "t" not in value:
        return {key: spelled(inner, words, letters) for key, inner in value.items()}
    kind = KINDS[value["t"]] if words else value["t"]
    found = {letters.get(key, key): spelled(inner, words, letters) for key, inner in value.items()}
    return found | {letters.get("t", "t"): kind}


@pytest.mark.parametrize(
    ("words", "letters"),
    [(False, {"dt": "d", "ln": "l"}), (True, LONG), (False, LONG)],
    ids=["the seeds' letters", "long keys", "long keys, short types"],
)
def test_every_spelling_of_a_term_says_the_same(words: bool, letters: dict[str, str]) -> None:
    assert set(ingest(spelled(RUN, words, letters)).quads) == set(ingest(RUN).quads)


def test_the_oldest_form_tells_names_from_texts_by_a_flag() -> None:
    triple = {
        "s": {"v": "urn:run", "e": True},
        "p": {"v": TG_QUERY, "e": True},
        "o": {"v": "urn:why", "e": False},
    }
    (quad,) = ingest([{"explain_id": "urn:run", "explain_triples": [triple]}]).quads
    assert quad.object == Literal("urn:why")


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("urn:chunk:1", NamedNode("urn:chunk:1")),
        ({"t": "i", "i": "chunk 7"}, Literal("chunk 7")),
        ({"t": "i", "i": "https://e.org/a b"}, NamedNode("https://e.org/a%20b")),
        ({"t": "l", "v": 7}, Literal("7")),
        ({"t": "l", "v": True}, Literal("true")),
        ({"t": "l"}, Literal("")),
        (7, Literal(7)),
        ({"iri": "urn:a"}, NamedNode("urn:a")),
        ({"value": "a"}, Literal("a")),
    ],
    ids=str,
)
def test_a_term_is_read_for_what_it_is(given: Any, read: Any) -> None:
    triple = {"s": "urn:run", "p": TG_SELECTED_CHUNK, "o": given}
    (quad,) = ingest([{"explain_triples": [triple]}]).quads
    assert quad == Quad(
        NamedNode("urn:run"), NamedNode(TG_SELECTED_CHUNK), read, NamedNode(GRAPH_RETRIEVAL)
    )


def blank(label: str) -> dict[str, str]:
    return {"t": "b", "d": label}


def about(run: str, subject: Any, property: str, object: Any) -> dict[str, Any]:
    triple = {"s": subject, "p": {"t": "i", "i": property}, "o": object}
    return {"message_type": "explain", "explain_id": run, "explain_triples": [triple]}


def test_a_blank_node_has_one_name_in_its_run_whatever_message_it_is_in(here: Store) -> None:
    messages = [
        about(tg.exploration_uri("g1"), blank("b0"), "urn:p", {"t": "l", "v": "x"}),
        about(tg.focus_uri("g1"), {"t": "i", "i": "urn:s"}, "urn:p", blank("b0")),
        about(tg.focus_uri("g2"), {"t": "i", "i": "urn:s"}, "urn:q", blank("b0")),
    ]
    ingest(messages, here)
    before = set(here.quads())
    ingest(messages[::-1], here)
    assert set(here.quads()) == before
    (first,) = {quad.subject for quad in before if quad.subject != NamedNode("urn:s")}
    objects = {quad.predicate.value: quad.object for quad in before if quad.subject != first}
    assert objects["urn:p"] == first
    assert objects["urn:q"] != first
    assert str(first).startswith("<urn:trustgraph-prov:genid:")


QUOTED = {"s": {"t": "i", "i": "urn:s"}, "p": {"t": "i", "i": "urn:p"}, "o": {"t": "l", "v": "o"}}
STATEMENT = statement_iri(NamedNode("urn:s"), NamedNode("urn:p"), Literal("o"))


@pytest.mark.parametrize(
    "messages",
    [
        [about("urn:e", {"t": "i", "i": "urn:e"}, TG_EDGE, {"t": "t", "tr": QUOTED})],
        [about("urn:e", {"t": "t", "tr": QUOTED}, TG_REASONING, {"t": "l", "v": "so"})],
        [
            about("urn:e", {"t": "i", "i": "urn:e"}, TG_EDGE, blank("r")),
            about("urn:e", blank("r"), RDF_REIFIES, {"t": "t", "tr": QUOTED}),
        ],
    ],
    ids=["triple term", "RDF-star subject", "reifier"],
)
def test_an_edge_in_any_form_is_its_statement_node(messages: list[Any]) -> None:
    report = ingest(messages)
    assert {STATEMENT} == {
        term
        for quad in report.quads
        for term in (quad.subject, quad.object)
        if isinstance(term, NamedNode) and ":statement:" in term.value
    }
    assert not [quad for quad in report.quads if isinstance(quad.object, Triple)]


def test_an_edge_about_an_edge_is_named_by_the_inner_one(here: Store) -> None:
    outer = {
        "s": {"t": "t", "tr": QUOTED},
        "p": {"t": "i", "i": "urn:q"},
        "o": {"t": "i", "i": "urn:o"},
    }
    ingest([about("urn:e", {"t": "i", "i": "urn:e"}, TG_EDGE, {"t": "t", "tr": outer})], here)
    subjects = {q.object for q in here.quads() if q.predicate.value.endswith("#subject")}
    assert subjects == {NamedNode("urn:s"), STATEMENT}


def test_triple_terms_round_trip_to_the_same_names(here: Store) -> None:
    ingest(RUN, here)
    out = io.BytesIO()
    export_quads(here, out, format="nquads", triple_terms=True)
    out.seek(0)
    with open_store("memory:") as other:
        import_quads(other, out, format="nquads")
        assert set(other.quads()) == set(here.quads())
    assert len({q.subject for q in here.quads() if ":statement:" in str(q.subject)}) == len(EDGES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_order_does_not_matter(file: Path, here: Store) -> None:
    messages = list(read_messages(file))
    ingest(messages, here)
    with open_store("memory:") as other:
        random.Random(7).shuffle(messages)
        for message in messages:
            ingest([message], other)
        assert set(other.quads()) == set(here.quads())


def test_a_blank_node_of_a_message_without_an_id_is_of_the_run_that_it_is_about() -> None:
    runs = [tg.question_uri("g1"), tg.question_uri("g2")]
    parts = [about(run, {"t": "i", "i": run}, "urn:p", blank("b0")) for run in runs]
    named = ingest(parts)
    nameless = ingest([{**one, "explain_id": None} for one in parts])
    assert nameless.quads == named.quads
    assert named.written == 0
    assert len({quad.object for quad in named.quads}) == 2


def test_runs_that_are_sent_interleaved_are_those_sent_one_after_the_other(here: Store) -> None:
    first, second = explained(*graph_rag("g1")), explained(*graph_rag("g2"))
    ingest([*first, *second], here)
    with open_store("memory:") as other:
        ingest([one for pair in zip(first, second, strict=True) for one in pair], other)
        assert set(other.quads()) == set(here.quads())


def test_a_term_of_a_megabyte_is_kept_whole(here: Store) -> None:
    long = "x" * 2**20
    node = {"t": "i", "i": f"urn:{long}"}
    ingest([*RUN, about(QUESTION, node, TG_REASONING, {"t": "l", "v": long})], here)
    assert {len(value(q.object)) for q in here.quads() if q.subject == NamedNode(node["i"])} == {
        2**20
    }


def test_a_file_may_be_packed_an_array_or_hold_blank_lines(here: Store, tmp_path: Path) -> None:
    lines = (DATA / "graphrag.jsonl").read_bytes().splitlines(keepends=True)
    forms = {
        "lines": b"\n".join(lines),
        "array": b" [" + b",".join(lines) + b"]",
        "packed": gzip.compress(b"".join(lines)),
        "from Windows": b"\xef\xbb\xbf" + b"".join(lines).replace(b"\n", b"\r\n"),
        "array from Windows": b"\xef\xbb\xbf\r\n[" + b",\r\n".join(lines) + b"]",
        "twice": b"".join([*lines, *lines[::-1]]),
    }
    found = []
    for name, content in forms.items():
        (tmp_path / name).write_bytes(content)
        with open_store("memory:") as store:
            report = import_messages(store, tmp_path / name)
            assert report.messages == len(lines) * (2 if name == "twice" else 1)
            assert report.index is not None
            found.append(set(store.quads()))
    assert all(one == found[0] for one in found)
    assert import_messages(here, io.BytesIO(forms["array"])).explained == len(lines)


def test_what_services_send_to_be_stored_says_whose_it_is(here: Store) -> None:
    triples = RUN[0]["explain_triples"]
    metadata = {"id": QUESTION, "user": "ann", "collection": "papers"}
    ingest([{"metadata": metadata, "triples": triples}], here, user="bob")
    ingest(RUN, here, user="bob", collection="others")
    (run,) = list_traces(here).traces
    assert (run.user, run.collection) == ("ann", "papers")
    ingest([{"metadata": {**metadata, "user": "eve"}, "triples": triples}], here)
    assert trace(here, QUESTION).question.user == "ann"


def test_runs_that_name_nobody_are_the_callers(here: Store) -> None:
    ingest(RUN, here, user="bob", collection="others")
    (run,) = list_traces(here, user="bob", collection="others").traces
    assert run.uri == QUESTION


def test_answers_to_triple_queries_and_bare_triples_are_read(here: Store) -> None:
    triples = [one for message in RUN for one in message["explain_triples"]]
    answers = [{"id": "1", "response": {"response": triples[:4]}, "complete": True}]
    answers += [{"response": triples[4:8]}, *triples[8:]]
    ingest(answers, here)
    assert set(here.quads()) >= set(ingest(RUN).quads)


def test_triples_that_name_no_graph_go_where_they_belong() -> None:
    triple = {"s": "urn:s", "p": "urn:p", "o": {"t": "l", "v": "o"}}
    explain = {"message_type": "explain", "explain_id": "urn:s", "explain_triples": [triple]}
    graphs = [
        str(quad.graph_name)
        for graph in (None, "urn:g")
        for message in (explain, {"triples": [triple]}, {**explain, "explain_graph": "urn:h"})
        for quad in ingest([message], graph=graph).quads
    ]
    retrieval = f"<{GRAPH_RETRIEVAL}>"
    assert graphs == [retrieval, "DEFAULT", "<urn:h>", "<urn:g>", "<urn:g>", "<urn:h>"]


def test_triples_that_tell_of_a_run_go_to_the_retrieval_graph() -> None:
    """A client without graphs, such as that of the first agents, sends them for storage."""
    asked = {"s": "urn:mine", "p": TG_QUERY, "o": "Why?"}
    step = {"s": "urn:trustgraph:agent:7/i1", "p": "urn:p", "o": "o"}
    typed = {"s": "urn:mine/1", "p": RDF_TYPE, "o": TG_ANALYSIS}
    page = {"s": "urn:page:1", "p": RDF_TYPE, "o": TG_PAGE_TYPE}
    messages = ({"triples": [one, page]} for one in (asked, step, typed))
    assert {str(quad.graph_name) for quad in ingest(messages).quads} == {f"<{GRAPH_RETRIEVAL}>"}
    kept = [{"triples": [{**asked, "g": ""}]}, {"triples": [page]}, page]
    assert {quad.graph_name for quad in ingest(kept).quads} == {DefaultGraph()}


@pytest.mark.parametrize(
    "property",
    [TG_THOUGHT, TG_ACTION, TG_OBSERVATION, TG_ANSWER, TG_SELECTED_EDGE, TG_TOOL_ERROR, TGP_USER],
)
def test_a_step_that_comes_alone_is_known_by_the_properties_that_runs_alone_have(
    property: str,
) -> None:
    step = [
        {"s": "urn:my:s", "p": PROV_WAS_DERIVED_FROM, "o": "urn:my:q"},
        {"s": "urn:my:s", "p": property, "o": "x"},
    ]
    page = [step[0], {"s": "urn:my:s", "p": TG_PAGE_NUMBER, "o": "7"}]
    label = [step[0], {"s": "urn:my:s", "p": RDFS_LABEL, "o": "x"}]
    graphs = [
        {str(quad.graph_name) for quad in ingest([{"triples": triples}]).quads}
        for triples in (step, page, label)
    ]
    assert graphs == [{f"<{GRAPH_RETRIEVAL}>"}, {"DEFAULT"}, {"DEFAULT"}]


def test_messages_that_only_name_a_node_are_counted() -> None:
    bare = {"message_type": "explain", "explain_id": QUESTION, "explain_graph": GRAPH_RETRIEVAL}
    report = ingest([bare, *RUN])
    assert (report.messages, report.explained, report.bare) == (len(RUN) + 1, len(RUN), 1)


def test_the_examples_of_the_module_speak_of_messages() -> None:
    assert json.loads(json.dumps(RUN)) == RUN
