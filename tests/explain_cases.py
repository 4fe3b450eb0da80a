"""Small runs to explain, written by hand, so that each test says what its run is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import narrowing
from pyoxigraph import Literal, NamedNode, Quad, QuerySolutions, RdfFormat, Triple, parse

from trustgraph_prov import terms
from trustgraph_prov.explain.assemble import assemble
from trustgraph_prov.explain.graph import Nodes, by_node
from trustgraph_prov.explain.model import Trace
from trustgraph_prov.namespaces import (
    GRAPH_RETRIEVAL,
    PROV_WAS_DERIVED_FROM,
    RDF_TYPE,
    TG,
    TG_AGENT_QUESTION,
    TG_ANALYSIS,
    TG_ANSWER,
    TG_CONCLUSION,
    TG_QUERY,
    TG_STEP_NUMBER,
    TGP_TRACE,
)
from trustgraph_prov.statement import statement_triples
from trustgraph_prov.stores import Store
from trustgraph_prov.terms import Term

RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)
REAL = sorted((Path(__file__).parent / "data" / "trustgraph").glob("*.nq"))
assert REAL, "tests/data/trustgraph holds no *.nq, so nothing would be tested"

QUESTION = "urn:trustgraph:agent:1"
Value = "str | int | Term"


class Story:
    """Nodes of one run, by IRI; `step` and `answer` write the usual ones."""

    def __init__(self, uri: str = QUESTION, kind: str = TG_AGENT_QUESTION) -> None:
        self.uri = uri
        self.rows: list[tuple[str, str, Term]] = []
        self.add(uri, {RDF_TYPE: NamedNode(kind), TG_QUERY: "Why?"})

    def add(self, node: str, properties: Mapping[str, object]) -> str:
        """Add values: text and numbers become literals, `urn:` and `https:` IRIs."""
        for property, values in properties.items():
            for value in values if isinstance(values, (list, tuple)) else [values]:
                self.rows.append((node, property, _term(value)))
        return node

    def step(
        self,
        name: str,
        *parents: str,
        kind: str = TG_ANALYSIS,
        number: int | None = None,
        **more: object,
    ) -> str:
        """Add a step that was derived from others, or from the question."""
        node = f"{self.uri}/{name}"
        properties: dict[str, object] = {
            RDF_TYPE: NamedNode(kind),
            PROV_WAS_DERIVED_FROM: list(parents or [self.uri]),
        }
        if number is not None:
            properties[TG_STEP_NUMBER] = number
        return self.add(node, {**properties, **{TG + key: value for key, value in more.items()}})

    def answer(self, *parents: str, text: str | None = "Because.", name: str = "final") -> str:
        """Add a conclusion."""
        node = self.step(name, *parents, kind=TG_CONCLUSION)
        return self.add(node, {} if text is None else {TG_ANSWER: text})

    @property
    def nodes(self) -> Nodes:
        """What `assemble` takes."""
        return by_node(self.rows)

    def trace(self, *called: tuple[str, Trace]) -> Trace:
        """The run."""
        return assemble(self.uri, self.nodes, called)

    def quads(self, *, indexed: bool = True) -> list[Quad]:
        """The run as it stands in a store."""
        found = [Triple(NamedNode(s), NamedNode(p), o) for s, p, o in self.rows]
        if indexed:
            run = NamedNode(self.uri)
            found += [Triple(NamedNode(node), NamedNode(TGP_TRACE), run) for node in self.nodes]
        return [Quad(t.subject, t.predicate, t.object, RETRIEVAL) for t in found]


def long_run(steps: int) -> Story:
    """A run of many steps without numbers."""
    story = Story()
    last = story.uri
    for number in range(1, steps + 1):
        last = story.step(f"i{number}", last, thought=f"thought {number}")
    story.answer(last)
    return story


def load(store: Store, file: Path) -> list[Quad]:
    """Put a file of TrustGraph's into a store as it is, but for edges: statements, as by import."""
    quads: list[Quad] = []
    for quad in parse(path=file, format=RdfFormat.N_QUADS):
        if isinstance(quad.object, Triple):
            subject, predicate, object = quad.object
            triples = statement_triples(subject, predicate, object)
            quads += [Quad(t.subject, t.predicate, t.object, quad.graph_name) for t in triples]
            quad = Quad(quad.subject, quad.predicate, triples[0].subject, quad.graph_name)
        quads.append(quad)
    store.insert(quads)
    return quads


def roots(quads: Iterable[Quad]) -> list[str]:
    """Every question in some quads, sorted."""
    return sorted({narrowing.subject(q) for q in quads if q.predicate.value == TG_QUERY})


def names(trace: Trace) -> list[str]:
    """The last part of each step's IRI, in order."""
    return [step.uri.rpartition("/")[2] for step in trace.steps]


class Counting:
    """A store that counts queries."""

    def __init__(self, store: Store) -> None:
        self.store, self.count = store, 0

    def query(self, query: str, *, timeout: float | None = None) -> QuerySolutions:
        self.count += 1
        return narrowing.narrow(self.store.query(query, timeout=timeout), QuerySolutions)


def _term(value: object) -> Term:
    if isinstance(value, str):
        return NamedNode(value) if value.startswith(("urn:", "https:")) else terms.text(value)
    if isinstance(value, int):
        return terms.integer(value)
    assert isinstance(value, (NamedNode, Literal, Triple)), value
    return value
