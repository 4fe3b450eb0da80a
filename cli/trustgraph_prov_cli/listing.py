"""The list of runs, as `tg-prov list`, `demo` and the alias write it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from .failures import fail, note
from .options import TableFormat
from .output import write_rows

if TYPE_CHECKING:
    from trustgraph_prov import Cursor, TraceList

__all__ = ["cursor", "moment", "write_list"]

HEADINGS = {"uri": "Session ID", "type": "Type", "question": "Question", "started_at": "Time"}
COLUMNS = (*HEADINGS, "user", "collection", "called_from")

_UNDATED = "undated"


def write_list(found: TraceList, format: TableFormat) -> None:
    """Write runs, newest first: four columns for people, everything known for programs."""
    columns = tuple(HEADINGS) if format is TableFormat.table else COLUMNS
    rows = [[getattr(run, column) for column in columns] for run in found.traces]
    if rows or format is not TableFormat.table:
        write_rows(columns, rows, format, headings=HEADINGS)
    else:
        note("no runs")
    if found.searched_back_to is not None:
        note(f"searched back to {_written(found.searched_back_to)}; --since says how far to go")
    if found.more is not None:
        start = found.more.started_at
        key = f"{_UNDATED if start is None else _written(start)},{found.more.uri}"
        note(f"there are more: --before {key}")


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
        end: a day means its last moment, not its first.
    """
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        fail(f"--{name} {text}: expected a day, as 2026-03-02, or a time, as 2026-03-02T08:15")
    if end and len(text.strip()) == len("2026-03-02"):
        read += timedelta(days=1, microseconds=-1)
    return read if read.tzinfo else read.replace(tzinfo=timezone.utc)


def _written(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
