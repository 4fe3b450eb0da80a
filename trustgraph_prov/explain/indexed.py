"""Find a run by its index: one query for it, and one for each run that it called."""

from __future__ import annotations

from collections import defaultdict

from ..calls import Calls
from ..namespaces import (
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    TG_DOCUMENT,
    TG_EDGE,
    TG_QUERY,
    TG_SELECTED_CHUNK,
    TG_SELECTED_EDGE,
    TGP_CALLED_FROM,
    TGP_TRACE,
)
from ..stores.base import Store
from .graph import Nodes, targets
from .rows import show

__all__ = ["by_index"]

_COMES_FROM = (PROV_WAS_DERIVED_FROM, PROV_WAS_GENERATED_BY, TGP_CALLED_FROM)
_SHARED = (TG_EDGE, TG_DOCUMENT, TG_SELECTED_CHUNK)


def by_index(store: Store, uri: str) -> tuple[dict[str, Nodes], Calls] | None:
    """Read a run and those it called.

    Args:
        store: where they were recorded.
        uri: IRI of the run's question.

    Returns:
        The nodes of each run by its question, and which run called which from where; None when the
        question is not indexed, or a node that hangs on one of the runs is not: then the index
        alone would leave out that node and what follows it.
    """
    runs: dict[str, Nodes] = {}
    calls: Calls = defaultdict(list)
    waiting = [uri]
    for run in waiting:
        nodes = show(store, "trace/show", run)
        inside = {node for node, known in nodes.items() if run in targets(known, TGP_TRACE)}
        if run not in inside or _lacks_index(nodes, inside):
            return None
        shared = {node for one in inside for node in targets(nodes[one], *_SHARED)}
        runs[run] = {node: nodes[node] for node in nodes if node in inside | shared}
        for called in nodes.keys() - {run}:
            steps = inside.intersection(targets(nodes[called], TGP_CALLED_FROM))
            if TG_QUERY in nodes[called] and steps:
                calls[run] += [(step, called) for step in steps]
                if called not in waiting:
                    waiting.append(called)
    return runs, calls


def _lacks_index(nodes: Nodes, inside: set[str]) -> bool:
    """Tell whether a node that hangs on a run carries no tgp:trace, as `audit/unindexed` has it."""
    picked = {
        node for one in inside for node in targets(nodes[one], TG_SELECTED_EDGE, TG_SELECTED_CHUNK)
    }
    return any(
        not inside.isdisjoint(targets(known, *_COMES_FROM))
        or (node in picked and not known.keys().isdisjoint((TG_EDGE, TG_DOCUMENT)))
        for node, known in nodes.items()
        if TGP_TRACE not in known
    )
