"""Open a store by its name."""

from __future__ import annotations

from .base import Store
from .oxigraph import OxigraphStore


def open_store(name: str, *, read_only: bool = False) -> Store:
    """Open a store: `memory:` or a folder."""
    if name == "memory:":
        return OxigraphStore()
    return OxigraphStore(name, read_only=read_only)
