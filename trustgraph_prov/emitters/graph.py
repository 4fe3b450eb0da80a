"""Put triples into a graph."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import DefaultGraph, Quad, Triple

from .. import terms
from .node import Uri

__all__ = ["set_graph"]


def set_graph(triples: Iterable[Triple], graph: Uri) -> list[Quad]:
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
    name = DefaultGraph() if graph == "" else terms.iri(graph)
    return [Quad(t.subject, t.predicate, t.object, name) for t in triples]
