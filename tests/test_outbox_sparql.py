"""An outbox in front of a SPARQL endpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from outbox_cases import PATIENCE, Endpoint, quad
from sparql_cases import Endpoint as Sound
from sparql_cases import Handler, Seen, server

from trustgraph_prov import ProvWarning, Recorder, list_traces, trace
from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.stores import open_store
from trustgraph_prov.stores.sparql import SparqlStore


def remote(endpoint: Endpoint, **settings: Any) -> SparqlStore:
    url = f"http://127.0.0.1:{endpoint.port}/sparql"
    return SparqlStore(url, update_url=url, retries=1, **settings)


def test_a_run_recorded_while_the_endpoint_is_down_is_explained_when_it_is_up(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.kill()
    with OutboxStore(remote(endpoint), tmp_path / "outbox") as store:
        with Recorder(store).agent("What is the capital of France?") as run:
            run.analysis("Look it up.", "search", {"q": "capital"}, "Paris")
            run.conclusion("Paris")
        assert store.pending() > 0
        endpoint.start()
        store.flush(PATIENCE)
        assert [found.uri for found in list_traces(store).traces] == [run.uri]
        assert trace(store, run.uri).status == "finished"


def test_the_text_limit_of_the_store_is_that_of_the_outbox(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    with OutboxStore(remote(endpoint, max_text=100), tmp_path / "outbox") as store:
        with pytest.warns(ProvWarning, match="takes texts up to 100 bytes"):
            store.insert([quad(1, "x" * 1_000)])
        store.flush(PATIENCE)
        status = outbox_status(store.folder)
    assert (status.refused, len(status.kept_texts)) == ((), 1)
    assert quad(1, "x" * 100) in endpoint.quads()


def test_what_the_endpoint_takes_for_an_error_of_ours_is_a_dead_letter(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    outbox = tmp_path / "outbox"
    with OutboxStore(remote(endpoint, max_text=100), outbox, max_text_bytes=2_000) as store:
        store.insert([quad(1), quad(2, "x" * 1_000), quad(3)])
        store.flush(PATIENCE)
    assert endpoint.quads() == {quad(1), quad(3)}
    (letter,) = outbox_status(outbox).refused
    assert "a text of 1,000 bytes" in letter.with_suffix(".jsonl").read_text()


def test_stores_that_differ_in_their_query_string_alone_get_their_own(tmp_path: Path) -> None:
    """One queue and one sender served both, so what was recorded for one went to the other."""
    databases = {"db=a": Sound(), "db=b": Sound()}

    def answer(handler: Handler, seen: Seen) -> None:
        databases[seen.path.partition("?")[2]](handler, seen)

    with server(answer) as running:
        a, b = (
            OutboxStore(open_store(f"{running.url}/sparql?{query}"), tmp_path / "outbox")
            for query in databases
        )
        with a, b:
            for number in range(0, 20, 2):
                a.insert([quad(number)])
                b.insert([quad(number + 1)])
            a.flush(PATIENCE)
            b.flush(PATIENCE)
    assert set(databases["db=a"].store) == {quad(number) for number in range(0, 20, 2)}
    assert set(databases["db=b"].store) == {quad(number) for number in range(1, 20, 2)}
    assert len(list((tmp_path / "outbox").glob("sender-*.lock"))) == 2


def test_what_waits_is_sent_where_updates_go_once_that_is_corrected(tmp_path: Path) -> None:
    sound = Sound()

    def answer(handler: Handler, seen: Seen) -> None:
        if seen.path == "/wrong":
            handler.say(404, b"nothing here", "text/plain")
        else:
            sound(handler, seen)

    with server(answer) as running:
        for update_url in (f"{running.url}/wrong", f"{running.url}/update"):
            remote = open_store(f"{running.url}/sparql", update_url=update_url)
            with OutboxStore(remote, tmp_path / "outbox", linger=0) as store:
                if update_url.endswith("wrong"):
                    store.insert([quad(1)])
                else:
                    store.flush(PATIENCE)
    assert set(sound.store) == {quad(1)}
