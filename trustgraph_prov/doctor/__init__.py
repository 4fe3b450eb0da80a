"""Say what a store is, what it holds, and what it cannot do that recording and explaining need."""

from __future__ import annotations

from .checks import Check, Outcome
from .diagnosis import Diagnosis, diagnose

__all__ = ["Check", "Diagnosis", "Outcome", "diagnose"]
