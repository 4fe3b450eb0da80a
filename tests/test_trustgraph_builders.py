"""What TrustGraph's builders write today is taken over, valid, and shown with nothing missing."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from narrowing import rows
from pyoxigraph import Triple
from rdf_of_wire import as_quad
from trustgraph import provenance as tg
from trustgraph.messaging.translators.primitives import TripleTranslator
from trustgraph.schema import Triple as WireTriple
from trustgraph_cases import (
    START,
    agent,
    edge,
    expected,
    explained,
    extracted,
    listed,
    of_node,
    step,
    text,
    told,
)

from trustgraph_prov import extraction, open_store, stored_query, trace, validate
from trustgraph_prov.emitters.source import (
    derived_entity_triples,
    document_triples,
    subgraph_provenance_triples,
)
from trustgraph_prov.explain.graph import pointed_at
from trustgraph_prov.namespaces import GRAPH_RETRIEVAL, GRAPH_SOURCE
from trustgraph_prov.stores import Store
from trustgraph_prov.trustgraph import ingest

TOKENS: dict[str, Any] = {"in_token": 812, "out_token": 93, "model": "lumen-70b"}
DOCUMENT = "https://example.org/doc/reeds"
XSD = "http://www.w3.org/2001/XMLSchema#"
EDGES = [
    edge("https://example.org/kg/reeds", "https://example.org/kg/p/replanted", text("2019")),
    edge("https://example.org/kg/moth", "https://example.org/kg/p/livesIn", "urn:kg:reeds"),
    edge("urn:kg:moth", "urn:kg:p/count", text("42", XSD + "integer")),
    edge("urn:kg:moth", "urn:kg:p/name", text("gnistmott", language="nb-NO")),
]


def react() -> Iterator[list[WireTriple]]:
    yield agent("a1")
    yield tg.agent_pattern_decision_triples(
        tg.agent_pattern_decision_uri("a1"), tg.agent_session_uri("a1"), "react", "research"
    )
    for number in (1, 2):
        thought = tg.agent_thought_uri("a1", number)
        yield step(
            "a1",
            number,
            tg.agent_observation_uri("a1", number - 1)
            if number > 1
            else tg.agent_pattern_decision_uri("a1"),
            thought_uri=thought,
            thought_document_id=thought,
            tool_candidates=["search", "graph-rag"],
            llm_duration_ms=833,
            **TOKENS,
        )
        yield tg.agent_observation_triples(
            tg.agent_observation_uri("a1", number),
            tg.agent_iteration_uri("a1", number),
            tg.agent_observation_uri("a1", number),
            41,
            "timed out" if number == 2 else None,
        )
    yield tg.agent_final_triples(
        tg.agent_final_uri("a1"),
        previous_uri=tg.agent_observation_uri("a1", 2),
        document_id="urn:answer:a1",
        termination_reason="final-answer",
        **TOKENS,
    )


def supervisor() -> Iterator[list[WireTriple]]:
    yield agent("a2")
    decomposition = tg.agent_decomposition_uri("a2")
    goals = ["count them", "find the cause"]
    yield tg.agent_decomposition_triples(decomposition, tg.agent_session_uri("a2"), goals, **TOKENS)
    findings = []
    for number, goal in enumerate(goals):
        yield agent(f"a2-{number}", goal, parent=decomposition)
        yield tg.agent_final_triples(
            tg.agent_final_uri(f"a2-{number}"), tg.agent_session_uri(f"a2-{number}"), None, "urn:d"
        )
        yield step(f"a2-{number}", 1)
        findings.append(tg.agent_finding_uri("a2", number))
        yield tg.agent_finding_triples(findings[-1], decomposition, goal, f"urn:finding:{number}")
    yield tg.agent_synthesis_triples(
        tg.agent_synthesis_uri("a2"), findings, "urn:answer:a2", "all-found", **TOKENS
    )


def plan() -> Iterator[list[WireTriple]]:
    yield agent("a3")
    uri = tg.agent_plan_uri("a3")
    yield tg.agent_plan_triples(uri, tg.agent_session_uri("a3"), ["count", "compare"], **TOKENS)
    for number, goal in enumerate(["count", "compare"]):
        yield tg.agent_step_result_triples(
            tg.agent_step_result_uri("a3", number), uri, goal, f"urn:result:{number}", **TOKENS
        )
    results = [tg.agent_step_result_uri("a3", number) for number in (0, 1)]
    yield tg.agent_synthesis_triples(tg.agent_synthesis_uri("a3"), results, "urn:answer:a3")


def rag() -> Iterator[list[WireTriple]]:
    question, focus = tg.question_uri("g1"), tg.focus_uri("g1")
    yield tg.question_triples(question, "Which?", START, tg.agent_iteration_uri("a1", 1))
    yield tg.grounding_triples(tg.grounding_uri("g1"), question, ["reeds", "moths"], **TOKENS)
    yield tg.exploration_triples(
        tg.exploration_uri("g1"), tg.grounding_uri("g1"), 4, ["https://example.org/kg/reeds"]
    )
    selected = [
        {"edge": one, "concept": "reeds", "score": 1e-05 if at else 0.97, "reasoning": "It says so"}
        for at, one in enumerate(EDGES)
    ]
    yield tg.focus_triples(focus, tg.exploration_uri("g1"), selected, "g1", **TOKENS)
    yield tg.synthesis_triples(tg.synthesis_uri("g1"), focus, "urn:answer:g1", **TOKENS)


def doc_rag() -> Iterator[list[WireTriple]]:
    question, focus = tg.docrag_question_uri("d1"), tg.docrag_focus_uri("d1")
    yield tg.docrag_question_triples(question, "Where?", START)
    yield tg.grounding_triples(tg.docrag_grounding_uri("d1"), question, ["lake"], **TOKENS)
    exploration, chunks = tg.docrag_exploration_uri("d1"), ["urn:chunk:1", "urn:chunk:2"]
    yield tg.docrag_exploration_triples(exploration, tg.docrag_grounding_uri("d1"), 2, chunks)
    scores = [{"chunk_id": one, "score": 0.5} for one in chunks]
    yield tg.docrag_chunk_selection_triples(focus, exploration, scores, "d1")
    yield tg.docrag_synthesis_triples(
        tg.docrag_synthesis_uri("d1"), focus, "urn:answer:d1", **TOKENS
    )
    called = tg.docrag_question_uri("d2")
    yield tg.docrag_question_triples(called, "And?", None, tg.agent_iteration_uri("a1", 2))


def source() -> Iterator[list[WireTriple]]:
    yield tg.document_triples(
        DOCUMENT, "Reeds", DOCUMENT + ".pdf", "2024-05-01", "A. Heron", 2, "application/pdf"
    )
    page, tool = "urn:page:1", ("pdf-decoder", "2.11.1")
    numbered: dict[str, Any] = {"label": "Page 1", "page_number": 1, "timestamp": START}
    yield tg.derived_entity_triples(page, DOCUMENT, *tool, **numbered)
    yield tg.derived_entity_triples("urn:section:1", DOCUMENT, *tool, section=True, table_count=1)
    yield tg.derived_entity_triples("urn:image:1", page, *tool, image=True, mime_type="image/png")
    more: dict[str, Any] = {
        "chunk_size": 400,
        "chunk_overlap": 20,
        "char_offset": 0,
        "char_length": 399,
    }
    more |= {"element_types": "Title,NarrativeText", "image_count": 0}
    yield tg.derived_entity_triples("urn:chunk:1", page, "chunker", "1", chunk_index=0, **more)
    yield tg.subgraph_provenance_triples(
        tg.subgraph_uri("s1"),
        [WireTriple(s=s, p=p, o=o) for s, p, o in EDGES],
        "urn:chunk:1",
        "kg-extract",
        "2.11.1",
        "lumen-70b",
        "https://example.org/ontology",
        START,
    )


STORIES = (react, supervisor, plan, rag, doc_rag, source)
RUNS = [part for story in STORIES if story is not source for part in story()]
SOURCE = list(source())


FUNCTIONS = {
    name: function
    for name, function in vars(tg).items()
    if not name.startswith("_") and inspect.isfunction(function)
}
BUILDERS = FUNCTIONS.keys() - {"set_graph"} - {name for name in FUNCTIONS if name.endswith("_uri")}


def test_the_story_calls_every_builder_with_every_argument(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A function or an argument that a release of TrustGraph adds fails here."""
    given: dict[str, set[str]] = {}

    def watched(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)

        def call(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs).arguments
            told = {key for key, value in bound.items() if value not in (None, "")}
            given.setdefault(name, set()).update(told)
            return function(*args, **kwargs)

        return call

    for name in BUILDERS:
        monkeypatch.setattr(tg, name, watched(name, FUNCTIONS[name]))
    for story in STORIES:
        list(story())
    tg.get_vocabulary_triples()
    assert len(BUILDERS) > 20
    missing = {
        name: {*inspect.signature(FUNCTIONS[name]).parameters} - given.get(name, set())
        for name in BUILDERS
    }
    assert {name: arguments for name, arguments in missing.items() if arguments} == {}


