"""Mint the IRIs of what runs share: users, models, collections and their days and hours."""

from __future__ import annotations

from datetime import datetime

from ..namespaces import OURS
from ..terms import instant
from .segments import segment

__all__ = ["collection_uri", "day_uri", "hour_uri", "model_uri", "user_uri"]


def user_uri(user: str) -> str:
    """IRI of an asking user."""
    return f"{OURS}user:{segment(user)}"


def model_uri(model: str) -> str:
    """IRI of a language model."""
    return f"{OURS}model:{segment(model)}"


def collection_uri(user: str, collection: str) -> str:
    """IRI of a user's collection.

    Example:
        >>> collection_uri("a:b", "c") == collection_uri("a", "b:c")
        False
    """
    return f"{OURS}collection:{segment(user)}:{segment(collection)}"


def day_uri(user: str, collection: str, moment: datetime | str) -> str:
    """IRI of the UTC day of a moment in a collection.

    Example:
        >>> day_uri("u", "c", "2026-03-02T23:30:00-01:00")
        'urn:trustgraph-prov:day:u:c:2026-03-03'
    """
    day = instant(moment).date().isoformat()
    return f"{OURS}day:{segment(user)}:{segment(collection)}:{day}"


def hour_uri(user: str, collection: str, moment: datetime | str) -> str:
    """IRI of the UTC hour of a moment in a collection.

    Example:
        >>> hour_uri("u", "c", "2026-03-02T08:15:00Z")
        'urn:trustgraph-prov:hour:u:c:2026-03-02T08'
    """
    hour = instant(moment).replace(tzinfo=None).isoformat(timespec="hours")
    return f"{OURS}hour:{segment(user)}:{segment(collection)}:{hour}"
