"""`tg-prov outbox` shows what waits and sends it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_cases import Shell
from outbox_cases import Endpoint as Process
from outbox_cases import HttpStore, quad
from sparql_cases import Endpoint, Handler, Seen, server

from trustgraph_prov import OutboxStore, ProvWarning, open_store
from trustgraph_prov.errors import StoreError


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    monkeypatch.setenv("TG_PROV_OUTBOX", str(tmp_path / "outbox"))
    return Shell(str(tmp_path / "store"), monkeypatch, capsys)


def queue(shell: Shell, folder: Path, count: int) -> None:
    """Leave inserts for the shell's store, as a process does that could not reach it."""

    def away() -> HttpStore:
        raise StoreError(shell.store, "no answer")

    with OutboxStore(away, folder / "outbox", name=shell.store) as store:
        for number in range(count):
            store.insert([quad(number)])


def test_status_of_a_folder_that_is_not_there(shell: Shell) -> None:
    outcome = shell("outbox", "status")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")


def test_a_table_of_nothing_tells_what_is_there(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "outbox"
    assert shell("outbox", "status", "-f", "table").err == f"no outbox in {folder}\n"
    folder.mkdir()
    outcome = shell("outbox", "status", "-f", "table")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", f"nothing waits in {folder}\n")


def test_status_counts_by_store(shell: Shell, tmp_path: Path) -> None:
    queue(shell, tmp_path, 3)
    outcome = shell("outbox", "status")
    assert outcome.code == 0
    (row,) = map(json.loads, outcome.lines)
    assert (row["store"], row["pending"]) == (shell.store, 3)
    assert row["bytes"] > 0
    assert row["oldest"].endswith("Z")
    assert row["trouble"].endswith("no answer")


def test_drain_sends_what_waits(shell: Shell, tmp_path: Path) -> None:
    queue(shell, tmp_path, 3)
    open_store(shell.store).close()
    outcome = shell("outbox", "drain")
    assert (outcome.code, outcome.out) == (0, f"3 inserts delivered to {shell.store}\n")
    with open_store(shell.store, read_only=True) as store:
        assert set(store.quads()) == {quad(number) for number in range(3)}
    assert shell("outbox", "status").out == ""
    assert shell("outbox", "drain").out == f"nothing waits in {tmp_path / 'outbox'}\n"


def test_drain_makes_no_store(shell: Shell, tmp_path: Path) -> None:
    """It made an empty one, and then `list` did not say any more that there is none."""
    queue(shell, tmp_path, 1)
    outcome = shell("outbox", "drain")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"{shell.store}: no store there; ")
    assert shell("list").code == 2
    assert json.loads(shell("outbox", "status").out)["pending"] == 1


def test_drain_without_a_store_says_which_to_name(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    queue(shell, tmp_path, 2)
    monkeypatch.delenv("TG_PROV_STORE")
    outcome = shell("outbox", "drain")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        f"no store named; 2 inserts for {shell.store} not sent: --store {shell.store}\n"
    )
    assert not (tmp_path / "data").exists()


def test_drain_says_what_waits_for_other_stores(shell: Shell, tmp_path: Path) -> None:
    with OutboxStore(HttpStore(9), tmp_path / "outbox") as store:
        store.insert([quad(1)])
    open_store(shell.store).close()
    outcome = shell("outbox", "drain")
    assert outcome.code == 0
    assert outcome.out == f"nothing waits for {shell.store} in {tmp_path / 'outbox'}\n"
    away = "http://127.0.0.1:9"
    assert outcome.err == f"1 insert for {away} not sent: --store {away}\n"


def test_drain_of_a_store_that_is_away_says_so(
    shell: Shell,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with OutboxStore(HttpStore(9), tmp_path / "outbox") as store:
        store.insert([quad(1)])
    caplog.clear()
    monkeypatch.setattr("trustgraph_prov_cli.commands.outbox.changing", lambda _: HttpStore(9))
    outcome = shell("outbox", "drain", "--timeout", "1")
    assert (outcome.code, outcome.out) == (3, "")
    assert "1 insert not delivered yet (no answer" in outcome.err
    assert (outcome.err.count("\n"), caplog.messages) == (1, [])  # it was told twice


def test_drain_tells_what_the_store_refuses_for_good(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        if b"step 1" in seen.body:
            handler.say(400, b"no such step", "text/plain")
        else:
            sound(handler, seen)

    sound = Endpoint()
    with server(answer) as running:

        def away() -> HttpStore:
            raise StoreError(running.url, "no answer")

        with OutboxStore(away, tmp_path / "outbox", name=running.url) as store:
            for number in range(3):
                store.insert([quad(number)])
        outcome = shell("outbox", "drain", "--store", running.url)
        again = shell("outbox", "drain", "--store", running.url)
    assert (outcome.code, outcome.out) == (1, f"2 inserts delivered to {running.url}\n")
    assert outcome.err.splitlines()[-1].startswith("1 insert refused, in part or whole, kept in ")
    assert set(sound.store) == {quad(0), quad(2)}
    assert (again.code, again.out) == (0, f"nothing waits in {tmp_path / 'outbox'}\n")


def test_status_tells_of_dead_letters_and_cut_texts(shell: Shell, tmp_path: Path) -> None:
    endpoint = Process(tmp_path / "server").start()
    endpoint.fail(mark="p0ison")
    outbox = tmp_path / "outbox"
    with OutboxStore(HttpStore(endpoint.port), outbox, max_text_bytes=100) as store:
        store.insert([quad(1, "p0ison")])
        with pytest.warns(ProvWarning, match="was cut by"):
            store.insert([quad(2, "x" * 200)])
        store.flush()
    endpoint.kill()
    outcome = shell("outbox", "status", "--format", "table")
    assert outcome.code == 1
    nothing, cut, refused = outcome.err.splitlines()
    assert nothing == f"nothing waits in {outbox}"
    assert cut == f"1 text too long, kept whole in {outbox / 'dead-letters'}"
    assert refused.startswith(f"1 insert refused, in part or whole, kept in {outbox}")
    (letter,) = (outbox / "dead-letters").glob("*.nq")
    assert shell("import", str(letter)).code == 0


def test_the_default_outbox_is_beside_the_default_store(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("TG_PROV_OUTBOX")
    monkeypatch.delenv("TG_PROV_STORE")
    folder = tmp_path / "data" / "trustgraph-prov"
    assert shell("outbox", "drain").out == f"nothing waits in {folder / 'outbox'}\n"
    assert shell("demo").code == 0
    assert [file.name for file in folder.iterdir()] == ["store"]


@pytest.mark.parametrize("command", ["status", "drain"])
def test_an_outbox_that_is_a_file_or_damaged_is_one_line(
    command: str, shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "outbox").write_text("")
    outcome = shell("outbox", command)
    assert (outcome.code, outcome.out) == (3, "")
    assert outcome.err == f"{tmp_path / 'outbox'}: the outbox is a file; name a folder\n"
    (tmp_path / "outbox").unlink()
    (tmp_path / "outbox").mkdir()
    (tmp_path / "outbox" / "queue.sqlite").write_text("x" * 5_000)
    outcome = shell("outbox", command)
    assert (outcome.code, outcome.out) == (3, "")
    assert outcome.err == (
        f"{tmp_path / 'outbox'}: the outbox is damaged (file is not a database); keep queue.sqlite "
        "for rescue and name another folder\n"
    )
