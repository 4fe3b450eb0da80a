"""Bring an RDF file into a store: checked whole, written in batches, then indexed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from pyoxigraph import DefaultGraph, Quad, RdfFormat, parse

from .. import resources
from ..defaults import DEFAULT_COLLECTION, DEFAULT_USER
from ..errors import InputSyntaxError
from ..graphs import graph_name, set_graph
from ..indexing import IndexReport, Progress, index
from ..n_quads import decode
from ..namespaces import GRAPH_ONTOLOGY
from ..stores.base import Store
from ..stores.faults import one_line
from ..terms import iri
from .formats import digest, name_of, rdf_format, rewindable, skip_mark
from .statements import NestingError, Rewriter, Survey
from .writing import batched, insert_part

__all__ = ["ImportReport", "import_quads", "load_ontology", "ontology_quads"]

_INVALID = re.compile(r"\A([^\s']\S*)(?= is not a valid )")
"""What the parser quotes of a file, and does not mark as such: `not is not a valid RDF object`."""

_LONG_WORD = re.compile(r"(\S{100})\S+")
"""What a parser quotes has any length, and what is wrong with it may come behind it."""

_TICK = 1_000
_PIECE = 100


@dataclass(frozen=True)
class ImportReport:
    """What an import did.

    Attributes:
        quads: quads in the file.
        statements: triple terms that became statement nodes.
        blank_nodes: blank nodes that got an IRI.
        graphs: quads written, by graph; `""` is the default graph.
        index: what indexing added.
    """

    quads: int
    statements: int
    blank_nodes: int
    graphs: Mapping[str, int]
    index: IndexReport


def import_quads(
    store: Store,
    source: str | Path | IO[bytes],
    *,
    format: str | None = None,
    user: str = DEFAULT_USER,
    collection: str = DEFAULT_COLLECTION,
    graph: str | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Add the quads of a file; adding them twice changes nothing.

    The file is read through once before anything is written, so a fault in it leaves the store as
    it was.

    Args:
        source: a path, or an open binary stream. Gzip is unpacked.
        format: a key of `FORMATS`, or a file ending; None goes by the path.
        user, collection: for runs that do not say whose they are.
        graph: IRI of the graph for triples that have none; None leaves them in the default graph.
        progress: called every thousand quads, first while checking, then while writing.

    Returns:
        Counts, after the index was brought up to date.

    Raises:
        InputSyntaxError: the file does not parse; nothing was written.
        InvalidValueError: no such format.
        StoreError: the store failed; the message says how much is written. Importing the file
            again is safe.

    Example:
        >>> import io
        >>> from trustgraph_prov import open_store
        >>> file = io.BytesIO(b"<urn:a> <urn:contains> <<( <urn:s> <urn:p> 'o' )>> .")
        >>> report = import_quads(open_store("memory:"), file, format="turtle")
        >>> report.quads, report.statements, report.graphs
        (1, 1, {'': 5})
    """
    name = name_of(source)
    chosen = rdf_format(format, name)
    target = DefaultGraph() if graph is None else iri(graph)
    with rewindable(source, name) as stream:
        survey = Survey(digest(stream))
        try:
            for done in survey.read(_parsed(stream, chosen, name)):
                if progress is not None and done % _TICK == 0:
                    progress(done, None)
        except NestingError as error:
            raise InputSyntaxError(name, None, str(error)) from None
        stream.seek(0)
        rewriter = Rewriter(survey, target)
        graphs: Counter[str] = Counter()
        written = 0
        for batch, read in batched(map(rewriter.rewrite, _parsed(stream, chosen, name))):
            insert_part(store, batch, written=written, of=survey.quads, source=name)
            graphs.update(map(graph_name, batch))
            written = read
            if progress is not None:
                progress(read, survey.quads)
    return ImportReport(
        quads=survey.quads,
        statements=rewriter.statements,
        blank_nodes=len(rewriter.places) - len(survey.names),
        graphs=dict(sorted(graphs.items())),
        index=index(store, user=user, collection=collection),
    )


def load_ontology(store: Store, *, progress: Progress | None = None) -> int:
    """Load the ontology and its shapes into their graph; loading them twice changes nothing.

    Args:
        store: where.
        progress: called with the triples loaded and their number. They go in several inserts
            then; one that did not get through is made up for by loading them again.

    Returns:
        How many triples they have.

    Example:
        >>> from trustgraph_prov import open_store
        >>> load_ontology(open_store("memory:")) > 100
        True
    """
    quads = ontology_quads()
    size = len(quads) if progress is None else _PIECE
    for start in range(0, len(quads), size):
        store.insert(quads[start : start + size])
        if progress is not None:
            progress(min(start + size, len(quads)), len(quads))
    return len(quads)


def ontology_quads() -> list[Quad]:
    """Read the ontology and its shapes, in the graph that they are loaded into, each once."""
    folder = resources.folder("ontology")
    triples = {
        quad.triple: None
        for name in resources.ONTOLOGY
        for quad in parse(path=folder / name, format=RdfFormat.TURTLE)
    }
    return set_graph(triples, GRAPH_ONTOLOGY)


def _parsed(stream: IO[bytes], format: RdfFormat, name: str) -> Iterator[Quad]:
    skip_mark(stream)
    try:
        yield from decode(stream, format)
    except SyntaxError as error:
        why = _LONG_WORD.sub(r"\1…", str(error.msg).split(": ", 1)[-1])
        why = one_line(_INVALID.sub(r"'\1'", why)) + _way_out(stream, format, error.lineno)
        raise InputSyntaxError(name, error.lineno, why) from None


def _way_out(stream: IO[bytes], format: RdfFormat, line: int | None) -> str:
    """Tell where RDF-star is read; N-Triples and N-Quads have RDF 1.2's `<<( )>>` alone."""
    if line is None or format not in (RdfFormat.N_QUADS, RdfFormat.N_TRIPLES):
        return ""
    stream.seek(0)
    text = next(islice(stream, line - 1, None), b"")
    return "; << >> is read in Turtle and TriG" if b"<< " in text else ""
