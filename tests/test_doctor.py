"""`diagnose` and `tg-prov doctor`: what a store is, holds and lacks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from cli_cases import Shell
from outbox_cases import until
from sparql_cases import Endpoint, Handler, Seen, fixed, impatient, server

from trustgraph_prov import (
    Check,
    OutboxStore,
    diagnose,
    load_ontology,
    open_store,
    outbox_status,
    record_demo,
)
from trustgraph_prov.errors import StoreError
from trustgraph_prov.namespaces import GRAPH_PROBE
from trustgraph_prov.stores import Store

TRIED = ["property paths", "VALUES", "GRAPH", "typed dates", "long texts"]
Answer = Callable[[Handler, Seen], None]


@pytest.fixture
def endpoint() -> Iterator[tuple[str, Endpoint]]:
    sound = Endpoint(cap=10_000)
    with server(sound) as running:
        yield running.url, sound


def checks(store: Store, **options: Any) -> dict[str, Check]:
    return {check.name: check for check in diagnose(store, **options).checks}


def test_a_sound_store_has_no_finding(store: Store) -> None:
    load_ontology(store)
    record_demo(store)
    before = set(store.quads())
    found = diagnose(store, text_bytes=10_000)
    assert found.findings == ()
    assert [check.name for check in found.checks] == [
        *("store", "read", "write", *TRIED, "ontology", "runs", "index", "row cap"),
    ]
    assert set(store.quads()) == before


def test_an_empty_store_wants_the_ontology(store: Store) -> None:
    found = diagnose(store, text_bytes=100)
    (finding,) = found.findings
    assert (finding.name, finding.found) == ("ontology", "not there")
    assert "tg-prov init" in finding.way_out
    assert not list(store.quads(GRAPH_PROBE))


def test_half_an_ontology_is_not_there_yet() -> None:
    store = open_store("memory:")
    load_ontology(store)
    whole = list(store.quads())
    half = open_store("memory:")
    half.insert(whole[:100])
    found = checks(half, text_bytes=100)["ontology"]
    assert found.outcome == "finding"
    assert found.found == f"100 of {len(whole):,} triples"


def test_runs_without_index_are_counted(store: Store) -> None:
    data = Path(__file__).parent / "malformed" / "unindexed-run.trig"
    store.insert(ox.parse(path=str(data)))
    record_demo(store)
    found = checks(store, text_bytes=100)
    assert found["runs"].found == "6"
    assert found["index"].found == "1 of 6 runs without it, 5 in an hour"
    assert "tg-prov index" in found["index"].way_out


def test_runs_without_a_start_are_no_finding() -> None:
    store = open_store("memory:")
    record_demo(store)
    store.update(
        "DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o FILTER(STRENDS(STR(?p), "
        "'inHour') || STRENDS(STR(?p), 'tartedAt') || STRENDS(STR(?p), 'startedAtTime')) } }"
    )
    found = checks(store, text_bytes=100)["index"]
    assert found.outcome == "ok"
    assert found.found == "0 of 5 runs are in an hour; 5 have no start that can be read"


def test_a_server_says_what_it_is_and_where_it_cuts(endpoint: tuple[str, Endpoint]) -> None:
    store = impatient(endpoint[0], max_rows=10_000, max_text=5_000)
    found = checks(store, text_bytes=100_000)
    assert found["store"].found.startswith("a SPARQL endpoint: BaseHTTP")
    assert (found["row cap"].outcome, found["row cap"].found) == (
        "limit",
        "10,000 rows of an answer",
    )
    assert (found["long texts"].outcome, found["long texts"].found) == (
        "limit",
        "up to 5,000 bytes",
    )
    assert not list(endpoint[1].store)


def test_a_server_that_does_not_name_itself(
    endpoint: tuple[str, Endpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Handler, "version_string", lambda _: "")
    found = checks(impatient(endpoint[0]), text_bytes=100)["store"].found
    assert found == "a SPARQL endpoint, which does not tell its version"


def test_virtuoso_behind_a_plain_url_wants_its_name(endpoint: tuple[str, Endpoint]) -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.server_version, handler.sys_version = "Virtuoso/07.20", ""
        endpoint[1](handler, seen)

    with server(answer) as running:
        plain, named = (
            checks(impatient(name), text_bytes=99)["store"]
            for name in (f"{running.url}/sparql", f"virtuoso+{running.url}/sparql")
        )
    assert (plain.outcome, named.outcome) == ("finding", "ok")
    assert f"virtuoso+{running.url}/sparql" in plain.way_out


def test_what_cannot_be_written_can_still_be_read(endpoint: tuple[str, Endpoint]) -> None:
    def read_only(handler: Handler, seen: Seen) -> None:
        if seen.headers["content-type"].startswith("application/sparql-update"):
            handler.say(403, b"no", "text/plain")
        else:
            endpoint[1](handler, seen)

    with server(read_only) as running:
        found = checks(impatient(running.url))
    assert found["read"].outcome == "ok"
    assert found["write"].outcome == "finding"
    assert "refuses these credentials" in found["write"].found
    assert "--update-url" in found["write"].way_out
    assert {found[name].outcome for name in TRIED} == {"not tried"}


@pytest.mark.parametrize("answer", [b"", b'{"boolean":true}'])
def test_a_server_that_swallows_updates_is_found_out(
    answer: bytes, endpoint: tuple[str, Endpoint]
) -> None:
    """VALUES, paths, GRAPH and dates were blamed, and writing was fine."""

    def swallowing(handler: Handler, seen: Seen) -> None:
        if seen.headers["content-type"].startswith("application/sparql-update"):
            handler.say(200, answer)
        else:
            endpoint[1](handler, seen)

    with server(swallowing) as running:
        found = checks(impatient(running.url))
    assert found["write"].outcome == "finding"
    assert found["write"].found == "a probe was taken, and is not there"
    assert "--update-url" in found["write"].way_out
    assert {found[name].outcome for name in TRIED} == {"not tried"}


@pytest.mark.parametrize(
    ("kind", "way_out"),
    [
        ("", "--update-url"),
        ("fuseki+", "start it with --update"),
        ("virtuoso+", "GRANT SPARQL_UPDATE"),
        ("graphdb+", "TG_PROV_USER"),
    ],
)
def test_the_way_out_of_a_store_that_takes_no_updates_is_that_of_its_kind(
    kind: str, way_out: str, endpoint: tuple[str, Endpoint]
) -> None:
    def queries_only(handler: Handler, seen: Seen) -> None:
        if seen.headers["content-type"].startswith("application/sparql-update"):
            handler.say(415, b"unsupported", "text/plain")
        else:
            endpoint[1](handler, seen)

    with server(queries_only) as running:
        found = checks(impatient(f"{kind}{running.url}/x"))["write"]
    assert "answered 415: unsupported" in found.found
    assert way_out in found.way_out
    assert ("GRANT" in found.way_out) == (kind == "virtuoso+")


def lacking(sound: Endpoint, word: str, body: bytes | None = None) -> Answer:
    """A server that has no idea of a word in a query, or answers it with something else."""

    def answer(handler: Handler, seen: Seen) -> None:
        if word in seen.body.decode().replace("%3A", ":").replace("+", " "):
            if body is None:
                handler.say(500, b"not implemented", "text/plain")
            else:
                handler.say(200, body)
        else:
            sound(handler, seen)

    return answer


def rows_of(*names: str, **row: str) -> bytes:
    cells = {name: {"type": "uri", "value": value} for name, value in row.items()}
    found = {"head": {"vars": list(names)}, "results": {"bindings": [cells] if row else []}}
    return json.dumps(found).encode()


@pytest.mark.parametrize(
    ("name", "word", "body", "found"),
    [
        ("property paths", "follows property paths", None, "answered 500: not implemented"),
        ("property paths", "follows property paths", rows_of("node"), "0 of 3 nodes were found"),
        (
            "VALUES",
            "takes VALUES",
            rows_of("probe", "found"),
            "0 rows where 1 is right, with UNDEF",
        ),
        ("GRAPH", "keeps graphs apart", rows_of("graph", "found"), "a triple is in 0 of its 1"),
        ("typed dates", "keeps typed dates", rows_of("node", "startedAt"), "not compared"),
        ("long texts", "gives a long text back", rows_of("node", "text"), "0 of 99 bytes came"),
        ("long texts", "gives a long text back", None, "99 bytes: "),
    ],
)
def test_what_a_server_lacks_is_named_with_a_way_out(
    endpoint: tuple[str, Endpoint], name: str, word: str, body: bytes | None, found: str
) -> None:
    with server(lacking(endpoint[1], word, body)) as running:
        seen = checks(impatient(running.url, retries=0), text_bytes=99)[name]
    assert seen.outcome == "finding"
    assert found in seen.found
    assert seen.way_out
    assert not list(endpoint[1].store)


def test_dates_that_lose_their_type_are_named(endpoint: tuple[str, Endpoint]) -> None:
    def as_text(handler: Handler, seen: Seen) -> None:
        say = handler.say

        def stripped(status: int, body: bytes = b"", kind: str = "", **headers: str) -> None:
            say(status, body.replace(b"XMLSchema#dateTime", b"XMLSchema#string"), **headers)

        if "typed+dates" in seen.body.decode():
            handler.say = stripped  # type: ignore[method-assign]  # for this answer alone
        endpoint[1](handler, seen)
        handler.say = say  # type: ignore[method-assign]  # as it was

    with server(as_text) as running:
        found = checks(impatient(running.url), text_bytes=99)["typed dates"]
    assert found.found == "xsd:dateTime comes back without its type"


@pytest.mark.parametrize(
    ("status", "why"), [(204, "the probe is still there"), (403, "answered 403")]
)
def test_a_probe_that_stays_is_named(endpoint: tuple[str, Endpoint], status: int, why: str) -> None:
    def keeps(handler: Handler, seen: Seen) -> None:
        if b"DELETE" in seen.body:
            handler.say(status)
        else:
            endpoint[1](handler, seen)

    with server(keeps) as running:
        found = checks(impatient(running.url), text_bytes=99)["write"]
    assert "was written and not removed" in found.found
    assert why in found.found
    assert GRAPH_PROBE in found.way_out


def test_the_outbox_is_looked_at(tmp_path: Path) -> None:
    store = open_store("memory:")
    assert checks(store, outbox=tmp_path, text_bytes=99)["outbox"].found == "nothing waits"

    def away() -> Store:
        raise StoreError("memory:", "no answer")

    with OutboxStore(away, tmp_path, name="memory:", linger=0) as queue:
        record_demo(queue)
        until(lambda: outbox_status(tmp_path).targets[0].trouble, "the trouble")
    found = checks(store, outbox=tmp_path, text_bytes=99)["outbox"]
    assert found.found.startswith("1 insert to be sent since 2")
    assert found.found.endswith(" (no answer)")
    assert f"tg-prov outbox drain --outbox {tmp_path} --store memory:" in found.way_out
    (tmp_path / "dead-letters").mkdir(exist_ok=True)
    (tmp_path / "dead-letters" / "x.nq").write_text("")
    found = checks(store, outbox=tmp_path, text_bytes=99)["outbox"]
    assert found.found == "1 insert refused by a store, and kept"


def test_an_outbox_that_cannot_be_read_is_a_finding_among_the_others(tmp_path: Path) -> None:
    """It ended without a report."""
    (tmp_path / "file").write_text("")
    (tmp_path / "queue.sqlite").write_text("x" * 5_000)
    store = open_store("memory:")
    damaged, file = (
        checks(store, outbox=folder, text_bytes=99)["outbox"]
        for folder in (tmp_path, tmp_path / "file")
    )
    assert (damaged.outcome, file.outcome) == ("finding", "finding")
    assert damaged.found == "the outbox is damaged (file is not a database)"
    assert damaged.way_out == "keep queue.sqlite for rescue and name another folder"
    assert (file.found, file.way_out) == ("the outbox is a file", "name a folder")


def test_the_command_writes_a_table_or_json(demo: Shell) -> None:
    got = demo("doctor", "--format", "table", "--text-bytes", "99")
    assert got.code == 1
    assert got.lines[0].split()[:2] == ["✓", "store"]
    at = next(n for n, line in enumerate(got.lines) if line.startswith("✗"))
    assert got.lines[at].split() == ["✗", "ontology", "not", "there"]
    assert got.lines[at + 1].strip() == "way out: `tg-prov init` loads it, with its shapes"
    assert got.out.count("✗") == got.out.count("way out") == 1
    assert got.err == f"{demo.store}: 1 finding\n"
    assert demo("init").code == 0
    got = demo("doctor", "--format", "json")
    assert (got.code, got.err) == (0, "")
    rows = [json.loads(line) for line in got.lines]
    assert {row["outcome"] for row in rows} == {"ok"}
    assert set(rows[0]) == {"check", "outcome", "found", "way_out"}


def test_a_store_out_of_reach_is_exit_3_in_one_line(tg: Shell) -> None:
    got = tg("doctor", "--store", "fuseki+http://127.0.0.1:9/ds")
    assert got.code == 3
    assert got.out == ""
    assert got.err.count("\n") == 1
    assert "see that the server runs" in got.err


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (fixed(200, b"<!DOCTYPE html><p>Log in", "text/html"), "answered 200 with no SPARQL"),
        (fixed(302, Location="https://sso.example.org/?t=hidden"), "a redirect to https://sso"),
        (fixed(401, b"who?", "text/plain"), "answered 401, it refuses these credentials"),
        (fixed(500, b"\x1b[31mboom\nboom", "text/plain"), "answered 500: [31mboom boom"),
    ],
)
def test_a_server_that_gives_no_answer_is_exit_3_in_one_line_without_secrets(
    answer: Answer, said: str, tg: Shell
) -> None:
    with server(answer) as running:
        url = running.url.replace("//", "//ann:S3cret@") + "?apikey=hidden"
        got = tg("doctor", "--store", url)
    assert (got.code, got.out, got.err.count("\n")) == (3, "", 1)
    assert said in got.err
    assert "S3cret" not in got.err
    assert "hidden" not in got.err


def test_a_server_that_refuses_everything_is_out_of_reach(tg: Shell) -> None:
    with server(fixed(404, b"nothing here", "text/plain")) as running:
        got = tg("doctor", "--store", running.url)
    assert got.code == 3
    assert "check the path" in got.err
