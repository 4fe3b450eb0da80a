"""Who called whom, when runs call runs: one rule for the index and for what is shown without it.

A run that says so (tgp:calledFrom) was called from there. Of the others, one whose question derives
from a step was called from that step. One that derives from a question or an answer is what
somebody asked next, unless a step of that run later derives from it: then that step called it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from .answers import Asked, rows_of
from .errors import InvalidValueError
from .namespaces import (
    PROV_STARTED_AT_TIME,
    RDF_TYPE,
    TG_QUERY,
    TGP_CALLED_FROM,
    TGP_IN_HOUR,
    TGP_STARTED_AT,
    TGP_TRACE,
)
from .ownership import is_answer
from .terms import Term, absolute, instant, plain

__all__ = [
    "Call",
    "Calls",
    "Facts",
    "chosen_calls",
    "facts_of",
    "possible_calls",
    "recorded_callers",
    "recorded_facts",
]

Calls = dict[str, list[tuple[str, str]]]
"""Called runs by caller, each after the IRI of the step that called it."""


@dataclass(frozen=True)
class Facts:
    """What is recorded about a node, as far as the index goes.

    Attributes:
        values: by property, as text.
    """

    values: dict[str, list[str]] = field(default_factory=dict)

    def first(self, property: str) -> str | None:
        """Read the value of a property that sorts first."""
        return min(self.values.get(property, ()), default=None)

    def is_question(self) -> bool:
        """Tell whether a run stands on it."""
        return TG_QUERY in self.values

    def is_indexed(self) -> bool:
        """Tell whether it has every index property that it could have."""
        if TGP_TRACE not in self.values:
            return False
        whole = {TGP_STARTED_AT, TGP_IN_HOUR} <= self.values.keys()
        return whole or not self.is_question() or self.start() is None

    def start(self) -> tuple[datetime, str] | None:
        """Read when a run started, with its text: the earliest of several that can be read."""
        found = []
        for text in self.values.get(TGP_STARTED_AT) or self.values.get(PROV_STARTED_AT_TIME) or ():
            with suppress(InvalidValueError):
                found.append((instant(text), text))
        return min(found, default=None)


def facts_of(recorded: Mapping[str, Sequence[Term]]) -> Facts:
    """Take a node's facts from everything recorded about it, by property."""
    return Facts({property: list(map(plain, values)) for property, values in recorded.items()})


def recorded_facts(store: Asked, nodes: Collection[str]) -> dict[str, Facts]:
    """Read the facts of some nodes; one that is not there, or that no IRI names, has none.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> recorded_facts(open_store("memory:"), ["urn:q"])
        {'urn:q': Facts(values={})}
    """
    facts = {node: Facts() for node in nodes}
    for row in rows_of(store, "trace/facts", "node", filter(absolute, nodes)):
        values = facts[row["node"].value].values
        values.setdefault(row["property"].value, []).append(plain(row["value"]))
    return facts


def recorded_callers(store: Asked, runs: Collection[str]) -> dict[str, set[str]]:
    """Read which runs are recorded to have called some runs, directly."""
    steps = {
        run: facts.values.get(TGP_CALLED_FROM, ())
        for run, facts in recorded_facts(store, runs).items()
    }
    facts = recorded_facts(store, {step for every in steps.values() for step in every})
    return {
        run: {caller for step in every for caller in facts[step].values.get(TGP_TRACE, ())}
        for run, every in steps.items()
    }


class Call(NamedTuple):
    """A call: the question of the called run, the step that called it, the question of that one."""

    called: str
    step: str
    caller: str


def possible_calls(
    question: str,
    parents: Iterable[str],
    facts: Mapping[str, Facts],
    owner: Mapping[str, str],
    later: Mapping[tuple[str, str], Collection[str]],
) -> Iterator[Call]:
    """Tell the calls that a question may stand for, one for each of its parents at most.

    Args:
        question: its IRI.
        parents: what it comes from.
        facts: of each parent: its types, and whether it is a question.
        owner: the question of each parent that has one.
        later: steps of a run that derive from another, by that other's question and its own.

    Example:
        >>> facts = {"urn:i1": Facts()}
        >>> list(possible_calls("urn:r", ["urn:i1"], facts, {"urn:i1": "urn:q"}, {}))
        [Call(called='urn:r', step='urn:i1', caller='urn:q')]
    """
    for parent in parents:
        caller = owner.get(parent)
        if caller is None or caller == question:
            continue
        types = facts[parent].values.get(RDF_TYPE, ())
        asked_next = facts[parent].is_question() or is_answer(parent, types)
        steps = later.get((question, caller), ()) if asked_next else [parent]
        if steps:
            yield Call(question, min(steps), caller)


def chosen_calls(
    possible: Mapping[str, Iterable[Call]],
    facts: Mapping[str, Facts],
    callers: Mapping[str, Collection[str]],
) -> list[Call]:
    """Choose one call of each run, the first that closes no circle.

    Runs that call each other in a circle would all be hidden in a list, so the one that started
    first is called by none of them; of several without a start, or with the same, the one whose IRI
    sorts first.

    Args:
        possible: calls by the run that was called.
        facts: of each of these runs: when it started.
        callers: who is recorded to have called the callers, and so on, to the top.

    Example:
        >>> two = {"urn:a": [Call("urn:a", "urn:b/1", "urn:b")],
        ...        "urn:b": [Call("urn:b", "urn:a/1", "urn:a")]}
        >>> [call.called for call in chosen_calls(two, {"urn:a": Facts(), "urn:b": Facts()}, {})]
        ['urn:b']
    """

    def latest(run: str) -> tuple[bool, datetime | None, str]:
        start = facts[run].start()
        return start is None, start and start[0], run

    above = {run: set(every) for run, every in callers.items()}
    chosen: list[Call] = []
    for run in sorted(possible, key=latest, reverse=True):
        for call in possible[run]:
            if not _is_above(run, call.caller, above):
                above.setdefault(run, set()).add(call.caller)
                chosen.append(call)
                break
    return chosen


def _is_above(run: str, other: str, above: Mapping[str, Collection[str]]) -> bool:
    """Tell whether a run called another, directly or not, or is the same."""
    seen, waiting = {other}, [other]
    for one in waiting:
        new = [caller for caller in above.get(one, ()) if caller not in seen]
        seen.update(new)
        waiting += new
    return run in seen
