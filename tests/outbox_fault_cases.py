"""An outbox before a server with faults: what is recorded, and what must have arrived."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outbox_cases import PATIENCE, quad
from sparql_cases import Endpoint, FaultyServer, impatient

from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.stores.sparql import SparqlStore

STATEMENTS = [quad(number) for number in range(20)]


@contextmanager
def recording(store: SparqlStore, folder: Path) -> Iterator[OutboxStore]:
    """An outbox with all statements, one insert each."""
    with OutboxStore(store, folder / "outbox", longest_pause=0.05, linger=0) as outbox:
        for one in STATEMENTS:
            outbox.insert([one])
        yield outbox


def arrived(outbox: OutboxStore, sound: Endpoint) -> None:
    """All is there, nothing was given up, and nothing waits."""
    outbox.flush(PATIENCE)
    assert sorted(map(str, sound.store)) == sorted(map(str, STATEMENTS))
    status = outbox_status(outbox.folder)
    assert (status.pending, status.refused) == (0, ())


def hasty(running: FaultyServer, timeout: float = 20.0) -> SparqlStore:
    return impatient(running.url, retries=0, timeout=timeout)
