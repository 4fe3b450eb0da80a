"""What an OWL 2 RL reasoner makes of the ontology, of runs, and of PROV-O's axioms with them."""

from __future__ import annotations

from pathlib import Path

import owlrl
import pyoxigraph as ox
import pytest
import rdflib
from narrowing import serialized
from ontology_cases import DATA, ONTOLOGY

from trustgraph_prov.namespaces import PREFIXES, PROV, TG

EXAMPLES = ONTOLOGY / "examples"
ERROR = rdflib.URIRef("http://www.daml.org/2002/03/agents/agent-ont#error")
HEAD = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())

QUESTION = """
    <urn:q> a prov:Activity , tg:Question , tg:AgentQuestion ; tg:query "How high?" ;
        prov:startedAtTime "2026-03-02T08:15:00Z"^^xsd:dateTime .
"""
STRICT = (
    QUESTION
    + """
    <urn:q/i1> a prov:Entity , tg:Analysis ; tg:stepNumber 1 ; prov:wasGeneratedBy <urn:q> .
    <urn:q/final> a prov:Entity , tg:Conclusion ; tg:answer "41" ; prov:wasDerivedFrom <urn:q/i1> .
    <urn:called> a prov:Activity , tg:GraphRagQuestion ; tg:query "And its height?" ;
        tgp:calledFrom <urn:q/i1> ; prov:wasInformedBy <urn:q> ; tgp:trace <urn:called> .
"""
)
DEFAULT = (
    QUESTION
    + """
    <urn:q/i1> a prov:Entity , tg:Analysis ; prov:wasDerivedFrom <urn:q> .
"""
)
TRUSTGRAPH = """
    <urn:q> a prov:Entity , tg:Question , tg:AgentQuestion ; tg:query "How high?" .
"""


def faults(*sources: Path | str, prov: bool = True) -> list[str]:
    """What makes sources inconsistent with the ontology, and with PROV-O's axioms.

    Args:
        sources: Turtle, or files whose graphs are merged, since a reasoner knows one.
        prov: with PROV-O's axioms and the alignment to them.
    """
    graph = rdflib.Graph()
    files = ["trustgraph.ttl", "extension.ttl", *(["alignment-prov.ttl"] if prov else [])]
    for name in files:
        graph.parse(ONTOLOGY / name)
    if prov:
        graph.parse(DATA / "prov-axioms.ttl")
    for source in sources:
        text = HEAD + source if isinstance(source, str) else triples_of(source)
        graph.parse(data=text, format="turtle")
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    return sorted(str(message) for message in graph.objects(None, ERROR))


def triples_of(path: Path) -> str:
    """The triples of every graph of a file, without triple terms, which no reasoner here knows."""
    quads = [quad.triple for quad in ox.parse(path=path) if not isinstance(quad.object, ox.Triple)]
    assert quads
    return serialized(quads, ox.RdfFormat.TURTLE).decode()


def test_the_ontology_is_consistent() -> None:
    assert faults() == []
    assert faults(prov=False) == []


def test_a_strict_run_is_consistent() -> None:
    assert faults(STRICT) == []


def test_a_default_run_is_not_since_it_derives_a_step_from_an_activity() -> None:
    assert any("disjoint" in fault.lower() for fault in faults(DEFAULT))
    assert faults(DEFAULT, prov=False) == []


def test_a_question_typed_entity_is_consistent_without_prov_only() -> None:
    assert faults(TRUSTGRAPH) != []
    assert faults(TRUSTGRAPH, prov=False) == []


def test_a_deprecated_class_is_understood_as_its_successor() -> None:
    graph = rdflib.Graph()
    for name in ("trustgraph.ttl", "alignment-prov.ttl"):
        graph.parse(ONTOLOGY / name)
    graph.parse(data=HEAD + "<urn:q/i1> a tg:AgentIteration .", format="turtle")
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    types = set(graph.objects(rdflib.URIRef("urn:q/i1"), rdflib.RDF.type))
    assert {rdflib.URIRef(TG + "Analysis"), rdflib.URIRef(PROV + "Entity")} <= types


def strict_examples() -> list[Path]:
    files = sorted(EXAMPLES.glob("*strict*.trig"))
    assert files, f"{EXAMPLES} holds no strict run, so nothing would be tested"
    return files


def trustgraph_files() -> list[Path]:
    files = sorted((DATA / "trustgraph").glob("*.nq"))
    assert files, f"{DATA} holds no data of TrustGraph, so nothing would be tested"
    return files


@pytest.mark.parametrize("path", strict_examples(), ids=lambda path: path.name)
def test_a_strict_example_is_consistent(path: Path) -> None:
    assert faults(path) == []


def test_the_default_agent_example_is_not_consistent() -> None:
    assert faults(EXAMPLES / "agent.trig") != []


@pytest.mark.parametrize("name", ["graph-rag.trig", "doc-rag.trig", "source.trig"])
def test_an_example_without_an_agent_is_consistent(name: str) -> None:
    assert faults(EXAMPLES / name) == []


@pytest.mark.parametrize("path", trustgraph_files(), ids=lambda path: path.name)
def test_what_trustgraph_writes_is_consistent_with_the_core(path: Path) -> None:
    assert faults(path, prov=False) == []
