"""Graph-RAG and document-RAG emitters: exact triples, with TrustGraph's positional arguments."""

from __future__ import annotations

import rdflib
from pyoxigraph import Literal, NamedNode
from rdflib import URIRef
from recorder_cases import ASKED, AT, DOCS, lines

from trustgraph_prov.emitters import (
    docrag_chunk_selection_triples,
    docrag_exploration_triples,
    docrag_question_triples,
    docrag_synthesis_triples,
    edge_terms,
    exploration_triples,
    focus_triples,
    grounding_triples,
    question_triples,
    synthesis_triples,
)
from trustgraph_prov.statement import statement_iri

PART = "urn:trustgraph:prov:"
GROUNDING, EXPLORATION, FOCUS, SYNTHESIS = (
    f"{PART}{name}:7" for name in ("grounding", "exploration", "focus", "synthesis")
)
USED = [
    "tg:inToken 10^^xsd:integer",
    "tg:outToken 2^^xsd:integer",
    "tg:llmModel m",
    "prov:wasAttributedTo urn:trustgraph-prov:model:m",
]
MODEL = [
    "urn:trustgraph-prov:model:m rdf:type prov:SoftwareAgent",
    "urn:trustgraph-prov:model:m rdfs:label m",
]


def used(node: str) -> list[str]:
    return [f"{node} {each}" for each in USED] + MODEL


def test_question() -> None:
    assert lines(question_triples(ASKED, "How deep?", AT, None)) == [
        f"{ASKED} rdf:type prov:Activity",
        f"{ASKED} rdf:type tg:Question",
        f"{ASKED} rdf:type tg:GraphRagQuestion",
        f"{ASKED} tg:query How deep?",
        f"{ASKED} prov:startedAtTime 2026-03-02T08:15:00Z^^xsd:dateTime",
    ]


def test_grounding() -> None:
    triples = grounding_triples(GROUNDING, ASKED, ["lake", "depth"], 10, 2, "m")
    assert lines(triples) == [
        f"{GROUNDING} rdf:type prov:Entity",
        f"{GROUNDING} rdf:type tg:Grounding",
        f"{GROUNDING} tg:concept lake",
        f"{GROUNDING} tg:concept depth",
        f"{GROUNDING} prov:wasGeneratedBy {ASKED}",
        *used(GROUNDING),
    ]


def test_exploration_after_a_grounding() -> None:
    triples = exploration_triples(EXPLORATION, GROUNDING, 12, ["http://e/lake"])
    assert lines(triples) == [
        f"{EXPLORATION} rdf:type prov:Entity",
        f"{EXPLORATION} rdf:type tg:Exploration",
        f"{EXPLORATION} tg:edgeCount 12^^xsd:integer",
        f"{EXPLORATION} tg:entity http://e/lake",
        f"{EXPLORATION} prov:wasDerivedFrom {GROUNDING}",
    ]


def test_exploration_of_a_question() -> None:
    by_pattern = exploration_triples(EXPLORATION, ASKED, 12)
    assert lines(by_pattern)[-1] == f"{EXPLORATION} prov:wasGeneratedBy {ASKED}"
    named = exploration_triples(EXPLORATION, "http://e/q", 12, question_uri="http://e/q")
    assert lines(named)[-1] == f"{EXPLORATION} prov:wasGeneratedBy http://e/q"


def test_focus() -> None:
    edge = ("http://e/lake", "http://e/depth", "41 m")
    statement = statement_iri(NamedNode(edge[0]), NamedNode(edge[1]), Literal("41 m")).value
    chosen = f"{PART}edge:7:1"
    triples = focus_triples(
        FOCUS,
        EXPLORATION,
        [{"reasoning": "no edge"}, {"edge": edge, "reasoning": "r", "score": 0.50, "concept": "c"}],
        "7",
        10,
        2,
        "m",
    )
    assert lines(triples) == [
        f"{FOCUS} rdf:type prov:Entity",
        f"{FOCUS} rdf:type tg:Focus",
        *used(FOCUS),
        f"{FOCUS} prov:wasDerivedFrom {EXPLORATION}",
        f"{FOCUS} tg:selectedEdge {chosen}",
        f"{chosen} rdf:type tg:EdgeSelection",
        f"{chosen} tg:edge {statement}",
        f"{statement} rdf:type rdf:Statement",
        f"{statement} rdf:subject http://e/lake",
        f"{statement} rdf:predicate http://e/depth",
        f"{statement} rdf:object 41 m",
        f"{chosen} tgp:rank 2^^xsd:integer",
        f"{chosen} tg:reasoning r",
        f"{chosen} tg:score 0.5^^xsd:decimal",
        f"{chosen} tg:concept c",
    ]


