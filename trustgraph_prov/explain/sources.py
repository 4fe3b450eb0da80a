"""Say what the edges and chunks of a run came from, upwards: chunk, page, document."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import NamedTuple

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

_MOST = 1_000
"""Things told of one source, each as often as a way leads to it; beyond, origins are only named."""


class _Built(NamedTuple):
    source: Source
    height: int
    size: int


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
    known = _Origins(things)
    return {
        **{
            edge: Source(edge, "", "", tuple(known.of(chunk).source for chunk in origins[edge]))
            for edge in sorted(edges)
            if origins.get(edge)
        },
        **{chunk: known.of(chunk).source for chunk in sorted(chunks & things.keys())},
    }


def _things(store: Store, waiting: set[str]) -> Nodes:
    """Read chunks, and level by level what they were made from; a circle ends."""
    things: Nodes = {}
    for _ in range(_DEEPEST + 1):
        found = told(store, waiting)
        things |= found
        waiting = every_target(found.values(), PROV_WAS_DERIVED_FROM) - things.keys() - waiting
    return things


class _Origins:
    """Builds each source once, however many ways lead to it; a link that closes a circle is left.

    Args:
        things: what is recorded about each.
    """

    def __init__(self, things: Nodes) -> None:
        self._things = things
        self._built: dict[str, _Built] = {}
        self._under_way: set[str] = set()

    def of(self, uri: str) -> _Built:
        """Build the source with that IRI."""
        if uri not in self._built:
            self._under_way.add(uri)
            self._built[uri] = self._build(uri)
            self._under_way.remove(uri)
        return self._built[uri]

    def _build(self, uri: str) -> _Built:
        recorded = self._things.get(uri, {})
        source = Source(uri, kind_name(uri, recorded), _title(recorded), ())
        origins: list[Source] = []
        height, size = 1, 1
        for above in sorted(set(targets(recorded, PROV_WAS_DERIVED_FROM)) - self._under_way):
            origin = self.of(above) if len(self._under_way) <= _DEEPEST else None
            if origin is None or origin.height >= _DEEPEST + 1:
                continue
            if size + origin.size > _MOST:
                origin = _Built(replace(origin.source, origins=()), 1, 1)
            origins.append(origin.source)
            height, size = max(height, 1 + origin.height), size + origin.size
        return _Built(replace(source, origins=tuple(origins)), height, size)


def _title(recorded: Properties) -> str:
    """Prefer a number to the label that repeats it, and a title to both."""
    number = number_of(recorded)
    return (
        title_of(recorded, [DC_TITLE])
        or (" ".join(number) if number else "")
        or title_of(recorded, [RDFS_LABEL])
    )
