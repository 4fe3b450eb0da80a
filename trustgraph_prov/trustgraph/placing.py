"""Put the texts of messages and documents where nodes point, or keep those that come before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from ..namespaces import TGP_WAITING_CONTENT, TGP_WAITING_TEXT, TGP_WAITING_THOUGHT
from ..terms import absolute
from ..text_places import content, standing, waiting
from ..uris import recognise
from .texts import said_where
from .wire import document_name

if TYPE_CHECKING:
    from pyoxigraph import Quad

    from ..stores.base import Store
    from ..text_places import TextPlaces
    from .conversation import Said
    from .messages import Messages

__all__ = ["Placing"]


class Placing:
    """Decides of each text where it stands, a document's own before what was said of it.

    Args:
        known: what the messages state of where texts belong.
        store: where to look for what they do not; indexing it puts in place what is kept here.
            Without one, everything is placed here that the messages tell the place of.
        given: names of documents whose texts are given otherwise.

    Attributes:
        quads: the texts as they are to be written, each once, in the order taken.
        placed: how many stand in their place.
        waiting: how many are of nodes that are not there yet.
        unplaced: how many are of no node.
        unclaimed: how many are of documents that no node points at.
        misnamed: how many are of documents whose name is no IRI.
    """

    def __init__(self, known: TextPlaces, store: Store | None, given: Collection[str] = ()) -> None:
        self._known = known
        self._store = store
        self._given = set(map(document_name, given))
        self.quads: dict[Quad, None] = {}
        self.placed = self.waiting = self.unplaced = self.unclaimed = self.misnamed = 0

    def take(self, documents: Mapping[str, str], heard: Messages) -> None:
        """Take the texts of documents, by name, and those of messages; an empty one is none."""
        self._take_documents(documents)
        self._take_said(heard)

    def _take_documents(self, documents: Mapping[str, str]) -> None:
        named = [(document_name(name), text) for name, text in documents.items() if text]
        self._given.update(document for document, _ in named)
        if self._store is not None:
            self._known.look_up(self._store, (), dict(named))
        pointed = self._known.pointed()
        for document, text in named:
            if not absolute(document):
                self.misnamed += 1
                continue
            self.unclaimed += document not in pointed
            if self._store is None and document in pointed:
                self._place(document, text)
            else:
                trace = _question(document)
                self._keep(waiting(document, text, TGP_WAITING_CONTENT, trace=trace))

    def _take_said(self, heard: Messages) -> None:
        said = list(heard.said.values())
        nodes = {one.node for one in said}
        for conversation in heard.conversations:
            if conversation.said:
                nodes |= conversation.subjects.keys()
        if self._store is not None:
            self._known.look_up(self._store, nodes)
        for conversation in heard.conversations:
            said.extend(said_where(conversation, self._known))
        for one in said:
            if one.text:
                self._take(one)

    def _take(self, said: Said) -> None:
        thought = said.kind == "thought"
        holder = self._known.holder(said.node, thought=thought)
        documents = self._known.of[holder] if holder else set()
        for document in documents - self._given:
            self._place(document, said.text)
        if documents:
            return
        if not holder and not absolute(said.node):
            self.unplaced += 1
        elif holder:
            self._place(holder, said.text)
            self._keep([standing(holder, said.text)])
        else:
            self.waiting += 1
            of_step = thought and not self._known.is_thought(said.node)
            property = TGP_WAITING_THOUGHT if of_step else TGP_WAITING_TEXT
            self._keep(waiting(said.node, said.text, property, trace=said.question()))

    def _place(self, place: str, text: str) -> None:
        quad = content(place, text)
        self.placed += quad not in self.quads
        self.quads[quad] = None

    def _keep(self, quads: Iterable[Quad]) -> None:
        self.quads.update(dict.fromkeys(quads))


def _question(document: str) -> str:
    """Tell the question of a run by the IRI of a document of it, "" where that does not tell."""
    while (name := recognise(document)) is None and "/" in document:
        document = document.rpartition("/")[0]
    return name.question if name else ""
