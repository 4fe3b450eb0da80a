"""Which graph holds the knowledge that tools search: never one that records runs."""

from __future__ import annotations

from typing import cast

from pyoxigraph import NamedNode, QuerySolutions

from ..errors import InvalidValueError
from ..namespaces import GRAPH_ONTOLOGY, GRAPH_RETRIEVAL, GRAPH_SOURCE
from ..queries import stored_query
from ..stores.base import Store, traits_of

__all__ = ["HIDDEN", "check_domain", "dataset_of", "domain_of", "shows_runs"]

HIDDEN = (GRAPH_RETRIEVAL, GRAPH_SOURCE, GRAPH_ONTOLOGY)
"""Graphs that are no knowledge: what agents did, where facts came from, what terms mean."""


def check_domain(graph: str) -> str:
    """Refuse a graph that holds no knowledge.

    Args:
        graph: IRI, or `""` for the default graph.

    Raises:
        InvalidValueError: it is one of `HIDDEN`, or no IRI.
    """
    if graph in HIDDEN:
        raise InvalidValueError("graph", graph, "a graph of knowledge; this one records runs")
    if graph:
        try:
            NamedNode(graph)
        except ValueError:
            raise InvalidValueError("graph", graph, "the IRI of a graph") from None
    return graph


def domain_of(store: Store, graph: str) -> str:
    """Name the graph to search, which is "" where it is a default graph that has no name.

    Args:
        store: one that keeps its default graph as a named one says which.
        graph: the graph that was asked for, or `""`.
    """
    return graph or traits_of(store).default_graph_name


def dataset_of(store: Store, graph: str = "") -> str:
    """Name the graph for FROM, with which a query reads no other; "" where there is no telling.

    Args:
        store: one whose default graph is the union of all says how to read it alone.
        graph: the graph that was asked for, or `""`.
    """
    return graph or traits_of(store).default_graph or ""


def shows_runs(store: Store, timeout: float) -> bool:
    """Whether the store's default graph shows what the graphs of runs and sources hold.

    Args:
        store: where.
        timeout: seconds.
    """
    found = store.query(stored_query("audit/probe-merged").text, timeout=timeout)
    return any(True for _ in cast(QuerySolutions, found))
