"""Find a run by its links, where it carries no tgp:trace.

Links lead out of a run into those it called and those that called it, so whose node it is has to be
worked out, over every run that the nodes lead to.
"""

from __future__ import annotations

from collections import defaultdict

from ..calls import Calls, chosen_calls, facts_of, possible_calls
from ..namespaces import (
    PROV_USED,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    PROV_WAS_INFORMED_BY,
    TG_QUERY,
    TGP_CALLED_FROM,
    TGP_TRACE,
)
from ..ownership import Ownership
from ..stores.base import Store
from ..terms import plain
from .graph import Nodes, pointers, targets
from .rows import read_of, show

__all__ = ["by_links"]

_LINKS = (PROV_WAS_DERIVED_FROM, PROV_WAS_GENERATED_BY, PROV_USED, PROV_WAS_INFORMED_BY)
"""As in `trace/parents`, by which the index goes."""
_OUTWARD = (*_LINKS, TGP_CALLED_FROM, TGP_TRACE)


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
    for node, several in (owner | _held(nodes, owner)).items():
        for run in several:
            runs[run][node] = nodes[node]
    return runs, _calls(nodes, questions, owner)


def _around(store: Store, uri: str) -> Nodes:
    """Read what leads to the question, and the runs that this leads to besides."""
    nodes = show(store, "trace/show-by-links", uri)
    known = {uri}
    while True:
        outside = _outside(nodes)
        if not outside:
            return nodes
        found = read_of(store, "trace/of-node-by-links", "node", outside, "trace")
        new = {plain(run) for (run,) in found} | _traced(nodes)
        new -= known | nodes.keys()  # what leads to a run that was read was read with it
        if not new:
            return nodes
        known |= new
        for run in sorted(new):
            nodes |= show(store, "trace/show-by-links", run)


def _outside(nodes: Nodes) -> set[str]:
    """List what nodes come from that was not read, when a step is among those nodes.

    A question's own origin alone says nothing about whose its steps are.
    """
    by_step, by_question = set[str](), set[str]()
    for recorded in nodes.values():
        missing = by_question if TG_QUERY in recorded else by_step
        missing.update(link for link in targets(recorded, *_OUTWARD) if link not in nodes)
    return by_step | by_question if by_step else set()


def _traced(nodes: Nodes) -> set[str]:
    return {run for recorded in nodes.values() for run in targets(recorded, TGP_TRACE)}


def _owners(nodes: Nodes, questions: set[str]) -> dict[str, tuple[str, ...]]:
    """Tell whose each node with links is: what says so itself, and what its links say.

    What several runs lead to and none of them called the others is shown in each.
    """
    links = {}
    for node, recorded in nodes.items():
        said = [run for run in targets(recorded, TGP_TRACE) if run in questions]
        up = _LINKS if node not in questions else (*_LINKS, TGP_CALLED_FROM)
        links[node] = said if said and node not in questions else targets(recorded, *up)
    ownership = Ownership(questions, links)
    owner: dict[str, tuple[str, ...]] = {}
    for node in nodes:
        run = ownership.owner(node)
        several = sorted(ownership.candidates.get(node, ()))
        if run or several:
            owner[node] = (run,) if run else tuple(several)
    return owner


def _held(nodes: Nodes, owner: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Tell whose the other nodes are: they belong to all that point at them."""
    held = defaultdict(list)
    for node, pointing in pointers(nodes).items():
        for holder in pointing:
            held[holder].append(node)
    found: dict[str, dict[str, None]] = defaultdict(dict)
    waiting = list(owner)
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
    return {node: tuple(runs) for node, runs in found.items()}


def _calls(nodes: Nodes, questions: set[str], owner: dict[str, tuple[str, ...]]) -> Calls:
    """Tell which step called which run, as a run says it or else as the index would say it."""
    whose = {node: runs[0] for node, runs in owner.items() if len(runs) == 1}
    facts = {node: facts_of(recorded) for node, recorded in nodes.items()}
    later: dict[tuple[str, str], list[str]] = defaultdict(list)
    for node in whose.keys() - questions:
        for link in targets(nodes[node], PROV_WAS_DERIVED_FROM):
            if link in whose:
                later[whose[link], whose[node]].append(node)
    calls: Calls = defaultdict(list)
    possible, callers = {}, {}
    for run in sorted(questions):
        said = targets(nodes[run], TGP_CALLED_FROM)
        if said:
            callers[run] = {whose[step] for step in said if step in whose}
            for step in said:
                if whose.get(step, run) != run:
                    calls[whose[step]].append((step, run))
        else:
            parents = sorted(targets(nodes[run], *_LINKS))
            possible[run] = list(possible_calls(run, parents, facts, whose, later))
    for call in chosen_calls(possible, facts, callers):
        calls[call.caller].append((call.step, call.called))
    return calls
