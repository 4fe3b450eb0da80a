"""Say what the edges and chunks of a run came from."""

from __future__ import annotations

from ..stores.base import Store
from .graph import Nodes
from .model import Source

__all__ = ["sources_of"]


def sources_of(store: Store, nodes: Nodes) -> dict[str, Source]:
    """Read the sources."""
    return {}
