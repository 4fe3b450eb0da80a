"""Emitters of sources, of the index and of agents."""

from __future__ import annotations

from typing import Any

from pyoxigraph import Literal, NamedNode, Triple
from recorder_cases import AT, RUN, lines

from trustgraph_prov.emitters import (
    derived_entity_triples,
    document_triples,
    ended_triples,
    index_triples,
    period_triples,
    subgraph_provenance_triples,
)
from trustgraph_prov.statement import statement_iri

DOC, PAGE, CHUNK = "https://example.org/doc/1", "urn:page:1", "urn:chunk:1"
ACT = "https://trustgraph.ai/activity/1"
EXTRACTOR = "https://trustgraph.ai/agent/pdf"


def test_document() -> None:
    triples = document_triples(DOC, "Survey", "Shelf 3", "2025", "Office", 9, "application/pdf")
    assert lines(triples) == [
        f"{DOC} rdf:type prov:Entity",
        f"{DOC} rdf:type tg:Document",
        f"{DOC} dc:title Survey",
        f"{DOC} rdfs:label Survey",
        f"{DOC} dc:source Shelf 3",
        f"{DOC} dc:date 2025",
        f"{DOC} dc:creator Office",
        f"{DOC} tg:pageCount 9^^xsd:integer",
        f"{DOC} tg:mimeType application/pdf",
    ]
    assert lines(document_triples(DOC)) == lines(triples)[:2]


def test_page() -> None:
    triples = derived_entity_triples(
        PAGE, DOC, "pdf", "1.2", "Page 4", 4, timestamp=AT, activity=ACT
    )
    assert lines(triples) == [
        f"{PAGE} rdf:type prov:Entity",
        f"{PAGE} rdf:type tg:Page",
        f"{PAGE} prov:wasDerivedFrom {DOC}",
        f"{PAGE} prov:wasGeneratedBy {ACT}",
        f"{PAGE} rdfs:label Page 4",
        f"{PAGE} tg:pageNumber 4^^xsd:integer",
        f"{ACT} rdf:type prov:Activity",
        f"{ACT} rdfs:label pdf extraction",
        f"{ACT} prov:used {DOC}",
        f"{ACT} prov:wasAssociatedWith {EXTRACTOR}",
        f"{ACT} prov:startedAtTime 2026-03-02T08:15:00Z^^xsd:dateTime",
        f"{ACT} tg:componentVersion 1.2",
        f"{EXTRACTOR} rdf:type prov:Agent",
        f"{EXTRACTOR} rdfs:label pdf",
    ]


def test_kind_of_part() -> None:
    def kind(**given: Any) -> str:
        return lines(derived_entity_triples(PAGE, DOC, "pdf", "1", **given))[1]

    assert kind(section=True) == f"{PAGE} rdf:type tg:Section"
    assert kind(image=True, page_number=1) == f"{PAGE} rdf:type tg:Image"
    assert kind(chunk_index=0) == f"{PAGE} rdf:type tg:Chunk"
    assert kind() == f"{PAGE} prov:wasDerivedFrom {DOC}"


def test_a_part_keeps_its_numbers_and_is_the_same_each_time() -> None:
    def emit() -> list[str]:
        return lines(
            derived_entity_triples(
                CHUNK,
                PAGE,
                "chunker",
                "1",
                chunk_index=0,
                char_offset=5,
                char_length=90,
                chunk_size=100,
                chunk_overlap=10,
                mime_type="text/plain",
                element_types="Title,Table",
                table_count=1,
                image_count=2,
                content="Silt.",
            )
        )

    assert emit() == emit()
    for said in (
        f"{CHUNK} tg:charOffset 5^^xsd:integer",
        f"{CHUNK} tg:charLength 90^^xsd:integer",
        f"{CHUNK} tg:elementTypes Title,Table",
        f"{CHUNK} tg:tableCount 1^^xsd:integer",
        f"{CHUNK} tg:imageCount 2^^xsd:integer",
        f"{CHUNK} tg:content Silt.",
    ):
        assert said in emit()
    assert [line.split(" ", 1)[1] for line in emit() if "tg:chunkSize" in line] == [
        "tg:chunkSize 100^^xsd:integer"
    ]


def test_subgraph_contains_the_statement_a_focus_points_at() -> None:
    parts = (NamedNode("http://e/s"), NamedNode("http://e/p"), Literal("1.50", datatype=XSD))
    triples = subgraph_provenance_triples(
        "urn:sub", [Triple(*parts)], CHUNK, "kg", "1", "m", "http://e/onto", AT, activity=ACT
    )
    node = statement_iri(*parts).value
    assert f"urn:sub tg:contains {node}" in lines(triples)
    assert f"{node} rdf:object 1.5^^xsd:decimal" in lines(triples)
    assert f"{ACT} tg:llmModel m" in lines(triples)
    assert f"{ACT} tg:ontology http://e/onto" in lines(triples)


XSD = NamedNode("http://www.w3.org/2001/XMLSchema#decimal")


def test_index() -> None:
    tree = "urn:trustgraph-prov:{}:a%3Ab:c"
    collection = tree.format("collection")
    day = tree.format("day") + ":2026-03-02"
    hour = tree.format("hour") + ":2026-03-02T22"
    assert lines(index_triples(RUN, "a:b", "c", "2026-03-03T00:15:00+02:00")) == [
        f"{RUN} tgp:trace {RUN}",
        f"{RUN} tgp:inHour {hour}",
        f"{RUN} tgp:startedAt 2026-03-02T22:15:00Z^^xsd:dateTime",
        f"{collection} rdf:type tgp:Collection",
        f"{collection} tgp:ofUser a:b",
        f"{collection} tgp:ofName c",
        f"{collection} tgp:hasDay {day}",
        f"{day} rdf:type tgp:Day",
        f"{day} tgp:periodStart 2026-03-02T00:00:00Z^^xsd:dateTime",
        f"{day} tgp:hasHour {hour}",
        f"{hour} rdf:type tgp:Hour",
        f"{hour} tgp:periodStart 2026-03-02T22:00:00Z^^xsd:dateTime",
    ]


def test_the_tree_of_an_hour_is_the_same_at_each_of_its_minutes() -> None:
    assert period_triples("u", "c", "2026-03-02T08:00:00Z") == period_triples(
        "u", "c", "2026-03-02T08:59:59.9Z"
    )


def test_ended() -> None:
    assert lines(ended_triples(RUN, AT)) == [
        f"{RUN} prov:endedAtTime 2026-03-02T08:15:00Z^^xsd:dateTime"
    ]
