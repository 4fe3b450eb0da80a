"""Mint the IRIs of sources, of what is extracted from them, and of what extracts it."""

from __future__ import annotations

import uuid

from .segments import fresh_segment, segment

__all__ = [
    "TRUSTGRAPH_BASE",
    "activity_uri",
    "agent_uri",
    "chunk_uri",
    "document_uri",
    "image_uri",
    "page_uri",
    "section_uri",
    "subgraph_uri",
]

TRUSTGRAPH_BASE = "https://trustgraph.ai"


def document_uri(doc_iri: str) -> str:
    """A document's IRI is given from outside and stays as it is."""
    return doc_iri


def page_uri() -> str:
    """IRI of a new page."""
    return f"urn:page:{uuid.uuid4()}"


def section_uri() -> str:
    """IRI of a new section."""
    return f"urn:section:{uuid.uuid4()}"


def chunk_uri() -> str:
    """IRI of a new chunk."""
    return f"urn:chunk:{uuid.uuid4()}"


def image_uri() -> str:
    """IRI of a new image."""
    return f"urn:image:{uuid.uuid4()}"


def activity_uri(activity_id: str | None = None) -> str:
    """IRI of an extraction activity; a new one without an id."""
    return f"{TRUSTGRAPH_BASE}/activity/{fresh_segment(activity_id)}"


def subgraph_uri(subgraph_id: str | None = None) -> str:
    """IRI of the edges extracted from one chunk; a new one without an id."""
    return f"{TRUSTGRAPH_BASE}/subgraph/{fresh_segment(subgraph_id)}"


def agent_uri(component_name: str) -> str:
    """IRI of an extracting component."""
    return f"{TRUSTGRAPH_BASE}/agent/{segment(component_name)}"