def test_focus_on_bare_edges_reads_the_session_from_its_iri() -> None:
    triples = focus_triples(FOCUS, EXPLORATION, [("http://e/a", "http://e/b", "http://e/c")])
    assert f"{FOCUS} tg:selectedEdge {PART}edge:7:0" in lines(triples)


def test_terms_of_rdflib_are_edges_too() -> None:
    subject, predicate = URIRef("http://e/lake"), URIRef("http://e/depth")
    objects = [
        URIRef("urn:a"),
        rdflib.Literal("urn:a"),
        rdflib.Literal(41),
        rdflib.Literal("a", "en"),
    ]
    assert [str(edge_terms((subject, predicate, each))[2]) for each in objects] == [
        "<urn:a>",
        '"urn:a"',
        '"41"^^<http://www.w3.org/2001/XMLSchema#integer>',
        '"a"@en',
    ]


def test_synthesis() -> None:
    triples = synthesis_triples(SYNTHESIS, FOCUS, "urn:doc:1", 10, 2, "m", content="41 m")
    assert lines(triples) == [
        f"{SYNTHESIS} rdf:type prov:Entity",
        f"{SYNTHESIS} rdf:type tg:Synthesis",
        f"{SYNTHESIS} tg:content 41 m",
        f"{SYNTHESIS} tg:document urn:doc:1",
        f"{SYNTHESIS} prov:wasDerivedFrom {FOCUS}",
        *used(SYNTHESIS),
    ]


def test_document_question() -> None:
    assert lines(docrag_question_triples(DOCS, "How deep?", AT, "http://e/step")) == [
        f"{DOCS} rdf:type prov:Activity",
        f"{DOCS} rdf:type tg:Question",
        f"{DOCS} rdf:type tg:DocRagQuestion",
        f"{DOCS} tg:query How deep?",
        f"{DOCS} prov:startedAtTime 2026-03-02T08:15:00Z^^xsd:dateTime",
        f"{DOCS} prov:wasDerivedFrom http://e/step",
    ]


def test_document_exploration() -> None:
    node = f"{DOCS}/exploration"
    triples = docrag_exploration_triples(node, DOCS, 3, ["urn:chunk:1", "chunk-id-2"])
    assert lines(triples) == [
        f"{node} rdf:type prov:Entity",
        f"{node} rdf:type tg:Exploration",
        f"{node} tg:chunkCount 3^^xsd:integer",
        f"{node} tg:selectedChunk urn:chunk:1",
        f"{node} tg:selectedChunk chunk-id-2",
        f"{node} prov:wasGeneratedBy {DOCS}",
    ]


def test_chunk_selection() -> None:
    node = f"{DOCS}/focus"
    first, second = (f"{PART}chunk:7:{n}" for n in (0, 2))
    triples = docrag_chunk_selection_triples(
        node,
        f"{DOCS}/exploration",
        [{"chunk_id": "urn:chunk:1", "score": "0.97"}, {"score": 1}, "chunk-id-2"],
        "7",
    )
    assert lines(triples) == [
        f"{node} rdf:type prov:Entity",
        f"{node} rdf:type tg:Focus",
        f"{node} prov:wasDerivedFrom {DOCS}/exploration",
        f"{node} tg:selectedChunk {first}",
        f"{first} rdf:type tg:ChunkSelection",
        f"{first} tg:document urn:chunk:1",
        f"{first} tgp:rank 1^^xsd:integer",
        f"{first} tg:score 0.97^^xsd:decimal",
        f"{node} tg:selectedChunk {second}",
        f"{second} rdf:type tg:ChunkSelection",
        f"{second} tg:content chunk-id-2",
        f"{second} tgp:rank 3^^xsd:integer",
    ]


def test_document_synthesis() -> None:
    node = f"{DOCS}/synthesis"
    triples = docrag_synthesis_triples(
        node, f"{DOCS}/exploration", content="41 m", termination_reason="final-answer", trace=DOCS
    )
    assert lines(triples) == [
        f"{node} rdf:type prov:Entity",
        f"{node} rdf:type tg:Synthesis",
        f"{node} tgp:trace {DOCS}",
        f"{node} tg:content 41 m",
        f"{node} tg:terminationReason final-answer",
        f"{node} prov:wasDerivedFrom {DOCS}/exploration",
    ]
