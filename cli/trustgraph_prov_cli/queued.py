"""Write to an outbox, and say afterwards what waits in it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from .failures import note
from .text import counted

if TYPE_CHECKING:
    from trustgraph_prov import OutboxStore, Store

__all__ = ["note_waiting", "queue_all"]

_BATCH = 5_000


def queue_all(store: Store, outbox: OutboxStore) -> None:
    """Queue everything that a store holds."""
    quads = store.quads()
    while batch := list(islice(quads, _BATCH)):
        outbox.insert(batch)


def note_waiting(outbox: OutboxStore) -> None:
    """Tell on stderr what a closed outbox still keeps for its store."""
    from trustgraph_prov import outbox_status

    for target in outbox_status(outbox.folder).targets:
        if target.store == outbox.name and target.pending:
            note(
                f"{counted(target.pending, 'insert')} for {target.store} kept in {outbox.folder};"
                " the next command with this outbox sends what waits, or `tg-prov outbox drain`"
            )