@pytest.fixture
def taken(store: Store) -> Store:
    ingest(explained(*RUNS), store)
    ingest(explained(*SOURCE, graph=GRAPH_SOURCE), store)
    wire = TripleTranslator()
    ingest([{"triples": [wire.encode(one) for one in tg.get_vocabulary_triples()]}], store)
    return store


def test_what_every_builder_writes_is_valid(taken: Store) -> None:
    report = validate(taken)
    assert report.conforms
    assert [one for one in report.results if one.severity != "Info"] == []


def test_no_triple_of_a_run_is_unaccounted_for(taken: Store) -> None:
    tops = listed(taken)
    assert {uri.rpartition(":")[2] for uri in tops} == {"a1", "a2", "a3", "d1"}
    quads = [quad for part in RUNS for quad in map(as_quad, part)]
    assert len(quads) > 200
    assert {expected(quad) for quad in quads} - told(taken, *tops) == set()


def test_no_triple_of_extraction_is_unaccounted_for(taken: Store) -> None:
    tree = json.loads(extraction.json(extraction.sources(taken, DOCUMENT)))
    found = set(of_node(tree, "parts", "edges", "made_by"))
    quads = [quad for part in SOURCE for quad in map(as_quad, part)]
    assert len(quads) > 80
    assert {expected(quad) for quad in quads} - found == set()


