"""Whose node is it, when runs call runs? SPARQL paths cannot say, so this walks the links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from .namespaces import TG, TG_AGENT_FINAL, TG_CONCLUSION, TG_SYNTHESIS
from .uris import recognise

__all__ = ["Ownership", "is_answer", "owners"]

_ANSWERS = {TG_CONCLUSION, TG_SYNTHESIS, TG_AGENT_FINAL}


def is_answer(node: str, types: Collection[str]) -> bool:
    """Tell whether a node is a run's answer.

    Args:
        node: its IRI, which counts where none of its types is TrustGraph's.
        types: its rdf:types.

    Example:
        >>> is_answer("urn:trustgraph:agent:7/final", ["http://www.w3.org/ns/prov#Entity"])
        True
    """
    if any(one.startswith(TG) for one in types):
        return not _ANSWERS.isdisjoint(types)
    name = recognise(node)
    return name is not None and TG + name.kind in _ANSWERS


def owners(
    questions: Collection[str], links: Mapping[str, Iterable[str]], *, whole: bool = True
) -> dict[str, str]:
    """Tell whose each node is, when runs call runs.

    Candidates are the questions that a node reaches without passing through another, and those that
    called them. It is the one whose session its IRI names: what comes after a called run may reach
    that run alone. Where no IRI tells, it is the nearest that called, directly or not, all that the
    node reaches, or is itself the only one. A circle of links ends.

    Args:
        questions: IRIs of questions.
        links: for each node, what it comes from; questions too, for they tell who called whom.
        whole: nothing more will come. Else a node whose IRI names a run that is not there yet, but
            may have called the one it reaches, is left out.

    Returns:
        The question of each node that has one, in the order of `links`; a question is its own.

    Example:
        >>> links = {"i1": ["q"], "called": ["i1"], "answer": ["called"], "i2": ["i1", "answer"]}
        >>> owners({"q", "called"}, links)
        {'i1': 'q', 'called': 'called', 'answer': 'called', 'i2': 'q'}
    """
    return Ownership(questions, links, whole=whole).every()


class Ownership:
    """The candidates of each node, and how to choose between several.

    Attributes:
        questions: IRIs of questions.
        links: for each node, what it comes from.
        candidates: for each node, the questions it reaches without passing through another, or
            through a node that belongs to another by its IRI.
    """

    def __init__(
        self,
        questions: Collection[str],
        links: Mapping[str, Iterable[str]],
        *,
        whole: bool = True,
    ) -> None:
        self.questions = set(questions)
        self._whole = whole
        self.links = {node: list(parents) for node, parents in links.items()}
        self._below: dict[str, list[str]] = defaultdict(list)
        for node, parents in self.links.items():
            for parent in parents:
                self._below[parent].append(node)
        reached = self._reached({})
        decided = {
            node: owner
            for node, several in reached.items()
            if len(several) > 1 and (owner := _named(node, several))
        }
        self.candidates = self._reached(decided) if decided else reached
        self._callers: dict[str, set[str | None]] = {}
        self._sessions = set(map(_session, self.questions)) - {None}

    def _reached(self, decided: Mapping[str, str]) -> dict[str, set[str]]:
        """Hand each question down to what comes from it, no further than the next question.

        Args:
            decided: nodes whose owner is known, which alone they hand on.
        """
        candidates = defaultdict(set, {node: {owner} for node, owner in decided.items()})
        sources = {question: [question] for question in self.questions}
        for node, owner in decided.items():
            sources[owner].append(node)
        ends = self.questions | decided.keys()
        for question, waiting in sources.items():
            while waiting:
                for node in self._below[waiting.pop()]:
                    if node not in ends and question not in candidates[node]:
                        candidates[node].add(question)
                        waiting.append(node)
        return candidates

    def every(self) -> dict[str, str]:
        """Tell the question of each node that has one."""
        found = {node: self.owner(node) for node in self.links}
        return {node: owner for node, owner in found.items() if owner is not None}

    def owner(self, node: str) -> str | None:
        """Tell the question of one node, or None."""
        if node in self.questions:
            return node
        if not self._callers and self.unsure(node):
            self._find_callers()
        return self._chosen(node)

    def callers(self, question: str) -> set[str]:
        """List the questions that may have called one: those its own links reach first."""
        found: set[str] = set()
        for link in self.links.get(question, ()):
            found |= {link} if link in self.questions else self.candidates.get(link, set())
        return found

    def unsure(self, node: str) -> bool:
        """Tell whether the callers of the questions a node reaches decide whose it is."""
        candidates = self.candidates.get(node, set())
        if len(candidates) > 1:
            return True
        named = {_session(one) for one in candidates} - {None}
        return _session(node) is not None and bool(named - {_session(node)})

    def _find_callers(self) -> None:
        """Tell who called each question, those first that may have called others, at any depth.

        In a circle of runs that call each other, one is worked out without its callers.
        """
        waiting = sorted(self.questions)
        under_way: set[str] = set()
        while waiting:
            question = waiting[-1]
            first = () if question in under_way else sorted(self.callers(question) - under_way)
            under_way.add(question)
            missing = [one for one in first if one not in self._callers and one != question]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if question not in self._callers:
                self._callers[question] = set(map(self._chosen, self.links.get(question, ())))

    def _chosen(self, node: str) -> str | None:
        """Tell the question of one node, from the callers that are known."""
        if node in self.questions:
            return node
        candidates = self.candidates.get(node, set())
        named = _named(node, candidates)
        if named or not self.unsure(node):
            return named or next(iter(candidates), None)
        if _session(node) in self._sessions:
            callers = {one for candidate in candidates for one in self._above(candidate)}
            named = _named(node, callers)
        if named or len(candidates) > 1:
            return named or self._nearest(candidates)
        (only,) = candidates
        awaited = None in self._callers.get(only, ())
        return None if awaited and not self._whole else only

    def _nearest(self, candidates: set[str]) -> str | None:
        distances = [self._above(candidate) for candidate in candidates]
        common = set.intersection(*map(set, distances))
        return min(
            common,
            key=lambda one: (sum(distance[one] for distance in distances), one),
            default=None,
        )

    def _above(self, question: str) -> dict[str, int]:
        """A question and those that called it, directly or not, with how far each is."""
        distance = {question: 0}
        waiting = [question]
        for one in waiting:
            for caller in sorted(filter(None, self._callers.get(one, ()))):
                if caller not in distance:
                    distance[caller] = distance[one] + 1
                    waiting.append(caller)
        return distance


def _named(node: str, questions: Iterable[str]) -> str | None:
    """Find the question whose session a node's IRI names."""
    session = _session(node)
    if session is None:
        return None
    return min((one for one in questions if _session(one) == session), default=None)


@lru_cache(maxsize=4096)
def _session(iri: str) -> str | None:
    name = recognise(iri)
    return name.session if name else None
