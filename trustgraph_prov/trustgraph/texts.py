"""Tell which nodes say the texts of messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from pyoxigraph import BlankNode, NamedNode, Quad

from ..namespaces import (
    GRAPH_RETRIEVAL,
    TG,
    TG_AGENT_FINAL,
    TG_AGENT_ITERATION,
    TG_ANALYSIS,
    TG_CONCLUSION,
    TG_OBSERVATION_TYPE,
    TG_SYNTHESIS,
    TG_THOUGHT_TYPE,
)
from ..text_places import TextPlaces
from ..uris import recognise
from .conversation import Conversation, Said
from .wire import value_of

__all__ = ["read", "said_where"]

_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)

_SAYING = {
    "thought": {TG_THOUGHT_TYPE},
    "observation": {TG_OBSERVATION_TYPE},
    "answer": {TG_CONCLUSION, TG_SYNTHESIS, TG_AGENT_FINAL},
}


def read(places: TextPlaces, quads: Iterable[Quad]) -> None:
    """Take note of what quads say about where texts belong, as indexing will: in one graph."""
    for quad in quads:
        if quad.graph_name != _RETRIEVAL:
            continue
        value = quad.object
        named = value_of(value) if isinstance(value, (NamedNode, BlankNode)) else None
        places.learn(value_of(quad.subject), quad.predicate.value, named)


def said_where(conversation: Conversation, places: TextPlaces) -> Iterator[Said]:
    """Tell which nodes say the texts of a conversation that name none.

    The first thought is the first Thought's, and so on; of sub-runs only their own messages tell.

    Yields:
        Each text with its node, or with "" where there is no such node.
    """
    nodes = sorted(_own(conversation), key=_numbered)
    for kind, classes in _SAYING.items():
        said = conversation.texts(kind)
        saying = [node for node in nodes if _says(node, classes, conversation, places)]
        for text, node in zip_longest(said, saying[: len(said)]):
            yield Said(kind, node or "", conversation, [text])


def _says(node: str, classes: set[str], conversation: Conversation, places: TextPlaces) -> bool:
    """Tell whether a node is of some classes, or is the one named for a Thought that is not."""
    own = _classes(node, places)
    if own & classes:
        return True
    step = bool(own & {TG_ANALYSIS, TG_AGENT_ITERATION}) and node in conversation.bare
    return step and TG_THOUGHT_TYPE in classes and not _thought_is_named(node, conversation, places)


def _thought_is_named(node: str, conversation: Conversation, places: TextPlaces) -> bool:
    """Tell whether the messages name the Thought of a step themselves."""
    if node in places.thoughts:
        return places.thoughts[node] in conversation.subjects
    step = recognise(node)
    return step is not None and any(
        name.kind == "Thought" and (name.question, name.index) == (step.question, step.index)
        for name in map(recognise, conversation.subjects)
        if name is not None
    )


def _classes(node: str, places: TextPlaces) -> set[str]:
    """Read TrustGraph's classes of a node; of one that has none, that of its IRI's pattern."""
    own = {each for each in places.types[node] if each.startswith(TG)}
    name = recognise(node)
    return own or ({TG + name.kind} if name else set())


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
