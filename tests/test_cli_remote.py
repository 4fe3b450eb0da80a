"""Every command on a store behind HTTP, with what the environment says about it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_cases import AGENT, NEWEST_FIRST, Shell
from sparql_cases import Endpoint, FaultyServer, Handler, Seen, server

VARIABLES = ("USER", "PASSWORD", "TOKEN", "HEADER", "AUTH", "UPDATE_URL", "OUTBOX")


@pytest.fixture
def running() -> Iterator[FaultyServer]:
    with server(Endpoint()) as started:
        yield started


@pytest.fixture
def remote(tg: Shell, running: FaultyServer, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The commands, on an empty store behind HTTP."""
    for name in VARIABLES:
        monkeypatch.delenv(f"TG_PROV_{name}", raising=False)
    monkeypatch.setenv("TG_PROV_STORE", running.url)
    tg.store = running.url
    return tg


def test_every_command_works_on_a_server(remote: Shell, tmp_path: Path) -> None:
    assert remote("demo").code == 0
    listed = remote("list")
    assert [json.loads(line)["uri"] for line in listed.lines] == NEWEST_FIRST
    for words in (
        ("show", AGENT),
        ("query", "usage/tools"),
        ("query", "ASK { ?s ?p ?o }"),
        ("export", "-o", str(tmp_path / "all.nq")),
        ("import", str(tmp_path / "all.nq")),
        ("validate",),
        ("stats",),
        ("index",),
        ("init",),
        ("doctor", "--text-bytes", "99"),
        ("outbox", "drain", "--outbox", str(tmp_path / "outbox")),
        ("delete", AGENT, "--yes"),
    ):
        got = remote(*words)
        assert got.code == 0, (words, got.err)
    assert AGENT not in remote("list").out


@pytest.mark.parametrize("size", [1_000, 100_000])
def test_init_twice_is_init_once_in_requests_of_any_size(
    remote: Shell, running: FaultyServer, size: int
) -> None:
    for _ in range(2):
        assert remote("init", "--max-bytes", str(size)).code == 0
    assert isinstance(running.answer, Endpoint)
    expected = Endpoint()
    with server(expected) as other:
        assert remote("init", "--store", other.url).code == 0
    assert set(running.answer.store) == set(expected.store)
    assert max(len(seen.body) for seen in running.seen) <= size


def _updates(running: FaultyServer) -> list[Seen]:
    return [one for one in running.seen if "sparql-update" in one.headers["content-type"]]


def test_init_that_a_proxy_swallows_is_no_success(remote: Shell, running: FaultyServer) -> None:
    sound = running.answer

    def swallow(handler: Handler, seen: Seen) -> None:
        if "sparql-update" in seen.headers["content-type"]:
            handler.say(200)
        else:
            sound(handler, seen)

    running.answer = swallow
    got = remote("init")
    assert (got.code, got.out) == (3, "")
    assert "the ontology was taken, and 0 of its " in got.err
    assert got.err.count("\n") == 1


def test_updates_may_go_elsewhere(remote: Shell, running: FaultyServer) -> None:
    for words in (["--update-url", f"{running.url}/write"], []):
        assert remote("init", "--store", f"{running.url}/read", *words).code == 0
        assert _updates(running)[-1].path == ("/write" if words else "/read")


