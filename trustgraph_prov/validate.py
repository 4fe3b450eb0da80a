"""Check what a store holds against the shapes of the ontology (SHACL, by pySHACL).

A violation is a fault. A warning says that something is not in the store, an information that a
value is in a form that others write and we only read; neither keeps a store from conforming.

Example:
    >>> from trustgraph_prov.stores.oxigraph import OxigraphStore
    >>> with OxigraphStore() as store:
    ...     validate(store)
    Report(conforms=True, results=())
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyoxigraph import Literal, NamedNode, Triple

from . import resources
from .answers import rows, triples
from .errors import InvalidTermError, TraceNotFoundError
from .explain.indexed import by_index
from .extras import require
from .namespaces import (
    GRAPH_RETRIEVAL,
    GRAPH_SOURCE,
    RDF_OBJECT,
    RDF_PREDICATE,
    RDF_STATEMENT,
    RDF_SUBJECT,
    RDF_TYPE,
    RDFS,
    SH,
    TGP_TRACE,
)
from .statement import statement_iri
from .stores.base import Store
from .vocabulary import vocabulary

if TYPE_CHECKING:
    import rdflib

__all__ = ["Report", "Result", "validate"]

SEVERITIES = ("Violation", "Warning", "Info")
RUNS_AT_A_TIME = 200


@dataclass(frozen=True)
class Result:
    """One thing that a shape has to say about a node.

    Attributes:
        severity: `Violation`, `Warning` or `Info`.
        focus: the node, an IRI.
        path: IRI of the property, or None where the shape is about the node as a whole.
        shape: IRI of the shape.
        message: one line for people.
        value: the value that is wrong, as text, or None where one is missing.
    """

    severity: str
    focus: str
    path: str | None
    shape: str
    message: str
    value: str | None = None


@dataclass(frozen=True)
class Report:
    """What validation found.

    Attributes:
        conforms: there is no violation.
        results: the worst first, then by node, property, shape and value.
    """

    conforms: bool
    results: tuple[Result, ...] = field(default=())


def validate(store: Store, *, trace: str | None = None) -> Report:
    """Check the runs and their sources.

    pySHACL's time grows with the quads: on one machine, for comparison, 15 s for 1,000 runs of 60
    quads. Indexed runs are checked some at a time, and take about 80 MB however many there are.
    What has no tgp:trace, the source graph among it, is checked in one piece, at 4 kB a quad.

    Args:
        store: the graphs urn:graph:retrieval and urn:graph:source are read.
        trace: IRI of one question, to check its run alone, with the edges that it selected.

    Raises:
        MissingExtraError: pySHACL is not installed.
        TraceNotFoundError: there is no such run.
    """
    require("shacl", "pyshacl", "validation")
    from .stores.rdflib_terms import quiet

    found: set[Result] = set()
    pieces = _pieces(store) if trace is None else [_run(store, trace)]
    with quiet():
        shapes = _shapes()
        for piece in pieces:
            found.update(_check(piece, shapes))
    conforms = all(result.severity != "Violation" for result in found)
    return Report(conforms, tuple(sorted(found, key=_rank)))


@dataclass(frozen=True)
class _Piece:
    """Triples to check, and the types of nodes outside that they point at."""

    triples: Sequence[Triple]
    outside: Sequence[Triple]


def _run(store: Store, trace: str) -> _Piece:
    if by_index(store, trace) is not None:
        return _runs(store, [trace])
    linked = [Triple(*row) for row in rows(store, "trace/show-by-links", trace=trace)]
    if not linked:
        raise TraceNotFoundError(trace)
    return _Piece(linked, ())


def _runs(store: Store, traces: Sequence[str]) -> _Piece:
    inside = list(triples(store, "trace/graph", trace=traces))
    nodes = {triple.subject for triple in inside}
    linked = triples(store, "trace/linked", trace=traces)
    return _Piece(inside, [triple for triple in linked if triple.subject not in nodes])


def _pieces(store: Store) -> Iterator[_Piece]:
    """Cut a store into pieces; every node is checked in at least one, with all of its triples."""
    indexed = {
        quad.subject: quad.object.value
        for quad in store.quads(GRAPH_RETRIEVAL)
        if quad.predicate.value == TGP_TRACE and isinstance(quad.object, NamedNode)
    }
    traces = sorted(set(indexed.values()))
    for start in range(0, len(traces), RUNS_AT_A_TIME):
        yield _runs(store, traces[start : start + RUNS_AT_A_TIME])
    rest = [
        quad.triple
        for graph in (GRAPH_RETRIEVAL, GRAPH_SOURCE)
        for quad in store.quads(graph)
        if quad.subject not in indexed
    ]
    named = {triple.object for triple in rest} & set(indexed)
    outside = [
        quad.triple
        for quad in store.quads(GRAPH_RETRIEVAL)
        if quad.predicate.value == RDF_TYPE and quad.subject in named
    ]
    yield _Piece(rest, outside)


def _check(piece: _Piece, shapes: rdflib.Graph) -> Iterator[Result]:
    import pyshacl
    import rdflib

    data = rdflib.Graph()
    _fill(data, piece.outside)
    outside = {str(node) for node in data.subjects()}
    _fill(data, piece.triples)
    _add_hierarchy(data)
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes, inplace=True)
    assert isinstance(report, rdflib.Graph)  # noqa: S101 - pySHACL raises its failures
    return (result for result in _results(report) if result.focus not in outside)


def _shapes() -> rdflib.Graph:
    import rdflib

    return rdflib.Graph().parse(resources.folder("ontology") / "shapes.ttl")


def _fill(data: rdflib.Graph, triples: Iterable[Triple]) -> None:
    for triple in triples:
        subject, predicate, value = (_node(data, term) for term in triple)
        data.add((subject, predicate, value))


def _node(data: rdflib.Graph, term: Any) -> rdflib.term.Node:
    from .stores.rdflib_terms import to_rdflib

    if isinstance(term, Triple):
        return _statement(data, term)
    if isinstance(term, Literal) and term.direction is not None:
        term = Literal(term.value, language=term.language)  # RDFLib has none, and no shape asks
    return to_rdflib(term)


def _statement(data: rdflib.Graph, edge: Triple) -> rdflib.term.Node:
    """Take a triple term, as TrustGraph writes it, for the statement node that import makes."""
    from rdflib import BNode, URIRef

    try:
        node: rdflib.term.Node = URIRef(statement_iri(*edge).value)
    except InvalidTermError:
        node = BNode()
    data.add((node, URIRef(RDF_TYPE), URIRef(RDF_STATEMENT)))
    for predicate, part in zip((RDF_SUBJECT, RDF_PREDICATE, RDF_OBJECT), edge, strict=True):
        data.add((node, URIRef(predicate), _node(data, part)))
    return node


def _add_hierarchy(data: rdflib.Graph) -> None:
    """Let shapes of a class hold for its subclasses: SHACL (section 2.1.3.2) looks in the data."""
    from rdflib import URIRef

    for below, above in vocabulary().parents.items():
        for one in above:
            data.add((URIRef(below), URIRef(RDFS + "subClassOf"), URIRef(one)))


def _results(report: rdflib.Graph) -> Iterator[Result]:
    from rdflib import URIRef

    def one(node: Any, name: str) -> str | None:
        value = report.value(node, URIRef(SH + name))
        return None if value is None else str(value)

    for node in report.objects(None, URIRef(SH + "result")):
        focus, path, value = (one(node, name) for name in ("focusNode", "resultPath", "value"))
        yield Result(
            severity=(one(node, "resultSeverity") or "").removeprefix(SH),
            focus=focus or "",
            path=path,
            shape=one(node, "sourceShape") or "",
            message=one(node, "resultMessage") or "",
            value=None if path is None and value == focus else value,
        )


def _rank(result: Result) -> tuple[int, str, str, str, str]:
    return (
        SEVERITIES.index(result.severity),
        result.focus,
        result.path or "",
        result.shape,
        result.value or "",
    )
