"""Read what was made of a document, level by level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pyoxigraph import NamedNode

from ..answers import rows_of
from ..errors import SourceNotFoundError
from ..explain.described import arranged, kind_name, number_of, title_of, types_of
from ..explain.graph import Nodes, every_target, with_statements
from ..explain.kinds import kind_of
from ..explain.order import natural
from ..explain.rows import told
from ..namespaces import (
    PROV_WAS_ASSOCIATED_WITH,
    PROV_WAS_GENERATED_BY,
    RDF_OBJECT,
    RDF_PREDICATE,
    RDF_SUBJECT,
    TG_CONTAINS,
)
from ..stores.base import Store
from ..terms import Term, iri

__all__ = ["Extract", "Recorded", "sources"]


@dataclass(frozen=True)
class Recorded:
    """Anything in the source graph, with everything recorded about it.

    Attributes:
        uri: its IRI.
        types: every rdf:type, sorted.
        kind: what it is, for people; empty where nothing says it.
        title: what to call it, for people.
        properties: everything else, by property, in the order in which it is shown.
    """

    uri: str
    types: tuple[str, ...]
    kind: str
    title: str
    properties: Mapping[str, tuple[Term, ...]]

    def term(self, property: str) -> Term | None:
        """Read the first value of a property."""
        return next(iter(self.properties.get(property, ())), None)

    @property
    def edge(self) -> tuple[Term | None, Term | None, Term | None]:
        """Subject, predicate and object, of an edge."""
        return self.term(RDF_SUBJECT), self.term(RDF_PREDICATE), self.term(RDF_OBJECT)


@dataclass(frozen=True)
class Extract(Recorded):
    """A document, page, section, image, chunk or subgraph.

    Attributes:
        parts: what was made from it, by page or chunk number, else by IRI.
        edges: the edges of a subgraph, by subject, predicate and object.
        made_by: the activity that made it and the agents behind that.
    """

    parts: tuple[Extract, ...] = ()
    edges: tuple[Recorded, ...] = ()
    made_by: tuple[Recorded, ...] = ()

    def walk(self) -> Iterator[Extract]:
        """Visit it and everything made from it."""
        waiting = [self]
        while waiting:
            one = waiting.pop()
            yield one
            waiting.extend(reversed(one.parts))


def sources(store: Store, uri: str) -> Extract:
    """Read what was made of a document, or of a page or chunk of one.

    This goes down, from a document; the stored query `lineage/sources` goes up, from an answer.

    Args:
        store: where extraction was recorded.
        uri: IRI of the document.

    Returns:
        A tree. What was made from several things stands below the first.

    Raises:
        SourceNotFoundError: nothing in the source graph has that IRI, or was made from it.

    Example:
        >>> from trustgraph_prov.demo import record_demo
        >>> from trustgraph_prov.stores import open_store
        >>> store = open_store("memory:")
        >>> recorded = record_demo(store)
        >>> document = sources(store, "https://example.org/doc/quarrow-outage-report-2025")
        >>> document.kind, len(document.parts)
        ('Document', 2)
    """
    uri = iri(uri).value
    below, order = _below(store, uri)
    nodes = told(store, order)
    if len(order) == 1 and not nodes:
        raise SourceNotFoundError(uri)
    for property in (TG_CONTAINS, PROV_WAS_GENERATED_BY, PROV_WAS_ASSOCIATED_WITH):
        nodes |= told(store, every_target(nodes.values(), property) - nodes.keys())
    nodes = with_statements(nodes)
    built: dict[str, Extract] = {}
    for one in reversed(order):
        built[one] = _extract(one, nodes, [built[part] for part in below[one]])
    return built[uri]


def _below(store: Store, uri: str) -> tuple[dict[str, list[str]], list[str]]:
    """Find what was made from what, each thing once, and an order in which the first is the top."""
    below: dict[str, list[str]] = defaultdict(list)
    order, level = [uri], [uri]
    seen = {uri}
    while level:
        found: list[str] = []
        for row in rows_of(store, "lineage/derived", "source", level):
            thing = row["thing"]
            if isinstance(thing, NamedNode) and thing.value not in seen:
                seen.add(thing.value)
                below[row["source"].value].append(thing.value)
                found.append(thing.value)
        order += found
        level = found
    return below, order


def _extract(uri: str, nodes: Nodes, parts: list[Extract]) -> Extract:
    own = [nodes.get(uri, {})]
    activities = sorted(every_target(own, PROV_WAS_GENERATED_BY) & nodes.keys())
    makers = (nodes[one] for one in activities)
    agents = sorted(every_target(makers, PROV_WAS_ASSOCIATED_WITH) & nodes.keys())
    edges = [_described(one, nodes) for one in every_target(own, TG_CONTAINS) & nodes.keys()]
    self = _described(uri, nodes)
    return Extract(
        **vars(self),
        parts=tuple(sorted(parts, key=_place)),
        edges=tuple(sorted(edges, key=lambda edge: (*map(str, edge.edge), edge.uri))),
        made_by=tuple(_described(one, nodes) for one in (*activities, *agents)),
    )


def _described(uri: str, nodes: Nodes) -> Recorded:
    recorded = nodes.get(uri, {})
    types = types_of(recorded)
    return Recorded(
        uri=uri,
        types=types,
        kind=kind_name(uri, recorded),
        title=title_of(recorded),
        properties=arranged(kind_of(uri, types, recorded), recorded),
    )


def _place(extract: Extract) -> tuple[float, tuple[tuple[int, str], ...]]:
    _, number = number_of(extract.properties) or ("", "")
    decimal = number.isascii() and number.isdecimal()
    return float(number) if decimal else float("inf"), natural(extract.uri)
