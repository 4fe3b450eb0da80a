"""Runs of every generation of TrustGraph, put into a store in each of their forms."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from trustgraph_cases import DATA, FILES

from trustgraph_prov import (
    import_quads,
    list_traces,
    render,
    stored_query,
    trace,
)
from trustgraph_prov.stores import Store
from trustgraph_prov.trustgraph import add_documents, import_messages, read_documents

ROOTS = json.loads((DATA / "roots.json").read_text(encoding="utf-8"))
EACH_FILE = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
UPGRADE = "update/upgrade-legacy"


def documents(file: Path) -> dict[str, str]:
    return read_documents(file.with_name(f"{file.stem}.docs.json"))


def as_messages(store: Store, file: Path) -> None:
    import_messages(store, file, documents=documents(file))


def as_quads(store: Store, file: Path) -> None:
    import_quads(store, file.with_suffix(".nq"))
    add_documents(store, documents(file))


def upgraded(store: Store, file: Path) -> None:
    as_quads(store, file)
    store.update(stored_query(UPGRADE).bind())


FORMS: dict[str, Callable[[Store, Path], None]] = {
    "messages": as_messages,
    "quads": as_quads,
    "upgraded": upgraded,
}


def views(store: Store) -> tuple[list[Any], list[dict[str, Any]], list[str]]:
    """The list, and the JSON, the text and the drawings of each run."""
    runs = list_traces(store, called=True, limit=1000).traces
    shown = [trace(store, run.uri) for run in runs]
    return runs, [render.to_dict(run) for run in shown], [drawn(run) for run in shown]


def drawn(run: Any) -> str:
    console = Console(file=io.StringIO(), width=120)
    render.text(run, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue() + render.html(run) + render.mermaid(run) + render.dot(run)
