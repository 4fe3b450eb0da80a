"""Messages hold what the emitters say, and the wire holds what messages say."""

from __future__ import annotations

import json
import re

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_text, edges, json_values

from trustgraph_prov.emitters import (
    agent_final_triples,
    agent_iteration_triples,
    agent_session_triples,
    edge_terms,
    focus_triples,
    set_graph,
)
from trustgraph_prov.messages import (
    AgentRequest,
    AgentRequestTranslator,
    AgentResponse,
    AgentResponseTranslator,
    AgentStep,
    DocumentRagResponse,
    DocumentRagResponseTranslator,
    Error,
    Flow,
    Metadata,
    ProducerSpec,
    Service,
    Term,
    Triple,
    Triples,
    TripleTranslator,
    settle,
    to_quads,
    to_triples,
)
from trustgraph_prov.namespaces import (
    GRAPH_RETRIEVAL,
    PROV_ACTIVITY,
    PROV_STARTED_AT_TIME,
    RDF_TYPE,
    RDFS_LABEL,
    TG_ANSWER,
    TG_DOCUMENT,
    TG_OBSERVATION,
    TG_QUERY,
    TG_SELECTED_CHUNK,
    TG_THOUGHT,
)

SESSION = "urn:trustgraph:agent:7"


def test_every_emitted_triple_survives_messages_and_wire() -> None:
    emitted = [
        *agent_session_triples(SESSION, "Why?", "2026-03-02T08:15:00Z", user="ana"),
        *agent_iteration_triples(f"{SESSION}/i1", SESSION, "t", "a", {"q": 1}, "o", step_number=1),
        *agent_final_triples(f"{SESSION}/final", f"{SESSION}/i1", "Because."),
        *focus_triples("urn:f", "urn:e", [{"edge": ("urn:a", "urn:b", "c"), "score": 0.5}], "7"),
    ]
    quads = set_graph(emitted, GRAPH_RETRIEVAL)
    translator = TripleTranslator()
    wire = json.loads(json.dumps([translator.from_pulsar(each) for each in to_triples(quads)]))
    assert to_quads(map(translator.to_pulsar, wire)) == quads
    assert to_quads(to_triples(emitted), GRAPH_RETRIEVAL) == quads


@given(edges)
def test_any_edge_survives(edge: tuple[object, object, object]) -> None:
    triple = ox.Triple(*edge_terms(edge))
    quoting = ox.Triple(ox.BlankNode("b"), ox.NamedNode("urn:about"), triple)
    translator = TripleTranslator()
    for each in (triple, quoting):
        sent = translator.to_pulsar(translator.from_pulsar(to_triples([each])[0]))
        assert to_quads([sent]) == set_graph([each], "")


def test_text_alone_is_a_term_as_the_specification_writes_it() -> None:
    written = [Triple(SESSION, RDF_TYPE, PROV_ACTIVITY), Triple(SESSION, TG_QUERY, "Why?")]
    kind, query = to_quads(written, GRAPH_RETRIEVAL)
    assert kind.object == ox.NamedNode(PROV_ACTIVITY)
    assert query.object == ox.Literal("Why?")
    assert {kind.graph_name, query.graph_name} == {ox.NamedNode(GRAPH_RETRIEVAL)}


def test_messages_of_trustgraphs_own_schema_are_read() -> None:
    schema = pytest.importorskip("trustgraph.schema", reason="needs trustgraph-base")
    theirs = schema.Triple(
        s=schema.Term(type=schema.IRI, iri=SESSION),
        p=schema.Term(type=schema.IRI, iri=TG_QUERY),
        o=schema.Term(type=schema.LITERAL, value="Por quê?", language="pt"),
        g=GRAPH_RETRIEVAL,
    )
    assert to_quads([theirs]) == [
        ox.Quad(
            ox.NamedNode(SESSION),
            ox.NamedNode(TG_QUERY),
            ox.Literal("Por quê?", language="pt"),
            ox.NamedNode(GRAPH_RETRIEVAL),
        )
    ]


@pytest.mark.parametrize(
    "wire",
    [
        {"t": "l", "v": "7", "dt": "urn:d"},
        {"t": "l", "v": 7, "d": "urn:d"},
        {"type": "literal", "value": "7", "datatype": "urn:d"},
    ],
    ids=["today", "short", "long"],
)
def test_terms_of_every_release(wire: dict[str, object]) -> None:
    triple = {"subject": {"type": "iri", "iri": "urn:a"}, "p": "urn:b", "o": wire, "graph": "urn:g"}
    assert to_quads([TripleTranslator().to_pulsar(triple)]) == [
        ox.Quad(
            ox.NamedNode("urn:a"),
            ox.NamedNode("urn:b"),
            ox.Literal("7", datatype=ox.NamedNode("urn:d")),
            ox.NamedNode("urn:g"),
        )
    ]


steps = st.builds(
    AgentStep, any_text, any_text, st.dictionaries(any_text, json_values, max_size=2), any_text
)


@given(
    st.builds(
        AgentRequest,
        question=st.just("Why?"),
        state=any_text,
        group=st.none() | st.lists(any_text, max_size=2),
        history=st.lists(steps, max_size=2),
        user=any_text,
        collection=st.sampled_from(["default", "c"]),
        streaming=st.booleans(),
        session_id=any_text,
    )
)
def test_any_request_survives(request_: AgentRequest) -> None:
    translator = AgentRequestTranslator()
    wire = json.loads(json.dumps(translator.from_pulsar(request_)))
    assert translator.to_pulsar(wire) == request_


