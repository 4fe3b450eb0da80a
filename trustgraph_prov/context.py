"""The JSON-LD context of the vocabulary, made from the ontology and the shapes.

`ontology/context.jsonld` is what `context_text` returns; a test compares the two.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from pyoxigraph import NamedNode, RdfFormat, parse

from . import resources
from .curies import compress
from .namespaces import OWL, PREFIXES, RDF, RDF_TYPE, RDFS, SH, TG, TGP, XSD, XSD_STRING

__all__ = ["context", "context_text"]

_PROPERTIES = {OWL + "ObjectProperty", OWL + "DatatypeProperty", RDF + "Property"}


def context() -> dict[str, Any]:
    """Name every term of the vocabulary, and of others that runs use, by its last part.

    A term whose values are IRIs, or of one datatype, says so, and then plain JSON strings do; a
    decimal must be one (JSON-LD 1.1 API, section 8.2.2: 0.93 as a number would become 9.3E-1).

    Returns:
        The value of `@context`, keywords and prefixes first, then terms in the order of names.

    Raises:
        ValueError: two terms have the same last part, or one has none of our prefixes.

    Example:
        >>> context()["edgeCount"] == {"@id": "tg:edgeCount", "@type": "xsd:integer"}
        True
        >>> context()["selectedEdge"]["@type"], context()["Synthesis"]
        ('@id', 'tg:Synthesis')
    """
    classes, properties, types = _read()
    terms: dict[str, Any] = {_local(iri): _short(iri) for iri in classes}
    for iri in properties:
        kinds = types.get(iri, set())
        kind = kinds.pop() if len(kinds) == 1 else None
        entry = _short(iri) if kind is None else {"@id": _short(iri), "@type": kind}
        if terms.setdefault(_local(iri), entry) != entry:
            raise ValueError(f"two terms are called {_local(iri)!r}; one of them is {iri}")
    words = {"@version": 1.1, "id": "@id", "type": "@type"}
    return {**words, **PREFIXES, **dict(sorted(terms.items()))}


def context_text() -> str:
    """Write the context as a JSON-LD document.

    Example:
        >>> context_text().splitlines()[1]
        '  "@context": {'
    """
    return json.dumps({"@context": context()}, indent=2, ensure_ascii=False) + "\n"


def _read() -> tuple[set[str], set[str], dict[str, set[str]]]:
    """Find classes and properties, and by property what its values are."""
    classes, properties = set(), set()
    types: dict[str, set[str]] = defaultdict(set)
    paths: dict[str, str] = {}
    said: dict[str, set[str]] = defaultdict(set)
    for name in resources.VOCABULARY:
        for triple in parse(path=resources.folder("ontology") / name, format=RdfFormat.TURTLE):
            subject, predicate = triple.subject, triple.predicate.value
            if not isinstance(subject, NamedNode) or not isinstance(triple.object, NamedNode):
                continue
            iri, value = subject.value, triple.object.value
            if predicate == RDF_TYPE and iri.startswith((TG, TGP)):
                if value == OWL + "Class":
                    classes.add(iri)
                elif value in _PROPERTIES:
                    properties.add(iri)
                if value == OWL + "ObjectProperty":
                    types[iri].add("@id")
            elif predicate == RDFS + "range" and value.startswith(XSD) and value != XSD_STRING:
                types[iri].add(_short(value))
            elif predicate == SH + "path":
                paths[iri] = value
            elif predicate == SH + "datatype" and value != XSD_STRING:
                said[iri].add(_short(value))
            elif predicate == SH + "nodeKind" and value == SH + "IRI":
                said[iri].add("@id")
    for shape, path in paths.items():
        if path != RDF_TYPE:
            properties.add(path)
            if not path.startswith((TG, TGP)) or "@id" not in said[shape]:
                types[path] |= said[shape]
    return classes, properties, types


def _local(iri: str) -> str:
    return _short(iri).partition(":")[2]


def _short(iri: str) -> str:
    curie = compress(iri)
    if curie is None:
        raise ValueError(f"no prefix for {iri}")
    return curie
