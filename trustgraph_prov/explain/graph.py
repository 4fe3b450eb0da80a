"""The rows of a run as a graph: which node is a step, and which a piece of one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pyoxigraph import Literal, NamedNode, Triple

from ..namespaces import (
    PROV,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_OBJECT,
    RDF_PREDICATE,
    RDF_STATEMENT,
    RDF_SUBJECT,
    RDF_TYPE,
    TG,
    TG_CHUNK_SELECTION,
    TG_CHUNK_TYPE,
    TG_DOCUMENT_TYPE,
    TG_EDGE_SELECTION,
    TG_IMAGE_TYPE,
    TG_OBSERVATION_TYPE,
    TG_PAGE_TYPE,
    TG_REFLECTION_TYPE,
    TG_SECTION_TYPE,
    TG_SUBGRAPH_TYPE,
    TG_THOUGHT_TYPE,
    TGP_CALLED_FROM,
    TGP_IN_HOUR,
    TGP_TRACE,
)
from ..statement import statement_iri
from ..terms import Term, plain
from ..uris import recognise
from .kinds import kind_of
from .order import natural

__all__ = [
    "Nodes",
    "Properties",
    "RunGraph",
    "by_node",
    "every_target",
    "pointed_at",
    "pointers",
    "targets",
    "with_statements",
]

Properties = dict[str, list[Term]]
Nodes = dict[str, Properties]
Row = tuple[str, str, Term]

_LEAVES = {
    *(RDF_STATEMENT, TG_DOCUMENT_TYPE, TG_PAGE_TYPE, TG_SECTION_TYPE),
    *(TG_CHUNK_TYPE, TG_IMAGE_TYPE, TG_SUBGRAPH_TYPE),
}
_REMARKS = {TG_THOUGHT_TYPE, TG_REFLECTION_TYPE, TG_OBSERVATION_TYPE}
_PIECES = _LEAVES | _REMARKS | {TG_EDGE_SELECTION, TG_CHUNK_SELECTION}
_NO_PIECE_BEHIND = {
    *(RDF_TYPE, RDF_SUBJECT, RDF_PREDICATE, RDF_OBJECT),
    *(TGP_TRACE, TGP_IN_HOUR, TGP_CALLED_FROM),
}
_DEEPEST = 50
"""Pieces within pieces that are shown as such."""


def by_node(rows: Iterable[Row]) -> dict[str, Properties]:
    """Group rows of node, property and value, each value once."""
    nodes: dict[str, dict[str, dict[Term, None]]] = defaultdict(lambda: defaultdict(dict))
    for node, property, value in rows:
        nodes[node][property][value] = None
    return {
        node: {property: list(values) for property, values in properties.items()}
        for node, properties in nodes.items()
    }


def with_statements(nodes: Mapping[str, Properties]) -> dict[str, Properties]:
    """Give each triple term the node that names it, as import does."""
    every = dict(nodes)
    for properties in nodes.values():
        for value in (value for values in properties.values() for value in values):
            name = pointed_at(value)
            if isinstance(value, Triple) and name and name not in every:
                every[name] = {
                    RDF_TYPE: [NamedNode(RDF_STATEMENT)],
                    RDF_SUBJECT: [value.subject],
                    RDF_PREDICATE: [value.predicate],
                    RDF_OBJECT: [value.object],
                }
    return every


def pointers(nodes: Nodes) -> dict[str, list[str]]:
    """Find the nodes that point at each node with a property of their own, not with PROV-O's."""
    found: dict[str, list[str]] = defaultdict(list)
    for node in sorted(nodes, key=natural):
        for property, values in nodes[node].items():
            if property in _NO_PIECE_BEHIND or property.startswith(PROV):
                continue
            for target in map(pointed_at, values):
                if target in nodes and target != node and node not in found[target]:
                    found[target].append(node)
    return found


def pointed_at(value: Term) -> str:
    """Find the node a value points at; "" for a literal. A triple term points at its statement."""
    if isinstance(value, Triple):
        subject, object = value.subject, value.object
        if isinstance(subject, NamedNode) and isinstance(object, (NamedNode, Literal)):
            return statement_iri(subject, value.predicate, object).value
        return str(value)
    return "" if isinstance(value, Literal) else plain(value)


