"""Open the store that a command means."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trustgraph_prov import Store

__all__ = ["changing", "reading", "writing"]


def reading(store: str | None) -> Store:
    """Open a store that must be there; what is running beside it may go on writing."""
    from trustgraph_prov import open_store

    return open_store(store or default(), read_only=True)


def writing(store: str | None) -> Store:
    """Open a store, made where there is none."""
    from trustgraph_prov import open_store

    if store:
        return open_store(store)
    folder = Path(default())
    folder.parent.mkdir(parents=True, exist_ok=True)
    return open_store(folder)


def changing(store: str | None) -> Store:
    """Open a store for writing that must be there."""
    reading(store).close()
    return writing(store)


def default() -> str:
    """Say where the store is that nobody named: a folder under the user's data."""
    from platformdirs import user_data_dir

    return os.fspath(Path(user_data_dir("trustgraph-prov", appauthor=False)) / "store")
