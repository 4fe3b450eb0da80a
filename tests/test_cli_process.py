"""What only a process of its own can show: signals, pipes, a terminal, the time to start."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pyoxigraph as ox
import pytest
from cli_cases import AGENT, FAILED, NEWEST_FIRST, run, start
from trustgraph_prov_cli.text import TerminalBytes

from trustgraph_prov import rdf_format
from trustgraph_prov.namespaces import PREFIXES

ENDLESS = (
    "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?a ?b ?c } GRAPH ?h { ?d ?e ?f }"
    " GRAPH ?i { ?j ?k ?l } GRAPH ?m { ?o ?p ?q } }"
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> str:
    store = str(tmp_path_factory.mktemp("cli") / "store")
    assert run("demo", store=store).code == 0
    return store


def on_terminal(*words: str, store: str, columns: int = 80, answer: str = "") -> tuple[int, str]:
    """Run a command on a terminal of some width, and type an answer."""
    here, there = pty.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = start(*words, store=store, stdin=there, stdout=there, stderr=there)
    os.close(there)
    if answer:
        os.write(here, answer.encode())
    text = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([here], [], [], 0.2)[0]:
            try:
                part = os.read(here, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
    os.close(here)
    return process.wait(timeout=10), text.decode().replace("\r\n", "\n")


def wait_for_threads(pid: int) -> None:
    """Wait until a process has opened its store, which starts threads."""
    deadline = time.monotonic() + 30
    while len(list(Path(f"/proc/{pid}/task").iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


@pytest.mark.parametrize("columns", [40, 80, 140, 200])
def test_the_list_keeps_iris_whole_at_any_width(demo: str, columns: int) -> None:
    code, text = on_terminal("list", store=demo, columns=columns)
    lines = plain(text).splitlines()
    assert code == 0
    assert lines[0].startswith("Session ID")
    assert [line.split()[0] for line in lines if line.startswith("urn:")] == NEWEST_FIRST
    assert all(len(line) <= max(columns, 62) for line in lines)
    assert "How much rain must fall" in text


def test_colour_is_off_on_request(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[1m" in on_terminal("list", store=demo)[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in on_terminal("list", store=demo)[1]


@pytest.mark.parametrize("words", [("list",), ("show", AGENT)], ids=" ".join)
def test_a_dumb_terminal_gets_no_escapes(
    demo: str, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in on_terminal(*words, store=demo)[1]


def test_csv_on_a_terminal_is_made_harmless(demo: str) -> None:
    query = r'SELECT ("\u001B[31mred" AS ?x) { }'
    assert "\x1b[31m" not in on_terminal("query", query, "-f", "csv", store=demo)[1]
    assert "\x1b[31m" in run("query", query, "-f", "csv", store=demo).out


def test_an_export_on_a_terminal_is_made_harmless_and_stays_exact(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    run("query", "ASK {}", store=store)
    run("init", store=store)
    assert run("query", 'INSERT DATA { <urn:s> <urn:p> "\u202e\x9b" }', store=store).code == 0
    text = on_terminal("export", "--graph", "", store=store)[1]
    assert '"\\u202e\\u009b"' in text


@pytest.mark.parametrize("format", ["trig", "nquads", "jsonld"])
def test_an_export_on_a_terminal_reads_back_the_same(tmp_path: Path, format: str) -> None:
    store = str(tmp_path / "store")
    run("init", store=store)
    update = "INSERT DATA {{ GRAPH <urn:g> {{ <{0}a\u200db> <{0}\u3164> '\u200d<{0}a\u200db>' }} }}"
    assert run("query", update.format(PREFIXES["tg"]), store=store).code == 0
    words = ("export", "-f", format, "--graph", "urn:g")
    code, text = on_terminal(*words, store=store)
    assert (code, text.count("\u200d"), text.count("\u3164")) == (0, 0, 0)
    known = rdf_format(format, "")
    assert set(ox.parse(text, format=known)) == set(
        ox.parse(run(*words, store=store).out, format=known)
    )


def test_a_terminal_gets_whole_lines(capsys: pytest.CaptureFixture[str]) -> None:
    text = "tg:a\u200db a tg:b .\ntg:نمی\u200cشود"
    out = TerminalBytes(json=False)
    for byte in text.encode():
        out.write(bytes([byte]))
        assert capsys.readouterr().out in ("", f"<{PREFIXES['tg']}a\\u200db> a tg:b .\n")
    out.flush()
    assert capsys.readouterr().out == "tg:نمی\u200cشود"


@pytest.mark.parametrize(("answer", "gone"), [("y\n", True), ("n\n", False)])
def test_delete_asks_on_a_terminal(tmp_path: Path, answer: str, gone: bool) -> None:
    store = str(tmp_path / "store")
    run("demo", store=store)
    code, text = on_terminal("delete", FAILED, store=store, answer=answer)
    assert code == 0
    assert "Delete?" in text
    assert (FAILED not in run("list", store=store).out) == gone


def test_progress_is_for_terminals(demo: str, tmp_path: Path) -> None:
    file = tmp_path / "all.nq"
    code, text = on_terminal("export", "-o", str(file), store=demo)
    assert code == 0
    assert "export" in text
    assert run("export", "-o", str(file), store=demo).err.count("\n") == 1


@pytest.mark.parametrize("later", [0.0, 1.0])
def test_ctrl_c_ends_a_running_query_at_once(demo: str, later: float) -> None:
    with start(
        "query", ENDLESS, store=demo,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        wait_for_threads(process.pid)
        time.sleep(later)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)  # the query itself has no end
    assert process.returncode == 130
    assert (out, err) == ("", "")


def test_a_query_out_of_time_is_exit_3(demo: str) -> None:
    got = run("query", ENDLESS, "--timeout", "0.2", store=demo)
    assert (got.code, got.out) == (3, "")
    assert got.err == (
        f"{demo}: the query did not end within 0.2 s; narrow it or give it more time\n"
    )


def test_a_reader_that_leaves_is_no_error(demo: str) -> None:
    query = "SELECT ?s ?t { GRAPH ?g { ?s ?p ?o } GRAPH ?h { ?t ?q ?r } } LIMIT 20000"
    with start("query", query, store=demo) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 0


def test_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    got = run("--version", store="")
    assert (got.code, got.out) == (0, f"tg-prov {version('trustgraph-prov')}\n")


def test_the_default_store_is_a_folder_of_the_user(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-c", "from trustgraph_prov_cli import main; main()", "demo"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert AGENT in done.stdout
    assert list(tmp_path.rglob("trustgraph-prov/store/CURRENT"))
