"""The ontology meets its own shapes, and what is generated from it or beside it agrees with it."""

from __future__ import annotations

import json

import pyshacl
import pytest
import rdflib
from ontology_cases import ONTOLOGY, turtle_files
from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from trustgraph_prov.context import context, context_text
from trustgraph_prov.namespaces import PREFIXES, XSD_STRING
from trustgraph_prov.statement import canonical, statement_iri

VECTORS = json.loads((ONTOLOGY / "statement-hash.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def whole() -> rdflib.Graph:
    graph = rdflib.Graph()
    for path in turtle_files():
        graph.parse(path)
    return graph


def check(graph: rdflib.Graph) -> tuple[bool, str]:
    shapes = rdflib.Graph().parse(ONTOLOGY / "shapes-meta.ttl")
    conforms, _, text = pyshacl.validate(graph, shacl_graph=shapes)
    return bool(conforms), str(text)


def test_every_term_ontology_and_shape_is_described(whole: rdflib.Graph) -> None:
    conforms, text = check(whole)
    assert conforms, text


@pytest.mark.parametrize(
    ("taken", "shape"),
    [
        ("rdfs:label", "Term-label"),
        ("skos:definition", "Term-definition"),
        ("skos:example", "Term-example"),
        ("rdfs:isDefinedBy", "Term-isDefinedBy"),
        ("dcterms:license", "Ontology-license"),
        ("owl:versionIRI", "Ontology-versionIRI"),
        ("vann:preferredNamespaceUri", "Ontology-preferredNamespaceUri"),
        ("dcterms:isReplacedBy", "Deprecated-isReplacedBy"),
        ("sh:message", "Field-message"),
        ("sh:order", "Display-order"),
    ],
)
def test_a_description_that_is_missing_is_missed(
    whole: rdflib.Graph, taken: str, shape: str
) -> None:
    predicate = whole.namespace_manager.expand_curie(taken)
    less = rdflib.Graph()
    for triple in whole:
        if triple[1] != predicate:
            less.add(triple)
    assert len(less) < len(whole)
    conforms, text = check(less)
    assert not conforms
    assert f"meta:{shape}" in text or f"shapes-meta#{shape}" in text


def test_a_definition_is_one_sentence(whole: rdflib.Graph) -> None:
    more = rdflib.Graph() + whole
    definition = rdflib.SKOS.definition
    term = rdflib.URIRef("https://trustgraph.ai/ns/Question")
    more.set((term, definition, rdflib.Literal("One. And two.", lang="en")))
    assert check(more)[0] is False


def test_the_context_in_the_folder_is_the_generated_one() -> None:
    there = (ONTOLOGY / "context.jsonld").read_text(encoding="utf-8")
    assert there == context_text(), (
        "write ontology/context.jsonld anew with trustgraph_prov.context.context_text()"
    )


def test_the_context_reads_plain_json() -> None:
    document = {
        **json.loads((ONTOLOGY / "context.jsonld").read_text(encoding="utf-8")),
        "id": "urn:trustgraph:prov:edge:7:0",
        "type": "EdgeSelection",
        "edge": "urn:trustgraph-prov:statement:57743f10e6729b352c55d47d7b4e8190",
        "reasoning": "It names the supplier.",
        "score": "0.93",
        "rank": 1,
        "trace": "urn:trustgraph:question:7",
    }
    turtle = """
        <urn:trustgraph:prov:edge:7:0> a tg:EdgeSelection ;
            tg:edge <urn:trustgraph-prov:statement:57743f10e6729b352c55d47d7b4e8190> ;
            tg:reasoning "It names the supplier." ; tg:score 0.93 ; tgp:rank 1 ;
            tgp:trace <urn:trustgraph:question:7> .
    """
    head = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())
    read = set(parse(json.dumps(document), format=RdfFormat.JSON_LD))
    assert read == set(parse(head + turtle, format=RdfFormat.TURTLE))


def test_the_context_names_every_term_once() -> None:
    whole = context()
    iris = [
        value if isinstance(value, str) else value["@id"]
        for name, value in whole.items()
        if name not in {"@version", "id", "type", *PREFIXES}
    ]
    assert len(iris) == len(set(iris)) > 80


def test_there_are_test_vectors_for_every_form() -> None:
    assert len(VECTORS["vectors"]) >= 15
    datatypes = {vector["object"].get("datatype", "") for vector in VECTORS["vectors"]}
    names = {datatype.rpartition("#")[2] for datatype in datatypes}
    assert {"integer", "decimal", "double", "boolean", "dateTime"} <= names
    assert len({vector["name"] for vector in VECTORS["vectors"]}) == len(VECTORS["vectors"])


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: vector["name"])
def test_a_statement_is_named_as_the_vector_says(vector: dict[str, object]) -> None:
    subject, predicate = NamedNode(str(vector["subject"])), NamedNode(str(vector["predicate"]))
    node = statement_iri(subject, predicate, term(vector["object"]))
    assert node.value == VECTORS["prefix"] + str(vector["hash"])


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: vector["name"])
def test_the_line_of_a_vector_says_what_its_terms_are(vector: dict[str, object]) -> None:
    (read,) = parse(str(vector["line"]), format=RdfFormat.N_TRIPLES)
    given = term(vector["object"])
    assert read.object == (canonical(given) if isinstance(given, Literal) else given)


def term(given: object) -> NamedNode | Literal:
    assert isinstance(given, dict)
    if given["type"] == "iri":
        return NamedNode(given["value"])
    if "language" in given:
        return Literal(given["value"], language=given["language"])
    return Literal(given["value"], datatype=NamedNode(given.get("datatype", XSD_STRING)))
