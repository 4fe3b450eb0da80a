"""Import and export in memory, and the data that TrustGraph writes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from trustgraph_prov import ImportReport, Store, export_quads, import_quads, open_store

REAL = sorted((Path(__file__).parent / "data" / "trustgraph").glob("*.nq"))
assert REAL, "tests/data/trustgraph holds no *.nq, so nothing would be tested"

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
PARTS = {RDF + name for name in ("type", "subject", "predicate", "object")}


def imported(text: str | bytes, format: str = "turtle", **options: Any) -> Store:
    """A store with a file in it."""
    return report(text, format, **options)[0]


def report(text: str | bytes, format: str = "turtle", **options: Any) -> tuple[Store, ImportReport]:
    """A store with a file in it, and what the import said."""
    store = open_store("memory:")
    data = text.encode() if isinstance(text, str) else text
    return store, import_quads(store, io.BytesIO(data), format=format, **options)


def exported(store: Store, format: str = "nquads", **options: Any) -> bytes:
    """A store as a file."""
    out = io.BytesIO()
    written = export_quads(store, out, format=format, **options)
    if format in ("nquads", "ntriples"):
        assert written == out.getvalue().count(b"\n")
    return out.getvalue()


def quads(store: Store) -> set[ox.Quad]:
    """Everything in a store."""
    return set(store.quads())


def rows(store: Store) -> list[str]:
    """Everything in a store that did not come from the index, as sorted lines."""
    return sorted(str(quad) for quad in store.quads())


def nodes(store: Store) -> set[str]:
    """Every IRI that is a subject."""
    return {quad.subject.value for quad in store.quads() if isinstance(quad.subject, ox.NamedNode)}
