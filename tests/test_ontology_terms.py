"""Each term that is used is declared, once, and each declared one that the seeds name is used."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from narrowing import subject, value
from ontology_cases import CORE, ONTOLOGY, OWL, constants, declared, triples, turtle_files, values

import trustgraph_prov
from trustgraph_prov import namespaces, resources
from trustgraph_prov.namespaces import PREFIXES, RDFS, TG, TGP

PACKAGE = Path(trustgraph_prov.__file__).parent
CURIE = re.compile(r"\b(tgp?):([A-Za-z]\w*)")
WHOLE = re.compile(r"<(https://(?:trustgraph\.ai/ns|w3id\.org/trustgraph-prov)/[A-Za-z]\w*)>")

SEEDS = {
    "Question",
    "GraphRagQuestion",
    "DocRagQuestion",
    "AgentQuestion",
    "Exploration",
    "Focus",
    "Synthesis",
    "Analysis",
    "Conclusion",
    "EdgeSelection",
    "ChunkSelection",
    "AgentSession",
    "AgentIteration",
    "AgentFinal",
    "query",
    "thought",
    "action",
    "arguments",
    "observation",
    "answer",
    "chunkCount",
    "selectedChunk",
    "content",
    "edgeCount",
    "selectedEdge",
}
"""Local names of the terms that the two founding documents name."""


def used_in_python(*folders: str) -> set[str]:
    files = [file for folder in folders for file in sorted((PACKAGE / folder).rglob("*.py"))]
    assert files, f"no module in {folders}, so nothing would be tested"
    names = {
        node.id if isinstance(node, ast.Name) else node.attr
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Name, ast.Attribute))
    }
    known = constants("TG_", "TGP_")
    return {known[name] for name in names & set(known)}


def used_in(folder: Path, *endings: str) -> set[str]:
    files = [file for ending in endings for file in sorted(folder.rglob(f"*.{ending}"))]
    assert files, f"{folder} holds no {endings}, so nothing would be tested"
    found = set()
    for file in files:
        source = "\n".join(
            line
            for line in file.read_text(encoding="utf-8").splitlines()
            if not line.startswith("#")
        )
        text = re.sub(r'"(?:[^"\\]|\\.)*"', '""', source)
        found |= {PREFIXES[prefix] + local for prefix, local in CURIE.findall(text)}
        found |= set(WHOLE.findall(text))
    return found - {namespaces.GRAPH_ONTOLOGY}


def used_in_queries() -> set[str]:
    return used_in(resources.folder("queries"), "rq", "ru")


@pytest.mark.parametrize("path", turtle_files(), ids=lambda path: path.name)
def test_a_file_is_turtle_to_both_parsers_and_has_no_blank_node(path: Path) -> None:
    ours = triples(path)
    theirs = rdflib.Graph().parse(path)
    assert len(ours) == len(theirs) > 0
    nodes = {node for triple in ours for node in (triple.subject, triple.object)}
    assert not [node for node in nodes if isinstance(node, ox.BlankNode)]


def test_every_constant_is_declared_once_in_the_file_of_its_namespace() -> None:
    wanted = constants("TG_", "TGP_")
    files = {TG: "trustgraph.ttl", TGP: "extension.ttl"}
    for name, iri in wanted.items():
        places = [file for file, _ in declared().get(iri, [])]
        home = files[TGP if iri.startswith(TGP) else TG]
        assert places == [home], f"{name}, {iri}: declared in {places}"


def test_every_declared_term_has_a_constant() -> None:
    assert set(declared()) == set(constants("TG_", "TGP_").values())


def test_every_term_that_python_uses_is_declared() -> None:
    used = used_in_python("emitters")
    assert used
    assert used <= set(declared())


def test_every_term_that_a_query_uses_is_declared() -> None:
    used = used_in_queries()
    assert used
    assert used <= set(declared())


def test_every_term_that_a_shape_or_an_alignment_uses_is_declared() -> None:
    for name in ("shapes.ttl", "alignment-prov.ttl"):
        used = {
            value(term)
            for triple in triples(ONTOLOGY / name)
            for term in (triple.subject, triple.object)
            if isinstance(term, ox.NamedNode) and re.fullmatch(WHOLE.pattern, f"<{term.value}>")
        }
        assert used
        assert used <= set(declared()) | {namespaces.GRAPH_ONTOLOGY}


def test_every_term_that_an_example_uses_is_declared_and_no_node_is_blank() -> None:
    files = sorted((ONTOLOGY / "examples").glob("*.trig"))
    assert files, "ontology/examples holds no *.trig, so nothing would be tested"
    quads = [quad for file in files for quad in ox.parse(path=file)]
    assert not [q for q in quads if isinstance(q.subject, ox.BlankNode)]
    assert not [q for q in quads if isinstance(q.object, ox.BlankNode)]
    used = {quad.predicate.value for quad in quads}
    used |= {q.object.value for q in quads if q.predicate.value == namespaces.RDF_TYPE}
    assert {iri for iri in used if iri.startswith((TG, TGP))} <= set(declared())


def test_no_declared_term_of_the_seeds_is_unused() -> None:
    seeds = {TG + name for name in SEEDS}
    assert seeds <= set(declared())
    used = used_in_python("emitters", "explain") | used_in_queries()
    assert seeds - used == set()


def test_a_term_of_either_text_or_iri_has_no_range() -> None:
    for name in ("thought", "observation", "selectedChunk"):
        assert declared()[TG + name] == [("trustgraph.ttl", namespaces.RDF + "Property")]
        assert values(TG + name, RDFS + "range") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("AgentSession", "AgentQuestion"),
        ("AgentIteration", "Analysis"),
        ("AgentFinal", "Conclusion"),
    ],
)
def test_an_earlier_name_is_deprecated_and_points_at_its_successor(old: str, new: str) -> None:
    assert [value.value for value in values(TG + old, OWL + "deprecated")] == ["true"]
    successors = values(TG + old, "http://purl.org/dc/terms/isReplacedBy")
    assert [value.value for value in successors] == [TG + new]


def test_every_example_of_a_term_is_turtle_that_uses_it() -> None:
    head = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())
    for iri in declared():
        (example,) = values(iri, namespaces.SKOS + "example")
        parsed = list(ox.parse(head + example.value, format=ox.RdfFormat.TURTLE))
        terms = {term for quad in parsed for term in (quad.predicate, quad.object)}
        assert ox.NamedNode(iri) in terms, f"{iri}: {example.value}"


def test_the_alignment_says_only_how_terms_relate_to_prov() -> None:
    said = {
        triple.predicate.value
        for triple in triples(ONTOLOGY / "alignment-prov.ttl")
        if (iri := subject(triple)).startswith((TG, TGP)) and "/ontology/" not in iri
    }
    assert said == {RDFS + "subClassOf", RDFS + "subPropertyOf"}


def test_the_core_says_nothing_about_prov() -> None:
    for name in CORE:
        terms = {
            value(term)
            for triple in triples(ONTOLOGY / name)
            for term in (triple.predicate, triple.object)
        }
        assert not [term for term in terms if term.startswith(namespaces.PROV)]


def test_all_files_carry_one_version() -> None:
    versions = set()
    for path in turtle_files():
        head = {triple.predicate.value: triple for triple in triples(path)[:20]}
        info = head[OWL + "versionInfo"]
        iri, version = subject(info), value(info.object)
        versions.add(version)
        assert value(head[OWL + "versionIRI"].object) == f"{iri}/{version}"
        assert iri == f"{namespaces.GRAPH_ONTOLOGY}/{path.stem}"
    assert len(versions) == 1
