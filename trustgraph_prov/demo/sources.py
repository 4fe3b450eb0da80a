"""The documents the demo's answers rest on: three reports about an invented power plant."""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode, Triple

from ..emitters import derived_entity_triples, document_triples, subgraph_provenance_triples
from ..emitters.selection import Edge, edge_terms
from ..namespaces import RDFS_LABEL, XSD
from ..terms import decimal, text
from ..uris import subgraph_uri

__all__ = [
    "CLEARING",
    "EDGES",
    "KG",
    "KNOWLEDGE",
    "OUTAGE",
    "REPAIR",
    "SCREENS",
    "VOLUME",
    "P",
    "knowledge_triples",
    "source_triples",
]

DOC = "https://example.org/doc/"
KG = "https://example.org/kg/"
P = KG + "p/"
KNOWLEDGE = "https://example.org/graph/knowledge"

OUTAGE = "urn:chunk:2f1c7a90-51d3-4b8e-9c42-6a0d7e3b1f01"
REPAIR = "urn:chunk:2f1c7a90-51d3-4b8e-9c42-6a0d7e3b1f02"
VOLUME = "urn:chunk:9b64e0d8-7c15-4f2a-8e37-1d5c9a2f4b01"
SCREENS = "urn:chunk:c07d3e5a-92b4-4d16-a8f1-3e6b5c8d7a01"
CLEARING = "urn:chunk:c07d3e5a-92b4-4d16-a8f1-3e6b5c8d7a02"


def _date(value: str) -> Literal:
    return Literal(value, datatype=NamedNode(XSD + "date"))


EDGES: dict[str, list[Edge]] = {
    OUTAGE: [
        (KG + "quarrow-unit-2", P + "trippedOn", _date("2025-10-03")),
        (KG + "quarrow-unit-2", P + "outageCausedBy", KG + "silt-in-bearing-cooling"),
        (KG + "silt-in-bearing-cooling", P + "enteredThrough", KG + "quarrow-intake-screens"),
    ],
    REPAIR: [
        (KG + "quarrow-unit-2", P + "repairedBy", KG + "pellworth-works"),
        (KG + "quarrow-unit-2", P + "returnedToService", _date("2025-11-14")),
        (KG + "quarrow-unit-2", P + "ratedOutputMW", decimal("142.5")),
    ],
    VOLUME: [
        (KG + "lake-quarrow", P + "usableVolumeMillionM3", decimal("41.8")),
        (KG + "lake-quarrow", P + "volumeChangePercentSince2009", decimal("-6.4")),
        (KG + "lake-quarrow", P + "sedimentationStrongestAt", KG + "quarrow-intake-tower"),
    ],
    SCREENS: [
        (KG + "quarrow-intake-screens", P + "coveredBy", KG + "silt"),
        (KG + "quarrow-intake-screen-5", P + "condition", "bent, two bars missing"),
    ],
    CLEARING: [
        (KG + "quarrow-intake-screen-5", P + "awaits", "replacement"),
    ],
}
"""What an extractor found in each chunk."""

_DOCUMENTS = [
    (
        "quarrow-outage-report-2025",
        "Quarrow pumped-storage plant: outage report, autumn 2025",
        "2025-12-01",
        "Quarrow Power, operations",
        [
            (
                "urn:page:7d2e4c61-0a95-4e38-b1f7-5c8d3a6e9f01",
                1,
                [
                    (
                        OUTAGE,
                        "Unit 2 tripped on 3 October 2025 at 04:12 after a vibration alarm on the "
                        "lower guide bearing. Inspection found silt in the cooling water of the "
                        "bearing, carried in through the intake screens of Lake Quarrow.",
                    )
                ],
            ),
            (
                "urn:page:7d2e4c61-0a95-4e38-b1f7-5c8d3a6e9f02",
                2,
                [
                    (
                        REPAIR,
                        "The bearing shells were replaced by Pellworth Works, and unit 2 returned "
                        "to service on 14 November 2025 at its rated output of 142.5 MW.",
                    )
                ],
            ),
        ],
    ),
    (
        "lake-quarrow-survey-2025",
        "Bathymetric survey of Lake Quarrow, September 2025",
        "2025-10-20",
        "Upper Tarle Hydrographic Office",
        [
            (
                "urn:page:e5b0a7f3-64c2-4d91-8a5e-2f7c9d1b3e04",
                4,
                [
                    (
                        VOLUME,
                        "The survey of 11 September 2025 puts the usable volume of Lake Quarrow at "
                        "41.8 million cubic metres, 6.4 % less than in 2009. Sedimentation is "
                        "strongest in front of the intake tower.",
                    )
                ],
            )
        ],
    ),
    (
        "quarrow-diving-log-2025",
        "Diving log: intake screens of Lake Quarrow, October 2025",
        "2025-10-13",
        "Tarle Divers",
        [
            (
                "urn:page:4a8c6f02-d7e1-4b59-93c0-8e1f5a7d2b01",
                1,
                [
                    (
                        SCREENS,
                        "Three of the eight intake screens were covered with silt to 1.2 m above "
                        "the sill. Screen 5 was bent, and two of its bars were missing.",
                    ),
                    (
                        CLEARING,
                        "Screens 4 to 6 were cleared with a suction dredger between 9 and "
                        "12 October. Screen 5 awaits a replacement.",
                    ),
                ],
            )
        ],
    ),
]


def source_triples() -> list[Triple]:
    """Emit document > page > chunk > subgraph > edge, for urn:graph:source.

    Returns:
        Triples in the order of the documents.
    """
    triples: list[Triple] = []
    when = "2026-01-12T07:30:00Z"
    for name, title, date, creator, pages in _DOCUMENTS:
        triples += document_triples(
            DOC + name, title, f"{DOC}{name}.pdf", date, creator, len(pages), "application/pdf"
        )
        for page, number, chunks in pages:
            triples += derived_entity_triples(
                page, DOC + name, "pdf-decoder", "2.11.4", page_number=number, timestamp=when
            )
            offset = 0
            for index, (chunk, content) in enumerate(chunks):
                triples += derived_entity_triples(
                    chunk,
                    page,
                    "chunker",
                    "2.11.4",
                    chunk_index=index,
                    char_offset=offset,
                    char_length=len(content),
                    chunk_size=400,
                    chunk_overlap=0,
                    timestamp=when,
                    content=content,
                )
                triples += subgraph_provenance_triples(
                    subgraph_uri(chunk.removeprefix("urn:chunk:")),
                    EDGES[chunk],
                    chunk,
                    "kg-extract-relationships",
                    "2.11.4",
                    "lumen-70b",
                    timestamp=when,
                )
                offset += len(content) + 1
    return triples


def knowledge_triples() -> list[Triple]:
    """Emit what the extractor found, with a label for each entity, for the domain's graph.

    Returns:
        Triples in the order of the chunks.
    """
    edges = [Triple(*edge_terms(edge)) for found in EDGES.values() for edge in found]
    entities = {
        node.value: None
        for edge in edges
        for node in (edge.subject, edge.object)
        if isinstance(node, NamedNode)
    }
    label = NamedNode(RDFS_LABEL)
    return edges + [
        Triple(NamedNode(entity), label, text(entity.removeprefix(KG).replace("-", " ")))
        for entity in entities
    ]
