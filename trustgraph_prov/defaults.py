"""Whose runs they are that name no owner, as TrustGraph has it."""

from __future__ import annotations

__all__ = ["DEFAULT_COLLECTION", "DEFAULT_USER"]

DEFAULT_USER = "trustgraph"
DEFAULT_COLLECTION = "default"
