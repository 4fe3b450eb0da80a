"""One line on stderr, the right exit code, and never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_cases import AGENT, Shell

from trustgraph_prov import open_store


@pytest.fixture
def ready(tg: Shell) -> Shell:
    assert tg("init").code == 0
    return tg


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["show", AGENT],
        ["query", "trace/show", "-p", f"trace={AGENT}"],
        ["export"],
        ["validate"],
        ["stats"],
        ["index"],
        ["delete", AGENT, "--yes"],
        ["delete", AGENT, "--dry-run"],
        ["query", "update/delete-trace", "-p", f"trace={AGENT}"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_without_a_store_there_is_one_line_and_a_way_on(tg: Shell, words: list[str]) -> None:
    got = tg(*words)
    assert (got.code, got.out) == (2, "")
    assert got.err == f"{tg.store}: no store there; `tg-prov demo` or a recorder makes one\n"
    assert not Path(tg.store).exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nope"], "No such command 'nope'"),
        (["list", "--nope"], "No such option: --nope"),
        (["list", "--limit", "0"], "for '--limit': '0'; expected a whole number, 1 or more"),
        (["list", "--limit", "1_0"], "for '--limit': '1_0'; expected a whole number, 1 or more"),
        (["list", "--limit", "\u0663"], "expected a whole number, 1 or more"),
        (["show", AGENT, "--max-answer", "1_0"], "expected a whole number, 0 or more"),
        (["init", "--max-bytes", "1_0"], "expected a whole number, 1 or more"),
        (["doctor", "--text-bytes", "1_0"], "expected a whole number, 9 or more"),
        (["outbox", "drain", "--timeout", "nan"], "'nan'; expected a number, 0.1 or more"),
        (["outbox", "drain", "--timeout", "1_0"], "'1_0'; expected a number, 0.1 or more"),
        (["query", "ASK {}", "--timeout", "1_0"], "'1_0'; expected a number, more than 0"),
        (["query", "ASK {}", "--timeout", "0"], "'0'; expected a number, more than 0"),
        (["query", "ASK {}", "--timeout", "1e-999"], "'1e-999'; expected a number, more than 0"),
        (["list", "--format", "xml"], "for '--format' / '-f': 'xml' is not one of 'table', 'json'"),
        (["list", "--since", "monday"], "--since monday: expected a day, as 2026-03-02, or a time"),
        (["list", "--until", "20260302"], "--until 20260302: expected a day, as 2026-03-02"),
        (["list", "--before", "monday"], "--before monday: expected what the page before said"),
        (["list", "--before", "monday,urn:a"], "--before monday: expected a day"),
        (["list", "--type", "Robot"], "type is 'Robot'; expected one of Agent, GraphRAG"),
        (["list", "--type", "rag"], "expected one of Agent, GraphRAG, DocRAG, Question"),
        (["show"], "Missing argument 'URI'"),
        (["show", "urn:nope"], "urn:nope: no such run"),
        (["show", "not an iri"], "not an iri: "),
        (["query", "trace/shov"], "no stored query of that name; nearest: trace/show"),
        (["query", "trace/show"], "trace/show: needs trace; give it with --param NAME=VALUE"),
        (["query", "trace/show", "-p", "trace"], "--param trace: expected name=value"),
        (["query", "trace/show", "-p", "x=1"], "trace/show: no parameter 'x'"),
        (["query", "ASK {}", "-p", "x=1"], "--param is for stored queries"),
        (["query", "SELECT * {"], "not SPARQL"),
        (["query", "CLEAR ALL {"], "not SPARQL"),
        (["query", "CLEAR ALL #{", "--timeout", "1"], "--timeout is for queries"),
        (["query", "nope.rq"], "nope.rq: no such file; `tg-prov queries` lists the stored"),
        (["query", "/"], "/: Is a directory"),
        (["query", "CLEAR SOME"], "not SPARQL"),
        (["query", ""], "not SPARQL"),
        (["query", "trace/list", "-p", "limit=1_0"], "expected a whole number in ASCII digits"),
        (["query", "trace/list", "-p", "limit=\u0663"], "expected a whole number in ASCII digits"),
        (["queries", "nope/nope"], "no stored query of that name"),
        (["import", "nope.nq"], "nope.nq: No such file or directory"),
        (
            ["import", "runs.xyz"],
            "file name is 'runs.xyz'; expected an ending that tells the format",
        ),
        (["record", "nope.jsonl"], "nope.jsonl: No such file or directory"),
        (["export", "-f", "turtle"], "format is 'turtle'; expected nquads, trig or jsonld"),
        (
            ["export", "-o", "x.foo"],
            "x.foo: its name tells no format; give one with --format (nquads, trig, turtle,",
        ),
        (
            ["show", AGENT, "-o", "x.FOO"],
            "x.FOO: its name tells no format; give one with --format (text, json, html, mermaid",
        ),
        (["export", "-o", "x.nq.gz"], "x.nq.gz: its name tells no format"),
        (["export", "urn:nope"], "urn:nope: no such run"),
        (["export", "-g", "nope"], "graph is 'nope'; expected an absolute IRI"),
        (["export", "-o", "/nowhere/all.nq"], "/nowhere/all.nq: No such file or directory"),
        (["export", "-o", "/etc/hosts/all.nq"], "/etc/hosts/all.nq: Not a directory"),
        (["export", "-o", "/etc"], "/etc: Is a directory"),
        (["delete", "urn:nope", "--yes"], "urn:nope: no such run"),
        (["validate", "urn:nope"], "urn:nope: no such run"),
        (["list", "--store", "ftp:x"], "store is 'ftp:x'; expected a folder"),
        (["list", "--store", "rdflib:nope.nq"], "no such file; `tg-prov demo` or a recorder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_word_is_one_line_and_exit_2(ready: Shell, words: list[str], message: str) -> None:
    got = ready(*words)
    assert (got.code, got.out) == (2, "")
    assert message in got.err
    assert got.err.count("\n") == 1


def test_a_pattern_in_a_graph_that_no_iri_names(ready: Shell) -> None:
    got = ready("-g", "nope", command="tg-query-graph")
    assert (got.code, got.out) == (2, "")
    assert got.err == "graph is 'nope'; expected an absolute IRI, or \"\" for the default graph\n"


@pytest.mark.parametrize("words", [[], ["outbox"]], ids=["tg-prov", "outbox"])
def test_without_a_command_the_help_keeps_its_lines(tg: Shell, words: list[str]) -> None:
    got = tg(*words)
    assert (got.code, got.out) == (2, "")
    assert got.err == tg(*words, "--help").out


def test_a_bad_file_is_named_with_its_line_and_not_written(ready: Shell) -> None:
    with open_store(ready.store, read_only=True) as store:
        before = set(store.quads())
    got = ready("import", "-", "-f", "nq", stdin="<urn:a> <urn:b> <urn:c> .\noops\n")
    assert (got.code, got.out) == (2, "")
    assert got.err.startswith("stdin:2: ")
    with open_store(ready.store, read_only=True) as store:
        assert set(store.quads()) == before


@pytest.mark.parametrize("words", [[], ["--from", "trustgraph"]], ids=["rdf", "messages"])
def test_an_import_that_fails_leaves_no_store_behind(
    tg: Shell, tmp_path: Path, words: list[str]
) -> None:
    bad = tmp_path / "bad.nq"
    bad.write_text("oops\n")
    assert tg("import", str(bad), *words).code == 2
    assert not Path(tg.store).exists()
    assert tg("import", "-", "-f", "nq", stdin="<urn:a> <urn:b> <urn:c> .\n").code == 0
    assert tg("import", str(bad), *words).code == 2
    with open_store(tg.store, read_only=True) as store:
        assert len(list(store.quads())) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["show", AGENT],
        ["query", "trace/list"],
        ["query", "update/index-hours"],
        ["demo"],
        ["record"],
        ["import", "-", "-f", "nq"],
        ["export"],
        ["init"],
        ["index"],
        ["doctor"],
        ["delete", AGENT, "--yes"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_file_where_the_store_should_be_is_exit_3(
    tg: Shell, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    Path(tg.store).write_text("")
    monkeypatch.setenv("TG_PROV_OUTBOX", f"{tg.store}-outbox")
    got = tg(*words)
    assert (got.code, got.out) == (3, "")
    assert got.err == f"{tg.store}: is a file; a store is a folder\n"


def test_a_file_above_the_default_store_is_exit_3(
    tg: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("TG_PROV_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    got = tg("init")
    assert (got.code, got.out) == (3, "")
    assert "Not a directory" in got.err
    assert got.err.count("\n") == 1


def test_a_bad_line_is_named_and_the_rest_goes_on(ready: Shell) -> None:
    good = json.dumps({"run": "7", "type": "agent", "event": "question", "question": "Why?"})
    got = ready("record", "-", stdin=b"{oops\n" + good.encode() + b"\n\xff\xfe\n")
    assert got.code == 1
    first, second, last = got.err.splitlines()
    assert first.startswith("stdin:1: ")
    assert second.startswith("stdin:3: ")
    assert last == "1 line recorded, 2 refused"
    assert len(ready("list").lines) == 1


def test_an_error_says_nothing_a_terminal_would_obey(ready: Shell) -> None:
    got = ready("show", "urn:\x1b[31m\u202e")
    assert got.code == 2
    assert not {"\x1b", "\u202e"} & set(got.err)


def test_a_store_that_another_process_writes_is_exit_3(tmp_path: Path, ready: Shell) -> None:
    hold = (
        "import sys, trustgraph_prov as t\n"
        "with t.open_store(sys.argv[1]):\n"
        "    print('open', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", hold, ready.store], **pipes) as writer:
        assert writer.stdout is not None
        assert writer.stdin is not None
        assert writer.stdout.readline() == b"open\n"
        got = ready("index")
        assert got.code == 3
        assert got.err.startswith(f"{ready.store}: ")
        assert got.err.count("\n") == 1
        assert ready("list").code == 0
        writer.stdin.close()


def test_without_pyshacl_one_line_names_the_extra(
    ready: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyshacl", None)
    got = ready("validate")
    assert (got.code, got.out) == (2, "")
    assert "pip install 'trustgraph-prov[shacl]'" in got.err
    assert got.err.count("\n") == 1


def test_a_failed_file_leaves_no_half(ready: Shell, tmp_path: Path) -> None:
    target = tmp_path / "run.trig"
    target.write_text("as it was")
    assert ready("export", "urn:nope", "-o", str(target)).code == 2
    assert target.read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.trig", "store"]


def test_a_file_of_no_known_format_makes_no_store(tg: Shell, tmp_path: Path) -> None:
    file = tmp_path / "runs.xyz"
    file.write_text("nothing")
    assert tg("import", str(file)).code == 2
    assert not Path(tg.store).exists()


def test_a_file_that_is_not_there_makes_no_store(tg: Shell) -> None:
    assert tg("import", "nope.nq").code == 2
    assert tg("record", "nope.jsonl").code == 2
    assert not Path(tg.store).exists()
