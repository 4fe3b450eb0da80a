"""`--outbox`: what is recorded for a store that is away is there once it is back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_cases import AGENT, Shell
from sparql_cases import Endpoint, Handler, Seen, server
from text_cases import AGENT as RUN
from text_cases import apart, stream

from trustgraph_prov import DEMO_RUNS, OutboxStore, StoreError, open_store

AWAY = "http://127.0.0.1:9/ds"
LINES = "\n".join(
    json.dumps(line)
    for line in (
        {"run": "7", "type": "agent", "event": "question", "question": "Why?"},
        {"run": "7", "type": "agent", "event": "conclusion", "answer": "Because."},
    )
)


@pytest.fixture
def outbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TG_PROV_TIMEOUT", "5")
    return str(tmp_path / "outbox")


def waiting(tg: Shell, outbox: str) -> dict[str, int]:
    rows = map(json.loads, tg("outbox", "status", "--outbox", outbox).lines)
    return {row["store"]: row["pending"] for row in rows}


def test_import_for_a_store_that_is_away(tg: Shell, outbox: str, tmp_path: Path) -> None:
    assert tg("demo").code == 0
    file = tmp_path / "demo.nq"
    assert tg("export", "-o", str(file)).code == 0
    got = tg("import", str(file), "--store", AWAY, "--outbox", outbox)
    assert got.code == 0
    assert got.err.splitlines()[-1].startswith(f"1 insert for {AWAY} kept in {outbox}")
    assert waiting(tg, outbox) == {AWAY: 1}


def test_import_through_an_outbox_arrives_indexed(tg: Shell, outbox: str, tmp_path: Path) -> None:
    data = Path(__file__).parent / "malformed" / "unindexed-run.trig"
    sound = Endpoint()
    with server(sound) as running:
        got = tg("import", str(data), "--store", running.url, "--outbox", outbox)
    assert (got.code, got.err) == (0, "")
    with open_store("memory:") as direct:
        assert tg("import", str(data)).code == 0
        with open_store(tg.store, read_only=True) as store:
            direct.insert(store.quads())
        assert set(sound.store) == set(direct.quads())


def test_texts_and_triples_through_an_outbox_are_put_together_by_index(
    tg: Shell, outbox: str
) -> None:
    told: list[str] = []
    with server(Endpoint()) as running:
        for part in apart(stream(named=True, streaming=False)):
            lines = "\n".join(map(json.dumps, part))
            to = ("--store", running.url, "--outbox", outbox)
            got = tg("import", "--from", "trustgraph", "-", *to, stdin=lines)
            assert got.code == 0
            told.append(got.err)
        assert told == [
            "6 texts kept; once all is sent, run `tg-prov index` on the store\n",
            "",
        ]
        assert "Waiting" not in tg("show", RUN, "--store", running.url).out
        got = tg("index", "--store", running.url)
        assert got.lines[-1] == "5 texts put in place"
        assert "All of it." in tg("show", RUN, "--store", running.url).out


def test_documents_through_an_outbox_are_put_in_place_by_index(
    tg: Shell, outbox: str, tmp_path: Path
) -> None:
    triples = "\n".join(map(json.dumps, apart(stream(named=True, streaming=False, own=False))[1]))
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps({"urn:doc:a1:answer": "All of it."}), encoding="utf-8")
    with server(Endpoint()) as running:
        to = ("--store", running.url, "--outbox", outbox)
        assert tg("import", "--from", "trustgraph", "-", *to, stdin=triples).err == ""
        got = tg("import", "--documents", str(texts), *to)
        assert (got.code, got.out) == (0, f"{texts}: 0 texts\n")
        kept = "1 text kept; once all is sent, run `tg-prov index` on the store"
        assert got.err == f"{texts}: {kept}\n"
        assert tg("index", "--store", running.url).lines[-1] == "1 text put in place"
        assert "All of it." in tg("show", RUN, "--store", running.url).out


@pytest.mark.parametrize("more", [[], ["oops.nq"]], ids=["full", "fault"])
def test_import_that_could_not_be_queued_says_nothing_else(
    tg: Shell, outbox: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    def refuse(outbox: OutboxStore, quads: object) -> None:
        raise StoreError(outbox.name, "the disk is full")

    monkeypatch.setattr(OutboxStore, "insert", refuse)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.nq").write_text("<urn:s> <urn:p> <urn:o> .\n")
    (tmp_path / "oops.nq").write_text("oops\n")
    got = tg("import", "run.nq", *more, "--store", AWAY, "--outbox", outbox)
    assert (got.code, got.out) == (2 if more else 3, "")
    assert got.err.startswith("oops.nq:1: " if more else f"{AWAY}: the disk is full")
    assert got.err.count("\n") == 1
    assert waiting(tg, outbox) == {}


def test_demo_for_a_store_that_is_away_wants_force(tg: Shell, outbox: str) -> None:
    got = tg("demo", "--store", AWAY, "--outbox", outbox)
    assert got.code == 3
    assert got.err.endswith("--force queues the demo without looking\n")
    assert waiting(tg, outbox) == {}
    got = tg("demo", "--store", AWAY, "--outbox", outbox, "--force")
    assert got.code == 0
    assert got.err.startswith(f"1 insert for {AWAY} kept")


def test_demo_through_an_outbox_is_listed(tg: Shell, outbox: str) -> None:
    with server(Endpoint()) as running:
        got = tg("demo", "--store", running.url, "--outbox", outbox)
        assert (got.code, got.err.splitlines()[1:]) == (0, [])
    assert AGENT in got.out


@pytest.mark.filterwarnings("default::trustgraph_prov.ProvWarning")
def test_record_for_a_store_that_is_away(
    tg: Shell, outbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TG_PROV_OUTBOX", outbox)
    got = tg("record", "-", "--store", AWAY, stdin=LINES)
    assert got.code == 0, got.err
    assert got.err.splitlines()[-1].startswith("2 inserts for")


@pytest.mark.filterwarnings("default::trustgraph_prov.ProvWarning")
def test_the_command_that_sends_what_waits_names_its_store(tg: Shell, outbox: str) -> None:
    """`tg-prov outbox drain` alone is for the default store and outbox."""
    there = ("--store", AWAY, "--outbox", outbox)
    hint = f", or `tg-prov outbox drain --outbox {outbox} --store {AWAY}"
    assert tg("record", "-", *there, stdin=LINES).err.endswith(f"{hint}`\n")
    more = ("--update-url", "http://ann:s3cret@127.0.0.1:9/update")
    got = tg("record", "-", *there, *more, stdin="")
    assert got.err.endswith(f"{hint} --update-url http://127.0.0.1:9/update`\n")


REFUSED = "1 insert refused, in part or whole, kept in "


@pytest.mark.parametrize(
    ("command", "refused"),
    [("record", "Because"), ("import", "Because"), ("demo", DEMO_RUNS[0])],
)
def test_what_the_store_refuses_for_good_is_told_and_exit_1(
    command: str, refused: str, tg: Shell, outbox: str, tmp_path: Path
) -> None:
    sound = Endpoint()

    def strict(handler: Handler, seen: Seen) -> None:
        if b"INSERT DATA" in seen.body and refused.encode() in seen.body:
            handler.say(400, b"no such thing", "text/plain")
        else:
            sound(handler, seen)

    file = tmp_path / "run.ttl"
    file.write_text('<urn:s> <urn:says> "Because." .')
    arguments = {"record": ["-"], "import": [str(file)], "demo": []}[command]
    with server(strict) as running:
        there = ("--store", running.url, "--outbox", outbox)
        got = tg(command, *arguments, *there, stdin=LINES)
        assert got.code == 1
        (*_, last) = got.err.splitlines()
        assert last.startswith(f"{REFUSED}{outbox}/dead-letters; once the reason is gone")
        again = tg("record", "-", *there, stdin="")
    assert (again.code, again.err) == (0, "0 lines recorded, 0 refused\n")


def test_what_waited_is_sent_by_the_next_command(
    tg: Shell, outbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, down = Endpoint(), [True]

    def now_and_then(handler: Handler, seen: Seen) -> None:
        if down[0]:
            handler.say(401, b"wait", "text/plain")
        else:
            sound(handler, seen)

    with server(now_and_then) as running:
        tg("demo", "--store", running.url, "--outbox", outbox, "--force")
        assert waiting(tg, outbox) == {running.url: 1}
        down[0] = False
        got = tg("record", "-", "--store", running.url, "--outbox", outbox, stdin=LINES)
        assert (got.code, got.err) == (0, "2 lines recorded, 0 refused\n")
        assert waiting(tg, outbox) == {}
        newest = tg("list", "--store", running.url).lines[0]
        assert json.loads(newest)["question"] == "Why?"


@pytest.mark.filterwarnings("default::trustgraph_prov.ProvWarning")
def test_a_text_that_was_cut_is_shown_as_such(
    tg: Shell, outbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TG_PROV_MAX_TEXT", "100")
    whole = "What is the capital of France, and why? It is Paris." * 10
    lines = LINES.replace("Because.", whole)
    with server(Endpoint()) as running:
        got = tg("record", "-", "--store", running.url, "--outbox", outbox, stdin=lines)
        assert got.code == 0, got.err
        assert "warning: " in got.err
        show = ("show", "urn:trustgraph:agent:7", "--store", running.url)
        here, elsewhere = tg(*show, "--outbox", outbox), tg(*show)
        shown = elsewhere.out
    (file,) = (Path(outbox) / "dead-letters").glob("*.txt")
    assert file.read_text() == whole
    words = " ".join(shown.split())
    assert "Cut 420 bytes are left out at the end of a text" in words
    assert f"dead-letters/{file.name}" in words.replace(" ", "")
    assert "in the outbox, on the machine that recorded it" in words
    assert elsewhere.err == ""
    assert here.err == f"the whole text of urn:trustgraph:agent:7/final is in {file}\n"
    assert here.out == shown
