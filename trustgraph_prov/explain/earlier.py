"""Give nodes of earlier releases the classes that today's form gives them.

A store keeps the types that were recorded, and a reader is told what they mean.
`update/upgrade-legacy` says the same for good.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyoxigraph import NamedNode

from ..namespaces import (
    PROV_ACTIVITY,
    PROV_ENTITY,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_STATEMENT,
    RDF_TYPE,
    TG,
    TG_AGENT_FINAL,
    TG_AGENT_ITERATION,
    TG_AGENT_QUESTION,
    TG_AGENT_SESSION,
    TG_ANALYSIS,
    TG_CONCLUSION,
    TG_EDGE,
    TG_EDGE_SELECTION,
    TG_EXPLORATION,
    TG_FOCUS,
    TG_GRAPH_RAG_QUESTION,
    TG_QUERY,
    TG_QUESTION,
    TG_REASONING,
    TG_SYNTHESIS,
)
from ..terms import plain
from ..uris import PROV_NODE, SESSION
from .graph import Properties

__all__ = ["SUCCESSORS", "with_types_of_today"]

SUCCESSORS: Mapping[str, tuple[str, ...]] = {
    TG_AGENT_SESSION: (PROV_ACTIVITY, TG_QUESTION, TG_AGENT_QUESTION),
    TG_AGENT_ITERATION: (PROV_ENTITY, TG_ANALYSIS),
    TG_AGENT_FINAL: (PROV_ENTITY, TG_CONCLUSION),
}
"""What today's form types a node as, beside each class of the first agents."""

_UNTYPED = (
    (SESSION, TG_QUERY, (TG_QUESTION, TG_GRAPH_RAG_QUESTION)),
    (PROV_NODE + "retrieval:", PROV_WAS_GENERATED_BY, (TG_EXPLORATION,)),
    (PROV_NODE + "selection:", PROV_WAS_DERIVED_FROM, (TG_FOCUS,)),
    (PROV_NODE + "answer:", PROV_WAS_DERIVED_FROM, (TG_SYNTHESIS,)),
)


def with_types_of_today(nodes: Mapping[str, Properties]) -> dict[str, Properties]:
    """Add the types that an upgrade of the store would add, to the nodes of a run.

    Args:
        nodes: what is recorded about each node; left as it is.

    Example:
        >>> nodes = {"urn:a": {RDF_TYPE: [NamedNode(TG_AGENT_FINAL)]}}
        >>> types = with_types_of_today(nodes)["urn:a"][RDF_TYPE]
        >>> [plain(one).rpartition("/")[2] for one in types]
        ['AgentFinal', 'prov#Entity', 'Conclusion']
    """
    found: dict[str, Properties] = {}
    for uri, properties in nodes.items():
        recorded = properties.get(RDF_TYPE, [])
        types = dict.fromkeys(map(plain, recorded))
        more = _types_of_today(uri, properties, types)
        new = [NamedNode(one) for one in dict.fromkeys(more) if one not in types]
        found[uri] = {**properties, RDF_TYPE: [*recorded, *new]} if new else properties
    return found


def _types_of_today(uri: str, properties: Properties, types: Mapping[str, object]) -> list[str]:
    more = [new for old, successors in SUCCESSORS.items() if old in types for new in successors]
    for start, property, classes in _UNTYPED:
        if uri.startswith(start) and property in properties:
            more += classes
    says_more = any(one.startswith(TG) or one == RDF_STATEMENT for one in types)
    if uri.startswith(PROV_NODE + "edge:") and not says_more:
        more += [TG_EDGE_SELECTION for one in (TG_EDGE, TG_REASONING) if one in properties]
    return more
