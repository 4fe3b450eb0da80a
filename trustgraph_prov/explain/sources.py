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
    size: int
    whole: bool


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
            edge: Source(edge, "", "", tuple(known.of(chunk) for chunk in origins[edge]))
            for edge in sorted(edges)
            if origins.get(edge)
        },
        **{chunk: known.of(chunk) for chunk in sorted(chunks & things.keys())},
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
    """Builds sources, each once for each depth it stands at, however many ways lead to it there.

    A link that closes a circle is left; what lacks one, or may, is not kept for the source asked
    for next.

    Args:
        things: what is recorded about each.
    """

    def __init__(self, things: Nodes) -> None:
        self._things = things
        self._named: dict[str, Source] = {}
        self._built: dict[tuple[str, int], _Built] = {}
        self._lacking: list[tuple[str, int]] = []
        self._under_way: set[str] = set()

    def of(self, uri: str) -> Source:
        """Build the source with that IRI."""
        built = self._at(uri, 0)
        while self._lacking:
            del self._built[self._lacking.pop()]
        return built.source

    def _at(self, uri: str, depth: int) -> _Built:
        if (uri, depth) not in self._built:
            self._under_way.add(uri)
            self._built[uri, depth] = self._build(uri, depth)
            self._under_way.remove(uri)
            if not self._built[uri, depth].whole:
                self._lacking.append((uri, depth))
        return self._built[uri, depth]

    def _build(self, uri: str, depth: int) -> _Built:
        recorded = self._things.get(uri, {})
        links = set(targets(recorded, PROV_WAS_DERIVED_FROM)) if depth < _DEEPEST else set()
        origins: list[Source] = []
        size, whole = 1, not links & self._under_way
        for above in sorted(links - self._under_way):
            if size < _MOST:
                origin = self._at(above, depth + 1)
                whole = whole and origin.whole
                if size + origin.size <= _MOST:
                    origins.append(origin.source)
                    size += origin.size
                    continue
            else:
                whole = False  # nobody looked whether it leads back
            origins.append(self._name(above))
            size += 1
        return _Built(replace(self._name(uri), origins=tuple(origins)), size, whole)

    def _name(self, uri: str) -> Source:
        """Name a source without its origins."""
        if uri not in self._named:
            recorded = self._things.get(uri, {})
            self._named[uri] = Source(uri, kind_name(uri, recorded), _title(recorded), ())
        return self._named[uri]


def _title(recorded: Properties) -> str:
    """Prefer a number to the label that repeats it, and a title to both."""
    number = number_of(recorded)
    return (
        title_of(recorded, [DC_TITLE])
        or (" ".join(number) if number else "")
        or title_of(recorded, [RDFS_LABEL])
    )
