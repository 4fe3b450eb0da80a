"""What the ontology and the shapes say about showing a node: its kind, and names and their order.

A new kind of step is a change to Turtle alone: this module reads labels, superclasses, and the
`sh:name` and `sh:order` of shapes, and knows no term of its own.

Example:
    >>> from trustgraph_prov.namespaces import TG_ANALYSIS, TG_THOUGHT, TG_TOOL_USE
    >>> words = vocabulary()
    >>> words.name(TG_ANALYSIS, TG_THOUGHT), words.order(TG_ANALYSIS, TG_THOUGHT)
    ('Thought', 2.0)
    >>> words.kind([TG_TOOL_USE, TG_ANALYSIS]) == TG_ANALYSIS
    True
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import inf
from urllib.parse import unquote

from pyoxigraph import NamedNode, RdfFormat, parse

from . import resources
from .namespaces import OWL, PROV, RDF_TYPE, RDFS, RDFS_LABEL, SH, SHAPES

__all__ = ["Vocabulary", "vocabulary"]

RESOURCE = RDFS + "Resource"
ANY_NODE = SHAPES + "Node"

_SUB_CLASS_OF = RDFS + "subClassOf"
_DATA_PROPERTY = OWL + "DatatypeProperty"
_READ = {
    RDF_TYPE,
    RDFS_LABEL,
    _SUB_CLASS_OF,
    SH + "targetClass",
    SH + "property",
    SH + "path",
    SH + "name",
    SH + "order",
}
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")


@dataclass(frozen=True)
class Vocabulary:
    """Labels, names and orders, looked up by IRI.

    Attributes:
        labels: rdfs:label by IRI.
        parents: direct superclasses by class.
        ranks: sh:order of the node shape by class; a class without one is not a display class.
        fields: by class, then by property: sh:name and sh:order. `ANY_NODE` holds those that are
            the same for every kind.
        data_properties: what is declared an owl:DatatypeProperty.
    """

    labels: Mapping[str, str]
    parents: Mapping[str, tuple[str, ...]]
    ranks: Mapping[str, float]
    fields: Mapping[str, Mapping[str, tuple[str, float]]]
    data_properties: frozenset[str]

    def label(self, iri: str) -> str:
        """What to call a term.

        Args:
            iri: any IRI; one that the ontology does not declare is called by its last part.

        Example:
            >>> vocabulary().label("https://trustgraph.ai/ns/EdgeSelection")
            'Edge selection'
            >>> vocabulary().label("http://www.w3.org/ns/prov#wasDerivedFrom")
            'was derived from'
        """
        return self.labels.get(iri) or _spell(iri)

    def name(self, class_iri: str, property_iri: str) -> str:
        """What to call a property on a node of a kind.

        Args:
            class_iri: the kind, as `kind` returns it.
            property_iri: the property; an unknown one is called by its label.

        Example:
            >>> vocabulary().name("http://example.org/New", "http://example.org/unitPrice")
            'Unit price'
        """
        field = self._field(class_iri, property_iri)
        if field:
            return field[0]
        label = self.label(property_iri)
        return label[:1].upper() + label[1:]

    def order(self, class_iri: str, property_iri: str) -> float:
        """Where a property comes when a node of a kind is read from top to bottom.

        Returns:
            A number to sort by; infinity for a property that no shape knows.

        Example:
            >>> vocabulary().order("http://example.org/New", "http://example.org/unitPrice")
            inf
        """
        field = self._field(class_iri, property_iri)
        return field[1] if field else inf

    def kind(self, types: Iterable[str]) -> str:
        """The class that a node is shown as.

        A class counts where it, or a superclass, has a node shape; of these the most specific
        wins, and among unrelated ones the first by sh:order.

        Args:
            types: the IRIs of the node's rdf:types, in any order.

        Returns:
            A display class; without any, the first type outside PROV-O; without that, the first
            type; rdfs:Resource without any type.

        Example:
            >>> vocabulary().kind(["https://trustgraph.ai/ns/AgentIteration"])
            'https://trustgraph.ai/ns/Analysis'
            >>> vocabulary().kind(["http://www.w3.org/ns/prov#Entity", "http://example.org/New"])
            'http://example.org/New'
        """
        given = sorted(set(types))
        shown = {display for iri in given for display in self._displayed(iri)}
        general = {above for iri in shown for above in self.superclasses(iri)}
        best = sorted(shown - general, key=lambda iri: (self.ranks[iri], iri))
        own = [iri for iri in given if not iri.startswith(PROV)]
        return (best or own or given or [RESOURCE])[0]

    def superclasses(self, iri: str) -> tuple[str, ...]:
        """Every class above a class, the nearest first.

        Example:
            >>> [iri.rpartition("/")[2] for iri in vocabulary().superclasses(
            ...     "https://trustgraph.ai/ns/AgentSession")]
            ['AgentQuestion', 'Question']
        """
        found: dict[str, None] = {}
        level = [iri]
        while level:
            level = [up for one in level for up in self.parents.get(one, ()) if up not in found]
            found.update(dict.fromkeys(level))
        found.pop(iri, None)
        return tuple(found)

    def _displayed(self, iri: str) -> Iterable[str]:
        return (one for one in (iri, *self.superclasses(iri)) if one in self.ranks)

    def _field(self, class_iri: str, property_iri: str) -> tuple[str, float] | None:
        for one in (class_iri, *self.superclasses(class_iri), ANY_NODE):
            field = self.fields.get(one, {}).get(property_iri)
            if field:
                return field
        return None


@cache
def vocabulary() -> Vocabulary:
    """Read the ontology and the shapes, once a process.

    Raises:
        FileNotFoundError: the installation lacks the ontology.
    """
    read: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    folder = resources.folder("ontology")
    for name in resources.VOCABULARY:
        for triple in parse(path=folder / name, format=RdfFormat.TURTLE):
            if triple.predicate.value in _READ and isinstance(triple.subject, NamedNode):
                read[triple.predicate.value][triple.subject.value].append(triple.object.value)
    return _assemble(read)


def _assemble(read: Mapping[str, Mapping[str, list[str]]]) -> Vocabulary:
    paths, names, orders = read[SH + "path"], read[SH + "name"], read[SH + "order"]
    properties = {
        shape: (path[0], (names[shape][0], float(orders[shape][0])))
        for shape, path in paths.items()
        if shape in names and shape in orders
    }
    ranks: dict[str, float] = {}
    fields: dict[str, dict[str, tuple[str, float]]] = {}
    for shape, shaped in read[SH + "property"].items():
        of_shape = dict(properties[one] for one in shaped if one in properties)
        if shape == ANY_NODE:
            fields[ANY_NODE] = of_shape
        if shape in orders:
            for target in read[SH + "targetClass"].get(shape, ()):
                fields.setdefault(target, {}).update(of_shape)
    for shape, targets in read[SH + "targetClass"].items():
        if shape in orders:
            ranks.update(dict.fromkeys(targets, float(orders[shape][0])))
    return Vocabulary(
        labels={iri: label[0] for iri, label in read[RDFS_LABEL].items()},
        parents={iri: tuple(sorted(up)) for iri, up in read[_SUB_CLASS_OF].items()},
        ranks=ranks,
        fields=fields,
        data_properties=frozenset(
            iri for iri, types in read[RDF_TYPE].items() if _DATA_PROPERTY in types
        ),
    )


def _spell(iri: str) -> str:
    last = unquote(re.split(r"[/#:]", iri.rstrip("/#:"))[-1])
    words = _WORDS.findall(last)
    if not words:
        return last or iri
    first, rest = words[0], words[1:]
    return " ".join(
        [first, *(word if word.isupper() and len(word) > 1 else word.lower() for word in rest)]
    )