def targets(recorded: Properties, *properties: str) -> list[str]:
    """List the nodes that a node points at with some properties."""
    found = (pointed_at(value) for property in properties for value in recorded.get(property, ()))
    return [target for target in found if target]


def every_target(nodes: Iterable[Properties], property: str) -> set[str]:
    """Find the nodes that any of some nodes points at with a property."""
    return {target for recorded in nodes for target in targets(recorded, property)}


@dataclass
class RunGraph:
    """One run's nodes and who holds whom.

    Attributes:
        question: IRI of the question.
        nodes: properties by node.
        kinds: class by node.
        steps: nodes that stand for themselves, in no order.
        pieces: for each node, those shown inside it. A statement or a document that several nodes
            point to is inside each; any other node is in one place.
    """

    question: str
    nodes: dict[str, Properties]
    kinds: dict[str, str] = field(init=False)
    steps: list[str] = field(init=False)
    pieces: dict[str, list[str]] = field(init=False)
    _holder: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.kinds = {
            node: kind_of(node, map(plain, properties.get(RDF_TYPE, ())), properties)
            for node, properties in self.nodes.items()
        }
        self._hold()
        self.steps = [n for n in self.nodes if n not in self._holder and n != self.question]
        self._rescue()

    def links(self, node: str) -> list[str]:
        """Read what a node was derived from or generated by."""
        return targets(self.nodes[node], PROV_WAS_DERIVED_FROM, PROV_WAS_GENERATED_BY)

    def step_of(self, node: str) -> str:
        """Find the step that a node is a piece of; a node of no step is returned as it is."""
        seen = {node}
        while node in self._holder and self._holder[node] not in seen:
            node = self._holder[node]
            seen.add(node)
        return node

    def parents(self, step: str) -> tuple[str, ...]:
        """Find the steps, or the nodes of other runs, that a step comes from."""
        found = {self.step_of(link): None for link in sorted(self.links(step), key=natural)}
        found.pop(step, None)
        return tuple(found)

    def _hold(self) -> None:
        held_by = pointers(self.nodes)
        pointing = {node for nodes in held_by.values() for node in nodes}
        self._holder = {}
        self.pieces = defaultdict(list)
        for node in sorted(self.nodes, key=natural):
            if node == self.question:
                continue
            kind, holders = self.kinds[node], held_by.get(node, [])
            links = self.links(node)
            if kind in _REMARKS and not holders:
                holders = [
                    link
                    for link in (*links, _step_named(node))
                    if link in self.nodes and link not in (node, self.question)
                ]
            elif kind not in _PIECES and links:
                continue
            if not holders:
                continue
            self._holder[node] = holders[0]
            shared = kind in _LEAVES and node not in pointing
            for holder in holders if shared else holders[:1]:
                self.pieces[holder].append(node)

    def _rescue(self) -> None:
        """Show what only holds itself, in a circle, or is in too deep, as a step.

        So nothing is ever dropped.
        """
        reached = {self.question}
        reached.update(self._within(self.question), *map(self._within, self.steps))
        reached.update(self.steps)
        for node in sorted(self.nodes, key=lambda node: (node not in self.pieces, natural(node))):
            if node not in reached:
                self.pieces[self._holder.pop(node)].remove(node)
                self.steps.append(node)
                reached.add(node)
                reached.update(self._within(node))

    def _within(self, node: str) -> set[str]:
        found: set[str] = set()
        level = {node}
        for _ in range(_DEEPEST):
            level = {piece for one in level for piece in self.pieces.get(one, ())} - found
            if not level:
                break
            found |= level
        return found


def _step_named(remark: str) -> str:
    """Read from the IRI of a thought or observation which step made it.

    An observation of a called run's answer derives from that answer alone, in another run.
    """
    name = recognise(remark)
    return remark.rpartition("/")[0] if name and TG + name.kind in _REMARKS else ""
