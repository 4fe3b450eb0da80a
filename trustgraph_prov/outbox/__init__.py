"""Keep what is recorded on this machine until a remote store has it."""

from __future__ import annotations

from .limit import CutText, cut_texts
from .status import OutboxStatus, TargetStatus, outbox_status
from .store import OutboxStore

__all__ = [
    "CutText",
    "OutboxStatus",
    "OutboxStore",
    "TargetStatus",
    "cut_texts",
    "outbox_status",
]
