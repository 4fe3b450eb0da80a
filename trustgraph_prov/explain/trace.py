"""Read one run, with the runs it called, through stored queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pyoxigraph import BlankNode, NamedNode, Triple

from ..calls import Calls, facts_of
from ..stores.base import Store
from ..terms import absolute
from .assemble import assemble
from .graph import Nodes
from .indexed import by_index
from .links import by_links
from .model import Trace
from .nearest import not_found
from .sources import sources_of

__all__ = ["trace", "triples_of"]


def trace(store: Store, uri: str, *, provenance: bool = False) -> Trace:
    """Explain a run.

    Args:
        store: where it was recorded.
        uri: IRI of its question.
        provenance: ask as well what its selected edges and chunks came from.

    Returns:
        The run: steps in order, each with its parts and the runs it called.

    Raises:
        TraceNotFoundError: no run has that IRI; the message names the nearest, or the run that the
            IRI is a step of.

    Example:
        >>> from trustgraph_prov.demo import record_demo
        >>> from trustgraph_prov.stores import open_store
        >>> store = open_store("memory:")
        >>> recorded = record_demo(store)
        >>> run = trace(store, "urn:trustgraph:agent:f4b8d2e6-7c19-4a3d-8e50-9b6a1c4d7f05")
        >>> run.type, run.status
        ('Agent', 'failed')
    """
    runs, tree = _recorded(store, uri)
    built: dict[str, Trace] = {}
    for run, below in reversed(tree.items()):
        sources = sources_of(store, runs[run]) if provenance else None
        nested = [(step, built[called]) for step, called in below]
        built[run] = assemble(run, runs[run], nested, sources)
    return built[uri]


def triples_of(store: Store, uri: str) -> Iterator[Triple]:
    """Read what is recorded of a run and of those it called.

    Args:
        store: where they were recorded.
        uri: IRI of the run's question.

    Returns:
        The triples of their nodes, of the statements of their edges and of the documents that hold
        their texts, run by run; those that runs share, once for each.

    Raises:
        TraceNotFoundError: as `trace` does.
    """
    runs, tree = _recorded(store, uri)
    for run in tree:
        for node, properties in runs[run].items():
            subject = BlankNode(node[2:]) if node.startswith("_:") else NamedNode(node)
            for property, values in properties.items():
                for value in values:
                    yield Triple(subject, NamedNode(property), value)


def _recorded(store: Store, uri: str) -> tuple[dict[str, Nodes], Calls]:
    """Read a run and those it called: their nodes, and which calls which."""
    if not absolute(uri):
        raise not_found(store, uri)
    runs, calls = by_index(store, uri) or by_links(store, uri)
    if uri not in runs:
        raise not_found(store, uri)
    return runs, _tree(uri, runs, calls)


def _tree(uri: str, runs: Mapping[str, Nodes], calls: Calls) -> Calls:
    """Put each called run under one step, the nearest to the top; a circle ends.

    Runs that a run called are in the order of their starts, those without one first.
    """

    def place(call: tuple[str, str]) -> tuple[bool, object, str, str]:
        step, called = call
        start = facts_of(runs[called][called]).start()
        return start is not None, start and start[0], called, step

    tree: Calls = {uri: []}
    waiting = [uri]
    for run in waiting:
        for step, called in sorted(calls.get(run, ()), key=place):
            if called not in tree:
                tree[called] = []
                tree[run].append((step, called))
                waiting.append(called)
    return tree
