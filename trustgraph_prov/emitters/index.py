"""Emit the index of a run: three derived properties and the collection > day > hour tree.

Writing it is idempotent, so writers need not coordinate.
"""

from __future__ import annotations

from datetime import datetime

from pyoxigraph import Triple

from ..namespaces import (
    TGP_COLLECTION_TYPE,
    TGP_DAY_TYPE,
    TGP_HAS_DAY,
    TGP_HAS_HOUR,
    TGP_HOUR_TYPE,
    TGP_IN_HOUR,
    TGP_OF_NAME,
    TGP_OF_USER,
    TGP_PERIOD_START,
    TGP_STARTED_AT,
)
from ..terms import instant
from ..uris import collection_uri, day_uri, hour_uri
from .node import Node, Uri, made

__all__ = ["index_triples", "period_triples"]


def index_triples(
    question_uri: Uri, user: str, collection: str, started_at: datetime | str
) -> list[Triple]:
    """Index a question: tgp:trace, tgp:inHour, tgp:startedAt, and its place in the tree.

    Args:
        question_uri: the run's question.
        user, collection: whose it is.
        started_at: its start; kept in UTC whatever its form.

    Raises:
        InvalidValueError: `started_at` is not a time.

    Example:
        >>> triples = index_triples("urn:trustgraph:agent:7", "ana", "default",
        ...                         "2026-03-02T08:15:00+02:00")
        >>> triples[1].object.value
        'urn:trustgraph-prov:hour:ana:default:2026-03-02T06'
    """
    question = Node(question_uri, trace=question_uri)
    start = made("started_at", instant, started_at)
    question.link(TGP_IN_HOUR, hour_uri(user, collection, start))
    question.time(TGP_STARTED_AT, start)
    return question.triples + period_triples(user, collection, start)


def period_triples(user: str, collection: str, moment: datetime | str) -> list[Triple]:
    """Describe the collection, the day and the hour of a moment.

    Args:
        user, collection: whose tree.
        moment: any time within the hour.

    Example:
        >>> triples = period_triples("ana", "default", "2026-03-02T08:15:00Z")
        >>> triples[-1].object.value
        '2026-03-02T08:00:00Z'
    """
    start = made("moment", instant, moment).replace(minute=0, second=0, microsecond=0)
    root = Node(collection_uri(user, collection), TGP_COLLECTION_TYPE)
    root.text(TGP_OF_USER, user, "user")
    root.text(TGP_OF_NAME, collection, "collection")
    day = Node(day_uri(user, collection, start), TGP_DAY_TYPE)
    day.time(TGP_PERIOD_START, start.replace(hour=0))
    hour = Node(hour_uri(user, collection, start), TGP_HOUR_TYPE)
    hour.time(TGP_PERIOD_START, start)
    root.link(TGP_HAS_DAY, day.iri)
    day.link(TGP_HAS_HOUR, hour.iri)
    return root.triples + day.triples + hour.triples
