"""`tg-prov sources`."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Annotated

import typer

from ..options import Store
from ..output import write_json
from ..stores import reading

__all__ = ["sources"]


class TreeFormat(str, Enum):
    """How a tree is written."""

    text = "text"
    json = "json"
    mermaid = "mermaid"


def sources(
    document: Annotated[
        str, typer.Argument(help="IRI of a document, or of a page or chunk.", metavar="DOCUMENT")
    ],
    format: Annotated[
        TreeFormat, typer.Option("--format", "-f", help="How the tree is written.")
    ] = TreeFormat.text,
    store: Store = None,
) -> None:
    """Show the pages, chunks and edges made of a document.

    This goes down, from a document. The query lineage/sources goes up, from an answer to the
    documents that it rests on.
    """
    from trustgraph_prov import extraction

    with reading(store) as opened:
        tree = extraction.sources(opened, document)
    if format is TreeFormat.text:
        from rich.console import Console

        extraction.text(tree, Console(highlight=False))
    elif format is TreeFormat.json:
        write_json(extraction.json(tree))
    else:
        sys.stdout.write(extraction.mermaid(tree) + "\n")
