"""Index runs that were written without: whose each node is, when each run began, who called it.

The index is derived from the runs and never the truth, so indexing twice changes nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pyoxigraph import Literal, NamedNode, Quad

from . import terms
from .answers import batches, rows, rows_of
from .calls import (
    Call,
    Facts,
    chosen_calls,
    possible_calls,
    recorded_callers,
    recorded_facts,
)
from .defaults import DEFAULT_COLLECTION, DEFAULT_USER
from .emitters.index import index_triples
from .graphs import set_graph
from .namespaces import (
    GRAPH_RETRIEVAL,
    PROV_WAS_INFORMED_BY,
    TGP_CALLED_FROM,
    TGP_COLLECTION,
    TGP_TRACE,
    TGP_USER,
)
from .ownership import Ownership, owners
from .text_places import place_waiting

if TYPE_CHECKING:
    from .recorder.writer import Target

__all__ = ["IndexReport", "Progress", "index"]

Progress: TypeAlias = Callable[[int, "int | None"], None]
"""Called with how much is done and, once known, how much there is."""

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
        texts: texts that came before their node or its document, and were put there; several
            that waited for one place are one.
    """

    runs: int = 0
    nodes: int = 0
    calls: int = 0
    undated: int = 0
    unowned: int = 0
    texts: int = 0


def index(
    store: Target,
    *,
    nodes: Collection[str] | None = None,
    user: str = DEFAULT_USER,
    collection: str = DEFAULT_COLLECTION,
    progress: Progress | None = None,
) -> IndexReport:
    """Add the index to the runs that lack it; the others are not read.

    Args:
        store: where the runs are.
        nodes: IRIs of nodes that were written just now. They alone are indexed, with the steps and
            the texts that waited for them; None for all that lack the index.
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
        IndexReport(runs=0, nodes=0, calls=0, undated=0, unowned=0, texts=0)
    """
    indexer = _Indexer(store, (user, collection), progress)
    return indexer.run() if nodes is None else indexer.run_with(nodes)


