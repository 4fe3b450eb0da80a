"""Files become quads that every store can hold, and nothing of them is lost."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any, cast

import pyoxigraph as ox
import pytest
from exchange_cases import PARTS, RDF, REAL, XSD, imported, quads, report, rows
from hypothesis import given
from hypothesis import strategies as st
from narrowing import value

from trustgraph_prov import GRAPH_RETRIEVAL, Store, import_quads, list_traces, load_ontology
from trustgraph_prov.statement import statement_iri

EDGE = "https://trustgraph.ai/ns/edge"
S, P, O = ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.NamedNode("urn:o")  # noqa: E741 - as in RDF
STATEMENT = statement_iri(S, P, O)


def statement_rows(node: ox.NamedNode, *terms: ox.NamedNode | ox.Literal) -> set[ox.Quad]:
    names = ("subject", "predicate", "object")
    made = {
        ox.Quad(node, ox.NamedNode(RDF + name), term)
        for name, term in zip(names, terms, strict=True)
    }
    return made | {ox.Quad(node, ox.NamedNode(RDF + "type"), ox.NamedNode(RDF + "Statement"))}


@pytest.mark.parametrize("file", REAL, ids=lambda file: file.stem)
def test_every_triple_of_real_data_is_accounted_for(file: Path, store: Store) -> None:
    got = import_quads(store, file)
    source = list(ox.parse(path=str(file)))
    assert got.quads == len(source)
    held = quads(store)
    for quad in source:
        if isinstance(quad.object, ox.Triple):
            triple = quad.object
            assert isinstance(triple.subject, ox.NamedNode)
            assert isinstance(triple.object, (ox.NamedNode, ox.Literal))
            node = statement_iri(triple.subject, triple.predicate, triple.object)
            assert ox.Quad(quad.subject, quad.predicate, node, quad.graph_name) in held
            for row in statement_rows(node, triple.subject, triple.predicate, triple.object):
                one = row.triple
                assert ox.Quad(one.subject, one.predicate, one.object, quad.graph_name) in held
        else:
            assert quad in held
    added = held - set(source)
    ours = "https://w3id.org/trustgraph-prov/"
    for quad in added:
        known = quad.predicate.value in PARTS or quad.predicate.value.startswith(ours)
        assert known or quad.predicate.value in (EDGE, "http://www.w3.org/ns/prov#wasInformedBy")


@pytest.mark.parametrize("file", REAL, ids=lambda file: file.stem)
def test_real_runs_are_listed_after_their_import(file: Path, store: Store) -> None:
    import_quads(store, file, user="ann", collection="papers")
    found = list_traces(store, user="ann", collection="papers", called=True).traces
    asked = {
        quad.subject.value
        for quad in ox.parse(path=str(file))
        if quad.predicate.value == "https://trustgraph.ai/ns/query"
        and isinstance(quad.subject, ox.NamedNode)
    }
    assert {run.uri for run in found} == asked


@pytest.mark.parametrize("file", REAL, ids=lambda file: file.stem)
def test_importing_twice_changes_nothing(file: Path, store: Store) -> None:
    import_quads(store, file)
    once = quads(store)
    import_quads(store, file)
    assert quads(store) == once


def test_a_triple_term_becomes_its_statement_node_in_the_same_graph() -> None:
    store = imported(f"<urn:e> <{EDGE}> <<( <urn:s> <urn:p> <urn:o> )>> <urn:g> .", "nquads")
    g = ox.NamedNode("urn:g")
    assert {quad.graph_name for quad in quads(store)} == {g}
    assert {ox.Quad(*quad.triple) for quad in quads(store)} == statement_rows(
        STATEMENT, S, P, O
    ) | {ox.Quad(ox.NamedNode("urn:e"), ox.NamedNode(EDGE), STATEMENT)}


@pytest.mark.parametrize(
    "turtle",
    [
        "<urn:e> <urn:q> <<( <urn:s> <urn:p> <urn:o> )>> .",
        "<urn:e> <urn:q> << <urn:s> <urn:p> <urn:o> >> .",
        f"_:r <{RDF}reifies> <<( <urn:s> <urn:p> <urn:o> )>> . <urn:e> <urn:q> _:r .",
        f"<urn:e> <urn:q> [ <{RDF}reifies> <<( <urn:s> <urn:p> <urn:o> )>> ] .",
    ],
    ids=["triple term", "RDF-star", "reifier before use", "anonymous reifier"],
)
def test_each_spelling_of_an_edge_is_the_same_node(turtle: str) -> None:
    assert quads(imported(turtle)) == statement_rows(STATEMENT, S, P, O) | {
        ox.Quad(ox.NamedNode("urn:e"), ox.NamedNode("urn:q"), STATEMENT)
    }


def test_annotations_stay_on_the_statement() -> None:
    store = imported("<urn:s> <urn:p> <urn:o> {| <urn:by> <urn:me> |} .")
    assert quads(store) == statement_rows(STATEMENT, S, P, O) | {
        ox.Quad(S, P, O),
        ox.Quad(STATEMENT, ox.NamedNode("urn:by"), ox.NamedNode("urn:me")),
    }


def test_a_named_reifier_keeps_its_name() -> None:
    store = imported(f"<urn:r> <{RDF}reifies> <<( <urn:s> <urn:p> <urn:o> )>> .")
    assert quads(store) == statement_rows(ox.NamedNode("urn:r"), S, P, O)


def test_a_reifier_of_two_edges_points_to_both() -> None:
    store = imported(
        f"<urn:r> <{RDF}reifies> <<( <urn:s> <urn:p> 1 )>>, <<( <urn:s> <urn:p> 2 )>> ."
    )
    nodes = {
        statement_iri(S, P, ox.Literal(form, datatype=ox.NamedNode(XSD + "integer")))
        for form in ("1", "2")
    }
    reifies = ox.NamedNode(RDF + "reifies")
    assert {ox.Quad(ox.NamedNode("urn:r"), reifies, node) for node in nodes} <= quads(store)
    assert len(quads(store)) == 2 + 2 * 4


def test_a_reifier_of_one_edge_in_two_spellings_is_one_statement() -> None:
    store = imported(
        f"_:r <{RDF}reifies> <<( <urn:s> <urn:p> 42.5 )>>, <<( <urn:s> <urn:p> 42.50 )>> ."
    )
    assert len({quad.subject for quad in quads(store)}) == 1


def test_edges_about_edges_are_named_from_the_inside() -> None:
    store = imported("<urn:e> <urn:q> << << <urn:s> <urn:p> <urn:o> >> <urn:p> 1 >> .")
    outer = statement_iri(STATEMENT, P, ox.Literal("1", datatype=ox.NamedNode(XSD + "integer")))
    assert ox.Quad(ox.NamedNode("urn:e"), ox.NamedNode("urn:q"), outer) in quads(store)
    assert statement_rows(STATEMENT, S, P, O) <= quads(store)
    nested = imported("<urn:e> <urn:q> <<( <urn:s> <urn:p> <<( <urn:s> <urn:p> <urn:o> )>> )>> .")
    whole = statement_iri(S, P, STATEMENT)
    assert statement_rows(whole, S, P, STATEMENT) <= quads(nested)


def test_a_reifier_of_itself_ends() -> None:
    store = imported(f"_:r <{RDF}reifies> <<( _:r <urn:p> <urn:o> )>> .")
    assert len(quads(store)) == 4


def test_no_blank_node_is_left() -> None:
    store, got = report(
        "@prefix : <urn:x:> .\n"
        "_:g { :a :b [ :c ( 1 2 ) ] . _:x :edge <<( _:x :p _:y )>> . _:x :y _:g . }",
        "trig",
    )
    assert "_:" not in " ".join(rows(store)).replace('"', "")
    assert got.blank_nodes == 6
    (graph,) = {quad.graph_name for quad in quads(store)}
    assert graph in {quad.object for quad in quads(store)}


def test_blank_nodes_of_two_files_are_two() -> None:
    one, other = imported("_:a <urn:p> 1 ."), imported("_:a <urn:p> 2 .")
    assert not {quad.subject for quad in quads(one)} & {quad.subject for quad in quads(other)}
    assert quads(imported("[] <urn:p> 1 .")) == quads(imported("[] <urn:p> 1 ."))


@pytest.mark.parametrize("format", ["turtle", "jsonld"])
def test_triples_without_a_graph_go_where_they_are_told(format: str) -> None:
    text = {
        "turtle": "<urn:s> <urn:p> <urn:o> .",
        "jsonld": '{"@id":"urn:s","urn:p":{"@id":"urn:o"}}',
    }
    plain, told = report(text[format], format), report(text[format], format, graph=GRAPH_RETRIEVAL)
    assert plain[1].graphs == {"": 1}
    assert told[1].graphs == {GRAPH_RETRIEVAL: 1}


def test_a_graph_of_its_own_stays() -> None:
    text = "<urn:s> <urn:p> <urn:o> <urn:g> ."
    assert report(text, "nquads", graph="urn:other")[1].graphs == {"urn:g": 1}


@pytest.mark.parametrize("name", ["runs.nq.gz", "runs.nq"])
def test_files_are_unpacked_by_their_content(tmp_path: Path, name: str, store: Store) -> None:
    file = tmp_path / name
    file.write_bytes(gzip.compress(REAL[0].read_bytes()))
    assert import_quads(store, file).quads == len(REAL[0].read_text().splitlines())


@pytest.mark.parametrize("format", ["nquads", "ntriples", "turtle", "trig", "jsonld"])
def test_a_file_may_begin_with_the_mark_of_utf_8(format: str, store: Store) -> None:
    triple = '<urn:s> <urn:p> "o" .'
    text = '{"@id": "urn:s", "urn:p": "o"}' if format == "jsonld" else triple
    import_quads(store, io.BytesIO(b"\xef\xbb\xbf" + text.encode()), format=format)
    (quad,) = store.quads()
    assert (str(quad.subject), value(quad.object)) == ("<urn:s>", "o")


def test_a_stream_that_cannot_be_rewound_is_read_whole(store: Store) -> None:
    class Pipe(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self.rest = io.BytesIO(data)

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            return self.rest.readinto(buffer)

    pipe = io.BufferedReader(cast(Any, Pipe(gzip.compress(REAL[0].read_bytes()))))
    assert import_quads(store, pipe, format="nq").quads > 10


def test_progress_counts_while_checking_and_while_writing(store: Store) -> None:
    lines = "".join(f"<urn:s> <urn:p> <urn:{n}> .\n" for n in range(12_000))
    seen: list[tuple[int, int | None]] = []
    got = import_quads(
        store,
        io.BytesIO(lines.encode()),
        format="ntriples",
        progress=lambda done, total: seen.append((done, total)),
    )
    assert got.graphs == {"": 12_000}
    assert seen[:2] == [(1000, None), (2000, None)]
    assert seen[-2:] == [(10_000, 12_000), (12_000, 12_000)]


def test_the_ontology_loads_once(store: Store) -> None:
    count = load_ontology(store)
    once = quads(store)
    assert len(once) == count == load_ontology(store)
    assert quads(store) == once


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_in_an_edge_survives(text: str) -> None:
    term = ox.Triple(S, P, ox.Literal(text))
    store = imported(f"<urn:e> <urn:q> <<( {term} )>> .", "ntriples")
    node = statement_iri(S, P, ox.Literal(text))
    assert statement_rows(node, S, P, ox.Literal(text)) <= quads(store)
