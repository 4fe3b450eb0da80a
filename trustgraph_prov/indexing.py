"""Index runs that were written without: whose each node is, when each run began, who called it.

The index is derived from the runs and never the truth, so indexing twice changes nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from pyoxigraph import Literal, NamedNode, Quad

from . import terms
from .answers import batches, rows
from .emitters.index import index_triples
from .errors import InvalidValueError
from .namespaces import (
    GRAPH_RETRIEVAL,
    PROV_STARTED_AT_TIME,
    PROV_WAS_INFORMED_BY,
    RDF_TYPE,
    TG_QUERY,
    TGP_CALLED_FROM,
    TGP_COLLECTION,
    TGP_STARTED_AT,
    TGP_TRACE,
    TGP_USER,
)
from .ownership import Ownership, is_answer, owners
from .stores.base import Store

__all__ = ["IndexReport", "index"]

Progress: TypeAlias = Callable[[int, "int | None"], None]

PAGE = 20_000
_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)


@dataclass(frozen=True)
class IndexReport:
    """What was added.

    Attributes:
        runs: questions that got an index property.
        nodes: nodes, questions among them, that got the tgp:trace of their run.
        calls: runs that were tied to the step that called them.
        undated: questions whose start is missing or cannot be read; they are listed last.
        unowned: nodes that lead to no question, or to several of which none called the others.
    """

    runs: int = 0
    nodes: int = 0
    calls: int = 0
    undated: int = 0
    unowned: int = 0


def index(
    store: Store,
    *,
    user: str = "trustgraph",
    collection: str = "default",
    progress: Progress | None = None,
) -> IndexReport:
    """Add the index to the runs that lack it; the others are not read.

    Args:
        store: where the runs are.
        user, collection: for runs that do not say whose they are.
        progress: called after each batch with the nodes looked at and, as nobody has counted
            them, None.

    Returns:
        What was added: all zero when nothing was missing, but for runs and nodes that cannot be
        placed.

    Raises:
        StoreError: the store failed; what was added stays, and indexing again goes on.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> index(open_store("memory:"))
        IndexReport(runs=0, nodes=0, calls=0, undated=0, unowned=0)
    """
    return _Indexer(store, user, collection).run(progress)


@dataclass
class _Facts:
    """What is recorded about a node, as far as the index goes."""

    values: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def first(self, property: str) -> str | None:
        return min(self.values.get(property, ()), default=None)

    def is_question(self) -> bool:
        return TG_QUERY in self.values

    def start(self) -> str | None:
        """The start, or the earliest of several that can be read."""
        found = []
        texts = self.values.get(TGP_STARTED_AT) or self.values.get(PROV_STARTED_AT_TIME) or []
        for text in texts:
            with suppress(InvalidValueError):
                found.append((terms.instant(text), text))
        return min(found)[1] if found else None


class _Indexer:
    def __init__(self, store: Store, user: str, collection: str) -> None:
        self.store, self.user, self.collection = store, user, collection
        self.counts: Counter[str] = Counter()
        self.maybe_called: set[str] = set()

    def run(self, progress: Progress | None) -> IndexReport:
        done, after = 0, ""
        while True:
            page = rows(self.store, "audit/unindexed", after=after, limit=PAGE)
            nodes = list(dict.fromkeys(row["node"].value for row in page))
            for batch in batches(nodes):
                self._index(batch)
                done += len(batch)
                if progress:
                    progress(done, None)
            if not nodes:
                break
            after = nodes[-1]
        for batch in batches(sorted(self.maybe_called)):
            self._tie(batch)
        return IndexReport(**self.counts)

    def _index(self, batch: list[str]) -> None:
        links, facts = self._upward(batch)
        questions = {node for node, known in facts.items() if known.is_question()}
        owner = owners(questions, links, whole=False)
        quads: list[Quad] = []
        for node in batch:
            run = owner.get(node)
            if run is None:
                self.counts["unowned"] += 1
                continue
            if TGP_TRACE not in facts[node].values:
                self.counts["nodes"] += 1
                quads.append(_quad(node, TGP_TRACE, NamedNode(run)))
            if node in questions:
                self.counts["runs"] += 1
                quads.extend(self._question(node, facts[node]))
                if links[node]:
                    self.maybe_called.add(node)
            else:
                others = {owner.get(parent) for parent in links[node]} - {None, run}
                self.maybe_called.update(one for one in others if one)
        self.maybe_called.update(
            row["trace"].value for row in rows(self.store, "trace/asked-from", node=batch)
        )
        self.store.insert(quads)

    def _question(self, question: str, facts: _Facts) -> Iterator[Quad]:
        user = facts.first(TGP_USER) or self.user
        collection = facts.first(TGP_COLLECTION) or self.collection
        yield _quad(question, TGP_USER, terms.text(user))
        yield _quad(question, TGP_COLLECTION, terms.text(collection))
        start = facts.start()
        if start is None:
            self.counts["undated"] += 1
            return
        for triple in index_triples(question, user, collection, start):
            yield Quad(triple.subject, triple.predicate, triple.object, _RETRIEVAL)

    def _upward(self, batch: list[str]) -> tuple[dict[str, list[str]], dict[str, _Facts]]:
        """Read what a batch comes from, up to the questions.

        Who called those is read only where a node reaches several of them: a long chain of
        questions that follow each other is not walked for nothing.
        """
        links: dict[str, list[str]] = {}
        facts: dict[str, _Facts] = {}
        below, waiting = set(batch), set(batch)
        while waiting:
            facts |= self._facts(waiting - facts.keys())
            for node in waiting - below:
                run = facts[node].first(TGP_TRACE)
                if run and run != node:
                    links[node] = [run]
            unread = {node for node in waiting if node in below or not facts[node].is_question()}
            links |= self._parents(unread - links.keys())
            waiting = {parent for node in unread for parent in links[node]} - facts.keys()
            if not waiting:
                waiting = _callers_to_read(links, facts)
                below |= waiting
        return links, facts

    def _tie(self, batch: list[str]) -> None:
        """Tie runs to the steps that called them.

        A question that derives from a step was called from it. One that derives from a question or
        an answer is what somebody asked next, unless a step of that run later derives from it.
        """
        links = self._parents(batch)
        facts = self._facts({*batch, *(parent for parents in links.values() for parent in parents)})
        later: dict[tuple[str, str], list[str]] = defaultdict(list)
        for row in rows(self.store, "trace/derived-steps", trace=batch):
            later[row["trace"].value, row["caller"].value].append(row["later"].value)
        quads: list[Quad] = []
        for question in batch:
            if TGP_CALLED_FROM in facts[question].values:
                continue
            for parent in links[question]:
                caller = facts[parent].first(TGP_TRACE)
                if caller is None or caller == question:
                    continue
                types = facts[parent].values.get(RDF_TYPE, [])
                asked_next = facts[parent].is_question() or is_answer(parent, types)
                steps = later[question, caller] if asked_next else [parent]
                if steps:
                    quads.append(_quad(question, TGP_CALLED_FROM, NamedNode(min(steps))))
                    quads.append(_quad(question, PROV_WAS_INFORMED_BY, NamedNode(caller)))
                    self.counts["calls"] += 1
                    break
        self.store.insert(quads)

    def _parents(self, nodes: Collection[str]) -> dict[str, list[str]]:
        links: dict[str, list[str]] = {node: [] for node in nodes}
        for batch in batches(sorted(nodes)):
            for row in rows(self.store, "trace/parents", node=batch):
                links[row["node"].value].append(row["parent"].value)
        return links

    def _facts(self, nodes: Collection[str]) -> dict[str, _Facts]:
        facts = {node: _Facts() for node in nodes}
        for batch in batches(sorted(nodes)):
            for row in rows(self.store, "trace/facts", node=batch):
                facts[row["node"].value].values[row["property"].value].append(row["value"].value)
        return facts


def _callers_to_read(links: dict[str, list[str]], facts: dict[str, _Facts]) -> set[str]:
    """Find the questions whose callers decide whose a node is, and are not read yet."""
    ownership = Ownership({node for node, known in facts.items() if known.is_question()}, links)
    waiting = {
        one
        for node, several in ownership.candidates.items()
        if ownership.unsure(node)
        for one in several
    }
    seen: set[str] = set()
    while waiting:
        question = waiting.pop()
        seen.add(question)
        for parent in links.get(question, ()):
            is_question = parent in ownership.questions
            waiting |= ({parent} if is_question else ownership.candidates[parent]) - seen
    return seen - links.keys()


def _quad(subject: str, predicate: str, value: NamedNode | Literal) -> Quad:
    return Quad(NamedNode(subject), NamedNode(predicate), value, _RETRIEVAL)
