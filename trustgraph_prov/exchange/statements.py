"""Triple terms and blank nodes become nodes with a name.

RDF 1.2's triple terms, and the RDF-star triples that parse to a reifier of one, are not read by
every store; the statement node of `statement_triples` is. A blank node is named by its file and its
place in it (RDF 1.1 Concepts, section 3.5), so importing a file twice adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

from ..namespaces import GENID, RDF_REIFIES
from ..statement import canonical, statement_iri, statement_triples

__all__ = ["NestingError", "Rewriter", "Survey", "skolem", "subject_of"]

_REIFIES = NamedNode(RDF_REIFIES)
_DEEPEST = 100

Resource: TypeAlias = NamedNode | BlankNode
Term: TypeAlias = NamedNode | BlankNode | Literal | Triple


class NestingError(ValueError):
    """A triple about a triple about a triple …, deeper than anybody means."""


@dataclass
class Survey:
    """What must be known of a whole file before its first quad can be rewritten.

    Attributes:
        scope: what sets this file's blank nodes apart from another's.
        quads: how many there are.
        names: statement IRIs of the blank nodes that only reify, by their place in the file.
        manifold: IRIs and places of reifiers of several different triples, which stay nodes.
    """

    scope: str
    quads: int = 0
    names: dict[int, NamedNode] = field(default_factory=dict)
    manifold: set[NamedNode | int] = field(default_factory=set)

    def read(self, quads: Iterable[Quad]) -> Iterator[int]:
        """Look at every quad.

        Yields:
            How many were read so far.
        """
        places: dict[BlankNode, int] = {}
        reified: dict[NamedNode | int, Triple] = {}
        for quad in quads:
            self.quads += 1
            _place(quad, places)
            if isinstance(quad.object, Triple) and quad.predicate == _REIFIES:
                subject = subject_of(quad)
                key = places[subject] if isinstance(subject, BlankNode) else subject
                if not _same(reified.setdefault(key, quad.object), quad.object):
                    self.manifold.add(key)
            yield self.quads
        self._name(reified, places)

    def blank(self, node: BlankNode, place: int) -> NamedNode:
        """Name a blank node; a source whose labels outlast one reading names it by its label."""
        return skolem(self.scope, place)

    def _name(self, reified: dict[NamedNode | int, Triple], places: dict[BlankNode, int]) -> None:
        waiting: set[int] = set()

        def node(term: Term) -> NamedNode | Literal:
            if isinstance(term, Triple):
                return statement(term)
            return resource(term) if isinstance(term, BlankNode) else term

        def statement(triple: Triple) -> NamedNode:
            return statement_iri(
                resource(subject_of(triple)), triple.predicate, node(triple.object)
            )

        def resource(term: Resource) -> NamedNode:
            if isinstance(term, NamedNode):
                return term
            place = places[term]
            triple = None if place in self.manifold | waiting else reified.get(place)
            if triple is None:
                return self.blank(term, place)
            if place not in self.names:
                waiting.add(place)
                _check_depth(len(waiting))
                self.names[place] = statement(triple)
                waiting.discard(place)
            return self.names[place]

        for term, place in places.items():
            if place in reified:
                resource(term)


class Rewriter:
    """Rewrites the quads of one file, read in the order of its survey.

    Attributes:
        statements: triple terms replaced so far.
        places: blank nodes met so far, with their place in the file.
    """

    def __init__(self, survey: Survey, graph: NamedNode | DefaultGraph) -> None:
        self._survey = survey
        self._graph = graph
        self.statements = 0
        self.places: dict[BlankNode, int] = {}

    def rewrite(self, quad: Quad) -> list[Quad]:
        """Turn one quad into what a store without RDF 1.2 and without blank nodes can hold.

        Returns:
            The statements of its triple terms, if any, and the quad, if it is still needed.
        """
        _place(quad, self.places)
        name = quad.graph_name
        graph = self._graph if isinstance(name, DefaultGraph) else self._resource(name)
        out: list[Quad] = []
        given = subject_of(quad)
        subject = self._resource(given)
        if isinstance(quad.object, Triple) and quad.predicate == _REIFIES:
            key = self.places[given] if isinstance(given, BlankNode) else given
            if key not in self._survey.manifold:
                self._state(quad.object, graph, out, subject)
                return out
        out.append(Quad(subject, quad.predicate, self._node(quad.object, graph, out), graph))
        return out

    def _resource(self, term: Resource) -> NamedNode:
        if isinstance(term, NamedNode):
            return term
        place = self.places[term]
        return self._survey.names.get(place) or self._survey.blank(term, place)

    def _node(
        self, term: Term, graph: NamedNode | DefaultGraph, out: list[Quad]
    ) -> NamedNode | Literal:
        if isinstance(term, Triple):
            return self._state(term, graph, out, None)
        return self._resource(term) if isinstance(term, BlankNode) else term

    def _state(
        self,
        triple: Triple,
        graph: NamedNode | DefaultGraph,
        out: list[Quad],
        node: NamedNode | None,
    ) -> NamedNode:
        object = self._node(triple.object, graph, out)
        parts = statement_triples(self._resource(subject_of(triple)), triple.predicate, object)
        self.statements += 1
        for part in parts:
            subject = node or part.subject
            out.append(Quad(subject, part.predicate, part.object, graph))
        return node or cast(NamedNode, parts[0].subject)  # an IRI that was just minted


def skolem(scope: str, place: int) -> NamedNode:
    """Name a blank node by its file and its place in it."""
    return NamedNode(f"{GENID}{scope}:{place}")


def subject_of(one: Quad | Triple) -> Resource:
    """Take a subject; RDF 1.2 has no triple there, though pyoxigraph's types do."""
    return cast(Resource, one.subject)


def _place(quad: Quad, places: dict[BlankNode, int]) -> None:
    for term in (quad.subject, quad.object, quad.graph_name):
        if isinstance(term, BlankNode):
            places.setdefault(term, len(places))
        elif isinstance(term, Triple):
            _place_within(term, places)


def _place_within(triple: Triple, places: dict[BlankNode, int], depth: int = 1) -> None:
    _check_depth(depth)
    for term in (triple.subject, triple.object):
        if isinstance(term, BlankNode):
            places.setdefault(term, len(places))
        elif isinstance(term, Triple):
            _place_within(term, places, depth + 1)


def _same(one: Triple, other: Triple) -> bool:
    return one == other or (
        one.subject == other.subject
        and one.predicate == other.predicate
        and isinstance(one.object, Literal)
        and isinstance(other.object, Literal)
        and canonical(one.object) == canonical(other.object)
    )


def _check_depth(depth: int) -> None:
    if depth > _DEEPEST:
        raise NestingError(f"triple terms are nested more than {_DEEPEST} deep")
