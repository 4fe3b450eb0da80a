"""What one look at a store found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Check", "Outcome", "finding", "fine", "limit", "untried"]

Outcome: TypeAlias = Literal["ok", "limit", "finding", "not tried"]
"""`limit`: less than elsewhere, and dealt with. `finding`: somebody has to do something."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: what.
        outcome: how it is.
        found: what was seen.
        way_out: what to do about it, or what is done; empty where nothing has to be.
    """

    name: str
    outcome: Outcome
    found: str
    way_out: str = ""


def fine(name: str, found: str) -> Check:
    """Nothing to do."""
    return Check(name, "ok", found)


def limit(name: str, found: str, way_out: str) -> Check:
    """A limit that is dealt with, and how."""
    return Check(name, "limit", found, way_out)


def finding(name: str, found: str, way_out: str) -> Check:
    """Something that somebody has to do."""
    return Check(name, "finding", found, way_out)


def untried(name: str, way_out: str = "") -> Check:
    """What could not be looked at, since something before it failed."""
    return Check(name, "not tried", "", way_out)
