"""What a store has of a run that goes on."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyoxigraph import NamedNode

from ..answers import Asked, rows
from ..namespaces import (
    PROV_ENDED_AT_TIME,
    PROV_GENERATED_AT_TIME,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_TYPE,
    TGP_CALLED_FROM,
    TGP_COLLECTION,
    TGP_USER,
)
from ..ownership import is_answer
from ..queries import stored_query
from ..uris import recognise
from .writer import Target

__all__ = ["Known", "known", "reopen"]


@dataclass
class Known:
    """The nodes of a run, as a store has them.

    Attributes:
        nodes: IRIs with their step numbers, where they have one.
        parents: what they come from.
        complete: those with a time of generation.
        ended: whether the question has an end.
        answered: whether there is an answer, or what stands for one.
        user, collection: whose the run is, where it says.
        called_from: the step that called it.
    """

    nodes: dict[str, int | None] = field(default_factory=dict)
    parents: set[str] = field(default_factory=set)
    complete: set[str] = field(default_factory=set)
    ended: bool = False
    answered: bool = False
    user: str | None = None
    collection: str | None = None
    called_from: str | None = None


def known(store: Asked, uri: str) -> Known | None:
    """Look a run up.

    Args:
        store: where.
        uri: the run's question.

    Returns:
        What is there, or None where there is no such run.
    """
    own = recognise(uri)
    found: Known | None = None
    for row in rows(store, "trace/resume", trace=uri):
        found = found or Known()
        node, name, value = row["node"].value, row["property"].value, row["value"].value
        if node == uri:
            _question(found, name, value)
            continue
        pattern = recognise(node)
        if pattern is None or own is None or pattern.session != own.session:
            continue  # the path also leads into runs that follow or call this one
        found.nodes[node] = pattern.index
        if name == RDF_TYPE:
            found.answered = found.answered or is_answer(node, [value])
        elif name == PROV_GENERATED_AT_TIME:
            found.complete.add(node)
        elif name in (PROV_WAS_DERIVED_FROM, PROV_WAS_GENERATED_BY):
            found.parents.add(value)
    return found


def _question(found: Known, name: str, value: str) -> None:
    if name == PROV_ENDED_AT_TIME:
        found.ended = True
    elif name == TGP_USER:
        found.user = value
    elif name == TGP_COLLECTION:
        found.collection = value
    elif name == TGP_CALLED_FROM:
        found.called_from = value


def reopen(store: Target, uri: str) -> None:
    """Take the end from a run that ended without an answer and goes on."""
    store.update(stored_query("update/reopen-trace").bind(trace=NamedNode(uri)))
