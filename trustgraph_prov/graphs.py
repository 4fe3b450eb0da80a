"""Put triples into a graph, and tell which graph a quad is in."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import DefaultGraph, NamedNode, Quad, Triple

from . import terms
from .namespaces import GRAPH_DEFAULT

__all__ = ["graph_name", "set_graph"]


def set_graph(triples: Iterable[Triple], graph: str | NamedNode) -> list[Quad]:
    """Put triples into a graph.

    Args:
        triples: what the emitters return.
        graph: IRI of the graph, `""` for the default graph.

    Returns:
        Quads in the order of the triples.

    Example:
        >>> from trustgraph_prov.emitters import user_triples
        >>> str(set_graph(user_triples("ana"), "urn:graph:retrieval")[0].graph_name)
        '<urn:graph:retrieval>'
    """
    name = DefaultGraph() if graph == GRAPH_DEFAULT else terms.iri(graph)
    return [Quad(t.subject, t.predicate, t.object, name) for t in triples]


def graph_name(quad: Quad) -> str:
    """Name the graph of a quad.

    Returns:
        Its IRI; `""` for the default graph, and for a graph that no IRI names.

    Example:
        >>> graph_name(Quad(NamedNode("urn:s"), NamedNode("urn:p"), NamedNode("urn:o")))
        ''
    """
    name = quad.graph_name
    return name.value if isinstance(name, NamedNode) else GRAPH_DEFAULT
