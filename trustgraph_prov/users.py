"""Say whose runs are, their user and collection, where nothing says it yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode, Quad

from . import terms
from .calls import recorded_facts
from .namespaces import GRAPH_RETRIEVAL

if TYPE_CHECKING:
    from .answers import Asked

__all__ = ["owner_quads"]

_RETRIEVAL = NamedNode(GRAPH_RETRIEVAL)


def owner_quads(
    store: Asked | None, owners: Mapping[str, Mapping[str, str]], stated: Iterable[Quad] = ()
) -> list[Quad]:
    """Say whose runs are, where neither they nor the store say it.

    Args:
        store: where to look; without one it says nothing.
        owners: by question, the properties tgp:user and tgp:collection with their values.
        stated: what is written with it.

    Example:
        >>> from trustgraph_prov.namespaces import TGP_USER
        >>> [quad.object.value for quad in owner_quads(None, {"urn:q": {TGP_USER: "ana"}})]
        ['ana']
    """
    said = {(terms.plain(quad.subject), quad.predicate.value) for quad in stated}
    missing = [
        (question, property, value)
        for question, owner in sorted(owners.items())
        for property, value in owner.items()
        if (question, property) not in said
    ]
    asked = {question for question, _, _ in missing}
    known = {} if store is None else recorded_facts(store, asked)
    return [
        Quad(NamedNode(question), NamedNode(property), terms.text(value), _RETRIEVAL)
        for question, property, value in missing
        if question not in known or property not in known[question].values
    ]
