"""Tables for people: whole values, whatever the width, so that an IRI can always be copied."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Sequence

from .text import visible

__all__ = ["beside", "table"]

_GAP = "  "
_NARROWEST = 24
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_DUMB = ("dumb", "unknown")


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lay rows out.

    Side by side if they fit; else with running text wrapped; else each row as a block, its first
    value on a line of its own and nothing for an empty cell. Nothing is ever cut, and only what has
    spaces is broken. In a pipe there is no width to keep.

    Args:
        columns: headings.
        rows: cells, as many as there are columns.

    Returns:
        Lines, safe for a terminal.
    """
    cells = [[visible(cell) for cell in row] for row in rows]
    width = _width()
    widths = [
        max(_cells(line) for row in (columns, *cells) for line in _lines(row[n]))
        for n in range(len(columns))
    ]
    if width is not None:
        widths = _shrunk(widths, [_breakable(n, cells) for n in range(len(columns))], width)
    if width is not None and sum(widths) + len(_GAP) * (len(widths) - 1) > width:
        yield from _blocks(columns, cells)
        return
    yield _bold(_joined(columns, widths))
    for row in cells:
        wrapped = [list(_wrap(cell, size)) for cell, size in zip(row, widths, strict=True)]
        for n in range(max(map(len, wrapped))):
            yield _joined([cell[n] if n < len(cell) else "" for cell in wrapped], widths)


def beside(label: str, text: str) -> Iterator[str]:
    """Put text behind a label, wrapped at the width of a terminal and never cut.

    Returns:
        Lines; what goes on is indented by the width of the label.
    """
    width = _width()
    lines = [text] if width is None else _wrap(text, max(width - _cells(label), _NARROWEST))
    for n, line in enumerate(lines):
        yield f"{' ' * _cells(label) if n else label}{line}"


def _blocks(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield _bold(columns[0])
    label = max(map(len, columns[1:]), default=0)
    for row in rows:
        yield row[0]
        for name, cell in zip(columns[1:], row[1:], strict=True):
            if not cell:
                continue
            for line in beside(f"  {name:<{label}}{_GAP}", cell):
                yield line.rstrip()


def _shrunk(widths: Sequence[int], breakable: Sequence[bool], width: int) -> list[int]:
    """Take what is too much from the columns of running text, the widest first."""
    out = list(widths)
    excess = sum(out) + len(_GAP) * (len(out) - 1) - width
    while excess > 0:
        free = [n for n, can in enumerate(breakable) if can]
        widest = max(free, key=out.__getitem__, default=None)
        if widest is None or out[widest] <= _NARROWEST:
            break
        out[widest] -= 1
        excess -= 1
    return out


def _breakable(n: int, rows: Sequence[Sequence[str]]) -> bool:
    words = (word for row in rows for word in row[n].split())
    return max(map(_cells, words), default=0) <= _NARROWEST


def _wrap(text: str, width: int) -> Iterator[str]:
    for paragraph in _lines(text):
        line, used = "", 0
        for word in paragraph.split(" "):
            size = _cells(word)
            if line and used + 1 + size > width:
                yield line
                line, used = word, size
            else:
                line, used = (f"{line} {word}", used + 1 + size) if line else (word, size)
        yield line


def _lines(text: str) -> list[str]:
    return text.expandtabs(4).split("\n")


def _joined(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (size - _cells(cell)) for cell, size in zip(cells, widths, strict=True))
    return _GAP.join(padded).rstrip()


def _cells(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1
        for one in text
    )


def _width() -> int | None:
    if not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def _bold(line: str) -> str:
    bare = os.environ.get("NO_COLOR") or os.environ.get("TERM") in _DUMB
    return line if bare or not sys.stdout.isatty() else f"{_BOLD}{line}{_PLAIN}"
