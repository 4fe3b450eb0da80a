"""Read a stream of TrustGraph's messages: what they state, and the texts they carry.

The agent, GraphRAG and DocRAG services answer with explain messages, which carry triples, and with
texts in pieces. A text names its node in `message_id`; one of an earlier release names none, and
belongs to the conversation in which it was sent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any

from pyoxigraph import DefaultGraph, NamedNode, Quad, Triple

from ..namespaces import (
    GRAPH_RETRIEVAL,
    PROV_WAS_DERIVED_FROM,
    RDF_TYPE,
    TG,
    TG_CHUNK_TYPE,
    TG_DOCUMENT_TYPE,
    TG_IMAGE_TYPE,
    TG_PAGE_TYPE,
    TG_QUERY,
    TG_SECTION_TYPE,
    TG_SUBGRAPH_TYPE,
    TGP,
    TGP_COLLECTION,
    TGP_USER,
)
from ..uris import recognise
from ..vocabulary import vocabulary
from .conversation import Conversation, Said
from .wire import Wire, WireError, node_name, value_of

__all__ = ["Messages"]

_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)
_OF_SOURCES = {
    TG_DOCUMENT_TYPE,
    TG_PAGE_TYPE,
    TG_SECTION_TYPE,
    TG_CHUNK_TYPE,
    TG_IMAGE_TYPE,
    TG_SUBGRAPH_TYPE,
}
_KINDS = {
    "thought": "thought",
    "observation": "observation",
    **dict.fromkeys(("answer", "final-answer", "chunk", ""), "answer"),
}
_ENDS = {"end_of_message", "end_of_stream", "end_of_session", "end_of_dialog"}
_LAST = ("end_of_session", "end_of_dialog")
_SIGNS = {
    "message_type",
    "chunk_type",
    "explain_id",
    "explain_triples",
    "triples",
    "error",
    "content",
    *_ENDS,
}
_SIGNS |= {"response", "chunk", "answer", "thought", "observation"}


class Messages:
    """Everything a stream of messages says.

    Args:
        graph: graph of the triples that name none. Where it is None, those of explain messages,
            and of other messages that tell of a run, are in the retrieval graph, others in the
            default graph.

    Attributes:
        said: texts that name their node, by its IRI.
        conversations: all of them, in the order in which they began.
        owners: user and collection of the questions that say whose they are, by question.
        explained: explain messages with triples.
        bare: explain messages that only name a node.
    """

    def __init__(self, graph: NamedNode | None = None) -> None:
        self._graph = graph
        self._open: dict[object, Conversation] = {}
        self._over: dict[object, Conversation] = {}
        self.said: dict[tuple[str, str], Said] = {}
        self.conversations: list[Conversation] = []
        self.owners: dict[str, dict[str, str]] = {}
        self.explained = 0
        self.bare = 0

    def read(self, message: object) -> Iterator[Quad]:
        """Read one message.

        Yields:
            The quads it states.

        Raises:
            WireError: it is no message, or states what no RDF can hold.
        """
        if not isinstance(message, Mapping):
            raise WireError("a message is a JSON object")
        key, body, complete = _unwrapped(message)
        if isinstance(body, Mapping) and "s" in body and "p" in body:
            body = [body]
        if isinstance(body, list):
            yield from self._told(body, "")
            return
        if not _SIGNS & body.keys():
            raise WireError("this is no message of TrustGraph: it has none of their fields")
        if body.get("triples") is not None:
            yield from self._triples(body)
        if body.get("explain_id") or body.get("explain_triples"):
            yield from self._explain(key, body)
        self._hear(key, body)
        if complete or any(body.get(end) for end in _LAST):
            self._end(key)

    def texts(self) -> Iterator[Said]:
        """All texts, whether they name their node or not."""
        yield from self.said.values()
        for conversation in self.conversations:
            for attempt in (*conversation.before, conversation.said):
                yield from attempt

    def _explain(self, key: object, body: Mapping[str, Any]) -> Iterator[Quad]:
        triples = body.get("explain_triples") or []
        name = str(body.get("explain_id") or "")
        if not triples:
            self.bare += 1
            self._conversation(key, [name], set(), []).name(name)
            return
        self.explained += 1
        wire = Wire("", DefaultGraph())
        graph = body.get("explain_graph")
        graph = wire.iri(graph) if graph else self._graph or _RETRIEVAL
        scope = _scope(name or _first(triples))
        wire = Wire(scope, graph, graph)
        quads = [quad for each in _listed(triples) for quad in wire.quads(each)]
        about = {value_of(q.subject) for q in quads}
        subjects = {q.subject.value: None for q in quads if isinstance(q.subject, NamedNode)}
        asked = {value_of(q.subject) for q in quads if q.predicate.value == TG_QUERY}
        links = [
            (value_of(q.subject), value_of(q.object))
            for q in quads
            if q.predicate.value == PROV_WAS_DERIVED_FROM
        ]
        self._conversation(key, about, asked, links).subjects |= subjects
        yield from quads

    def _conversation(
        self, key: object, about: Collection[str], asked: set[str], links: list[tuple[str, str]]
    ) -> Conversation:
        """Find the conversation of an explain message; a question of its own begins another.

        Args:
            about: the nodes that it is about.
            asked: the questions among them.
            links: what they derive from, each after the one that does.
        """
        over = self._over.get(key)
        if over and key not in self._open and not asked:  # what explains the end comes after it
            told = {*about, *(above for _, above in links)}
            if told & over.subjects.keys():
                return over
        current = self._current(key)
        for question in sorted(asked):
            above = {parent for node, parent in links if node == question}
            if question == current.root:
                current.begin_again()
            if above & current.subjects.keys() or question in current.subjects:
                continue
            if current.root is not None:
                self._end(key)
                current = self._current(key)
            current.root = question
        return current

    def _current(self, key: object) -> Conversation:
        if key not in self._open:
            self._open[key] = Conversation()
            self.conversations.append(self._open[key])
        return self._open[key]

    def _end(self, key: object) -> None:
        if key in self._open:
            self._over[key] = self._open.pop(key)
            self._over[key].end()

    def _triples(self, body: Mapping[str, Any]) -> Iterator[Quad]:
        """Read what a service sends to be stored, with whose it is."""
        about = body.get("metadata")
        about = about if isinstance(about, Mapping) else {}
        told = {TGP_USER: about.get("user"), TGP_COLLECTION: about.get("collection")}
        owner = {name: str(value) for name, value in told.items() if value}
        for quad in self._told(body["triples"], str(about.get("id") or "")):
            if quad.predicate.value == TG_QUERY and owner:
                self.owners[value_of(quad.subject)] = owner
            yield quad

    def _told(self, triples: object, name: str) -> Iterator[Quad]:
        """Read triples that no explain message brings; what tells of a run is no knowledge."""
        wire = Wire(_scope(name), DefaultGraph())
        stated = [wire.triples(each) for each in _listed(triples)]
        unnamed = (each for named, of in stated if named is None for each in of)
        graph = self._graph or (_RETRIEVAL if any(map(_of_run, unnamed)) else DefaultGraph())
        for named, of in stated:
            for each in of:
                where = graph if named is None else named
                yield Quad(each.subject, each.predicate, each.object, where)

    def _hear(self, key: object, body: Mapping[str, Any]) -> None:
        error = _error(body.get("error"))
        if error:
            self._current(key).error = error
        node = node_name(body.get("message_id"))
        ended = any(body.get(end) for end in _ENDS)
        for kind, text, whole in _texts(body, ended):
            if node:
                current = self._current(key)
                said = self.said.setdefault((node, kind), Said(kind, node, current))
                current.hear(said, text, whole)
            elif text or ended:
                self._current(key).hear_unnamed(kind, text, whole)


def _unwrapped(message: Mapping[str, Any]) -> tuple[object, Any, bool]:
    """Take a message out of the envelope that a socket puts around it."""
    body = message.get("response")
    key = message.get("id")
    if isinstance(body, (Mapping, list)):
        complete = bool(message.get("complete"))
        if isinstance(body, Mapping) and isinstance(body.get("response"), list):
            body = body["response"]
        return key if isinstance(key, (str, int)) else None, body, complete
    return None, message, False


def _listed(triples: object) -> list[Any]:
    if not isinstance(triples, list):
        raise WireError("the triples of a message are a list")
    return triples


def _of_run(triple: Triple) -> bool:
    """Tell whether a triple is about a node of a run."""
    property, value = triple.predicate.value, triple.object
    if property == RDF_TYPE and isinstance(value, NamedNode):
        return value.value.startswith(TG) and value.value not in _OF_SOURCES
    return property in _of_runs_alone() or recognise(value_of(triple.subject)) is not None


@cache
def _of_runs_alone() -> frozenset[str]:
    """Find the properties that the shapes give to nodes of runs and to nothing else."""
    runs: set[str] = set()
    others: set[str] = set()
    for kind, fields in vocabulary().fields.items():
        (runs if kind.startswith(TG) and kind not in _OF_SOURCES else others).update(fields)
    return frozenset(each for each in runs - others if each.startswith((TG, TGP)))


def _first(triples: object) -> str:
    """Read what the first triple is about, where no id tells which run a message is of."""
    wire = Wire("", DefaultGraph())
    for triple in triples if isinstance(triples, list) else ():
        for quad in wire.quads(triple):
            if isinstance(quad.subject, NamedNode):
                return quad.subject.value
    return ""


def _scope(name: str) -> str:
    known = recognise(name)
    return known.session if known else name


def _texts(body: Mapping[str, Any], ended: bool) -> Iterator[tuple[str, str, bool | None]]:
    """Read the texts of a message: kind, piece, and whether it ends there, if that is told."""
    told = body.get("message_type") or body.get("chunk_type") or ""
    if not told:
        for kind in ("thought", "observation", "answer"):  # the fields of the first releases
            if isinstance(body.get(kind), str) and body[kind]:
                yield kind, body[kind], True
    if not isinstance(told, str) or told not in _KINDS:
        return
    keys = ("content", "response", told, "chunk", "text")
    text = next((body[key] for key in keys if isinstance(body.get(key), str)), None)
    if text is not None or ended:
        tells = ended or bool(_ENDS & body.keys())
        yield _KINDS[told], text or "", ended if tells else None


def _error(told: object) -> str | None:
    if isinstance(told, Mapping):
        told = told.get("message") or told.get("type")
    return str(told) if told else None
