"""The list of runs, as `tg-prov list`, `demo` and the alias write it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from .failures import fail, note
from .options import TableFormat
from .output import write_rows
from .text import iso

if TYPE_CHECKING:
    from trustgraph_prov import Cursor, TraceList

__all__ = ["cursor", "moment", "write_list"]

HEADINGS = {"uri": "Session ID", "type": "Type", "question": "Question", "started_at": "Time"}
COLUMNS = (*HEADINGS, "user", "collection", "called_from")

_UNDATED = "undated"
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?P<time>[T ].+)?\Z", re.ASCII)


def write_list(
    found: TraceList, format: TableFormat, asked: Mapping[str, str | None] | None = None
) -> None:
    """Write runs, newest first: four columns for people, everything known for programs.

    Args:
        found: the runs.
        format: how.
        asked: how they were chosen, in words such as `of user`, and by which value; told where
            there are none.
    """
    columns = tuple(HEADINGS) if format is TableFormat.table else COLUMNS
    rows = [[getattr(run, column) for column in columns] for run in found.traces]
    write_rows(columns, rows, format, headings=HEADINGS, nothing=_nothing(asked or {}))
    if found.searched_back_to is not None:
        note(f"searched back to {iso(found.searched_back_to)}; --since says how far to go")
    if found.more is not None:
        start = found.more.started_at
        key = f"{_UNDATED if start is None else iso(start)},{found.more.uri}"
        note(f"there are more: --before {key}")


def _nothing(asked: Mapping[str, str | None]) -> str:
    return " ".join(["no runs", *(f"{how} {value}" for how, value in asked.items() if value)])


def cursor(text: str | None) -> Cursor | None:
    """Read back where a page ended."""
    from trustgraph_prov import Cursor

    if text is None:
        return None
    start, comma, uri = text.partition(",")
    if not comma:
        fail(f"--before {text}: expected what the page before said, TIME,IRI")
    return Cursor(None if start == _UNDATED else moment("before", start), uri)


def moment(name: str, text: str | None, *, end: bool = False) -> datetime | None:
    """Read a day, or a time, as UTC where it has no offset.

    Args:
        name: the option, for the message.
        text: a day, or a day and a time after `T` or a space; None stays None.
        end: a day means its last moment, not its first.

    Example:
        >>> str(moment("until", "2026-03-02", end=True))
        '2026-03-02 23:59:59.999999+00:00'
    """
    if text is None:
        return None
    match = _MOMENT.match(text.strip())
    try:
        read = datetime.fromisoformat(match[0].replace("Z", "+00:00") if match else "")
    except ValueError:
        fail(f"--{name} {text}: expected a day, as 2026-03-02, or a time, as 2026-03-02T08:15")
    if end and match and not match["time"]:
        read += timedelta(days=1, microseconds=-1)
    return read if read.tzinfo else read.replace(tzinfo=timezone.utc)
