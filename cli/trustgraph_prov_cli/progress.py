"""A progress bar on a terminal, and silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .text import one_line

if TYPE_CHECKING:
    from trustgraph_prov import Progress

__all__ = ["progress"]


@contextmanager
def progress(title: str) -> Iterator[Progress | None]:
    """Show how far something is.

    Yields:
        What to call as it goes on; None where nobody watches.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(escape(one_line(title)), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
