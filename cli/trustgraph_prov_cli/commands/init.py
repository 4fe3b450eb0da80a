"""`tg-prov init`."""

from __future__ import annotations

from ..options import Store
from ..stores import writing

__all__ = ["init"]


def init(store: Store = None) -> None:
    """Load the ontology and its shapes.

    The store is made where there is none; doing it twice changes nothing.
    """
    from trustgraph_prov import GRAPH_ONTOLOGY, load_ontology

    with writing(store) as opened:
        triples = load_ontology(opened)
    print(f"{opened.name}: {triples} triples of the ontology in <{GRAPH_ONTOLOGY}>")
