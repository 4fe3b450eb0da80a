"""Long texts through an outbox to real servers: whole where they are taken, cut where not."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from cli_cases import Shell
from conftest import server_of
from outbox_cases import PATIENCE
from servers import SERVERS

from trustgraph_prov import ProvWarning, Recorder, trace
from trustgraph_prov.namespaces import TG_OBSERVATION, TGP_OMITTED_BYTES
from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.stores.sparql import SparqlStore


def on_server(name: str, folder: Path, **options: Any) -> OutboxStore:
    """An outbox before an empty store, or a skip that says what is missing."""
    why = SERVERS[name].missing()
    if why:
        pytest.skip(f"{name}: {why}")
    server = server_of(name, "store")
    server.clear()
    store = SparqlStore(server.url, **options)
    return OutboxStore(store, folder / "outbox", wait=PATIENCE)


def record(store: OutboxStore, observation: str) -> str:
    """Record a run with one observation, and wait until it is there; its IRI."""
    with Recorder(store).agent("How much?") as run:
        run.analysis("Look.", "read", {}, observation)
        run.conclusion("A lot.")
    store.flush(2 * PATIENCE)
    return run.uri


def test_an_observation_of_5_mb_arrives_whole_on_fuseki(tmp_path: Path) -> None:
    observation = "observed " * 600_000
    # Its parser takes quadratic time for a long text.
    with on_server("fuseki", tmp_path, timeout=2 * PATIENCE) as store:
        uri = record(store, observation)
        step = trace(store, uri).steps[0]
        assert step.values(TG_OBSERVATION) == (observation,)
        assert step.whole_texts == ()
        assert outbox_status(store.folder).kept_texts == ()


def test_an_observation_over_the_limit_of_virtuoso_arrives_cut_and_is_found_whole(
    tmp_path: Path, tg: Shell
) -> None:
    observation = "fünf " * 900_000
    whole = hashlib.sha256(observation.encode()).hexdigest()
    with on_server("virtuoso", tmp_path, timeout=PATIENCE) as store:
        with pytest.warns(ProvWarning, match="takes texts up to 2000000 bytes") as warned:
            uri = record(store, observation)
        step = trace(store, uri).steps[0]
        (kept,) = outbox_status(store.folder).kept_texts
    (first,) = step.values(TG_OBSERVATION)
    assert observation.startswith(first)
    assert len(first.encode()) == 1_999_999  # the next character has two bytes
    assert step.integer(TGP_OMITTED_BYTES) == len(observation.encode()) - 1_999_999
    assert step.whole_texts == (whole,)
    assert kept.read_text() == observation
    assert [str(kept) in str(one.message) for one in warned] == [True]
    shown = tg("show", uri, "--store", store.name, "--outbox", str(store.folder))
    assert "bytes are left out at the end of a text" in shown.out
    assert shown.err == f"the whole text of {step.uri} is in {kept}\n"
