"""Find a run by its links, where it carries no tgp:trace.

Links lead out of a run into those it called and those that called it, so whose node it is has to be
worked out, over every run that the nodes lead to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ..namespaces import (
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    PROV_WAS_INFORMED_BY,
    RDF_TYPE,
    TG_QUERY,
    TGP_CALLED_FROM,
)
from ..ownership import is_answer, owners
from ..stores.base import Store
from .graph import Nodes, Properties, pointed_at, pointers
from .model import plain
from .rows import read, show

__all__ = ["Calls", "by_links"]

Calls = dict[str, list[tuple[str, str]]]
"""Called runs by caller, each after the IRI of the step that called it."""

_LINKS = (PROV_WAS_DERIVED_FROM, PROV_WAS_GENERATED_BY)
_OUTWARD = (*_LINKS, PROV_WAS_INFORMED_BY, TGP_CALLED_FROM)


def by_links(store: Store, uri: str) -> tuple[dict[str, Nodes], Calls]:
    """Read a run and those around it.

    Args:
        store: where they were recorded.
        uri: IRI of the run's question.

    Returns:
        The nodes of each run by its question, and which run called which from where. Both are empty
        when there is no such question.
    """
    nodes = _around(store, uri)
    questions = {node for node, recorded in nodes.items() if TG_QUERY in recorded}
    if uri not in questions:
        return {}, {}
    owner = _owners(nodes, questions)
    runs: dict[str, Nodes] = {question: {question: nodes[question]} for question in questions}
    for node, recorded in nodes.items():
        for run in owner.get(node, ()):
            runs[run][node] = recorded
    return runs, _calls(nodes, questions, owner)


def _around(store: Store, uri: str) -> Nodes:
    """Read what leads to the question, and the runs that this leads to besides."""
    nodes = show(store, "trace/show-by-links", uri)
    known = {uri}
    while True:
        outside = _outside(nodes)
        if not outside:
            return nodes
        found = read(store, "trace/of-node-by-links", "trace", node=outside)
        new = {plain(run) for (run,) in found} - known
        if not new:
            return nodes
        known |= new
        for run in sorted(new):
            nodes |= show(store, "trace/show-by-links", run)


def _outside(nodes: Nodes) -> list[str]:
    """List what nodes come from that was not read, when a step is among those nodes.

    A question's own origin alone says nothing about whose its steps are.
    """
    by_step, by_question = set[str](), set[str]()
    for recorded in nodes.values():
        missing = by_question if TG_QUERY in recorded else by_step
        missing.update(link for link in _targets(recorded, _OUTWARD) if link not in nodes)
    return sorted(by_step | by_question) if by_step else []


def _owners(nodes: Nodes, questions: set[str]) -> dict[str, tuple[str, ...]]:
    """Tell whose each node is; what hangs on no link of its own belongs to all that point at it."""
    links = {node: _targets(recorded, _LINKS) for node, recorded in nodes.items()}
    owner = {run: (run,) for run in questions}
    owner |= {node: (run,) for node, run in owners(questions, links).items() if node in nodes}
    holders = pointers(nodes)
    waiting = list(owner)
    found: dict[str, dict[str, None]] = defaultdict(dict)
    held = defaultdict(list)
    for node, pointing in holders.items():
        for holder in pointing:
            held[holder].append(node)
    while waiting:
        holder = waiting.pop()
        runs = owner.get(holder) or tuple(found[holder])
        for node in held[holder]:
            if node in owner:
                continue
            before = len(found[node])
            found[node].update(dict.fromkeys(runs))
            if len(found[node]) > before:
                waiting.append(node)
    return {**{node: tuple(runs) for node, runs in found.items()}, **owner}


def _calls(nodes: Nodes, questions: set[str], owner: dict[str, tuple[str, ...]]) -> Calls:
    """Tell which step called which run: it said so, or the question was derived from it.

    Derived from a question or an answer it is what somebody asked next, unless a step of that run
    was derived from it later: then that step called it.
    """
    later: dict[tuple[str, str], list[str]] = defaultdict(list)
    for node in sorted(nodes.keys() - questions):
        for link in _targets(nodes[node], _LINKS):
            for caller in owner.get(node, ()):
                for run in owner.get(link, ()):
                    later[caller, run].append(node)
    calls: Calls = defaultdict(list)
    for run in sorted(questions):
        said = _targets(nodes[run], (TGP_CALLED_FROM,))
        for step in said or _targets(nodes[run], (PROV_WAS_DERIVED_FROM,)):
            for caller in owner.get(step, ()):
                types = [plain(one) for one in nodes[step].get(RDF_TYPE, ())]
                asked_next = not said and (step in questions or is_answer(step, types))
                steps = later[caller, run] if asked_next else [step]
                if caller != run and steps:
                    calls[caller].append((min(steps), run))
    return calls


def _targets(recorded: Properties, properties: Iterable[str]) -> list[str]:
    found = (pointed_at(value) for property in properties for value in recorded.get(property, ()))
    return [target for target in found if target]
