"""Take over what TrustGraph's services send: checked whole, then written and indexed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO

from pyoxigraph import BlankNode, DefaultGraph, NamedNode, Quad

from .. import terms
from ..defaults import DEFAULT_COLLECTION, DEFAULT_USER
from ..errors import InputSyntaxError
from ..exchange.formats import name_of
from ..exchange.statements import NestingError, Rewriter, Survey
from ..exchange.writing import batched, insert_part
from ..indexing import IndexReport, index
from ..namespaces import GRAPH_RETRIEVAL, TGP_COLLECTION, TGP_ERROR_MESSAGE, TGP_USER
from ..stores.base import Store
from ..text_places import TextPlaces
from ..users import owner_quads
from .files import numbered
from .messages import Messages
from .placing import Placing
from .spool import Spool
from .texts import read
from .wire import WireError, genid

__all__ = ["Ingested", "add_documents", "import_messages", "ingest"]

_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)


@dataclass(frozen=True)
class Ingested:
    """What some messages came to.

    Attributes:
        quads: what they state, as any store can hold it: edges as statement nodes, no blank nodes.
            With a store they are there instead, and here is none.
        written: quads that went to the store; one of two messages counts twice.
        messages: how many were read.
        explained: explain messages with triples.
        bare: explain messages that only name a node; what they are about has to come otherwise.
        statements: quoted triples that became statement nodes.
        texts: texts that were put in their place, among them those that had waited for it, of which
            several for one place are one.
        waiting: texts of messages whose node is neither there nor in the store; they wait in the
            store, and the import that brings the node puts them in their place.
        unplaced: texts that name no node, and that no node in the messages or the store can have
            said; they are not written.
        unended: texts of messages whose end is missing; they are not written.
        unclaimed: texts of documents that no node in the messages or the store points at; they wait
            in the store, for the import that brings such a node.
        misnamed: texts of documents whose name is no IRI, so that none can point at them; they are
            not written.
        index: what indexing added; None without a store.
    """

    quads: list[Quad] = field(repr=False)
    written: int
    messages: int
    explained: int
    bare: int
    statements: int
    texts: int
    waiting: int
    unplaced: int
    unended: int
    unclaimed: int
    misnamed: int
    index: IndexReport | None = None


def ingest(
    messages: Iterable[object],
    store: Store | None = None,
    *,
    documents: Mapping[str, str] | None = None,
    given: Collection[str] = (),
    user: str = DEFAULT_USER,
    collection: str = DEFAULT_COLLECTION,
    graph: str | None = None,
    source: str = "messages",
) -> Ingested:
    """Read messages of the agent, GraphRAG and DocRAG services.

    Their triples may come in any order and more than once, a text's pieces in the order sent. All
    are read before anything is written. What they state waits on disk; their texts wait in memory.
    The pieces of a text carry no number, so they are put together in the order in which
    they come, and one that comes twice in a row is there twice. A text whose end is missing is not
    written: its messages may come whole another time. One whose node is in neither these messages
    nor the store waits in the store, where indexing puts it in its place once the node is there;
    `delete_trace` with the IRI of the node removes it.

    Args:
        messages: decoded JSON objects, as they came or still in the socket's envelope.
        store: where to write what they state, and to look for what it hangs on; without one
            nothing is written.
        documents: texts by the IRI of the document that tg:document points at, which stand there
            instead of what the messages say; one that no node points at waits in the store.
        given: IRIs of more documents whose texts are not to be taken from the messages, since
            `add_documents` puts others there.
        user, collection: for runs that do not say whose they are.
        graph: IRI of the graph for triples that name none. Default: the retrieval graph for
            messages that explain or tell of a run, else the default graph.
        source: how error messages call the input.

    Returns:
        Counts, after the store's index was brought up to date; the quads, without a store.

    Raises:
        InputSyntaxError: a message that is none, with its number from 1; nothing was written.
        StoreError: the store failed; the message says how much is written. Ingesting again is
            safe.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> run = {"t": "i", "i": "urn:trustgraph:question:1"}
        >>> message = {"message_type": "explain", "explain_id": run["i"], "explain_triples": [
        ...     {"s": run, "p": {"t": "i", "i": "https://trustgraph.ai/ns/query"},
        ...      "o": {"t": "l", "v": "Why?"}}]}
        >>> report = ingest([message], open_store("memory:"))
        >>> report.explained, report.written, report.index.runs
        (1, 1, 1)
    """
    numbered_from_1 = enumerate(messages, 1)
    return _ingest(numbered_from_1, store, documents, given, user, collection, graph, source)


def import_messages(
    store: Store,
    source: str | Path | IO[bytes],
    *,
    documents: Mapping[str, str] | None = None,
    given: Collection[str] = (),
    user: str = DEFAULT_USER,
    collection: str = DEFAULT_COLLECTION,
    graph: str | None = None,
) -> Ingested:
    """Add a file of messages, JSON lines or one JSON array; adding it twice changes nothing.

    Lines are read one by one, an array is read whole.

    Args:
        source: a path, or an open binary stream. Gzip is unpacked.
        documents, given, user, collection, graph: as for `ingest`.

    Raises:
        InputSyntaxError: a line that is no message, with its number; nothing was written.
        StoreError: the store failed; the message says how much is written. Importing the file
            again is safe.

    Example:
        >>> import io
        >>> from trustgraph_prov.stores import open_store
        >>> import_messages(open_store("memory:"), io.BytesIO(b"")).messages
        0
    """
    name = name_of(source)
    lines = numbered(source, name)
    return _ingest(lines, store, documents, given, user, collection, graph, name)


def _ingest(
    messages: Iterable[tuple[int, object]],
    store: Store | None,
    documents: Mapping[str, str] | None,
    given: Collection[str],
    user: str,
    collection: str,
    graph: str | None,
    source: str,
) -> Ingested:
    with closing(Spool()) as spool:
        reading = _Reading(messages, None if graph is None else terms.iri(graph), spool)
        survey = _ByLabel("")
        try:
            for _ in survey.read(reading.quads()):
                pass
        except (WireError, NestingError) as error:
            raise InputSyntaxError(source, reading.line, str(error)) from None
        heard = reading.heard
        placing = Placing(reading.known, store, given)
        placing.take(documents or {}, heard)
        rewriter = Rewriter(survey, DefaultGraph())
        added = chain(
            placing.quads, _errors(heard), owner_quads(store, heard.owners, reading.owned)
        )
        parts = chain(map(rewriter.rewrite, spool), ([quad] for quad in added))
        stated: dict[Quad, None] = {}
        written, indexed = 0, None
        if store is None:
            stated = dict.fromkeys(chain.from_iterable(parts))
        else:
            read, of = 0, survey.quads + len(placing.quads)
            for batch, done in batched(parts):
                insert_part(store, batch, written=read, of=of, source=source)
                read, written = done, written + len(batch)
            indexed = index(store, user=user, collection=collection)
    return Ingested(
        quads=list(stated),
        written=written,
        messages=reading.messages,
        explained=heard.explained,
        bare=heard.bare,
        statements=rewriter.statements,
        texts=placing.placed + (indexed.texts if indexed else 0),
        waiting=placing.waiting,
        unplaced=placing.unplaced,
        unended=sum(one.broke_off for one in heard.texts()),
        unclaimed=placing.unclaimed,
        misnamed=placing.misnamed,
        index=indexed,
    )


class _Reading:
    """Messages read once, and what must be known of them all before anything is written.

    Attributes:
        heard: their texts, errors and owners.
        known: where texts of their nodes belong.
        owned: what they state themselves of whose their runs are.
        messages: how many were read.
        line: the number of the message that is being read; None after the last.
    """

    def __init__(
        self, messages: Iterable[tuple[int, object]], graph: NamedNode | None, spool: Spool
    ) -> None:
        self._source = messages
        self._spool = spool
        self.heard = Messages(graph)
        self.known = TextPlaces()
        self.owned: list[Quad] = []
        self.messages = 0
        self.line: int | None = None

    def quads(self) -> Iterator[Quad]:
        """Read all messages, and give what they state, in their order."""
        for at, message in self._source:
            self.messages, self.line = self.messages + 1, at
            quads = list(self.heard.read(message))
            read(self.known, quads)
            self.owned += (
                each for each in quads if each.predicate.value in (TGP_USER, TGP_COLLECTION)
            )
            self._spool.add(quads)
            yield from quads
        self.line = None


def add_documents(store: Store, documents: Mapping[str, str]) -> Ingested:
    """Put texts where the tg:document of runs points; twice changes nothing.

    Args:
        store: where the runs are, or will be: a text waits there for the node that points at its
            document.
        documents: texts by the IRI of their document.

    Returns:
        Counts, of which `texts`, `unclaimed` and `misnamed` tell of the documents.

    Raises:
        StoreError: the store failed; adding them again is safe.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> report = add_documents(open_store("memory:"), {"urn:doc:1": "Paris"})
        >>> report.texts, report.unclaimed
        (0, 1)
    """
    return ingest([], store, documents=documents)


class _ByLabel(Survey):
    """Names blank nodes by their label: that outlasts the message it came in."""

    def blank(self, node: BlankNode, place: int) -> NamedNode:
        return genid(node)


def _errors(heard: Messages) -> Iterator[Quad]:
    """Mark the runs that broke off."""
    for conversation in heard.conversations:
        if conversation.root is not None and conversation.error:
            node, error = terms.iri(conversation.root), terms.text(conversation.error)
            yield Quad(node, NamedNode(TGP_ERROR_MESSAGE), error, _RETRIEVAL)