def test_a_request_without_the_new_fields_works() -> None:
    request = AgentRequestTranslator().to_pulsar({"question": "Why?", "user": "ana"})
    assert request == AgentRequest(question="Why?", user="ana")
    assert (request.session_id, request.collection) == ("", "default")


def test_session_and_collection_go_both_ways() -> None:
    wire = {"question": "Why?", "session_id": "7", "collection": "books"}
    translator = AgentRequestTranslator()
    assert translator.from_pulsar(translator.to_pulsar(wire)).items() >= wire.items()


@pytest.mark.parametrize(
    ("said", "meant"),
    [(True, True), ("true", True), ("False", False), ("false", False), ("", False), (None, False)],
)
def test_streaming_as_text_is_read_as_what_it_says(said: object, meant: bool) -> None:
    request = AgentRequestTranslator().to_pulsar({"question": "Why?", "streaming": said})
    assert request.streaming is meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [({"q": 1}, {"q": 1}), ('{"q": 1}', {"q": 1}), ("", {}), (None, {}), ({}, {}), ([], {})],
)
def test_arguments_as_json_text_are_kept(said: object, meant: object) -> None:
    wire = {"question": "Why?", "history": [{"action": "search", "arguments": said}]}
    assert AgentRequestTranslator().to_pulsar(wire).history[0].arguments == meant


def test_values_of_literals_are_text_as_json_writes_them() -> None:
    wire = {"s": "urn:a", "p": "urn:b", "o": {"t": "l", "v": True}}
    assert TripleTranslator().to_pulsar(wire).o == Term("l", value="true")


EXPLAINED = [Triple(Term("i", iri=SESSION), Term("i", iri=TG_QUERY), Term("l", value="Why?"))]


def test_responses_go_both_ways() -> None:
    agent = AgentResponse(
        "explain",
        explain_id=SESSION,
        explain_graph=GRAPH_RETRIEVAL,
        explain_triples=EXPLAINED,
        end_of_message=True,
        message_id="urn:m",
        error=Error("ModelError", "away"),
        in_token=1,
        out_token=2,
        model="m",
    )
    responses = AgentResponseTranslator()
    assert responses.to_pulsar(json.loads(json.dumps(responses.from_pulsar(agent)))) == agent
    assert responses.to_pulsar({"error": "away"}).error == Error(message="away")
    said = AgentResponse("answer", "Paris", True, True)
    assert responses.to_pulsar(responses.from_pulsar(said)) == said


@pytest.mark.parametrize(
    "response",
    [
        DocumentRagResponse(response="Paris", end_of_stream=True, end_of_session=True),
        DocumentRagResponse(
            response=None,
            message_type="explain",
            explain_id="urn:trustgraph:docrag:7",
            explain_graph=GRAPH_RETRIEVAL,
            explain_triples=EXPLAINED,
        ),
        DocumentRagResponse(error=Error("ModelError", "away"), model="m"),
    ],
    ids=["chunk", "explain", "error"],
)
def test_document_rag_responses_go_both_ways(response: DocumentRagResponse) -> None:
    translator = DocumentRagResponseTranslator()
    assert (
        translator.to_pulsar(json.loads(json.dumps(translator.from_pulsar(response)))) == response
    )


def test_an_error_that_says_nothing_is_none() -> None:
    assert DocumentRagResponseTranslator().to_pulsar({"response": "Paris"}).error is None


def test_a_service_says_what_it_sends() -> None:
    service = Service()
    service.register_specification(ProducerSpec(name="explainability", schema=Triples))
    (spec,) = service.specifications
    assert isinstance(spec, ProducerSpec)
    assert (spec.name, spec.schema) == ("explainability", Triples)
    assert Triples(metadata=Metadata(id="urn:a")).triples == []


def test_a_flow_hands_out_what_it_has() -> None:
    assert Flow({"explainability": 1}, metrics=2)("metrics") == 2
    assert Flow()("explainability") is None


def test_what_is_no_coroutine_is_settled() -> None:
    import asyncio

    async def late() -> int:
        return 2

    async def both() -> list[int]:
        return [await settle(1), await settle(late())]

    assert asyncio.run(both()) == [1, 2]


@pytest.mark.parametrize("text", ["https://a.b/c", "note:this", "urn:x:y", ""])
@pytest.mark.parametrize(
    "property",
    [TG_ANSWER, TG_QUERY, TG_THOUGHT, TG_OBSERVATION, RDFS_LABEL, PROV_STARTED_AT_TIME],
    ids=lambda iri: re.split("[/#]", iri)[-1],
)
def test_text_that_looks_like_an_iri_stays_text_where_text_belongs(
    property: str, text: str
) -> None:
    message = Triple(SESSION, property, text)
    translator = TripleTranslator()
    sent = translator.to_pulsar(json.loads(json.dumps(translator.from_pulsar(message))))
    assert to_quads([message])[0].object == to_quads([sent])[0].object == ox.Literal(text)


@pytest.mark.parametrize(
    ("property", "iri"),
    [
        (TG_DOCUMENT, "urn:document:1"),
        (TG_SELECTED_CHUNK, "https://a.b/c"),
        (TG_THOUGHT, f"{SESSION}/i1/thought"),
        ("https://example.org/other", "note:this"),
    ],
)
def test_text_alone_names_a_node_where_one_belongs(property: str, iri: str) -> None:
    assert to_quads([Triple(SESSION, property, iri)])[0].object == ox.NamedNode(iri)


def test_the_default_graph_can_be_named() -> None:
    translator = TripleTranslator()
    sent = translator.to_pulsar(translator.from_pulsar(Triple("urn:a", "urn:b", "c", g="")))
    assert sent.g == ""
    assert to_quads([sent], GRAPH_RETRIEVAL)[0].graph_name == ox.DefaultGraph()