def test_the_vocabulary_goes_to_the_default_graph(taken: Store) -> None:
    assert set(taken.quads("")) == set(map(as_quad, tg.get_vocabulary_triples()))


def test_a_called_run_stands_inside_its_step_and_names_its_sources(taken: Store) -> None:
    run = trace(taken, tg.agent_session_uri("a1"), provenance=True)
    (called,) = next(one for one in run.steps if one.uri.endswith("/i1")).called
    assert called.uri == tg.question_uri("g1")
    titles = [source.origins for source in called.sources.values()]
    assert len(titles) == len(EDGES)
    for (chunk,) in titles:
        (page,) = chunk.origins
        (document,) = page.origins
        assert (chunk.title, page.title, document.title) == ("chunk 0", "page 1", "Reeds")


def test_lineage_leads_from_an_answer_to_its_document_and_back(taken: Store) -> None:
    query = stored_query("lineage/sources").bind(answer=tg.agent_final_uri("a1"))
    found = rows(taken.query(query))
    assert {row["run"].value for row in found} == {tg.question_uri("g1")}
    assert {row["title"].value for row in found} == {"Reeds"}
    assert len({row["edge"].value for row in found}) == len(EDGES)
    query = stored_query("lineage/impact").bind(source=DOCUMENT)
    traces = {row["trace"].value for row in rows(taken.query(query))}
    assert traces == {
        tg.agent_session_uri("a1"),
        tg.question_uri("g1"),
        tg.docrag_question_uri("d1"),
    }


def test_ingesting_twice_or_backwards_changes_nothing(taken: Store) -> None:
    before = set(taken.quads())
    ingest(list(reversed(explained(*RUNS))), taken)
    assert set(taken.quads()) == before
    with open_store("memory:") as other:
        ingest(list(reversed(explained(*RUNS))), other)
        assert set(other.quads(GRAPH_RETRIEVAL)) == set(taken.quads(GRAPH_RETRIEVAL))


def plainly(triples: Iterable[Any]) -> set[tuple[str, str, str]]:
    """Triples of extraction without datatypes and without the ids of activities."""
    found = set()
    for triple in triples:
        names = []
        for term in (triple.subject, triple.predicate, triple.object):
            name = pointed_at(term) if isinstance(term, Triple) else term.value
            names.append("activity" if "/activity/" in name else name)
        subject, predicate, value = names
        if not predicate.endswith("#startedAtTime") and ":statement:" not in subject:
            found.add((subject, predicate, value))
    return found


def test_our_emitters_of_extraction_say_what_the_builders_say() -> None:
    ours = [
        *document_triples(
            DOCUMENT, "Reeds", DOCUMENT + ".pdf", "2024-05-01", "A. Heron", 2, "application/pdf"
        ),
        *derived_entity_triples(
            "urn:page:1", DOCUMENT, "pdf-decoder", "2.11.1", label="Page 1", page_number=1
        ),
        *subgraph_provenance_triples(
            "https://trustgraph.ai/subgraph/s1",
            [as_quad(extracted(s.iri, p.iri, o)).triple for s, p, o in EDGES],
            "urn:chunk:1",
            "kg-extract",
            "2.11.1",
            "lumen-70b",
            "https://example.org/ontology",
        ),
    ]
    theirs = [as_quad(triple) for at in (0, 1, 5) for triple in SOURCE[at]]
    assert plainly(ours) == plainly(theirs)
