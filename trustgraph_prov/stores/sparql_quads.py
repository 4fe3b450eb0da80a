"""Read a server's quads, graph by graph; where it cuts long answers, subjects by subjects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from pyoxigraph import (
    BlankNode,
    DefaultGraph,
    NamedNode,
    Quad,
    QuerySolutions,
    QueryTriples,
    Triple,
)

from .base import QueryResult, graph_term
from .sparql_presets import Preset

__all__ = ["read_quads"]

Ask = Callable[[str], QueryResult]

SUBJECTS = 1_000
"""Subjects of one request: the query stays below the 200 kB that servers take as a form."""

_GRAPHS = "SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }"
_TRIPLES = "{ ?s ?p ?o }"


def read_quads(ask: Ask, preset: Preset, graph: str | None, *, cut: bool) -> Iterator[Quad]:
    """Read one graph or all.

    Args:
        ask: runs a query.
        preset: of the server.
        graph: IRI, `""` for the default graph, None for all.
        cut: the server cuts long answers.
    """
    only = graph_term(graph)
    graphs: list[NamedNode | DefaultGraph]
    graphs = [only] if only is not None else [DefaultGraph(), *_graphs(ask, preset)]
    for target in graphs:
        name = target.value if isinstance(target, NamedNode) else ""
        dataset, pattern = _place(preset, name)
        triples: Iterable[Triple]
        if cut:
            triples = _by_subjects(ask, dataset, pattern)
        else:
            triples = _triples(ask, f"CONSTRUCT {_TRIPLES} {dataset} WHERE {pattern}")
        for triple in triples:
            yield Quad(triple.subject, triple.predicate, triple.object, target)


def _graphs(ask: Ask, preset: Preset) -> list[NamedNode]:
    hidden = preset.hidden | ({preset.default_graph} if preset.named else set())
    return [name for (name,) in _rows(ask, _GRAPHS) if name.value not in hidden]


def _place(preset: Preset, name: str) -> tuple[str, str]:
    """The dataset clause and the pattern that read one graph."""
    if not name and preset.default_graph and not preset.named:
        return f"FROM {NamedNode(preset.default_graph)}", _TRIPLES
    iri = name or preset.default_graph
    return "", f"{{ GRAPH {NamedNode(iri)} {_TRIPLES} }}" if iri else _TRIPLES


def _by_subjects(ask: Ask, dataset: str, pattern: str) -> Iterator[Triple]:
    subjects = [row[0] for row in _rows(ask, f"SELECT DISTINCT ?s {dataset} WHERE {pattern}")]
    named = [subject for subject in subjects if not isinstance(subject, BlankNode)]
    for start in range(0, len(named), SUBJECTS):
        values = f"VALUES ?s {{ {' '.join(map(str, named[start : start + SUBJECTS]))} }}"
        yield from _select(ask, dataset, f"{{ {values} {pattern} }}")
    if len(named) < len(subjects):
        yield from _select(ask, dataset, f"{{ {pattern} FILTER(ISBLANK(?s)) }}")


def _select(ask: Ask, dataset: str, pattern: str) -> Iterator[Triple]:
    for row in _rows(ask, f"SELECT ?s ?p ?o {dataset} WHERE {pattern}"):
        yield Triple(*row)


def _rows(ask: Ask, query: str) -> list[tuple[Any, ...]]:
    # A list: pyoxigraph ends the process when another thread goes on reading a result.
    return [tuple(row) for row in cast(QuerySolutions, ask(query))]


def _triples(ask: Ask, query: str) -> list[Triple]:
    return list(cast(QueryTriples, ask(query)))
