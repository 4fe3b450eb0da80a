"""Take over what TrustGraph's services send: checked whole, then written and indexed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from pyoxigraph import BlankNode, DefaultGraph, NamedNode, Quad

from .. import terms
from ..answers import rows
from ..errors import InputSyntaxError
from ..exchange.statements import NestingError, Rewriter, Survey
from ..indexing import IndexReport, index
from ..namespaces import GRAPH_RETRIEVAL, TGP_ERROR_MESSAGE, TGP_USER
from ..stores.base import Store
from .files import name_of, numbered
from .messages import Messages
from .texts import Documents, content, said_where
from .wire import WireError, genid

__all__ = ["Ingested", "add_documents", "import_messages", "ingest"]

_BATCH = 10_000
_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)


@dataclass(frozen=True)
class Ingested:
    """What some messages came to.

    Attributes:
        quads: what they state, as any store can hold it: edges as statement nodes, no blank nodes.
        messages: how many were read.
        explained: explain messages with triples.
        bare: explain messages that only name a node; what they are about has to come otherwise.
        statements: quoted triples that became statement nodes.
        texts: texts that were put where their node points.
        unplaced: texts of messages whose node is neither in the messages nor in the store.
        unused: documents that no node points at.
        index: what indexing added; None without a store.
    """

    quads: list[Quad] = field(repr=False)
    messages: int
    explained: int
    bare: int
    statements: int
    texts: int
    unplaced: int
    unused: int
    index: IndexReport | None = None


def ingest(
    messages: Iterable[object],
    store: Store | None = None,
    *,
    documents: Mapping[str, str] | None = None,
    user: str = "trustgraph",
    collection: str = "default",
    graph: str | None = None,
    source: str = "messages",
) -> Ingested:
    """Read messages of the agent, GraphRAG and DocRAG services, in any order, more than once.

    Args:
        messages: decoded JSON objects, as they came or still in the socket's envelope.
        store: where to write what they state, and to look for what it hangs on; without one
            nothing is written.
        documents: texts by the IRI of the document that tg:document points at.
        user, collection: for runs that do not say whose they are.
        graph: IRI of the graph for triples that name none. Default: the retrieval graph for
            explain messages, else the default graph.
        source: how error messages call the input.

    Returns:
        The quads and counts, after the store's index was brought up to date.

    Raises:
        InputSyntaxError: a message that is none, with its number from 1; nothing was written.
        StoreError: the store failed; ingesting again is safe.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> run = {"t": "i", "i": "urn:trustgraph:question:1"}
        >>> message = {"message_type": "explain", "explain_id": run["i"], "explain_triples": [
        ...     {"s": run, "p": {"t": "i", "i": "https://trustgraph.ai/ns/query"},
        ...      "o": {"t": "l", "v": "Why?"}}]}
        >>> report = ingest([message], open_store("memory:"))
        >>> report.explained, len(report.quads), report.index.runs
        (1, 1, 1)
    """
    return _ingest(enumerate(messages, 1), store, documents, user, collection, graph, source)


def import_messages(
    store: Store,
    source: str | Path | IO[bytes],
    *,
    documents: Mapping[str, str] | None = None,
    user: str = "trustgraph",
    collection: str = "default",
    graph: str | None = None,
) -> Ingested:
    """Add a file of messages, JSON lines or one JSON array; adding it twice changes nothing.

    Args:
        source: a path, or an open binary stream. Gzip is unpacked.
        documents, user, collection, graph: as for `ingest`.

    Raises:
        InputSyntaxError: a line that is no message, with its number; nothing was written.
        StoreError: the store failed; importing the file again is safe.

    Example:
        >>> import io
        >>> from trustgraph_prov.stores import open_store
        >>> import_messages(open_store("memory:"), io.BytesIO(b"")).messages
        0
    """
    name = name_of(source)
    lines = numbered(source, name)
    return _ingest(lines, store, documents, user, collection, graph, name)


def _ingest(
    messages: Iterable[tuple[int, object]],
    store: Store | None,
    documents: Mapping[str, str] | None,
    user: str,
    collection: str,
    graph: str | None,
    source: str,
) -> Ingested:
    heard = Messages(None if graph is None else terms.iri(graph))
    stated: deque[Quad] = deque()
    read, line = 0, None
    try:
        for at, message in messages:
            read, line = read + 1, at
            stated.extend(heard.read(message))
        line = None
        found, statements = _portable(stated)
    except (WireError, NestingError) as error:
        raise InputSyntaxError(source, line, str(error)) from None
    texts, unplaced, unused = _texts(heard, found, store, documents or {})
    found.update(dict.fromkeys((*content(texts), *_errors(heard), *_owners(heard, store))))
    quads, indexed = list(found), None
    if store is not None:
        for start in range(0, len(quads), _BATCH):
            store.insert(quads[start : start + _BATCH])
        indexed = index(store, user=user, collection=collection)
    return Ingested(
        quads, read, heard.explained, heard.bare, statements, len(texts), unplaced, unused, indexed
    )


def add_documents(store: Store, documents: Mapping[str, str]) -> tuple[int, int]:
    """Put texts where the tg:document of runs in a store points; twice changes nothing.

    Args:
        documents: texts by the IRI of their document.

    Returns:
        How many were put there, and how many no run points at.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> add_documents(open_store("memory:"), {"urn:doc:1": "Paris"})
        (0, 1)
    """
    report = ingest([], store, documents=documents)
    return report.texts, report.unused


class _ByLabel(Survey):
    """Names blank nodes by their label: that outlasts the message it came in."""

    def blank(self, node: BlankNode, place: int) -> NamedNode:
        return genid(node)


def _portable(stated: deque[Quad]) -> tuple[dict[Quad, None], int]:
    """Turn quads into such as any store holds, each once; they are used up, as they may be many."""
    survey = _ByLabel("")
    for _ in survey.read(stated):
        pass
    rewriter = Rewriter(survey, DefaultGraph())
    quads: dict[Quad, None] = {}
    while stated:
        quads.update(dict.fromkeys(rewriter.rewrite(stated.popleft())))
    return quads, rewriter.statements


def _texts(
    heard: Messages, quads: Iterable[Quad], store: Store | None, documents: Mapping[str, str]
) -> tuple[dict[str, str], int, int]:
    """Tell which text stands where, a document's own first, and how many stand nowhere."""
    known = Documents()
    known.read(quads)
    if store is not None:
        known.look_up(store, {said.node for said in heard.said.values()}, documents)
    pointed = known.pointed()
    placed = {node: text for node, text in documents.items() if node in pointed and text}
    unplaced, unused = 0, sum(node not in pointed for node in documents)
    said = list(heard.said.values())
    for conversation in heard.conversations:
        said.extend(said_where(conversation, known))
    for one in said:
        place = known.place(one) if one.text else None
        if place is not None:
            placed.setdefault(place, one.text)
        else:
            unplaced += bool(one.text)
    return placed, unplaced, unused


def _errors(heard: Messages) -> Iterator[Quad]:
    """Mark the runs that broke off."""
    for conversation in heard.conversations:
        if conversation.root is not None and conversation.error:
            node, error = terms.iri(conversation.root), terms.text(conversation.error)
            yield Quad(node, NamedNode(TGP_ERROR_MESSAGE), error, _RETRIEVAL)


def _owners(heard: Messages, store: Store | None) -> Iterator[Quad]:
    """Say whose the runs are whose messages told, where the store does not know it yet."""
    known: set[str] = set()
    if store is not None and heard.owners:
        known_facts = rows(store, "trace/facts", node=sorted(heard.owners))
        known = {row["node"].value for row in known_facts if row["property"].value == TGP_USER}
    for question, owner in sorted(heard.owners.items()):
        if question not in known:
            for property, value in owner.items():
                yield Quad(terms.iri(question), NamedNode(property), terms.text(value), _RETRIEVAL)
