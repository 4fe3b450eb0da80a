"""What conforms: our runs in both forms, TrustGraph's data, a store read in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pyoxigraph as ox
import pytest
from narrowing import subject
from ontology_cases import DATA, MALFORMED, ONTOLOGY, SHAPES

from trustgraph_prov.namespaces import (
    GRAPH_RETRIEVAL,
    PREFIXES,
    PROV_WAS_DERIVED_FROM,
    TG_ANALYSIS,
    TG_QUERY,
    TGP_TRACE,
)
from trustgraph_prov.stores import Store, open_store
from trustgraph_prov.validate import Report, Result, validate

MODULE = import_module("trustgraph_prov.validate")  # the root exports the function by this name
HEAD = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())


def files(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.glob(pattern))
    assert found, f"{folder} holds no {pattern}, so nothing would be tested"
    return found


def report(*sources: Path | str, trace: str | None = None) -> Report:
    with open_store("memory:") as store:
        fill(store, *sources)
        return validate(store, trace=trace)


def fill(store: Store, *sources: Path | str) -> None:
    for source in sources:
        if isinstance(source, Path):
            store.insert(ox.parse(path=source))
        else:
            text = f"{HEAD} <{GRAPH_RETRIEVAL}> {{ {source} }}"
            store.insert(ox.parse(text, format=ox.RdfFormat.TRIG))


def shapes(results: Sequence[Result], severity: str) -> set[str]:
    return {r.shape.removeprefix(SHAPES) for r in results if r.severity == severity}


QUESTION = """<urn:q> a prov:Activity , tg:Question , tg:AgentQuestion ; tg:query "How high?" ;
    prov:startedAtTime "2026-03-02T08:15:00Z"^^xsd:dateTime ; tgp:trace <urn:q> . """


def answer(types: str, values: str) -> str:
    return f"""<urn:q/final> a prov:Entity , {types} ; prov:wasDerivedFrom <urn:q> ;
        tgp:trace <urn:q> {values} ."""


@pytest.mark.parametrize("path", files(ONTOLOGY / "examples", "*.trig"), ids=lambda path: path.name)
def test_an_example_has_nothing_to_be_said_about(path: Path) -> None:
    found = report(path, *files(ONTOLOGY / "examples", "source.trig"))
    assert found.conforms
    said = {result.message for result in found.results}
    assert said == (
        {"A question without a start is listed last."} if path.stem == "undated" else set()
    )


@pytest.mark.parametrize("path", files(DATA / "trustgraph", "*.nq"), ids=lambda path: path.name)
def test_what_trustgraph_writes_conforms(path: Path) -> None:
    found = report(path)
    assert found.conforms
    assert "Form-startedAtTime" in shapes(found.results, "Info")
    assert shapes(found.results, "Warning") <= {"ToldHere"}


def test_a_question_that_trustgraph_types_entity_is_an_information() -> None:
    found = report(DATA / "trustgraph" / "agent_react.nq")
    forms = [result for result in found.results if result.shape == SHAPES + "QuestionForm-type"]
    assert len(forms) == 3
    assert {result.severity for result in forms} == {"Info"}
    assert forms[0].focus.startswith("urn:trustgraph:agent:")


def test_a_triple_term_counts_as_the_statement_that_import_makes_of_it() -> None:
    found = report(DATA / "trustgraph" / "graphrag.nq")
    assert not [result for result in found.results if "Statement" in result.shape]


def test_a_triple_term_inside_a_triple_term_counts_too() -> None:
    with open_store("memory:") as store:
        inner = ox.Triple(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.Literal("o"))
        outer = ox.Triple(ox.NamedNode("urn:s"), ox.NamedNode("urn:says"), inner)
        store.insert([quad("urn:e", "https://trustgraph.ai/ns/edge", outer)])
        assert validate(store) == Report(True, ())


def test_a_triple_term_with_a_blank_node_counts_too() -> None:
    with open_store("memory:") as store:
        focus = "<urn:f> tg:selectedEdge <urn:e> . <urn:e> a tg:EdgeSelection . "
        fill(store, QUESTION + focus)
        edge = ox.Triple(ox.BlankNode("b"), ox.NamedNode("urn:p"), ox.Literal("o"))
        store.insert([quad("urn:e", "https://trustgraph.ai/ns/edge", edge)])
        assert "Statement-subject" in shapes(validate(store).results, "Violation")


@pytest.mark.parametrize(
    ("types", "values"),
    [
        ("tg:Conclusion", '; tg:answer "41 m"'),
        ("tg:Conclusion", "; tg:document <urn:d>"),
        ("tg:Synthesis", '; tg:content ""'),
        ("tg:Conclusion , tg:Error", '; tg:terminationReason "error"'),
        ("tg:Conclusion , tg:Error", ""),
        ("tg:Synthesis", '; tg:terminationReason "cancelled"'),
        ("tg:Synthesis", '; tg:terminationReason "error"'),
        ("tg:AgentFinal , tg:Conclusion", '; tg:answer "41 m"'),
    ],
)
def test_an_answer_has_text_or_a_reason_to_have_none(types: str, values: str) -> None:
    assert report(QUESTION + answer(types, values)) == Report(True, ())


def test_an_answer_of_trustgraph_without_text_is_a_warning() -> None:
    found = report(QUESTION + answer("tg:Conclusion , tg:Answer", ""))
    assert found.conforms
    assert shapes(found.results, "Warning") == {"ToldHere"}


@pytest.mark.parametrize("old", ["AgentSession", "AgentIteration", "AgentFinal"])
def test_an_earlier_name_is_an_information(old: str) -> None:
    found = report(DATA / "trustgraph" / "legacy.nq")
    assert f"{old}Form-type" in shapes(found.results, "Info")


def test_results_come_the_worst_first() -> None:
    found = report(DATA / "trustgraph" / "agent_direct.nq", MALFORMED / "rank-zero.trig")
    severities = [result.severity for result in found.results]
    assert severities == sorted(severities, key=["Violation", "Warning", "Info"].index)
    assert len(set(severities)) == 3
    assert found.conforms is False
    assert found.results[0] == Result(
        severity="Violation",
        focus="urn:trustgraph:prov:edge:rank-zero:0",
        path="https://w3id.org/trustgraph-prov/rank",
        shape=SHAPES + "EdgeSelection-rank",
        message="A rank is one xsd:integer, 1 or more.",
        value="0",
    )


def test_every_engine_gives_the_same_report(store: Store) -> None:
    paths = files(MALFORMED, "*.trig")
    fill(store, *paths)
    assert validate(store) == report(*paths)


def test_a_store_read_in_pieces_gives_the_same_report(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [*files(MALFORMED, "*.trig"), *files(ONTOLOGY / "examples", "*.trig")]
    whole = report(*sources)
    monkeypatch.setattr(MODULE, "RUNS_AT_A_TIME", 3)
    assert report(*sources) == whole


def test_a_called_run_is_fine_whichever_piece_its_caller_is_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MODULE, "RUNS_AT_A_TIME", 1)
    assert report(ONTOLOGY / "examples" / "agent-calls-graph-rag.trig") == Report(True, ())


def test_a_node_without_trace_may_come_from_one_that_has_it() -> None:
    step = "<urn:q/i1> a tg:Analysis ; prov:wasDerivedFrom <urn:q> . "
    assert report(QUESTION + step) == Report(True, ())


def test_one_run_is_validated_alone() -> None:
    bad = "urn:trustgraph:agent:step-zero"
    sources = [MALFORMED / "step-zero.trig", MALFORMED / "two-actions.trig"]
    found = report(*sources, trace=bad)
    assert shapes(found.results, "Violation") == {"Analysis-stepNumber"}
    assert report(*sources).results[0] in found.results


@pytest.mark.parametrize(
    "path", files(ONTOLOGY / "examples", "*-*.trig"), ids=lambda path: path.name
)
def test_each_run_of_an_example_is_fine_alone(path: Path) -> None:
    with open_store("memory:") as store:
        fill(store, path)
        roots = {
            subject(quad)
            for quad in store.quads(GRAPH_RETRIEVAL)
            if quad.predicate.value == TG_QUERY
        }
        assert roots
        for root in roots:
            assert validate(store, trace=root) == Report(True, ())


def test_one_run_without_index_is_found_by_its_links() -> None:
    found = report(
        DATA / "trustgraph" / "agent_react.nq",
        trace="urn:trustgraph:agent:29663799-fc27-4325-b7c5-e600a5977ccd",
    )
    assert found.conforms
    assert {result.focus.split("/")[0] for result in found.results} == {
        "urn:trustgraph:agent:29663799-fc27-4325-b7c5-e600a5977ccd"
    }


def test_an_iri_with_odd_characters_is_reported_as_it_is() -> None:
    odd = "urn:q%3Aé/日本?x=(1)"
    with open_store("memory:") as store:
        store.insert([quad(odd, PREFIXES["rdf"] + "type", ox.NamedNode(TG_ANALYSIS))])
        assert [result.focus for result in validate(store).results] == [odd]


def test_an_ill_typed_literal_is_a_result_and_no_noise(caplog: pytest.LogCaptureFixture) -> None:
    found = report(MALFORMED / "index-start-of-no-date.trig")
    assert found.results[0].value == "yesterdayZ"
    assert caplog.text == ""


def test_a_trace_that_is_a_blank_node_is_a_violation() -> None:
    with open_store("memory:") as store:
        fill(store, QUESTION)
        store.insert([quad("urn:n", TGP_TRACE, ox.BlankNode("b"))])
        assert "Node-trace" in shapes(validate(store).results, "Violation")


def test_text_with_a_language_and_a_direction_is_read() -> None:
    with open_store("memory:") as store:
        fill(store, QUESTION)
        spoken = ox.Literal("why", language="en", direction=ox.BaseDirection.LTR)
        store.insert([quad("urn:q", TG_QUERY, spoken)])
        assert shapes(validate(store).results, "Violation") == {"Question-query"}


def test_a_parent_that_is_not_in_the_store_is_a_warning() -> None:
    with open_store("memory:") as store:
        fill(store, QUESTION + answer("tg:Conclusion", '; tg:answer "41 m"'))
        gone = ox.NamedNode("urn:q/i1")
        store.insert([quad("urn:q/final", PROV_WAS_DERIVED_FROM, gone)])
        for found in (validate(store), validate(store, trace="urn:q")):
            assert found.conforms
            assert [(r.severity, r.focus) for r in found.results] == [("Warning", "urn:q/i1")]


def quad(
    subject: str, predicate: str, value: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
) -> ox.Quad:
    return ox.Quad(
        ox.NamedNode(subject), ox.NamedNode(predicate), value, ox.NamedNode(GRAPH_RETRIEVAL)
    )
