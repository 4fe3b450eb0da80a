"""A store of synthetic runs, written quickly, for the benchmarks.

Of ten runs five are agents, three graph-RAG and two document-RAG; every fifth agent calls a
graph-RAG run from its second step. Runs share edges, chunks and documents as real ones do.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pyoxigraph as ox
from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov import namespaces as ns
from trustgraph_prov import set_graph, terms, uris
from trustgraph_prov.emitters.index import index_triples
from trustgraph_prov.statement import statement_iri, statement_triples

RETRIEVAL = NamedNode(ns.GRAPH_RETRIEVAL)
SOURCE = NamedNode(ns.GRAPH_SOURCE)
KG = "https://example.org/kg/"
DOCUMENT = "https://example.org/doc/"
START = datetime(2026, 1, 1, tzinfo=timezone.utc)
EVERY = timedelta(minutes=1)
EDGES, CHUNKS, DOCUMENTS = 6000, 2000, 200
USERS = ("trustgraph", "acme", "harbour")
TOOLS = ("knowledge-query", "web-lookup", "calculator", "document-query")
TYPES = {
    "agent": ns.TG_AGENT_QUESTION,
    "graph": ns.TG_GRAPH_RAG_QUESTION,
    "doc": ns.TG_DOC_RAG_QUESTION,
}

_nodes: dict[str, NamedNode] = {}


def node(iri: str) -> NamedNode:
    """Make a term once for the IRIs that every run repeats."""
    if iri not in _nodes:
        _nodes[iri] = NamedNode(iri)
    return _nodes[iri]


@cache
def statement(number: int) -> tuple[NamedNode, list[Quad]]:
    """The statement node of a domain edge, and its quads in the retrieval graph."""
    return statement_iri(*edge(number)), set_graph(statement_triples(*edge(number)), RETRIEVAL)


def edge(number: int) -> tuple[NamedNode, NamedNode, NamedNode]:
    """Subject, predicate and object of a domain edge."""
    return (
        node(f"{KG}thing-{number % 1500}"),
        node(f"{KG}p/relates-{number % 12}"),
        node(f"{KG}thing-{(number * 7 + 3) % 1500}"),
    )


def chunk(number: int) -> NamedNode:
    """IRI of a chunk of text."""
    return node(f"urn:chunk:{UUID(int=number + 1)}")


def document(number: int) -> NamedNode:
    """IRI of the document that a chunk is cut from."""
    return node(f"{DOCUMENT}{number % DOCUMENTS}")


def describe(subject: NamedNode, graph: NamedNode, **values: Any) -> Iterator[Quad]:
    """Quads of one node; a name is a constant of `namespaces`, a list several values."""
    for name, every in values.items():
        predicate = node(getattr(ns, name))
        for value in every if isinstance(every, list) else [every]:
            term = node(value) if isinstance(value, str) else value
            yield Quad(subject, predicate, term, graph)


def source_graph() -> Iterator[Quad]:
    """Documents, their chunks, and the edges extracted from each."""
    for number in range(DOCUMENTS):
        yield from describe(
            document(number),
            SOURCE,
            RDF_TYPE=[ns.PROV_ENTITY, ns.TG_DOCUMENT_TYPE],
            DC_TITLE=Literal(f"Report {number}"),
        )
    for number in range(CHUNKS):
        yield from describe(
            chunk(number),
            SOURCE,
            RDF_TYPE=[ns.PROV_ENTITY, ns.TG_CHUNK_TYPE],
            PROV_WAS_DERIVED_FROM=document(number),
        )
        yield from describe(
            NamedNode(uris.subgraph_uri(str(number))),
            SOURCE,
            RDF_TYPE=[ns.PROV_ENTITY, ns.TG_SUBGRAPH_TYPE],
            PROV_WAS_DERIVED_FROM=chunk(number),
            TG_CONTAINS=[statement_iri(*edge(e)) for e in range(number * 3, number * 3 + 3)],
        )


def _question(trace: NamedNode, kind: str, moment: datetime, user: str) -> Iterator[Quad]:
    yield from describe(
        trace,
        RETRIEVAL,
        RDF_TYPE=[ns.PROV_ACTIVITY, ns.TG_QUESTION, TYPES[kind]],
        TG_QUERY=Literal(f"What did thing {moment.minute} do on {moment:%d %B}?"),
        PROV_STARTED_AT_TIME=terms.date_time(moment),
        PROV_ENDED_AT_TIME=terms.date_time(moment + timedelta(seconds=9)),
        PROV_WAS_ASSOCIATED_WITH=uris.user_uri(user),
        TGP_USER=Literal(user),
        TGP_COLLECTION=Literal("default"),
    )
    yield from set_graph(index_triples(trace.value, user, "default", moment), RETRIEVAL)


def _agent(
    trace: NamedNode, session: str, moment: datetime, called: tuple[NamedNode, NamedNode] | None
) -> Iterator[Quad]:
    parent = trace
    for number in (1, 2, 3):
        step = NamedNode(uris.agent_iteration_uri(session, number))
        failed = random.random() < 0.01
        yield from describe(
            step,
            RETRIEVAL,
            RDF_TYPE=[ns.PROV_ENTITY, ns.TG_ANALYSIS] + ([ns.TG_ERROR_TYPE] if failed else []),
            TG_STEP_NUMBER=terms.integer(number),
            TG_THOUGHT=Literal(f"I need to look at aspect {number} first."),
            TG_ACTION=Literal(random.choice(TOOLS)),
            TG_ARGUMENTS=Literal('{"question": "aspect"}'),
            TG_OBSERVATION=Literal(f"Observation {number}: it did so."),
            TG_TOOL_ERROR=[Literal("timed out")] if failed else [],
            TG_LLM_DURATION_MS=terms.integer(random.randrange(200, 2000)),
            TG_TOOL_DURATION_MS=terms.integer(random.randrange(10, 900)),
            TG_LLM_MODEL=Literal("model-a" if number % 2 else "model-b"),
            TG_IN_TOKEN=terms.integer(random.randrange(100, 900)),
            TG_OUT_TOKEN=terms.integer(random.randrange(10, 90)),
            PROV_GENERATED_AT_TIME=terms.date_time(moment + timedelta(seconds=2 * number)),
            PROV_WAS_DERIVED_FROM=[parent, *([called[1]] if called and number == 2 else [])],
            TGP_TRACE=trace,
        )
        parent = step
    if called:
        yield from describe(
            called[0],
            RETRIEVAL,
            PROV_WAS_INFORMED_BY=trace,
            TGP_CALLED_FROM=uris.agent_iteration_uri(session, 2),
        )
    yield from describe(
        NamedNode(uris.agent_final_uri(session)),
        RETRIEVAL,
        RDF_TYPE=[ns.PROV_ENTITY, ns.TG_CONCLUSION],
        TG_ANSWER=Literal("It did so three times."),
        TG_TERMINATION_REASON=Literal("final-answer"),
        PROV_WAS_DERIVED_FROM=parent,
        TGP_TRACE=trace,
    )


def _graph_rag(trace: NamedNode, session: str) -> Iterator[Quad]:
    exploration = NamedNode(uris.exploration_uri(session))
    focus, answer = NamedNode(uris.focus_uri(session)), NamedNode(uris.synthesis_uri(session))
    numbers = random.sample(range(EDGES), 3)
    selections = [NamedNode(uris.edge_selection_uri(session, i)) for i in range(3)]
    yield from describe(
        exploration,
        RETRIEVAL,
        RDF_TYPE=[ns.PROV_ENTITY, ns.TG_EXPLORATION],
        TG_EDGE_COUNT=terms.integer(25),
        TG_ENTITY=[edge(n)[0] for n in numbers],
        PROV_WAS_GENERATED_BY=trace,
        TGP_TRACE=trace,
    )
    yield from describe(
        focus,
        RETRIEVAL,
        RDF_TYPE=[ns.PROV_ENTITY, ns.TG_FOCUS],
        TG_SELECTED_EDGE=list(selections),
        PROV_WAS_DERIVED_FROM=exploration,
        TGP_TRACE=trace,
    )
    for rank, (selection, number) in enumerate(zip(selections, numbers, strict=True), 1):
        yield from describe(
            selection,
            RETRIEVAL,
            RDF_TYPE=ns.TG_EDGE_SELECTION,
            TG_EDGE=statement(number)[0],
            TG_REASONING=Literal("It names the cause."),
            TGP_RANK=terms.integer(rank),
            TGP_TRACE=trace,
        )
        yield from statement(number)[1]
    yield from describe(
        answer,
        RETRIEVAL,
        RDF_TYPE=[ns.PROV_ENTITY, ns.TG_SYNTHESIS],
        TG_CONTENT=Literal("The gate seal failed its test."),
        PROV_WAS_DERIVED_FROM=focus,
        TGP_TRACE=trace,
    )


def _doc_rag(trace: NamedNode, session: str) -> Iterator[Quad]:
    exploration = NamedNode(uris.docrag_exploration_uri(session))
    yield from describe(
        exploration,
        RETRIEVAL,
        RDF_TYPE=[ns.PROV_ENTITY, ns.TG_EXPLORATION],
        TG_CHUNK_COUNT=terms.integer(4),
        TG_SELECTED_CHUNK=[chunk(n) for n in random.sample(range(CHUNKS), 4)],
        PROV_WAS_GENERATED_BY=trace,
        TGP_TRACE=trace,
    )
    yield from describe(
        NamedNode(uris.docrag_synthesis_uri(session)),
        RETRIEVAL,
        RDF_TYPE=[ns.PROV_ENTITY, ns.TG_SYNTHESIS],
        TG_CONTENT=Literal("Counts rose six-fold."),
        PROV_WAS_DERIVED_FROM=exploration,
        TGP_TRACE=trace,
    )


def run(number: int) -> Iterator[Quad]:
    """Quads of run `number` (and of the run that it calls)."""
    random.seed(number)
    session = str(UUID(int=number))
    moment, user = START + EVERY * number, USERS[0 if number % 4 else 1 + number % 8 // 4]
    kind = ("agent", "graph", "doc", "agent", "graph", "agent", "agent", "graph", "doc", "agent")[
        number % 10
    ]
    if kind == "agent":
        trace = NamedNode(uris.agent_session_uri(session))
        called = None
        if number % 50 == 0:
            inner = str(UUID(int=number + (1 << 64)))
            called = NamedNode(uris.question_uri(inner)), NamedNode(uris.synthesis_uri(inner))
            yield from _question(called[0], "graph", moment + timedelta(seconds=3), user)
            yield from _graph_rag(called[0], inner)
        yield from _agent(trace, session, moment, called)
    elif kind == "graph":
        trace = NamedNode(uris.question_uri(session))
        yield from _graph_rag(trace, session)
    else:
        trace = NamedNode(uris.docrag_question_uri(session))
        yield from _doc_rag(trace, session)
    yield from _question(trace, kind, moment, user)


def quads(first: int, last: int) -> Iterator[Quad]:
    """Quads of the runs from `first` to before `last`."""
    return (quad for number in range(first, last) for quad in run(number))


def build(folder: Path, runs: int) -> None:
    """Write a store of so many runs, not counting those that every fiftieth calls.

    Args:
        folder: where the store is made; it must not exist.
        runs: how many.
    """
    store = ox.Store(str(folder))
    store.bulk_extend(source_graph())
    for first in range(0, runs, 20_000):
        store.bulk_extend(quads(first, min(first + 20_000, runs)))
    store.optimize()
