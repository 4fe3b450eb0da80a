"""`tg-prov init`."""

from __future__ import annotations

from typing import Annotated

import typer

from ..numeric import whole_from
from ..options import Store
from ..progress import progress
from ..stores import writing
from ..text import counted

__all__ = ["init"]


def init(
    max_bytes: Annotated[
        int | None,
        typer.Option(
            "--max-bytes",
            parser=whole_from(1),
            metavar="N",
            help="Of one request to a server, 1 or more.",
            show_default=False,
        ),
    ] = None,
    store: Store = None,
) -> None:
    """Load the ontology and its shapes.

    The store is made where there is none; doing it twice changes nothing.
    """
    from trustgraph_prov import GRAPH_ONTOLOGY, StoreError, load_ontology, rows

    with writing(store, max_bytes=max_bytes) as opened, progress("init") as tick:
        triples = load_ontology(opened, progress=tick)
        there = sum(int(row[1].value) for row in rows(opened, "audit/ontology"))
        if there < triples:
            raise StoreError(
                opened.name,
                f"the ontology was taken, and {there:,} of its {triples:,} triples are there",
                "name the address that takes updates, with --update-url; a proxy may answer in "
                "its place",
            )
    print(f"{opened.name}: {counted(triples, 'triple')} of the ontology in <{GRAPH_ONTOLOGY}>")
