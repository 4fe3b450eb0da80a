"""Bring RDF files into a store, and write a store out as files."""

from __future__ import annotations

from .exporting import export_quads
from .formats import FORMATS, rdf_format
from .importing import ImportReport, import_quads, load_ontology, ontology_quads

__all__ = [
    "FORMATS",
    "ImportReport",
    "export_quads",
    "import_quads",
    "load_ontology",
    "ontology_quads",
    "rdf_format",
]
