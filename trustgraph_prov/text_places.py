"""Tell where texts belong that are sent apart from what states their nodes, and put them there.

A node points at the document that holds its text (tg:document); a step's thought may be a node of
its own (tg:thought). A text that comes before its node waits in the store.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode, Quad

from . import terms
from .answers import Asked, batches, rows, rows_of
from .calls import recorded_facts
from .namespaces import (
    GRAPH_RETRIEVAL,
    RDF_TYPE,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_THOUGHT,
    TG_THOUGHT_TYPE,
    TGP_WAITING_IN,
    TGP_WAITING_TEXT,
    TGP_WAITING_THOUGHT,
)
from .queries import stored_query
from .terms import absolute
from .uris import recognise

if TYPE_CHECKING:
    from .recorder.writer import Target

__all__ = ["TextPlaces", "content", "place_waiting", "waiting"]

_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)


@dataclass
class TextPlaces:
    """Which documents nodes point at, as some quads and a store say.

    Attributes:
        of: documents by node; a node without any has an empty set.
        types: classes by node.
        thoughts: the node of a step's thought, by the step.
    """

    of: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    types: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    thoughts: dict[str, str] = field(default_factory=dict)

    def learn(self, node: str, property: str, value: str | None) -> None:
        """Take note of a statement.

        Args:
            value: IRI of its object, None for a literal.
        """
        documents = self.of[node]
        if value is None:
            return
        if property == TG_DOCUMENT:
            documents.add(value)
        elif property == RDF_TYPE:
            self.types[node].add(value)
        elif property == TG_THOUGHT:
            self.thoughts[node] = min(value, self.thoughts.get(node, value))

    def look_up(self, store: Asked, nodes: Iterable[str], documents: Iterable[str] = ()) -> None:
        """Ask a store about nodes, and about documents that no node is known to point at."""
        unknown, asked = set(filter(absolute, nodes)), set[str]()
        while unknown:
            for node, facts in recorded_facts(store, unknown).items():
                for property, values in facts.values.items():
                    for value in values:
                        self.learn(node, property, value)
            self._learn(store, "node", unknown)
            asked |= unknown
            unknown = {self.thoughts[node] for node in unknown & self.thoughts.keys()} - asked
        self._learn(store, "target", set(filter(absolute, documents)) - self.pointed())

    def _learn(self, store: Asked, parameter: str, things: Iterable[str]) -> None:
        for row in rows_of(store, "trace/text-places", parameter, things):
            self.learn(row["node"].value, row["property"].value, row["target"].value)

    def pointed(self) -> set[str]:
        """Find every document that a node points at."""
        return {document for documents in self.of.values() for document in documents}

    def is_thought(self, node: str) -> bool:
        """Tell whether a node is a thought itself, by its class or its IRI's pattern."""
        name = recognise(node)
        return TG_THOUGHT_TYPE in self.types[node] or bool(name and name.kind == "Thought")

    def places(self, node: str, thought: bool = False) -> list[str]:
        """Find where a text belongs: the documents of its node, or the node where it has none.

        Args:
            thought: it is the node's own where that is a thought, else that of the thought which
                the node points at.

        Returns:
            IRIs, none where the node is not known.
        """
        holder = self._holder(node, thought)
        return (sorted(self.of[holder]) or [holder]) if holder in self.of else []

    def documents(self, node: str, thought: bool = False) -> set[str]:
        """Find the documents of a text, none where its node is not known or has none."""
        return self.of.get(self._holder(node, thought), set())

    def _holder(self, node: str, thought: bool) -> str:
        return node if not thought or self.is_thought(node) else self.thoughts.get(node, "")


def content(place: str, text: str) -> Quad:
    """Write a text on its document.

    Example:
        >>> content("urn:doc:1", "Paris").object.value
        'Paris'
    """
    return Quad(terms.iri(place), NamedNode(TG_CONTENT), terms.text(text), _RETRIEVAL)


def waiting(node: str, text: str, *, thought: bool = False, trace: str = "") -> Iterator[Quad]:
    """Keep a text whose node is not there yet, so that indexing puts it in its place later.

    Args:
        node: IRI of the node that says it.
        thought: it is the thought of the node.
        trace: IRI of the question of its run, "" where that is unknown: the text is removed with
            the run.

    Example:
        >>> [quad] = waiting("urn:trustgraph:agent:7/final", "Paris")
        >>> quad.predicate.value == TGP_WAITING_TEXT
        True
    """
    subject = terms.iri(node)
    property = NamedNode(TGP_WAITING_THOUGHT if thought else TGP_WAITING_TEXT)
    yield Quad(subject, property, terms.text(text), _RETRIEVAL)
    if trace:
        yield Quad(subject, NamedNode(TGP_WAITING_IN), terms.iri(trace), _RETRIEVAL)


def place_waiting(store: Target, nodes: Collection[str] | None = None) -> int:
    """Put the texts in their place whose nodes have come.

    Args:
        store: where.
        nodes: IRIs of the nodes whose texts may wait, thoughts among them, whose texts wait with
            their steps; None for all.

    Returns:
        Of how many nodes.

    Raises:
        StoreError: the store failed; no text is lost, and doing it again is safe.
    """
    if nodes is None:
        return _place(store)
    links = rows_of(store, "trace/text-places", "target", nodes)
    steps = {row["node"].value for row in links if row["property"].value == TG_THOUGHT}
    return sum(_place(store, node=batch) for batch in batches(sorted({*nodes, *steps})))


def _place(store: Target, **some: list[str]) -> int:
    found = {row["node"].value for row in rows(store, "audit/placeable-texts", **some)}
    if found:
        store.update(stored_query("update/place-waiting-texts").bind(**some))
    return len(found)
