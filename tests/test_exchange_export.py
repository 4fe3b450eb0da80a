"""What a store holds comes back as it was, in every format."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph as ox
import pytest
from exchange_cases import RDF, REAL, XSD, exported, imported, nodes, quads
from sparql_cases import Endpoint, server

from trustgraph_prov import (
    DEMO_RUNS,
    GRAPH_RETRIEVAL,
    PREFIXES,
    Recorder,
    Store,
    import_quads,
    open_store,
    record_demo,
    trace,
)
from trustgraph_prov.namespaces import TGP_TRACE

TRACE = ox.NamedNode(TGP_TRACE)
AWKWARD = """
<urn:e> <urn:q> <<( <urn:s> <urn:p> "42.50"^^<{xsd}decimal> )>> <urn:g> .
<urn:e> <urn:q> <<( <urn:s> <urn:p> "2026-03-02T08:15:00.000Z"^^<{xsd}dateTime> )>> <urn:g> .
<urn:e> <urn:q> <<( <urn:s> <urn:p> "2026-03-02T10:15:00+02:00"^^<{xsd}dateTime> )>> <urn:g> .
<urn:e> <urn:q> <<( <urn:s> <urn:p> "1"^^<{xsd}boolean> )>> <urn:g> .
<urn:e> <urn:q> <<( <urn:s> <urn:p> "007"^^<{xsd}integer> )>> <urn:g> .
<urn:e> <urn:q> <<( <urn:s> <urn:p> "1e3"^^<{xsd}double> )>> <urn:g> .
<urn:e> <urn:q> <<( <urn:s> <urn:p> "colour"@en-GB )>> <urn:g> .
<urn:e> <urn:q> <<( <urn:s> <urn:p> "a\\u0001\\"\\\\\\n\\u202E" )>> <urn:g> .
<urn:e> <urn:q> <<( <urn:s> <urn:p> _:b )>> <urn:g> .
""".replace("{xsd}", XSD)


@pytest.mark.parametrize("format", ["nquads", "trig", "jsonld"])
@pytest.mark.parametrize("file", REAL, ids=lambda file: file.stem)
def test_real_data_comes_back_equal(file: Path, format: str, store: Store) -> None:
    import_quads(store, file)
    assert quads(imported(exported(store, format), format)) == quads(store)


@pytest.mark.parametrize("format", ["nquads", "trig"])
@pytest.mark.parametrize("file", REAL, ids=lambda file: file.stem)
def test_triple_terms_of_real_data_come_back_with_the_same_iris(file: Path, format: str) -> None:
    store = open_store("memory:")
    import_quads(store, file)
    written = exported(store, format, triple_terms=True)
    assert (b"<<(" in written) == ("<<(" in file.read_text())
    assert quads(imported(written, format)) == quads(store)


def test_awkward_values_keep_their_statement_through_triple_terms(store: Store) -> None:
    first = quads(imported(AWKWARD, "nquads"))
    store.insert(first)
    again = imported(exported(store, triple_terms=True), "nquads")
    third = imported(exported(again, triple_terms=True), "nquads")
    assert nodes(again) == nodes(store) == nodes(third)
    assert quads(again) == first


def test_a_statement_is_one_line_with_its_iri() -> None:
    store = imported("<urn:e> <urn:q> <<( <urn:s> <urn:p> <urn:o> )>> .")
    lines = exported(store, triple_terms=True).decode().splitlines()
    (statement,) = nodes(store) - {"urn:e"}
    assert sorted(lines) == [
        f"<urn:e> <urn:q> <{statement}> .",
        f"<{statement}> <{RDF}reifies> <<( <urn:s> <urn:p> <urn:o> )>> .",
    ]


@pytest.mark.parametrize(
    "turtle",
    [
        "<urn:x> a rdf:Statement ; rdf:subject <urn:s> ; rdf:predicate <urn:p> .",
        "<urn:x> rdf:subject <urn:s> ; rdf:predicate <urn:p> ; rdf:object <urn:o> .",
        "<urn:x> a rdf:Statement ; rdf:subject <urn:s>, <urn:t> ; rdf:predicate <urn:p> ;"
        " rdf:object <urn:o> .",
        "<urn:x> a rdf:Statement ; rdf:subject <urn:s> ; rdf:predicate <urn:p> ;"
        " rdf:object <urn:o>, <urn:n> .",
        '<urn:x> a rdf:Statement ; rdf:subject "s" ; rdf:predicate <urn:p> ; rdf:object <urn:o> .',
        '<urn:x> a rdf:Statement ; rdf:subject <urn:s> ; rdf:predicate "p" ; rdf:object <urn:o> .',
        "<urn:x> a rdf:Statement ; rdf:subject <urn:s> ; rdf:predicate <urn:p> ;"
        " rdf:object <urn:o> . <urn:y> a rdf:Statement .",
    ],
    ids=["no object", "no type", "two subjects", "two objects", "text as subject",
         "text as predicate", "one whole, one bare"],
)  # fmt: skip
def test_what_is_no_whole_statement_is_left_alone(turtle: str) -> None:
    store = imported(f"@prefix rdf: <{RDF}> . {turtle}")
    written = exported(store, triple_terms=True)
    assert written.count(b"reifies") == turtle.count(" . <urn:y>")
    assert quads(imported(written, "nquads")) == quads(store)


@pytest.mark.parametrize("format", ["nquads", "trig", "turtle", "jsonld"])
def test_a_run_is_exported_with_the_runs_it_called(format: str, store: Store) -> None:
    record_demo(store)
    again = imported(exported(store, format, trace=DEMO_RUNS[0]), format, graph=GRAPH_RETRIEVAL)
    assert trace(again, DEMO_RUNS[0]) == trace(store, DEMO_RUNS[0])
    assert DEMO_RUNS[2] not in nodes(again)


@pytest.mark.parametrize("format", ["turtle", "ntriples"])
def test_one_graph_fits_a_format_without_graphs(format: str) -> None:
    store = imported("<urn:s> <urn:p> 1 . <urn:g> { <urn:s> <urn:p> 2 . }", "trig")
    for graph, value in (("urn:g", "2"), ("", "1")):
        (quad,) = quads(imported(exported(store, format, graph=graph), format))
        assert isinstance(quad.object, ox.Literal)
        assert quad.object.value == value


def test_json_ld_uses_the_prefixes_of_the_context() -> None:
    store = imported('<urn:a> <https://trustgraph.ai/ns/query> "q" .')
    document = json.loads(exported(store, "jsonld"))
    assert document["@context"] == PREFIXES
    assert document["@graph"] == [{"@id": "urn:a", "tg:query": [{"@value": "q"}]}]


def test_json_ld_keeps_iris_that_look_like_ours() -> None:
    text = (
        "<dc:foo> <http://e/p> 'x'@en <urn:g> .\n"
        "<urn:a> <schema:q> 'q'^^<tg:x> .\n"
        "<https://trustgraph.ai/ns///x> <https://trustgraph.ai/ns/> <urn:b> .\n"
        "<urn:a> <urn:p> 'q' <dc:g> .\n"
        f"<urn:a> <{RDF}type> 'text' .\n<urn:a> <{RDF}type> <tg:A> .\n"
    ).replace("'", '"')
    store = imported(text, "nquads")
    assert quads(imported(exported(store, "jsonld"), "jsonld")) == quads(store)


def test_json_ld_writes_a_direction() -> None:
    store = imported('<urn:a> <urn:p> "x"@ar--rtl .')
    assert b'"@direction": "rtl"' in exported(store, "jsonld")


def test_two_exports_are_the_same_text(store: Store) -> None:
    import_quads(store, REAL[0])
    for format in ("trig", "jsonld"):
        other = open_store("memory:")
        other.insert(sorted(store.quads(), key=str, reverse=True))
        assert exported(store, format) == exported(other, format)


def test_progress_counts() -> None:
    store = imported("".join(f"<urn:s> <urn:p> <urn:{n}> .\n" for n in range(2500)), "ntriples")
    seen: list[tuple[int, int | None]] = []
    exported(store, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1000, None), (2000, None)]


def test_a_run_without_an_index_is_written_too(store: Store) -> None:
    record_demo(store)
    plain = [quad for quad in store.quads(GRAPH_RETRIEVAL) if quad.predicate != TRACE]
    bare = open_store("memory:")
    bare.insert(plain)
    own = f"<{DEMO_RUNS[3]}"
    whole = {quad for quad in plain if str(quad.subject).startswith(own)}
    assert len(whole) > 10
    assert whole <= quads(imported(exported(bare, trace=DEMO_RUNS[3]), "nquads"))


def test_a_run_with_a_text_over_16_mib_comes_back_from_a_folder_and_a_server() -> None:
    """pyoxigraph cannot read the N-Quads and the JSON that it writes of such a text."""
    long = "x" * 17_000_000
    with server(Endpoint()) as running:
        for store in (open_store("memory:"), open_store(f"{running.url}/sparql")):
            with Recorder(store).agent("q", session_id="long") as run:
                run.conclusion(long)
            assert trace(store, run.uri).answer == long
            written = exported(store, trace=run.uri)
            again = imported(written, "nquads", graph=GRAPH_RETRIEVAL)
            assert trace(again, run.uri).answer == long
