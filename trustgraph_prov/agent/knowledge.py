"""The tool `knowledge-query`: graph RAG over the knowledge of a store."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeAlias, cast

from pyoxigraph import Literal, NamedNode, QuerySolution, QuerySolutions

from ..errors import ToolError
from ..queries import stored_query
from ..recorder import GraphRagRun, Recorder, Step
from ..stores.base import Store
from .domain import check_domain, dataset_of, domain_of
from .guard import within
from .model import CUT, Message, Model, Reply, answer_of
from .rag import RagQuery
from .react import mark
from .words import words_of

__all__ = ["KnowledgeQuery"]

Edge: TypeAlias = tuple[NamedNode, NamedNode, "NamedNode | Literal"]

_SELECT = """\
Select the facts that help to answer the question, at most {most}. Reply with a JSON array and \
nothing else: objects with `id`, the number of the fact, `reasoning`, one sentence, and \
`score`, from 0 to 1. Reply [] where none helps.

{untrusted}"""

_ANSWER = """\
Answer the question from the facts alone, in one or two sentences. Where they do not say it, say so.

{untrusted}"""

_DECODER = json.JSONDecoder(strict=False)
_START = re.compile(r'\[\s*[{\]]|\{\s*["}]')
_LETTER = re.compile(r"[^\W\d_]")
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.MULTILINE)
_NOTHING = "The knowledge graph holds nothing on this question."


class KnowledgeQuery(RagQuery[GraphRagRun]):
    """Answers from a knowledge graph, and records how.

    The text of the question leads to entities, and these to the edges around them (Exploration);
    the model selects some, with reasons (Focus), and answers from them (Synthesis). It names edges
    by their number, so that nothing it makes up is ever recorded as an edge.

    Args:
        store: where the knowledge is.
        model: selects and answers.
        graph: IRI of the graph that holds the knowledge, `""` for the default graph. What the
            graphs of runs and sources hold is never searched, not even in a store whose default
            graph is the union of all.
        entities, edges, selected: the most to start from, to retrieve and to select.
        timeout: seconds for one query of the store.
    """

    name = "knowledge-query"
    description = "Answers a question, in words, from the facts of a knowledge graph."

    def __init__(
        self,
        store: Store,
        model: Model,
        *,
        graph: str = "",
        entities: int = 8,
        edges: int = 150,
        selected: int = 25,
        timeout: float = 30.0,
    ) -> None:
        self._store = store
        self._model = model
        self._graph = check_domain(graph)
        self._most_entities = entities
        self._most_edges = edges
        self._most_selected = selected
        self._timeout = timeout

    def answer(self, question: str, run: GraphRagRun) -> str:
        entities = self._entities(question)
        edges = self._around(entities)
        run.exploration(len(edges), entities)
        if not edges:
            run.synthesis(_NOTHING)
            return _NOTHING
        reply = self._model.complete(self._chat(_SELECT, question, edges))
        chosen = self._chosen(reply, edges)
        run.focus(chosen, **reply.usage)
        if not chosen:
            run.synthesis(_NOTHING)
            return _NOTHING
        facts = [choice["edge"] for choice in chosen]
        reply = self._model.complete(self._chat(_ANSWER, question, facts))
        text = answer_of(reply, self.name)
        run.synthesis(text, **reply.usage)
        return text

    def _begin(self, by: Recorder | Step, question: str, session_id: str | None) -> GraphRagRun:
        return by.graph_rag(question, session_id=session_id)

    def _entities(self, question: str) -> list[str]:
        words = words_of(question)
        if not words:
            return []
        rows = self._rows("entities", word=words, entities=self._most_entities)
        return [row["entity"].value for row in rows]

    def _around(self, entities: Iterable[str]) -> list[Edge]:
        """Fetch the edges around each entity, so that one with many leaves room for the others."""
        found: dict[Edge, None] = {}
        for entity in entities:
            share = self._most_edges // self._most_entities + 1
            for row in self._rows("edges", subject=entity, object=entity, edges=share):
                found.setdefault((row["subject"], row["predicate"], row["object"]))
        return list(found)[: self._most_edges]

    def _rows(self, name: str, **values: Any) -> Iterator[QuerySolution]:
        graph = domain_of(self._store, self._graph)
        where = {"graph": graph} if graph else {}
        query = stored_query(f"knowledge/{name}{'-in-graph' if graph else ''}")
        text = query.bind(**values, **where)
        if not graph:
            text = within(text, dataset_of(self._store))
        return iter(cast(QuerySolutions, self._store.query(text, timeout=self._timeout)))

    def _chat(self, task: str, question: str, edges: Iterable[Edge]) -> list[Message]:
        name, untrusted = mark("facts")
        listed = "\n".join(f"{number}. {_words(edge)}" for number, edge in enumerate(edges, 1))
        system = task.format(most=self._most_selected, untrusted=untrusted)
        return [
            {"role": "system", "content": system},
            {"role": "user", "content": f"Question: {question}\n\n<{name}>\n{listed}\n</{name}>"},
        ]

    def _chosen(self, reply: Reply, edges: list[Edge]) -> list[dict[str, Any]]:
        if reply.cut:
            raise ToolError(self.name, f"the model's selection of facts is {CUT}")
        selection = _selection(reply.text, self.name)
        chosen: dict[int, dict[str, Any]] = {}
        for choice in selection:
            number = _number(choice.get("id"))
            if number is None or not 0 < number <= len(edges) or number in chosen:
                continue
            if len(chosen) == self._most_selected:
                break
            chosen[number] = {"edge": edges[number - 1], **_reasons(choice)}
        if selection and not chosen:
            raise ToolError(self.name, "the model's selection names none of the facts")
        return list(chosen.values())


def _number(told: object) -> int | None:
    if isinstance(told, str) and told.isascii() and told.isdigit() and len(told) < 10:
        return int(told)
    if isinstance(told, float) and told.is_integer():
        return int(told)
    return told if isinstance(told, int) and not isinstance(told, bool) else None


def _reasons(choice: dict[str, Any]) -> dict[str, Any]:
    score, reasoning = choice.get("score"), choice.get("reasoning")
    found: dict[str, Any] = {}
    if isinstance(reasoning, str):
        found["reasoning"] = reasoning
    if isinstance(score, (int, float)) and not isinstance(score, bool) and 0 <= score <= 1:
        found["score"] = score
    return found


def _selection(text: str, tool: str) -> list[dict[str, Any]]:
    """Find what a model selects in what it says around it.

    That is the last array: of objects, or, where nothing else is on its lines, empty or of plain
    numbers; without any, all objects that begin a line; without any, an empty array elsewhere. JSON
    that is broken is not looked into: what is quoted in it may be what the model turned down.

    Raises:
        ToolError: there is none, some is broken, or there are several in one object.
    """
    told = _FENCE.sub("", text.rpartition("</think>")[2].partition("<think>")[0]).strip()
    try:
        values = list(_values(told))
    except (ValueError, RecursionError):
        values = []
    arrays = [value for value in values if isinstance(value, list)]
    found = arrays[-1] if arrays else values
    objects = [each for each in found if isinstance(each, dict)]
    if objects and not any("id" in each for each in objects) and any(map(_several, objects)):
        raise ToolError(tool, "the model's selection of facts is several arrays in one object")
    chosen = objects or [{"id": each} for each in found if _number(each) is not None]
    if not chosen and [] not in arrays[-1:]:
        raise ToolError(tool, "the model's selection of facts is no JSON")
    return chosen


def _values(text: str) -> Iterator[Any]:
    """Read arrays, and objects that no word precedes on their line.

    Of empty arrays in the middle of a line there is one at most, and nothing besides.

    Raises:
        ValueError: one is broken.
        RecursionError: one is too deep.
    """
    end = 0
    read: list[Any] = []
    aside: list[Any] = []
    while start := _START.search(text, end):
        before = text[end : start.start()].rpartition("\n")[2]
        found, end = _read(text, start.start())
        if found == [] and (before.strip() or text[end:].partition("\n")[0].strip()):
            aside = [found]
        elif isinstance(found, list) or not _LETTER.search(before):
            read.append(found)
    yield from read or aside
    for alone in (text.rpartition("\n")[2], text):
        with suppress(ValueError, RecursionError):
            found, end = _read(alone, 0)
            if isinstance(found, list) and end == len(alone):
                yield found


def _read(text: str, at: int) -> tuple[Any, int]:
    """Read the JSON that begins somewhere; an object around one array is that array.

    So is one with empty arrays behind it. What stands behind an empty one may be what the model
    turned down.
    """
    found, end = _DECODER.raw_decode(text, at)
    if isinstance(found, dict) and "id" not in found and not _several(found):
        found = next(iter(_arrays(found)), found)
    return found, end


def _arrays(found: dict[str, Any]) -> list[list[Any]]:
    return [value for value in found.values() if isinstance(value, list)]


def _several(found: dict[str, Any]) -> bool:
    return any(_arrays(found)[1:])


def _words(edge: Edge) -> str:
    return " — ".join(_word(term) for term in edge)


def _word(term: NamedNode | Literal) -> str:
    text = " ".join(term.value.split())
    if isinstance(term, Literal):
        return f'"{text}"'
    return re.split(r"[/#]", text.rstrip("/#"))[-1] or text
