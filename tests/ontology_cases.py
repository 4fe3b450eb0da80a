"""Where the ontology is, and its terms, for the tests about it."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import pyoxigraph as ox
from narrowing import leaf, subject, value

from trustgraph_prov import namespaces, resources

ONTOLOGY = resources.folder("ontology")
CORE = ("trustgraph.ttl", "extension.ttl")
DATA = Path(__file__).parent / "data"
MALFORMED = Path(__file__).parent / "malformed"
SHAPES = "https://w3id.org/trustgraph-prov/shapes#"
OWL = "http://www.w3.org/2002/07/owl#"
KINDS = {
    OWL + "Class",
    OWL + "ObjectProperty",
    OWL + "DatatypeProperty",
    namespaces.RDF + "Property",
}


def turtle_files() -> list[Path]:
    """Every Turtle file of the ontology."""
    files = sorted(ONTOLOGY.glob("*.ttl"))
    assert len(files) >= 5, f"{ONTOLOGY} lacks files, so nothing would be tested"
    return files


@cache
def triples(path: Path) -> list[ox.Triple]:
    """The triples of a Turtle file."""
    return [quad.triple for quad in ox.parse(path=path, format=ox.RdfFormat.TURTLE)]


@cache
def declared() -> dict[str, list[tuple[str, str]]]:
    """By term of ours or TrustGraph's: each file and kind that declares it."""
    found = defaultdict(list)
    for path in turtle_files():
        for triple in triples(path):
            iri = subject(triple)
            if (
                triple.predicate.value == namespaces.RDF_TYPE
                and value(triple.object) in KINDS
                and iri.startswith((namespaces.TG, namespaces.TGP))
            ):
                found[iri].append((path.name, value(triple.object)))
    assert found
    return dict(found)


def values(iri: str, predicate: str) -> list[ox.Literal | ox.NamedNode]:
    """What the core files say of a term."""
    return [
        leaf(triple.object)
        for name in CORE
        for triple in triples(ONTOLOGY / name)
        if subject(triple) == iri and triple.predicate.value == predicate
    ]


def constants(*prefixes: str) -> dict[str, str]:
    """The IRIs of `namespaces` whose name starts with one of the prefixes, by name."""
    found = {
        name: value
        for name, value in vars(namespaces).items()
        if name.startswith(prefixes) and isinstance(value, str)
    }
    assert found
    return found
