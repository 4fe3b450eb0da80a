"""What is read from the ontology and the shapes for display."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from trustgraph_prov import resources
from trustgraph_prov.namespaces import (
    PROV,
    PROV_ACTIVITY,
    PROV_AGENT,
    PROV_ENTITY,
    PROV_SOFTWARE_AGENT,
    PROV_WAS_DERIVED_FROM,
    RDF,
    RDF_STATEMENT,
    RDF_TYPE,
    RDFS,
    RDFS_LABEL,
    TG,
    TG_AGENT_FINAL,
    TG_AGENT_ITERATION,
    TG_AGENT_QUESTION,
    TG_AGENT_SESSION,
    TG_ANALYSIS,
    TG_ANSWER,
    TG_ANSWER_TYPE,
    TG_CONCLUSION,
    TG_CONTENT,
    TG_EDGE_SELECTION,
    TG_ERROR_TYPE,
    TG_FINDING,
    TG_IN_TOKEN,
    TG_OBSERVATION_TYPE,
    TG_QUESTION,
    TG_REFLECTION_TYPE,
    TG_STEP_RESULT,
    TG_SYNTHESIS,
    TG_THOUGHT_TYPE,
    TG_TOOL_USE,
    TGP,
    TGP_COLLECTION,
    TGP_TRACE,
)
from trustgraph_prov.vocabulary import ANY_NODE, RESOURCE, vocabulary

NEW = "http://example.org/vocab#Guess"


def names(class_iri: str, *properties: str) -> list[str]:
    """Names of properties in the reading order."""
    words = vocabulary()
    ordered = sorted(properties, key=lambda one: words.order(class_iri, one))
    return [words.name(class_iri, one) for one in ordered]


def test_an_analysis_reads_from_thought_to_tokens() -> None:
    locals_ = """inToken llmModel toolDurationMs llmDurationMs outToken observation arguments action
        thought stepNumber toolError"""
    properties = [TG + name for name in locals_.split()]
    assert names(TG_ANALYSIS, *properties, PROV_WAS_DERIVED_FROM, TGP_TRACE, RDF_TYPE) == [
        "Step",
        "Thought",
        "Action",
        "Arguments",
        "Observation",
        "Error",
        "Model time (ms)",
        "Tool time (ms)",
        "Model",
        "Tokens in",
        "Tokens out",
        "From",
        "Type",
        "Run",
    ]


def test_a_question_reads_from_its_text_to_the_index() -> None:
    properties = [
        *(TGP + name for name in ("inHour", "startedAt", "user", "collection", "trace")),
        *(PROV + name for name in ("endedAtTime", "startedAtTime", "wasAssociatedWith")),
        TG + "query",
    ]
    assert names(TG_AGENT_QUESTION, *properties) == [
        "Question",
        "User",
        "Collection",
        "Started",
        "Ended",
        "Asked by",
        "Run",
        "Started (UTC)",
        "Hour",
    ]


def test_every_answer_is_named_alike() -> None:
    for kind in (TG_CONCLUSION, TG_SYNTHESIS, TG_FINDING, TG_STEP_RESULT, TG_ANSWER_TYPE):
        assert names(kind, TG_ANSWER) == names(kind, TG_CONTENT) == ["Answer"]


def test_a_property_has_the_name_that_its_kind_gives_it() -> None:
    assert names(TG_EDGE_SELECTION, TGP + "rank") == ["Rank"]
    assert names(PROV_SOFTWARE_AGENT, RDFS_LABEL) == ["Name"]
    assert names(TG_ANALYSIS, RDFS_LABEL) == ["Label"]


def test_an_unknown_property_comes_last_under_its_own_name() -> None:
    words = vocabulary()
    assert words.order(TG_ANALYSIS, "http://example.org/mood") == inf
    assert words.name(TG_ANALYSIS, "http://example.org/mood") == "Mood"
    assert words.name(NEW, TG_IN_TOKEN) == "Tokens in"
    assert words.name(NEW, TGP_COLLECTION) == "Collection"


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        ([PROV_ENTITY, TG_ANALYSIS, TG_TOOL_USE], TG_ANALYSIS),
        ([TG_TOOL_USE], TG_ANALYSIS),
        ([PROV_ENTITY, TG_ANALYSIS, TG_ERROR_TYPE], TG_ANALYSIS),
        ([PROV_ACTIVITY, TG_QUESTION, TG_AGENT_QUESTION], TG_AGENT_QUESTION),
        ([PROV_ENTITY, TG_QUESTION], TG_QUESTION),
        ([TG_ANSWER_TYPE, TG_SYNTHESIS], TG_SYNTHESIS),
        ([TG_ANSWER_TYPE], TG_ANSWER_TYPE),
        ([TG_REFLECTION_TYPE, TG_THOUGHT_TYPE], TG_THOUGHT_TYPE),
        ([TG_OBSERVATION_TYPE, TG_ERROR_TYPE], TG_OBSERVATION_TYPE),
        ([TG_AGENT_SESSION], TG_AGENT_QUESTION),
        ([TG_AGENT_ITERATION], TG_ANALYSIS),
        ([TG_AGENT_FINAL], TG_CONCLUSION),
        ([RDF_STATEMENT], RDF_STATEMENT),
        ([PROV_AGENT, PROV_SOFTWARE_AGENT], PROV_SOFTWARE_AGENT),
        ([NEW, TG_ANALYSIS], TG_ANALYSIS),
        ([PROV_ENTITY, NEW], NEW),
        ([TG_ERROR_TYPE, PROV_ENTITY], TG_ERROR_TYPE),
        ([PROV_ENTITY], PROV_ENTITY),
        ([], RESOURCE),
    ],
)
def test_a_node_is_shown_as_the_most_specific_kind(types: list[str], kind: str) -> None:
    assert vocabulary().kind(types) == vocabulary().kind(reversed(types)) == kind


@pytest.mark.parametrize(
    ("iri", "label"),
    [
        (TG_EDGE_SELECTION, "Edge selection"),
        (TG_IN_TOKEN, "input tokens"),
        (PROV_WAS_DERIVED_FROM, "was derived from"),
        ("http://example.org/vocab#unitPrice", "unit price"),
        ("http://example.org/vocab/HTTPStatus", "HTTP status"),
        ("http://example.org/vocab/has_page-2", "has page 2"),
        ("http://example.org/caf%C3%A9", "café"),
        ("http://example.org/数量", "数量"),
        ("http://example.org/", "example org"),
        ("urn:x:---", "---"),
        (RDFS + "Resource", "Resource"),
        (RDF + "subject", "subject"),
        ("::", "::"),
    ],
)
def test_a_term_is_called_by_its_label_or_its_last_part(iri: str, label: str) -> None:
    assert vocabulary().label(iri) == label


def test_superclasses_come_the_nearest_first_and_a_cycle_ends() -> None:
    words = vocabulary()
    assert words.superclasses(TG_AGENT_FINAL) == (TG_CONCLUSION, TG_ANSWER_TYPE)
    assert words.superclasses(NEW) == ()
    circle = type(words)({}, {"a": ("b",), "b": ("a",)}, {}, {}, frozenset())
    assert circle.superclasses("a") == ("b",)
    assert circle.kind(["a", "b"]) == "a"


def test_a_new_kind_of_step_is_a_change_to_turtle_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "ontology"
    folder.mkdir()
    for name in resources.VOCABULARY:
        source = (resources.folder("ontology") / name).read_text(encoding="utf-8")
        (folder / name).write_text(source, encoding="utf-8")
    with (folder / "shapes.ttl").open("a", encoding="utf-8") as shapes:
        shapes.write(f"""
            shapes:Guess a sh:NodeShape ; sh:targetClass <{NEW}> ; sh:order 24 ;
                sh:property shapes:Guess-odds .
            shapes:Guess-odds a sh:PropertyShape ; sh:path <http://example.org/odds> ;
                sh:name "Odds"@en ; sh:order 1.5 .
            <{NEW}> rdfs:label "Lucky guess"@en .
        """)
    monkeypatch.setattr("trustgraph_prov.vocabulary.resources.folder", lambda name: tmp_path / name)
    words = vocabulary.__wrapped__()
    assert words.kind([PROV_ENTITY, NEW, TG_ERROR_TYPE]) == NEW
    assert words.label(NEW) == "Lucky guess"
    assert words.name(NEW, "http://example.org/odds") == "Odds"
    assert words.order(NEW, "http://example.org/odds") == 1.5


def test_no_kind_is_a_mere_node() -> None:
    assert ANY_NODE not in vocabulary().ranks
    assert {TGP_TRACE, RDF_TYPE, RDFS_LABEL} <= set(vocabulary().fields[ANY_NODE])


def test_it_is_read_once() -> None:
    assert vocabulary() is vocabulary()
