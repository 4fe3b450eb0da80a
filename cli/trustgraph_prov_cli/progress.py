"""A progress bar on a terminal, and silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .text import one_line

__all__ = ["progress"]


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """Show how far something is.

    Yields:
        What to call with the quads done and, where it is known, how many there are; None where
        nobody watches.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(escape(one_line(title)), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
