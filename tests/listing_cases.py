"""Small runs for the tests of listing, indexing and deletion."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov import namespaces as ns
from trustgraph_prov.emitters.index import index_triples
from trustgraph_prov.stores import Store

R = NamedNode(ns.GRAPH_RETRIEVAL)
KINDS = {
    "Agent": ns.TG_AGENT_QUESTION,
    "GraphRAG": ns.TG_GRAPH_RAG_QUESTION,
    "DocRAG": ns.TG_DOC_RAG_QUESTION,
    "Session": ns.TG_AGENT_SESSION,
}


def say(subject: str, *said: tuple[str, str | Literal]) -> list[Quad]:
    """Quads of one node; a text is an IRI."""
    return [
        Quad(NamedNode(subject), NamedNode(p), NamedNode(o) if isinstance(o, str) else o, R)
        for p, o in said
    ]


def question(
    uri: str,
    start: str | None = None,
    *,
    kind: str | None = "Agent",
    user: str = "ana",
    collection: str = "default",
    text: str = "Why?",
    index: bool = True,
    called_from: str | None = None,
) -> Iterator[Quad]:
    """Quads of a question, indexed or as an earlier release wrote it."""
    yield from say(uri, (ns.TG_QUERY, Literal(text)))
    if kind:
        yield from say(uri, (ns.RDF_TYPE, KINDS[kind]))
    if start:
        yield from say(uri, (ns.PROV_STARTED_AT_TIME, Literal(start)))
    if called_from:
        yield from say(uri, (ns.TGP_CALLED_FROM, called_from))
    if index:
        owner = ((ns.TGP_USER, Literal(user)), (ns.TGP_COLLECTION, Literal(collection)))
        yield from say(uri, *owner, (ns.TGP_TRACE, uri))
        if start:
            for triple in index_triples(uri, user, collection, start):
                yield Quad(triple.subject, triple.predicate, triple.object, R)


def derive(store: Store, node: str, *parents: str, kind: str = ns.TG_ANALYSIS) -> None:
    """Write a node that comes from others."""
    store.insert(
        say(node, (ns.RDF_TYPE, kind), *((ns.PROV_WAS_DERIVED_FROM, parent) for parent in parents))
    )


def objects(store: Store, predicate: str) -> dict[str, set[str]]:
    """Objects of a property by subject."""
    found: dict[str, set[str]] = {}
    for quad in store.quads(ns.GRAPH_RETRIEVAL):
        if quad.predicate.value == predicate:
            found.setdefault(str(getattr(quad.subject, "value", "")), set()).add(
                str(getattr(quad.object, "value", ""))
            )
    return found
