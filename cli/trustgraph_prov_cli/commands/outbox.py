"""`tg-prov outbox`: what waits for a remote store."""

from __future__ import annotations

import logging
import shlex
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import typer

from ..failures import fail, help_without_command, note
from ..naming import as_command
from ..numeric import decimal_from
from ..options import Format, OutboxFolder, Store
from ..output import Cell, write_rows
from ..progress import progress
from ..queued import tell_refused
from ..stores import changing, default, outbox_folder
from ..text import counted, one_line

__all__ = ["outbox"]

outbox = typer.Typer(
    help="Look at what waits for a remote store, and send it.",
    invoke_without_command=True,
    callback=help_without_command,
    rich_markup_mode=None,
)

_COLUMNS = ["store", "pending", "bytes", "oldest", "trouble"]


def status(outbox: OutboxFolder = None, format: Format = None) -> None:
    """Count what waits, and what was refused for good.

    Exit code 1 says that a store refused something.
    """
    from trustgraph_prov import outbox_status

    found = outbox_status(outbox_folder(outbox))
    rows: list[list[Cell]] = [
        [one.store, one.pending, one.size, one.oldest, one.trouble] for one in found.targets
    ]
    there = "nothing waits" if found.folder.exists() else "no outbox"
    write_rows(_COLUMNS, rows, format, nothing=f"{there} in {found.folder}")
    if found.kept_texts:
        note(f"{counted(len(found.kept_texts), 'text')} too long, kept whole in {found.letters}")
    tell_refused(len(found.refused), found.letters)


def drain(
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            parser=decimal_from(0.1),
            metavar="SECONDS",
            help="Seconds to wait for it, 0.1 or more.",
        ),
    ] = 60.0,
    outbox: OutboxFolder = None,
    store: Store = None,
) -> None:
    """Send what waits for the store, and wait until it is there.

    Exit code 1 says that the store refused some of it for good.
    """
    from trustgraph_prov import OutboxStore, StorePendingError, outbox_status

    end = time.monotonic() + timeout
    before = outbox_status(outbox_folder(outbox))
    pending = {one.store: one.pending for one in before.targets if one.pending}
    if not pending:
        print(one_line(f"nothing waits in {before.folder}"))
        return
    if not store and default() not in pending:
        fail(f"no store named; {_not_sent(pending)}")
    target = changing(store)
    waiting = pending.pop(target.name, 0)
    if pending:
        note(_not_sent(pending))
    if not waiting:
        target.close()
        print(one_line(f"nothing waits for {target.name} in {before.folder}"))
        return
    with _told_once(), OutboxStore(target, before.folder, linger=0) as opened:
        with progress("sending") as report:
            while True:
                try:
                    opened.flush(min(0.5, max(0.01, end - time.monotonic())))
                    break
                except StorePendingError as error:
                    if time.monotonic() >= end:
                        raise
                    if report:
                        report(waiting - error.pending, waiting)
        refused = len(opened.refused())
    sent = counted(max(0, waiting - refused), "insert")
    print(one_line(f"{sent} delivered to {opened.name}"))
    tell_refused(refused, before.letters)


def _not_sent(pending: Mapping[str, int]) -> str:
    """Say what waits for other stores, and how to name each."""
    ways = (
        f"{counted(count, 'insert')} for {name} not sent: --store {shlex.quote(name)}"
        for name, count in pending.items()
    )
    return "; ".join(ways)


@contextmanager
def _told_once() -> Iterator[None]:
    """Keep the sender from logging the trouble that the command itself ends with."""
    log = logging.getLogger("trustgraph_prov.outbox")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)


for _command in (status, drain):
    outbox.command(_command.__name__)(as_command(_command))
