"""Write a store, a graph or a run as an RDF file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import IO

from pyoxigraph import Quad, RdfFormat, serialize

from ..errors import InvalidValueError
from ..explain.trace import triples_of
from ..graphs import graph_name, set_graph
from ..indexing import Progress
from ..namespaces import GRAPH_RETRIEVAL, PREFIXES
from ..stores.base import Store
from .formats import rdf_format
from .jsonld import write_json_ld
from .triple_terms import as_triple_terms

__all__ = ["export_quads"]

_WITHOUT_GRAPHS = (RdfFormat.TURTLE, RdfFormat.N_TRIPLES)
_TICK = 1_000
_SORTED = 100_000
"""Graphs smaller than this are written in order, so that two exports can be compared."""


def export_quads(
    store: Store,
    out: IO[bytes],
    *,
    format: str | None = "nquads",
    triple_terms: bool = False,
    trace: str | None = None,
    graph: str | None = None,
    progress: Progress | None = None,
) -> int:
    """Write what a store holds.

    Args:
        out: a binary stream.
        format: a key of `FORMATS`, or a file ending; None goes by the stream's name.
        triple_terms: write statements as `<statement> rdf:reifies <<( s p o )>>` (RDF 1.2);
            importing that gives the same IRIs.
        trace: IRI of one run; it is written with the runs it called.
        graph: IRI of one graph, `""` for the default graph.
        progress: called every thousand quads.

    Returns:
        How many quads were written.

    Raises:
        InvalidValueError: no such format, or one that cannot hold what is asked for.
        TraceNotFoundError: no such run.

    Example:
        >>> import io
        >>> from trustgraph_prov import open_store
        >>> out = io.BytesIO()
        >>> export_quads(open_store("memory:"), out)
        0
    """
    chosen = rdf_format(format, getattr(out, "name", "output"))
    if trace is not None and graph not in (None, GRAPH_RETRIEVAL):
        raise InvalidValueError("graph", graph, f"{GRAPH_RETRIEVAL}, where runs are, or none")
    if chosen in _WITHOUT_GRAPHS and trace is None and graph is None:
        raise InvalidValueError(
            "format", format, "nquads, trig or jsonld, or else one graph: turtle has none"
        )
    if chosen == RdfFormat.JSON_LD and triple_terms:
        raise InvalidValueError("format", format, "nquads, trig or turtle: JSON-LD lacks them")
    quads: Callable[[], Iterable[Quad]]
    if trace is not None:
        run = set_graph(triples_of(store, trace), GRAPH_RETRIEVAL)
        quads = partial(iter, sorted(set(run), key=str))
    elif chosen == RdfFormat.N_QUADS:
        quads = partial(store.quads, graph)
    else:
        quads = partial(_by_graph, store, graph)
    written = _Count(as_triple_terms(quads) if triple_terms else quads(), progress)
    if chosen == RdfFormat.JSON_LD:
        write_json_ld(written, out)
    elif chosen in _WITHOUT_GRAPHS:
        serialize((quad.triple for quad in written), out, chosen, prefixes=PREFIXES)
    else:
        serialize(written, out, chosen, prefixes=PREFIXES)
    out.flush()
    return written.done


class _Count:
    def __init__(self, quads: Iterable[Quad], progress: Progress | None) -> None:
        self._quads = quads
        self._progress = progress
        self.done = 0

    def __iter__(self) -> Iterator[Quad]:
        for quad in self._quads:
            yield quad
            self.done += 1
            if self._progress is not None and self.done % _TICK == 0:
                self._progress(self.done, None)


def _by_graph(store: Store, graph: str | None) -> Iterator[Quad]:
    for name in sorted(set(map(graph_name, store.quads()))) if graph is None else [graph]:
        quads = store.quads(name)
        head = list(islice(quads, _SORTED))
        yield from sorted(head, key=str) if len(head) < _SORTED else head
        yield from quads
