"""What a command does when its output has no room, no reader, no characters or is not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_cases import AGENT, ENTRY, Outcome, run, start

FULL = Path("/dev/full")
SHOW = ["show", AGENT]
WORDS = [["list"], SHOW, ["export"], ["--help"], ["--version"]]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> str:
    store = str(tmp_path_factory.mktemp("streams") / "store")
    assert run("demo", store=store).code == 0
    return store


def without(streams: str, *words: str, store: str) -> Outcome:
    """Run a command that is started without some of its streams, as by `>&-`."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -c "$@" {streams}', sys.executable, ENTRY["tg-prov"], *words],
        env={**os.environ, "TG_PROV_STORE": store},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_an_output_without_room_is_one_line(demo: str, words: list[str]) -> None:
    with FULL.open("w") as full:
        got = run(*words, store=demo, stdout=full)
    assert (got.code, got.err) == (2, "stdout: No space left on device\n")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_file_without_room_is_named(demo: str) -> None:
    for words in (SHOW, ["export"]):
        got = run(*words, "-o", "/dev/full", store=demo)
        assert (got.code, got.err) == (2, "/dev/full: No space left on device\n")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_the_exit_code_stays_when_the_message_has_no_room(demo: str) -> None:
    with FULL.open("w") as full:
        assert run("show", "urn:nope", store=demo, stderr=full).code == 2


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_a_reader_that_never_reads_is_no_error(demo: str, words: list[str]) -> None:
    with start(*words, store=demo) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert (process.stderr.read(), process.wait(timeout=60)) == ("", 0)


@pytest.mark.parametrize("streams", ["<&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", [["list"], SHOW, ["record"]], ids=" ".join)
def test_a_command_may_be_started_without_its_streams(
    demo: str, words: list[str], streams: str
) -> None:
    got = without(streams, *words, store=demo)
    assert got.code == 0
    assert "Traceback" not in got.err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_pipe_is_utf8_whatever_the_locale(
    demo: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    query = 'SELECT ("\\u00E9\\u2192" AS ?x) { }'
    assert run("query", query, store=demo, encoding="utf-8").out == '{"x": "é→"}\n'
    assert "✓ finished" in run(*SHOW, store=demo, encoding="utf-8").out
    assert "<!doctype html>" in run(*SHOW, "-f", "html", store=demo, encoding="utf-8").out.lower()


def test_a_query_that_is_no_text_is_one_line(demo: str, tmp_path: Path) -> None:
    file = tmp_path / "binary.rq"
    file.write_bytes(b"\xcd\x00\xff{")
    got = run("query", str(file), store=demo)
    assert (got.code, got.err) == (2, f"{file}: not SPARQL: not in UTF-8\n")
    got = run("query", 'ASK { ?s ?p "\udcff" }', store=demo)
    assert got.code == 2
    assert got.err.startswith("query: not SPARQL: ")
    got = run("query", 'INSERT DATA { <urn:s> <urn:p> "\udcff" }', store=demo)
    assert got.code == 2
    assert got.err.startswith("update: not SPARQL: ")
    assert got.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--since", "--until", "--before"])
@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_time_before_the_first_year_or_after_the_last_is_one_line(
    demo: str, option: str, time: str
) -> None:
    value = f"{time},{AGENT}" if option == "--before" else time
    got = run("list", option, value, store=demo)
    assert got.code == 2
    assert "expected a time of the years 1 to 9999" in got.err
    assert got.err.count("\n") == 1


def test_a_time_without_end_is_no_limit(demo: str) -> None:
    assert run("query", "ASK { }", "--timeout", "1e999", store=demo).code == 0
