"""Tell where texts belong that are sent apart from what states their nodes, and put them there.

A node points at the document that holds its text (tg:document); a step's thought may be a node of
its own (tg:thought). A text that comes before its node, or before what points at its document,
waits in the store; where a node has no document, its text stands on it until one comes.
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
    TG_QUERY,
    TG_THOUGHT,
    TG_THOUGHT_TYPE,
    TGP_STANDING_TEXT,
    TGP_WAITING_IN,
)
from .queries import stored_query
from .terms import absolute
from .uris import recognise

if TYPE_CHECKING:
    from .recorder.writer import Target

__all__ = ["TextPlaces", "content", "place_waiting", "standing", "waiting"]

_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)

_KNOWN = {RDF_TYPE, TG_DOCUMENT, TG_QUERY}
"""By any of these a node is there, to indexing as well (update/place-waiting-texts)."""


@dataclass
class TextPlaces:
    """Which documents nodes point at, as some quads and a store say.

    Attributes:
        of: documents by node, of the nodes that are there; one without any has an empty set.
        types: classes by node.
        thoughts: the node of a step's thought, by the step.
    """

    of: dict[str, set[str]] = field(default_factory=dict)
    types: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    thoughts: dict[str, str] = field(default_factory=dict)

    def learn(self, node: str, property: str, value: str | None) -> None:
        """Take note of a statement.

        Args:
            value: IRI of its object, None for a literal.
        """
        if property in _KNOWN:
            self.of.setdefault(node, set())
        if value is None:
            return
        if property == TG_DOCUMENT:
            self.of[node].add(value)
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
            self._learn(store, "trace/text-places", "node", unknown)
            asked |= unknown
            unknown = {self.thoughts[node] for node in unknown & self.thoughts.keys()} - asked
        unclaimed = set(filter(absolute, documents)) - self.pointed()
        self._learn(store, "trace/text-nodes", "target", unclaimed)

    def _learn(self, store: Asked, query: str, parameter: str, things: Iterable[str]) -> None:
        for row in rows_of(store, query, parameter, things):
            self.learn(row["node"].value, row["property"].value, row["target"].value)

    def pointed(self) -> set[str]:
        """Find every document that a node points at."""
        return {document for documents in self.of.values() for document in documents}

    def is_thought(self, node: str) -> bool:
        """Tell whether a node is a thought itself, by its class or its IRI's pattern."""
        name = recognise(node)
        return TG_THOUGHT_TYPE in self.types[node] or bool(name and name.kind == "Thought")

    def holder(self, node: str, *, thought: bool = False) -> str:
        """Find the node that a text belongs to.

        Args:
            node: IRI of the node that says it.
            thought: it is the node's own where that is a thought, else that of the thought which
                the node points at.

        Returns:
            Its IRI, "" where it is not known.
        """
        if thought and not self.is_thought(node):
            node = self.thoughts.get(node, "")
        return node if node in self.of else ""


def content(place: str, text: str) -> Quad:
    """Write a text on its document, or on its node.

    Example:
        >>> content("urn:doc:1", "Paris").object.value
        'Paris'
    """
    return Quad(terms.iri(place), NamedNode(TG_CONTENT), terms.text(text), _RETRIEVAL)


def standing(node: str, text: str) -> Quad:
    """Mark a text that is on its node for want of a document, so that indexing moves it to one.

    Example:
        >>> standing("urn:trustgraph:agent:7/final", "Paris").object.value
        'Paris'
    """
    return Quad(terms.iri(node), NamedNode(TGP_STANDING_TEXT), terms.text(text), _RETRIEVAL)


def waiting(node: str, text: str, property: str, *, trace: str = "") -> Iterator[Quad]:
    """Keep a text until what it belongs to is there, for indexing to put it in its place then.

    Args:
        node: IRI of the node that says it, or of the document that holds it.
        property: tgp:waitingText for the text of a node, tgp:waitingThought for that of the thought
            it points at, tgp:waitingContent for that of a document.
        trace: IRI of the question of its run, "" where that is unknown: the text is removed with
            the run.

    Example:
        >>> from trustgraph_prov.namespaces import TGP
        >>> [quad] = waiting("urn:doc:1", "Paris", TGP + "waitingContent")
        >>> quad.object.value
        'Paris'
    """
    subject = terms.iri(node)
    yield Quad(subject, NamedNode(property), terms.text(text), _RETRIEVAL)
    if trace:
        yield Quad(subject, NamedNode(TGP_WAITING_IN), terms.iri(trace), _RETRIEVAL)


def place_waiting(store: Target, nodes: Collection[str] | None = None) -> int:
    """Put texts in their place, once that has come.

    Args:
        store: where.
        nodes: IRIs of the nodes whose texts may wait or stand, thoughts among them, whose texts
            wait with their steps; None for all.

    Returns:
        How many; texts of one kind that waited at one node are one.

    Raises:
        StoreError: the store failed; no text is lost, and doing it again is safe.
    """
    if nodes is None:
        return _place(store)
    links = rows_of(store, "trace/text-nodes", "target", nodes)
    steps = {row["node"].value for row in links if row["property"].value == TG_THOUGHT}
    return sum(_place(store, node=batch) for batch in batches(sorted({*nodes, *steps})))


def _place(store: Target, **nodes: list[str]) -> int:
    found = list(rows(store, "audit/placeable-texts", **nodes))
    if found:
        store.update(stored_query("update/place-waiting-texts").bind(**nodes))
    return len(found)
