"""Statement nodes become triple terms again, for readers of RDF 1.2."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

from ..namespaces import (
    RDF_OBJECT,
    RDF_PREDICATE,
    RDF_REIFIES,
    RDF_STATEMENT,
    RDF_SUBJECT,
    RDF_TYPE,
)
from ..statement import canonical
from .statements import Resource, subject_of

__all__ = ["as_triple_terms"]

_TYPE, _STATEMENT = NamedNode(RDF_TYPE), NamedNode(RDF_STATEMENT)
_REIFIES = NamedNode(RDF_REIFIES)
_SUBJECT, _PREDICATE, _OBJECT = map(NamedNode, (RDF_SUBJECT, RDF_PREDICATE, RDF_OBJECT))


@dataclass
class _Parts:
    typed: bool = False
    subjects: set[object] = field(default_factory=set)
    predicates: set[object] = field(default_factory=set)
    objects: set[object] = field(default_factory=set)

    def triples(self) -> list[Triple]:
        """One triple for each spelling of the object; none where a part is missing or doubled."""
        if not self.typed or len(self.subjects) != 1 or len(self.predicates) != 1:
            return []
        (subject,), (predicate,) = self.subjects, self.predicates
        if not isinstance(subject, (NamedNode, BlankNode)) or not isinstance(predicate, NamedNode):
            return []
        objects = [o for o in self.objects if isinstance(o, (NamedNode, BlankNode, Literal))]
        values = {canonical(o) if isinstance(o, Literal) else o for o in objects}
        if len(values) != 1 or len(objects) != len(self.objects):
            return []
        return [Triple(subject, predicate, o) for o in sorted(objects, key=str)]


def as_triple_terms(quads: Callable[[], Iterable[Quad]]) -> Iterator[Quad]:
    """Write each whole statement as `<statement> rdf:reifies <<( s p o )>>`, keeping its IRI.

    Args:
        quads: gives the quads, in any order; called twice.

    Returns:
        The other quads as they are. A statement that lacks a part, or has several values for
        one, is left as it is.
    """
    parts: dict[tuple[Resource, Resource | DefaultGraph], _Parts] = {}
    for quad in quads():
        if _is_part(quad):
            _add(parts.setdefault((subject_of(quad), quad.graph_name), _Parts()), quad)
    triples = {key: found.triples() for key, found in parts.items()}
    for quad in quads():
        if not _is_part(quad) or not triples[subject_of(quad), quad.graph_name]:
            yield quad
    for (subject, graph), found in triples.items():
        for triple in found:
            yield Quad(subject, _REIFIES, triple, graph)


def _is_part(quad: Quad) -> bool:
    if quad.predicate == _TYPE:
        return quad.object == _STATEMENT
    return quad.predicate in (_SUBJECT, _PREDICATE, _OBJECT)


def _add(parts: _Parts, quad: Quad) -> None:
    if quad.predicate == _TYPE:
        parts.typed = True
    elif quad.predicate == _SUBJECT:
        parts.subjects.add(quad.object)
    elif quad.predicate == _PREDICATE:
        parts.predicates.add(quad.object)
    else:
        parts.objects.add(quad.object)
