"""Keep what a store refuses for good, with the reason, where a person finds it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from pathlib import Path

from pyoxigraph import Quad

from ..lexical import utc_form
from ..n_quads import encode
from .files import write_lines, write_whole
from .journal import Call, moment

__all__ = ["DEAD_LETTERS", "Refusal", "keep_refused", "keep_unreadable", "kept_in", "was_for"]

DEAD_LETTERS = "dead-letters"
"""Name of the folder in the outbox folder."""

Refusal = tuple[Quad, str]
"""A statement and why it was refused."""


def keep_refused(name: str, folder: Path, call: Call, refused: Sequence[Refusal]) -> Path:
    """Write the refused statements of one call to a file, and a line about each reason beside it.

    The files are named after the call, so doing it again after a kill changes nothing. Once the
    reason is gone, `tg-prov import` sends the file.

    Args:
        name: the store that refuses, without credentials.
        folder: of the dead letters.
        call: the call that they are part of.
        refused: never empty.

    Returns:
        The N-Quads file; the lines are in the file of that name that ends in `.jsonl`.
    """
    file = folder / f"{_name(call)}.nq"
    counts: dict[str, int] = {}
    for _, reason in refused:
        counts[reason] = counts.get(reason, 0) + 1
    _describe(name, file, call, counts.items())
    write_whole(name, file, encode(quad for quad, _ in refused))
    return file


def keep_unreadable(name: str, folder: Path, call: Call, reason: str) -> Path:
    """Write a call whose bytes are no N-Quads any more, as they are."""
    file = folder / f"{_name(call)}.damaged"
    _describe(name, file, call, [(reason, 0)])
    write_whole(name, file, call.payload)
    return file


def kept_in(folder: Path) -> tuple[Path, ...]:
    """Files of what was refused for good, one a call, the oldest first.

    Args:
        folder: of the dead letters.
    """
    return tuple(sorted([*folder.glob("*.nq"), *folder.glob("*.damaged")]))


def was_for(file: Path, name: str) -> bool:
    """Whether a dead letter was for this store, or may have been: its line does not tell."""
    try:
        with file.with_suffix(".jsonl").open(encoding="utf-8") as lines:
            described = json.loads(next(lines, "null"))
    except (OSError, ValueError):
        return True
    return not isinstance(described, dict) or described.get("store", name) == name


def _name(call: Call) -> str:
    return f"{moment(call.queued):%Y%m%dT%H%M%SZ}-{call.id}"


def _describe(name: str, file: Path, call: Call, counts: Iterable[tuple[str, int]]) -> None:
    now = datetime.now(timezone.utc)
    write_lines(
        name,
        file.with_suffix(".jsonl"),
        *(
            {
                "time": utc_form(now, "seconds"),
                "queued": utc_form(moment(call.queued), "seconds"),
                "store": name,
                "reason": reason,
                "statements": count,
                "file": file.name,
            }
            for reason, count in counts
        ),
    )
