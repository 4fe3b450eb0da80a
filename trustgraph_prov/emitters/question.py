"""Emit what the three kinds of question have in common."""

from __future__ import annotations

from datetime import datetime

from pyoxigraph import Triple

from .. import terms
from ..namespaces import (
    PROV_ACTIVITY,
    PROV_ENDED_AT_TIME,
    PROV_STARTED_AT_TIME,
    PROV_USED,
    PROV_WAS_ASSOCIATED_WITH,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_INFORMED_BY,
    TG_QUERY,
    TG_QUESTION,
    TGP_CALLED_FROM,
    TGP_COLLECTION,
    TGP_USER,
)
from ..uris import user_uri
from .actors import user_triples
from .node import Node, Uri, is_question

__all__ = ["ask", "ended_triples"]


def ask(
    kind: str,
    uri: Uri,
    query: str,
    timestamp: datetime | str | None,
    parent_uri: Uri | None,
    *,
    user: str | None,
    collection: str | None,
    informed_by: Uri | None,
    called_from: Uri | None,
    trace: Uri | None,
    strict: bool,
) -> list[Triple]:
    """Emit a question of a kind; the public functions say what each argument is."""
    node = Node(uri, PROV_ACTIVITY, TG_QUESTION, kind, trace=trace)
    node.text(TG_QUERY, query)
    node.time(PROV_STARTED_AT_TIME, timestamp)
    if parent_uri is not None:
        parent = terms.iri(parent_uri)
        tie = PROV_WAS_INFORMED_BY if is_question(parent) else PROV_USED
        node.link(tie if strict else PROV_WAS_DERIVED_FROM, parent)
    node.link(PROV_WAS_INFORMED_BY, informed_by)
    node.link(TGP_CALLED_FROM, called_from)
    node.text(TGP_COLLECTION, collection)
    if user is not None:
        node.text(TGP_USER, user)
        node.link(PROV_WAS_ASSOCIATED_WITH, user_uri(user))
        node.triples.extend(user_triples(user))
    return node.triples


def ended_triples(question_uri: Uri, timestamp: datetime | str) -> list[Triple]:
    """Say when a run ended.

    Args:
        question_uri: the run's question.
        timestamp: its end.

    Example:
        >>> ended_triples("urn:trustgraph:agent:7", "2026-03-02T08:15:00Z")[0].object.value
        '2026-03-02T08:15:00Z'
    """
    node = Node(question_uri)
    node.time(PROV_ENDED_AT_TIME, timestamp)
    return node.triples