def test_the_environment_may_say_where(
    remote: Shell, running: FaultyServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TG_PROV_UPDATE_URL", f"{running.url}/write")
    assert remote("init").code == 0
    assert _updates(running)[-1].path == "/write"
    assert remote("init", "--store", str(tmp_path / "folder")).code == 0


def test_a_folder_has_no_update_url(remote: Shell, tmp_path: Path) -> None:
    got = remote("init", "--store", str(tmp_path / "x"), "--update-url", "http://127.0.0.1:9/")
    assert got.code == 2
    assert "a URL, to go with update_url" in got.err


@pytest.mark.parametrize(
    ("variables", "field", "value"),
    [
        (
            {"USER": "ann", "PASSWORD": "s3cret"},
            "authorization",
            "Basic " + base64.b64encode(b"ann:s3cret").decode(),
        ),
        ({"TOKEN": "s3cret"}, "authorization", "Bearer s3cret"),
        ({"HEADER": "X-Key: s3cret"}, "x-key", "s3cret"),
    ],
)
def test_credentials_come_from_the_environment_and_are_not_shown(
    remote: Shell,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    field: str,
    value: str,
) -> None:
    def picky(handler: Handler, seen: Seen) -> None:
        text = f"{seen.headers.get(field)} is not enough".encode()
        handler.say(403, text, "text/plain")

    for name, text in variables.items():
        monkeypatch.setenv(f"TG_PROV_{name}", text)
    with server(picky) as running:
        got = remote("list", "--store", running.url)
        assert running.seen[0].headers[field] == value
    assert got.code == 3
    assert "s3cret" not in got.err + got.out
    assert base64.b64encode(b"ann:s3cret").decode() not in got.err


def test_a_password_is_proved_by_digest_when_asked(
    remote: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def challenge(handler: Handler, seen: Seen) -> None:
        handler.say(401, b"", WWW_Authenticate='Digest realm="r", nonce="n", qop="auth"')

    for name, text in {"USER": "ann", "PASSWORD": "s3cret", "AUTH": "Digest"}.items():
        monkeypatch.setenv(f"TG_PROV_{name}", text)
    with server(challenge) as running:
        assert remote("list", "--store", running.url).code == 3
        assert running.seen[-1].headers["authorization"].startswith("Digest ")


def test_credentials_in_the_url_come_first(
    remote: Shell, running: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TG_PROV_TOKEN", "s3cret")
    got = remote("init", "--store", running.url.replace("//", "//bob:pw@"))
    assert got.code == 0
    assert "pw" not in got.out
    assert running.seen[0].headers["authorization"].startswith("Basic ")


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"TOKEN": "s3cret", "HEADER": "X: s3cret"}, "environment is '…'; expected one of"),
        ({"PASSWORD": "s3cret"}, "TG_PROV_USER is ''; expected a name"),
        ({"HEADER": "s3cret"}, "TG_PROV_HEADER is '…'; expected a header field"),
        ({"USER": "ann", "PASSWORD": "s3cret", "AUTH": "x"}, "TG_PROV_AUTH is 'x'; expected basic"),
        ({"TIMEOUT": "soon"}, "TG_PROV_TIMEOUT is 'soon'; expected a number"),
        ({"TIMEOUT": "1_0"}, "TG_PROV_TIMEOUT is '1_0'; expected a number"),
        ({"TIMEOUT": "inf"}, "TG_PROV_TIMEOUT is 'inf'; expected a number"),
        ({"TIMEOUT": "1e300"}, "TG_PROV_TIMEOUT is 1e+300; expected seconds, 1,000,000 at most"),
        ({"TIMEOUT": "1e999"}, "TG_PROV_TIMEOUT is inf; expected seconds, 1,000,000 at most"),
        ({"TIMEOUT": "0"}, "TG_PROV_TIMEOUT is 0.0; expected seconds, more than 0"),
        ({"MAX_ANSWER": "0"}, "TG_PROV_MAX_ANSWER is 0; expected a whole number, 1 or more"),
        ({"MAX_TEXT": "20"}, "TG_PROV_MAX_TEXT is '20'; expected a whole number, 64 or more"),
        ({"UPDATE_URL": "htp://ann:s3cret@h"}, "TG_PROV_UPDATE_URL is 'htp://h'; expected a URL"),
        ({"USER": "ann", "PASSWORD": "s3cret\udcff"}, "password is '…'; expected text in UTF-8"),
        ({"MAX_BYTES": "1_000"}, "TG_PROV_MAX_BYTES is '1_000'; expected a whole number"),
    ],
)
def test_what_the_environment_cannot_mean_is_said_without_secrets(
    remote: Shell, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], message: str
) -> None:
    for name, text in variables.items():
        monkeypatch.setenv(f"TG_PROV_{name}", text)
    got = remote("list")
    assert got.code == 2
    assert got.err.startswith(message)
    assert "s3cret" not in got.err


@pytest.mark.parametrize("command", ["list", "demo", "init", "stats", "doctor"])
def test_out_of_reach_is_exit_3_in_one_line(remote: Shell, command: str) -> None:
    got = remote(command, "--store", "fuseki+http://127.0.0.1:9/ds")
    assert got.code == 3
    assert got.err.count("\n") == 1
    assert got.err.startswith("fuseki+http://127.0.0.1:9/ds: no answer")
