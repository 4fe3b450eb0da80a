"""Write to an outbox, and say afterwards what became of it."""

from __future__ import annotations

import shlex
from itertools import islice
from typing import TYPE_CHECKING

import typer

from .failures import FINDINGS, note
from .options import StoreName
from .text import counted

if TYPE_CHECKING:
    from pathlib import Path

    from trustgraph_prov import OutboxStore, Store

__all__ = ["queue_all", "tell_outcome", "tell_refused"]

_BATCH = 5_000


def queue_all(store: Store, outbox: OutboxStore) -> None:
    """Queue everything that a store holds."""
    quads = store.quads()
    while batch := list(islice(quads, _BATCH)):
        outbox.insert(batch)


def tell_outcome(outbox: OutboxStore, store: str | None) -> None:
    """Tell on stderr what a closed outbox still keeps for its store, and what that refused.

    Args:
        outbox: in front of it.
        store: as the user named it.

    Raises:
        typer.Exit: it refused something for good; with FINDINGS.
    """
    from trustgraph_prov import outbox_status

    status = outbox_status(outbox.folder)
    for target in status.targets:
        if target.store == outbox.name and target.pending:
            note(
                f"{counted(target.pending, 'insert')} for {target.store} kept in {outbox.folder};"
                " the next command with this outbox sends what waits, or "
                f"`tg-prov outbox drain{_options(outbox, store)}`"
            )
    tell_refused(len(outbox.refused()), status.letters)


def _options(outbox: OutboxStore, store: str | None) -> str:
    """Name an outbox and its store for another command, without credentials."""
    from trustgraph_prov import bare_name

    options = {"--outbox": str(outbox.folder), "--store": outbox.name}
    if isinstance(store, StoreName):
        options["--update-url"] = bare_name(store.update_url)
    return "".join(f" {option} {shlex.quote(value)}" for option, value in options.items())


def tell_refused(count: int, letters: Path) -> None:
    """Tell on stderr what a store refused for good.

    Args:
        count: of inserts.
        letters: folder that they are kept in.

    Raises:
        typer.Exit: there are any; with FINDINGS.
    """
    if count:
        note(
            f"{counted(count, 'insert')} refused, in part or whole, kept in {letters}; once the "
            "reason is gone, `tg-prov import` sends the .nq files"
        )
        raise typer.Exit(FINDINGS)
