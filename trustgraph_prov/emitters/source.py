"""Emit extraction provenance, for urn:graph:source: document > page > chunk > subgraph > edge.

The functions carry the names and positional arguments of `trustgraph.provenance.triples`. An edge
is named by its statement node, the one a run's focus points at, so lineage is a plain join.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime

from pyoxigraph import Triple

from ..namespaces import (
    DC_CREATOR,
    DC_DATE,
    DC_SOURCE,
    DC_TITLE,
    PROV_ACTIVITY,
    PROV_AGENT,
    PROV_ENTITY,
    PROV_STARTED_AT_TIME,
    PROV_USED,
    PROV_WAS_ASSOCIATED_WITH,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDFS_LABEL,
    TG_CHAR_LENGTH,
    TG_CHAR_OFFSET,
    TG_CHUNK_INDEX,
    TG_CHUNK_OVERLAP,
    TG_CHUNK_SIZE,
    TG_CHUNK_TYPE,
    TG_COMPONENT_VERSION,
    TG_CONTAINS,
    TG_CONTENT,
    TG_DOCUMENT_TYPE,
    TG_ELEMENT_TYPES,
    TG_IMAGE_COUNT,
    TG_IMAGE_TYPE,
    TG_LLM_MODEL,
    TG_MIME_TYPE,
    TG_ONTOLOGY,
    TG_PAGE_COUNT,
    TG_PAGE_NUMBER,
    TG_PAGE_TYPE,
    TG_SECTION_TYPE,
    TG_SUBGRAPH_TYPE,
    TG_TABLE_COUNT,
)
from ..uris import activity_uri, agent_uri
from .node import Node, Uri, several
from .selection import Edge, edge_terms

__all__ = ["derived_entity_triples", "document_triples", "subgraph_provenance_triples"]


def document_triples(
    doc_uri: Uri,
    title: str | None = None,
    source: str | None = None,
    date: str | None = None,
    creator: str | None = None,
    page_count: int | None = None,
    mime_type: str | None = None,
) -> list[Triple]:
    """Emit a source document.

    Args:
        doc_uri: its IRI.
        title: also its label.
        source: where it came from, an IRI or text.
        date, creator: as the document gives them.
        page_count: how many pages.
        mime_type: as in `application/pdf`.

    Example:
        >>> triples = document_triples("https://example.org/doc/1", "Survey", page_count=9)
        >>> [triple.object.value for triple in triples[2:]]
        ['Survey', 'Survey', '9']
    """
    node = Node(doc_uri, PROV_ENTITY, TG_DOCUMENT_TYPE)
    node.text(DC_TITLE, title)
    node.text(RDFS_LABEL, title)
    if source is not None:
        node.either(DC_SOURCE, source)
    node.text(DC_DATE, date)
    node.text(DC_CREATOR, creator)
    node.integer(TG_PAGE_COUNT, page_count)
    node.text(TG_MIME_TYPE, mime_type)
    return node.triples


def derived_entity_triples(
    entity_uri: Uri,
    parent_uri: Uri,
    component_name: str,
    component_version: str,
    label: str | None = None,
    page_number: int | None = None,
    section: bool = False,
    image: bool = False,
    chunk_index: int | None = None,
    char_offset: int | None = None,
    char_length: int | None = None,
    chunk_size: int | None = None,
    chunk_overlap: int | None = None,
    mime_type: str | None = None,
    element_types: str | None = None,
    table_count: int | None = None,
    image_count: int | None = None,
    timestamp: datetime | str | None = None,
    *,
    content: str | None = None,
    activity: Uri | None = None,
) -> list[Triple]:
    """Emit a page, section, image or chunk, with the activity that cut it out.

    Args:
        entity_uri, parent_uri: the part, and what it is a part of.
        component_name, component_version: the program that cut it out.
        label: its name for people.
        page_number: makes it a page.
        section, image: make it a section or an image.
        chunk_index: makes it a chunk.
        char_offset, char_length: where it lies in its parent, in characters.
        chunk_size, chunk_overlap: how the chunker was set, in characters.
        mime_type: of the part.
        element_types: comma-separated kinds of element in it.
        table_count, image_count: how many are in it.
        timestamp: when; None leaves the time out.
        content: its text.
        activity: IRI of the activity; by default one named after the part.

    Example:
        >>> triples = derived_entity_triples(
        ...     "urn:page:1", "https://example.org/doc/1", "pdf-decoder", "1.0", page_number=4)
        >>> triples[1].object.value, triples[2].object.value
        ('https://trustgraph.ai/ns/Page', 'https://example.org/doc/1')
    """
    kinds = {
        TG_IMAGE_TYPE: image,
        TG_SECTION_TYPE: section,
        TG_PAGE_TYPE: page_number is not None,
        TG_CHUNK_TYPE: chunk_index is not None,
    }
    first = [kind for kind, holds in kinds.items() if holds][:1]
    node = Node(entity_uri, PROV_ENTITY, *first)
    extraction = _extraction(
        node, parent_uri, component_name, component_version, timestamp, activity
    )
    node.text(RDFS_LABEL, label)
    node.integer(TG_PAGE_NUMBER, page_number)
    node.integer(TG_CHUNK_INDEX, chunk_index)
    node.integer(TG_CHAR_OFFSET, char_offset)
    node.integer(TG_CHAR_LENGTH, char_length)
    node.text(TG_MIME_TYPE, mime_type)
    node.text(TG_ELEMENT_TYPES, element_types)
    node.integer(TG_TABLE_COUNT, table_count)
    node.integer(TG_IMAGE_COUNT, image_count)
    node.text(TG_CONTENT, content)
    extraction.integer(TG_CHUNK_SIZE, chunk_size)
    extraction.integer(TG_CHUNK_OVERLAP, chunk_overlap)
    return node.triples + extraction.triples


def subgraph_provenance_triples(
    subgraph_uri: Uri,
    extracted_triples: Iterable[Edge],
    chunk_uri: Uri,
    component_name: str,
    component_version: str,
    llm_model: str | None = None,
    ontology_uri: Uri | None = None,
    timestamp: datetime | str | None = None,
    *,
    activity: Uri | None = None,
) -> list[Triple]:
    """Emit the edges extracted from one chunk, each as its statement node.

    Args:
        subgraph_uri: IRI of the set of edges.
        extracted_triples: subject, predicate, object of each.
        chunk_uri: where they were found.
        component_name, component_version: the extractor.
        llm_model, ontology_uri: what it extracted with.
        timestamp: when; None leaves the time out.
        activity: IRI of the activity; by default one named after the subgraph.

    Raises:
        InvalidTermError: an edge with a blank node, or that is not RDF.

    Example:
        >>> triples = subgraph_provenance_triples(
        ...     "urn:subgraph:1", [("http://e/s", "http://e/p", "o")], "urn:chunk:1", "kg", "1.0")
        >>> triples[4].object.value
        'urn:trustgraph-prov:statement:57743f10e6729b352c55d47d7b4e8190'
    """
    node = Node(subgraph_uri, PROV_ENTITY, TG_SUBGRAPH_TYPE)
    extraction = _extraction(
        node, chunk_uri, component_name, component_version, timestamp, activity
    )
    extraction.text(TG_LLM_MODEL, llm_model)
    extraction.link(TG_ONTOLOGY, ontology_uri)
    for each in several("edge", extracted_triples, "edges"):
        node.statement(TG_CONTAINS, edge_terms(each))
    return node.triples + extraction.triples


def _extraction(
    node: Node,
    parent_uri: Uri,
    component_name: str,
    component_version: str,
    timestamp: datetime | str | None,
    activity: Uri | None,
) -> Node:
    if activity is None:
        activity = activity_uri(str(uuid.uuid5(uuid.NAMESPACE_URL, node.iri.value)))
    agent = Node(agent_uri(component_name), PROV_AGENT)
    agent.text(RDFS_LABEL, component_name, "component_name")
    extraction = Node(activity, PROV_ACTIVITY)
    extraction.text(RDFS_LABEL, f"{component_name} extraction")
    extraction.link(PROV_USED, parent_uri)
    extraction.link(PROV_WAS_ASSOCIATED_WITH, agent.iri)
    extraction.time(PROV_STARTED_AT_TIME, timestamp)
    extraction.text(TG_COMPONENT_VERSION, component_version)
    extraction.triples += agent.triples
    node.link(PROV_WAS_DERIVED_FROM, parent_uri)
    node.link(PROV_WAS_GENERATED_BY, extraction.iri)
    return extraction
