"""Put texts where tg:document points, so that a run is shown with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from pyoxigraph import BlankNode, NamedNode, Quad

from .. import terms
from ..answers import rows_of
from ..calls import recorded_facts
from ..namespaces import (
    GRAPH_RETRIEVAL,
    RDF_TYPE,
    TG_AGENT_FINAL,
    TG_CONCLUSION,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_OBSERVATION_TYPE,
    TG_SYNTHESIS,
    TG_THOUGHT,
    TG_THOUGHT_TYPE,
)
from ..stores.base import Store
from ..terms import absolute
from ..uris import recognise
from .conversation import Conversation, Said
from .wire import value_of

__all__ = ["Documents", "content", "said_where"]

_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)
_SAYING = {
    "thought": {TG_THOUGHT_TYPE},
    "observation": {TG_OBSERVATION_TYPE},
    "answer": {TG_CONCLUSION, TG_SYNTHESIS, TG_AGENT_FINAL},
}


def content(texts: Mapping[str, str]) -> Iterator[Quad]:
    """Write texts on their documents.

    Args:
        texts: text by IRI of the document.
    """
    property = NamedNode(TG_CONTENT)
    for node, text in sorted(texts.items()):
        yield Quad(terms.iri(node), property, terms.text(text), _RETRIEVAL)


@dataclass
class Documents:
    """Which documents nodes point at, as some quads and a store say.

    Attributes:
        of: documents by node; a node without any has an empty set.
        types: classes by node.
        thoughts: nodes that another one's tg:thought points at.
    """

    of: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    types: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    thoughts: dict[str, str] = field(default_factory=dict)

    def read(self, quads: Iterable[Quad]) -> None:
        """Take note of what quads say."""
        for quad in quads:
            node, property, value = value_of(quad.subject), quad.predicate.value, quad.object
            documents = self.of[node]
            if isinstance(value, (NamedNode, BlankNode)) and property == TG_DOCUMENT:
                documents.add(value_of(value))
            elif isinstance(value, NamedNode) and property == RDF_TYPE:
                self.types[node].add(value.value)
            elif isinstance(value, NamedNode) and property == TG_THOUGHT:
                self.thoughts[node] = value.value

    def look_up(self, store: Store, nodes: Iterable[str], documents: Iterable[str]) -> None:
        """Ask a store about nodes, and about documents, that the quads do not mention."""
        unknown = set(filter(absolute, nodes)) - self.of.keys()
        for node, facts in recorded_facts(store, unknown).items():
            if facts.values:
                self.of[node]
        for row in rows_of(store, "trace/documents", "node", unknown):
            self.of[row["node"].value].add(row["document"].value)
        unpointed = set(filter(absolute, documents)) - self.pointed()
        for row in rows_of(store, "trace/documents", "document", unpointed):
            self.of[row["node"].value].add(row["document"].value)

    def pointed(self) -> set[str]:
        """Find every document that a node points at."""
        return {document for documents in self.of.values() for document in documents}

    def place(self, said: Said) -> str | None:
        """Find where a text belongs: the document of its node, or the node where it has none."""
        node = said.node
        if said.kind == "thought":
            node = self.thoughts.get(node, node)
        if node not in self.of:
            return None
        return min(self.of[node], default=node)


def said_where(conversation: Conversation, documents: Documents) -> Iterator[Said]:
    """Tell which nodes say the texts of a conversation that name none.

    The first thought is the first Thought's, and so on; of sub-runs only their own messages tell.

    Yields:
        Each text with its node, or with "" where there is no such node.
    """
    nodes = sorted(_own(conversation), key=_numbered)
    for kind, classes in _SAYING.items():
        said = [one for one in conversation.said if one.kind == kind and one.text]
        if kind == "answer":  # sent once more when the dialog ends
            said = [one for at, one in enumerate(said) if not at or one.text != said[at - 1].text]
        saying = [node for node in nodes if documents.types[node] & classes]
        for one, node in zip_longest(said, saying[: len(said)]):
            yield Said(kind, node or "", [one.text])


def _own(conversation: Conversation) -> Iterable[str]:
    root = recognise(conversation.root or "")
    if root is None:
        return conversation.subjects
    names = {node: recognise(node) for node in conversation.subjects}
    own = [node for node, name in names.items() if name and name.session == root.session]
    return own or conversation.subjects


def _numbered(node: str) -> tuple[int, str]:
    name = recognise(node)
    return (name.index or 0 if name else 0, node)
