"""Say what the edges and chunks of a run came from, upwards: chunk, page, document."""

from __future__ import annotations

from collections import defaultdict

from ..namespaces import (
    DC_TITLE,
    PROV_WAS_DERIVED_FROM,
    RDFS_LABEL,
    TG_DOCUMENT,
    TG_EDGE,
    TG_SELECTED_CHUNK,
)
from ..stores.base import Store
from ..terms import plain
from .described import kind_name, number_of, title_of
from .graph import Nodes, Properties, every_target, targets
from .model import Source
from .rows import read_of, told

__all__ = ["sources_of"]

_DEEPEST = 50
"""Origins of origins that are told; what is farther away is left out."""


def sources_of(store: Store, nodes: Nodes) -> dict[str, Source]:
    """Read what the selected edges and chunks of a run came from.

    Args:
        store: where the runs and the extraction are recorded.
        nodes: everything recorded about each node of the run.

    Returns:
        A source for each edge, by the IRI of its statement, and for each chunk, by its own.
    """
    edges = every_target(nodes.values(), TG_EDGE)
    picked = every_target(nodes.values(), TG_SELECTED_CHUNK)
    chosen = every_target((nodes[node] for node in picked & nodes.keys()), TG_DOCUMENT)
    chunks = chosen | (picked - nodes.keys())
    origins: dict[str, list[str]] = defaultdict(list)
    for edge, chunk in read_of(store, "lineage/chunks", "edge", edges, "edge", "chunk"):
        origins[plain(edge)].append(plain(chunk))
    things = _things(store, chunks | {chunk for found in origins.values() for chunk in found})
    return {
        **{
            edge: Source(edge, "", "", tuple(_source(chunk, things) for chunk in origins[edge]))
            for edge in sorted(edges)
            if origins.get(edge)
        },
        **{chunk: _source(chunk, things) for chunk in sorted(chunks & things.keys())},
    }


def _things(store: Store, waiting: set[str]) -> Nodes:
    """Read chunks, and level by level what they were made from; a circle ends."""
    things: Nodes = {}
    for _ in range(_DEEPEST + 1):
        found = told(store, waiting)
        things |= found
        waiting = every_target(found.values(), PROV_WAS_DERIVED_FROM) - things.keys() - waiting
    return things


def _source(uri: str, things: Nodes, below: frozenset[str] = frozenset()) -> Source:
    recorded = things.get(uri, {})
    above = sorted(set(targets(recorded, PROV_WAS_DERIVED_FROM)))
    inside = below | {uri}
    return Source(
        uri=uri,
        kind=kind_name(uri, recorded),
        title=_title(recorded),
        origins=tuple(
            _source(one, things, inside)
            for one in above
            if one not in inside and len(inside) <= _DEEPEST
        ),
    )


def _title(recorded: Properties) -> str:
    """Prefer a number to the label that repeats it, and a title to both."""
    number = number_of(recorded)
    return (
        title_of(recorded, [DC_TITLE])
        or (" ".join(number) if number else "")
        or title_of(recorded, [RDFS_LABEL])
    )
