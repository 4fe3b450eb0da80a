"""Runs as TrustGraph's own builders write them, sent as its services send them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pyoxigraph import Literal, NamedNode, Quad, Triple
from rich.console import Console
from trustgraph import provenance as tg
from trustgraph.messaging.translators.primitives import TripleTranslator
from trustgraph.schema import IRI, LITERAL, Term
from trustgraph.schema import Triple as WireTriple

from trustgraph_prov import Node, Trace, list_traces, render, trace
from trustgraph_prov.explain.graph import pointed_at
from trustgraph_prov.explain.typed import typed
from trustgraph_prov.namespaces import RDF_TYPE
from trustgraph_prov.render.json import term as json_term
from trustgraph_prov.statement import canonical
from trustgraph_prov.stores import Store
from trustgraph_prov.trustgraph import ingest

DATA = Path(__file__).parent / "data" / "trustgraph"
FILES = sorted(DATA.glob("*.jsonl"))
assert len(FILES) == 7, f"{DATA} holds {len(FILES)} files of messages instead of 7"
START = "2026-03-02T08:15:00.123456Z"

_WIRE = TripleTranslator()


def i(iri: str) -> Term:
    return Term(type=IRI, iri=iri)


def text(value: str, datatype: str = "", language: str = "") -> Term:
    return Term(type=LITERAL, value=value, datatype=datatype, language=language)


def edge(subject: str, predicate: str, object: Term | str) -> tuple[Term, Term, Term]:
    return i(subject), i(predicate), i(object) if isinstance(object, str) else object


def extracted(subject: str, predicate: str, object: Term | str) -> WireTriple:
    s, p, o = edge(subject, predicate, object)
    return WireTriple(s=s, p=p, o=o)


def explain(name: str, triples: list[WireTriple], graph: str = tg.GRAPH_RETRIEVAL) -> Any:
    """An explain message, as it comes out of the socket."""
    return {
        "message_type": "explain",
        "explain_id": name,
        "explain_graph": graph,
        "explain_triples": [_WIRE.encode(one) for one in tg.set_graph(triples, graph)],
        "end_of_message": False,
    }


def explained(*parts: list[WireTriple], graph: str = tg.GRAPH_RETRIEVAL) -> list[Any]:
    """A message for each builder's triples, named by their first subject."""
    return [explain(part[0].s.iri, part, graph) for part in parts]


def agent(
    session: str, question: str = "Why?", start: str = START, parent: str | None = None
) -> list[WireTriple]:
    """A question to an agent."""
    found: list[WireTriple] = tg.agent_session_triples(
        tg.agent_session_uri(session), question, start, parent
    )
    return found


def step(session: str, number: int, after: str | None = None, **more: Any) -> list[WireTriple]:
    """An iteration after the question, or after another node."""
    question = tg.agent_session_uri(session) if after is None else None
    more = {"action": "search", "arguments": {"n": number}, "step_number": number, **more}
    uri = tg.agent_iteration_uri(session, number)
    found: list[WireTriple] = tg.agent_iteration_triples(uri, question, after, **more)
    return found


def graph_rag(
    session: str,
    edges: Iterable[dict[str, Any]] = (),
    question: str = "Which?",
    start: str = START,
    parent: str | None = None,
    answer: str | None = None,
) -> list[list[WireTriple]]:
    """A whole GraphRAG run."""
    focus = tg.focus_uri(session)
    return [
        tg.question_triples(tg.question_uri(session), question, start, parent),
        tg.grounding_triples(tg.grounding_uri(session), tg.question_uri(session), ["reeds"]),
        tg.exploration_triples(tg.exploration_uri(session), tg.grounding_uri(session), 3),
        tg.focus_triples(focus, tg.exploration_uri(session), list(edges), session),
        tg.synthesis_triples(tg.synthesis_uri(session), focus, answer or f"urn:answer:{session}"),
    ]


def told(store: Store, *uris: str) -> set[tuple[str, str, str]]:
    """Every triple in the JSON of some runs, as subject, property and value."""
    return {one for uri in uris for one in _of_run(json.loads(render.json(trace(store, uri))))}


def _of_run(run: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for node in (run["question"], *run["steps"]):
        yield from of_node(node)


def of_node(node: dict[str, Any], *inside: str) -> Iterator[tuple[str, str, str]]:
    """Every triple in the JSON of a node and of what it holds."""
    yield from ((node["uri"], RDF_TYPE, type) for type in node["types"])
    for property, values in node["properties"].items():
        for value in values:
            yield node["uri"], property, json.dumps(value, sort_keys=True)
    for key in inside or ("parts",):
        for part in node[key]:
            yield from of_node(part, *inside) if "parts" in part else of_leaf(part)
    for run in node.get("called", ()):
        yield from _of_run(run)


def of_leaf(node: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    yield from of_node({**node, "parts": [], "edges": [], "made_by": []})


def expected(quad: Quad) -> tuple[str, str, str]:
    """A triple as `told` tells it; a triple term is its statement node."""
    subject, property = quad.subject, quad.predicate.value
    assert isinstance(subject, NamedNode)
    value = typed(property, quad.object)
    if isinstance(value, Triple):
        value = NamedNode(pointed_at(value))
    if property == RDF_TYPE:
        return subject.value, RDF_TYPE, value.value
    if isinstance(value, Literal) and property.endswith("#object"):
        value = canonical(value)
    return subject.value, property, json.dumps(json_term(value), sort_keys=True)


def shown(store: Store, uri: str) -> list[str]:
    """The nodes of a run by the end of their IRI, in the order in which they are shown."""
    return [node.uri for node in trace(store, uri).steps]


def on_screen(store: Store, uri: str, provenance: bool = False) -> str:
    """A run as text."""
    console = Console(file=io.StringIO(), width=200)
    render.text(trace(store, uri, provenance=provenance), console, show_provenance=provenance)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def listed(store: Store, **options: Any) -> list[str]:
    return [one.uri for one in list_traces(store, **options).traces]


def take(store: Store, *parts: list[WireTriple], **options: Any) -> None:
    """Ingest the triples of some builders."""
    ingest(explained(*parts), store, **options)


def only(run: Trace, name: str) -> Node:
    """The one step whose IRI ends so."""
    (found,) = (one for one in run.steps if one.uri.endswith(name))
    return found
