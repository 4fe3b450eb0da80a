"""Put texts together that come in pieces, one conversation after the other."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..uris import recognise

__all__ = ["Conversation", "Said"]


@dataclass
class Said:
    """A text, put together from its pieces in the order in which they come.

    Attributes:
        kind: `thought`, `observation` or `answer`.
        node: IRI of the node that says it, or "" where the messages do not tell.
        conversation: in which it is said.
        unended: its last piece told that there is more.
    """

    kind: str
    node: str
    conversation: Conversation | None = field(default=None, repr=False, compare=False)
    _whole: list[str] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    unended: bool = False

    def add(self, piece: str, ended: bool | None) -> None:
        """Take a piece; what is sent whole after it was sent in pieces is the same text.

        Args:
            piece: the text of a message.
            ended: whether it ends there; None where the message does not tell.
        """
        self.unended = ended is False
        if piece:
            if ended and len(self._pieces) > 1 and piece == "".join(self._pieces):
                self._pieces.clear()  # after one alone, an equal one may as well go on from it
            self._pieces.append(piece)
        if ended:
            text = "".join(self._pieces)
            if text and text not in (*self._whole, "".join(self._whole)):
                self._whole.append(text)
            self._pieces.clear()

    def begin_again(self) -> None:
        """Forget the pieces of a text that has not ended."""
        self._pieces.clear()

    @property
    def text(self) -> str:
        """All of it, but for one of which more was to come: that may come another time."""
        return "".join(self._whole if self.unended else (*self._whole, *self._pieces))

    def question(self) -> str:
        """Tell the question of its run: by the IRI of its node, else the one it is an answer to."""
        name = recognise(self.node)
        root = self.conversation.root if self.conversation else None
        asked = recognise(root or "")
        if name is None or (asked and asked.session == name.session):
            return root or ""
        return name.question

    @property
    def broke_off(self) -> bool:
        """Whether more was to come, and no text has ended."""
        return self.unended and bool(self._pieces) and not self._whole


@dataclass
class Conversation:
    """One request and everything sent back.

    Attributes:
        root: IRI of the question that began it.
        subjects: nodes its explain messages are about.
        bare: those of them that an explain message without triples names.
        said: texts that name no node, in the order they were sent.
        before: the same of each time that it began before.
        error: why it broke off.
    """

    root: str | None = None
    subjects: dict[str, None] = field(default_factory=dict)
    bare: set[str] = field(default_factory=set)
    said: list[Said] = field(default_factory=list)
    before: list[list[Said]] = field(default_factory=list)
    error: str | None = None
    _latest: Said | None = None
    _open: Said | None = None

    def name(self, node: str) -> None:
        """Take note of a node of which no triples come; a question begins it if none has."""
        self.subjects[node] = None
        self.bare.add(node)
        known = recognise(node)
        if self.root is None and known is not None and known.is_question:
            self.root = node

    def hear(self, said: Said, piece: str, ended: bool | None) -> None:
        """Take a piece of a text; with it, the one before has ended."""
        if said is not self._latest and self._latest is not None:
            self._latest.add("", True)
        self._latest = said
        said.add(piece, ended)

    def hear_unnamed(self, kind: str, piece: str, ended: bool | None) -> None:
        """Take a piece of a text that names no node."""
        if self._open is None or self._open.kind != kind:
            self._open = Said(kind, "", self)
            self.said.append(self._open)
        self.hear(self._open, piece, ended)
        if ended:
            self._open = None

    def begin_again(self) -> None:
        """Forget the pieces of a text that has not ended: the conversation is sent once more."""
        if self._latest is not None:
            self._latest.begin_again()
        if self.said:
            self.before.append(self.said)
            self.said, self._open = [], None

    def texts(self, kind: str) -> list[str]:
        """Read the texts of a kind that name no node, in the order they were sent.

        What was sent once more from its beginning counts once; what goes on behind a question that
        came again, as any message may, comes after what was sent before.
        """
        texts: list[str] = []
        for attempt in (*self.before, self.said):
            sent = [one.text for one in attempt if one.kind == kind and one.text]
            if kind == "answer":  # sent once more when the dialog ends
                sent = [one for at, one in enumerate(sent) if not at or one != sent[at - 1]]
            again = texts and sent and texts[0] == sent[0]
            texts = max(texts, sent, key=len) if again else texts + sent
        return texts

    def end(self) -> None:
        """Take it that the text of the last piece has ended, unless that told there is more."""
        if self._latest is not None and not self._latest.unended:
            self._latest.add("", True)
