"""The tool `document-query`: document RAG over a folder of text files."""

from __future__ import annotations

import hashlib
import re
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ToolError
from ..extras import require
from ..recorder import DocRagRun, Recorder, Step
from .model import Message, Model, answer_of
from .rag import RagQuery
from .react import mark
from .words import TOKEN, in_words, words_of

if TYPE_CHECKING:
    from bm25s import BM25

__all__ = ["Chunk", "DocumentQuery", "chunks_of"]

SUFFIXES = (".txt", ".md", ".rst")
COMPONENT, VERSION = "trustgraph-prov document-query", "1"

_PARAGRAPH = re.compile(r"\n\s*\n")
_ANSWER = """\
Answer the question from the passages alone, in a few sentences. Where they do not say it, say so.

{untrusted}"""
_NOTHING = "The documents hold nothing on this question."


@dataclass(frozen=True)
class Chunk:
    """A passage of a document.

    Attributes:
        uri: IRI, named after what it holds: the same passage has the same name in every run.
        document: IRI of the document, named after its path in the folder and what it holds.
        title: that path.
        text: the passage.
        index: its place among the document's passages, from 0.
        offset: characters before it.
    """

    uri: str
    document: str
    title: str
    text: str
    index: int
    offset: int


class DocumentQuery(RagQuery[DocRagRun]):
    """Answers from text files, and records how.

    BM25 finds the passages that share words with the question (Exploration); the model answers
    from them (Synthesis). Where each passage stands goes into the source graph.

    Args:
        folder: its text files (.txt, .md, .rst), folders within included.
        model: answers.
        passages: the most to retrieve.
        size: characters of a passage, about.

    Raises:
        ToolError: there is no such folder.
        MissingExtraError: the extra `agent` is not installed.
    """

    name = "document-query"
    description = "Answers a question, in words, from passages of text documents."

    def __init__(
        self, folder: str | Path, model: Model, *, passages: int = 5, size: int = 1200
    ) -> None:
        self._folder = Path(folder)
        if not self._folder.is_dir():
            raise ToolError(self.name, f"{folder} is no folder of documents")
        require("agent", "bm25s", "searching documents")
        self._model = model
        self._passages = passages
        self._size = size
        self._lock = threading.Lock()
        self._seen: object = None
        self._chunks: list[Chunk] = []
        self._index: BM25 | None = None

    def answer(self, question: str, run: DocRagRun) -> str:
        found = self._search(question)
        for chunk in found:
            run.passage(
                chunk.uri,
                chunk.document,
                chunk.title,
                index=chunk.index,
                offset=chunk.offset,
                length=len(chunk.text),
                component=COMPONENT,
                version=VERSION,
            )
        run.exploration([chunk.uri for chunk in found])
        if not found:
            run.synthesis(_NOTHING)
            return _NOTHING
        reply = self._model.complete(_chat(question, found))
        text = answer_of(reply, self.name)
        run.synthesis(text, **reply.usage)
        return text

    def _begin(self, by: Recorder | Step, question: str, session_id: str | None) -> DocRagRun:
        return by.doc_rag(question, session_id=session_id)

    def _search(self, question: str) -> list[Chunk]:
        import bm25s

        with self._lock:
            self._read()
            if self._index is None:
                return []
            asked = " ".join(words_of(question, most=1_000, letters=True))
            words = bm25s.tokenize([asked], token_pattern=TOKEN, show_progress=False)
            most = min(self._passages, len(self._chunks))
            places, scores = self._index.retrieve(words, k=most, show_progress=False)
            ranked = zip(places[0].tolist(), scores[0].tolist(), strict=True)
            return [self._chunks[place] for place, score in ranked if score > 0]

    def _read(self) -> None:
        """Index the folder, and again when a file has changed."""
        import bm25s

        files = sorted(_files(self._folder))
        seen = [(path, path.stat().st_mtime_ns, path.stat().st_size) for path in files]
        if seen == self._seen:
            return
        self._chunks = [
            chunk
            for path in files
            for chunk in chunks_of(
                path.relative_to(self._folder).as_posix(),
                path.read_text(encoding="utf-8", errors="replace"),
                self._size,
            )
        ]
        self._index = None
        spaced = [in_words(chunk.text, signs=True) for chunk in self._chunks]
        texts = bm25s.tokenize(spaced, token_pattern=TOKEN, show_progress=False)
        if self._chunks and texts.vocab:
            self._index = bm25s.BM25()
            self._index.index(texts, show_progress=False)
        self._seen = seen


def chunks_of(title: str, text: str, size: int) -> Iterator[Chunk]:
    """Cut a document into passages: whole paragraphs, as many as fit, and long ones cut.

    Args:
        title: path of the document in its folder.
        text: all of it.
        size: characters of a passage.

    Example:
        >>> [(chunk.offset, chunk.text) for chunk in chunks_of("a.txt", "One.\\n\\nTwo.", 8)]
        [(0, 'One.'), (6, 'Two.')]
    """
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    document = f"urn:document:{uuid.uuid5(uuid.NAMESPACE_URL, f'{title} {digest}')}"
    for index, (start, end) in enumerate(_spans(text, size)):
        part = text[start:end]
        name = uuid.uuid5(uuid.NAMESPACE_URL, f"{document} {start} {end}")
        yield Chunk(f"urn:chunk:{name}", document, title, part, index, start)


def _spans(text: str, size: int) -> Iterator[tuple[int, int]]:
    start: int | None = None
    end = 0
    for first, last in _paragraphs(text, size):
        if start is not None and last - start > size:
            yield start, end
            start = None
        if start is None:
            start = first
        end = last
    if start is not None:
        yield start, end


def _paragraphs(text: str, size: int) -> Iterator[tuple[int, int]]:
    at = 0
    breaks = [*(match.span() for match in _PARAGRAPH.finditer(text)), (len(text), len(text))]
    for stop, after in breaks:
        for first in range(at, stop, size):
            last = min(first + size, stop)
            if text[first:last].strip():
                yield first, last
        at = after


def _files(folder: Path) -> Iterator[Path]:
    """Find the documents; a link that leads out of the folder is none."""
    root = folder.resolve()
    for path in folder.rglob("*"):
        inside = path.is_file() and path.resolve().is_relative_to(root)
        if inside and path.suffix.lower() in SUFFIXES:
            yield path


def _chat(question: str, found: list[Chunk]) -> list[Message]:
    name, untrusted = mark("passages")
    listed = "\n\n".join(f"[{chunk.title}]\n{chunk.text}" for chunk in found)
    return [
        {"role": "system", "content": _ANSWER.format(untrusted=untrusted)},
        {"role": "user", "content": f"Question: {question}\n\n<{name}>\n{listed}\n</{name}>"},
    ]
