"""What the tests of emitters and recorder share: a clock that ticks, and short forms of RDF."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta, timezone

from narrowing import rows
from pyoxigraph import Literal, NamedNode, Quad, Triple

from trustgraph_prov.namespaces import PREFIXES
from trustgraph_prov.queries import stored_query
from trustgraph_prov.stores import Store

RUN = "urn:trustgraph:agent:7"
ASKED = "urn:trustgraph:question:7"
DOCS = "urn:trustgraph:docrag:7"
AT = "2026-03-02T08:15:00Z"


class Clock:
    """Starts at 08:15 and goes on by a second each time it is read."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 8, 15, tzinfo=timezone.utc)

    def __call__(self) -> datetime:
        now, self.now = self.now, self.now + timedelta(seconds=1)
        return now


def short(term: object) -> str:
    """A term in the way people write it: prefixed, plain strings bare, other literals with type."""
    if isinstance(term, NamedNode):
        for prefix, namespace in PREFIXES.items():
            if term.value.startswith(namespace):
                return f"{prefix}:{term.value.removeprefix(namespace)}"
        return term.value
    assert isinstance(term, Literal)
    if term.language:
        return f"{term.value}@{term.language}"
    kind = short(term.datatype)
    return term.value if kind == "xsd:string" else f"{term.value}^^{kind}"


def lines(triples: Iterable[Triple | Quad]) -> list[str]:
    """Triples as lines of text, in their order."""
    return [f"{short(t.subject)} {short(t.predicate)} {short(t.object)}" for t in triples]


def facts(store: Store, node: str) -> dict[str, set[str]]:
    """What a store says of a node: short values by short predicate."""
    found: dict[str, set[str]] = {}
    for quad in store.quads("urn:graph:retrieval"):
        if quad.subject == NamedNode(node):
            found.setdefault(short(quad.predicate), set()).add(short(quad.object))
    return found


def shown(store: Store, trace: str) -> dict[str, dict[str, set[str]]]:
    """What `trace/show` says of a run: values by node and predicate."""
    found: dict[str, dict[str, set[str]]] = {}
    for row in rows(store.query(stored_query("trace/show").bind(trace=trace))):
        node = found.setdefault(row["node"].value, {})
        node.setdefault(short(row["property"]), set()).add(row["value"].value)
    return found