class _Indexer:
    """Places what it finds, each node and each call once, whether or not the store shows it yet."""

    def __init__(self, store: Target, owner: tuple[str, str], progress: Progress | None) -> None:
        self.store, (self.user, self.collection) = store, owner
        self.counts: Counter[str] = Counter()
        self.maybe_called: set[str] = set()
        self.tied: set[str] = set()
        self._progress = progress
        self._done = 0

    def run(self) -> IndexReport:
        """Index until nothing is added: what was placed may tell whose the rest is."""
        self.counts["texts"] = place_waiting(self.store)
        unowned = self._pass()
        new = bool(self._tie()) or self.counts["nodes"] > 0
        while unowned and new:
            left, _ = self._index_lacking(unowned)
            new = bool(self._tie()) or left < unowned
            unowned = left
        self.counts["unowned"] = len(unowned)
        return IndexReport(**self.counts)

    def run_with(self, nodes: Collection[str]) -> IndexReport:
        """Index some nodes and what waited for them, until nothing is added."""
        self.counts["texts"] = place_waiting(self.store, nodes)
        waiting, seen, new = set(nodes), set(nodes), True
        while waiting and new:
            unowned, runs = self._index_lacking(waiting)
            tied = self._tie()
            runs |= self._with_called(tied)
            rest = rows_of(self.store, "audit/untraced", "trace", runs)
            late = {row["node"].value for row in rest} - seen
            new = bool(late or tied) or unowned < waiting
            waiting = unowned | late
            seen |= late
        self.counts["unowned"] = len(waiting)
        return IndexReport(**self.counts)

    def _index_lacking(self, nodes: Collection[str]) -> tuple[set[str], set[str]]:
        """Index those of some nodes that lack it; the unowned ones, and the runs of the others."""
        unowned: set[str] = set()
        runs: set[str] = set()
        for batch in batches(sorted(nodes)):
            facts = recorded_facts(self.store, batch)
            runs.update(run for known in facts.values() if (run := known.first(TGP_TRACE)))
            lacking = [node for node in batch if not facts[node].is_indexed()]
            if lacking:
                owner = self._index(lacking, facts)
                runs.update(owner.values())
                unowned.update(set(lacking) - owner.keys())
            self._looked_at(batch)
        return unowned, runs

    def _with_called(self, runs: Iterable[str]) -> set[str]:
        """Add the runs that some runs called, directly or not."""
        found = set(runs)
        for run in tuple(found):
            called = rows(self.store, "trace/called-runs", trace=run)
            found.update(row["called"].value for row in called)
        return found

    def _pass(self) -> set[str]:
        """Index what lacks it, a page at a time; the unowned nodes."""
        unowned: set[str] = set()
        after = ""
        while page := list(rows(self.store, "audit/unindexed", after=after, limit=PAGE)):
            for batch in batches(dict.fromkeys(row["node"].value for row in page)):
                unowned.update(set(batch) - self._index(batch).keys())
                self._looked_at(batch)
            after = page[-1]["node"].value
        return unowned

    def _looked_at(self, batch: list[str]) -> None:
        self._done += len(batch)
        if self._progress:
            self._progress(self._done, None)

    def _index(self, batch: list[str], known: dict[str, Facts] | None = None) -> dict[str, str]:
        """Index a batch of nodes; the question of each that has one."""
        links, facts = self._upward(batch, known or {})
        questions = {node for node, known in facts.items() if known.is_question()}
        owner = owners(questions, links, whole=False)
        quads: list[Quad] = []
        for node in batch:
            if (run := owner.get(node)) is None:
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
        asked = rows_of(self.store, "trace/asked-from", "node", batch)
        self.maybe_called.update(row["trace"].value for row in asked)
        self.store.insert(quads)
        return owner

    def _question(self, question: str, facts: Facts) -> Iterator[Quad]:
        user = facts.first(TGP_USER) or self.user
        collection = facts.first(TGP_COLLECTION) or self.collection
        yield _quad(question, TGP_USER, terms.text(user))
        yield _quad(question, TGP_COLLECTION, terms.text(collection))
        start = facts.start()
        if start is None:
            self.counts["undated"] += 1
            return
        yield from set_graph(index_triples(question, user, collection, start[1]), _RETRIEVAL)

    def _upward(
        self, batch: list[str], known: Mapping[str, Facts]
    ) -> tuple[dict[str, list[str]], dict[str, Facts]]:
        """Read what a batch comes from, up to the questions.

        Who called those is read only where a node reaches several of them: a long chain of
        questions that follow each other is not walked for nothing.
        """
        links: dict[str, list[str]] = {}
        facts = dict(known)
        below, waiting = set(batch), set(batch)
        while waiting:
            facts |= recorded_facts(self.store, waiting - facts.keys())
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

    def _tie(self) -> set[str]:
        """Tie runs to the steps that called them; the runs that were."""
        possible: dict[str, list[Call]] = {}
        facts: dict[str, Facts] = {}
        for batch in batches(sorted(self.maybe_called - self.tied)):
            known = recorded_facts(self.store, batch)
            untied = [run for run in batch if TGP_CALLED_FROM not in known[run].values]
            for call in self._possible(untied):
                possible.setdefault(call.called, []).append(call)
                facts[call.called] = known[call.called]
        self.maybe_called.clear()
        callers = self._callers({call.caller for calls in possible.values() for call in calls})
        calls = chosen_calls(possible, facts, callers)
        self.counts["calls"] += len(calls)
        for start in range(0, len(calls), PAGE):
            self.store.insert(
                _quad(call.called, property, NamedNode(value))
                for call in calls[start : start + PAGE]
                for property, value in (
                    (TGP_CALLED_FROM, call.step),
                    (PROV_WAS_INFORMED_BY, call.caller),
                )
            )
        called = {call.called for call in calls}
        self.tied |= called
        return called

    def _possible(self, batch: list[str]) -> Iterator[Call]:
        links = self._parents(batch)
        above = {parent for parents in links.values() for parent in parents}
        facts = recorded_facts(self.store, above)
        owner = {node: run for node, known in facts.items() if (run := known.first(TGP_TRACE))}
        later: dict[tuple[str, str], list[str]] = defaultdict(list)
        for row in rows_of(self.store, "trace/derived-steps", "trace", batch):
            later[row["trace"].value, row["caller"].value].append(row["later"].value)
        for question in batch:
            yield from possible_calls(question, links[question], facts, owner, later)

    def _callers(self, runs: Collection[str]) -> dict[str, set[str]]:
        """Read who called some runs, who called those, and so on, to the top."""
        above: dict[str, set[str]] = {}
        waiting = set(runs)
        while waiting:
            above |= recorded_callers(self.store, waiting)
            waiting = {one for every in above.values() for one in every} - above.keys()
        return above

    def _parents(self, nodes: Collection[str]) -> dict[str, list[str]]:
        links: dict[str, list[str]] = {node: [] for node in nodes}
        for row in rows_of(self.store, "trace/parents", "node", nodes):
            links[row["node"].value].append(row["parent"].value)
        return links


def _callers_to_read(links: dict[str, list[str]], facts: dict[str, Facts]) -> set[str]:
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
        waiting |= ownership.callers(question) - seen
    return seen - links.keys()


def _quad(subject: str, predicate: str, value: NamedNode | Literal) -> Quad:
    return Quad(NamedNode(subject), NamedNode(predicate), value, _RETRIEVAL)
