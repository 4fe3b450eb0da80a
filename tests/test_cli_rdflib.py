"""The commands on a dataset in a file: what they say of it, and when."""

from __future__ import annotations

import errno
import logging
import signal
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from cli_cases import AGENT, Shell, run, start
from outbox_cases import until

from trustgraph_prov.namespaces import XSD
from trustgraph_prov.stores import open_store

DATA = Path(__file__).parent / "data" / "trustgraph"

ILL_TYPED = (
    f'<urn:a> <urn:p> "zz"^^<{XSD}hexBinary> .\n<urn:a> <urn:p> "2026-13-45"^^<{XSD}date> .\n'
)


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes the journal, but not the file beside it."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("trustgraph_prov.stores.rdflib_file.replace_file", refuse)


def test_demo_on_a_file_that_cannot_be_written_says_nothing_else(
    tg: Shell, tmp_path: Path, full: None
) -> None:
    out = tg("demo", "--store", f"rdflib:{tmp_path / 'runs.trig'}")
    assert (out.code, out.out) == (3, "")
    assert out.err.count("\n") == 1
    assert "cannot be written ([Errno 28] No space left on device); the file is as it" in out.err


@pytest.mark.parametrize("kind", [[], ["--from", "trustgraph"]], ids=["rdf", "messages"])
def test_import_into_a_file_that_cannot_be_written_says_nothing_else(
    tg: Shell, tmp_path: Path, full: None, kind: list[str]
) -> None:
    file = DATA / ("agent_react.jsonl" if kind else "agent_react.nq")
    out = tg("import", *kind, str(file), "--store", f"rdflib:{tmp_path / 'runs.trig'}")
    assert (out.code, out.out) == (3, "")
    assert out.err.count("\n") == 1
    assert "cannot be written ([Errno 28] No space left on device); the file is as it" in out.err


def test_import_up_to_a_file_at_fault_is_told_and_kept(tg: Shell, tmp_path: Path) -> None:
    name, bad = f"rdflib:{tmp_path / 'runs.nq'}", tmp_path / "bad.nq"
    bad.write_text("oops\n")
    out = tg("import", str(DATA / "agent_react.nq"), str(bad), "--store", name)
    assert (out.code, len(out.lines)) == (2, 1)
    assert out.err.startswith(f"{bad}:1: ")
    assert "AgentQuestion" in (tmp_path / "runs.nq").read_text()


def test_place_that_cannot_be_written_is_known_before_the_work(tg: Shell) -> None:
    out = tg("demo", "--store", "rdflib:/proc/runs.trig")
    assert (out.code, out.out) == (3, "")
    assert out.err.startswith("rdflib:/proc/runs.trig: cannot be opened for writing ([Errno 2] No")


def test_delete_that_cannot_be_written_says_nothing_else(
    tg: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    name = f"rdflib:{tmp_path / 'runs.nq'}"
    assert tg("demo", "--store", name).code == 0
    request.getfixturevalue("full")
    out = tg("delete", AGENT, "--yes", "--store", name)
    assert (out.code, out.out) == (3, "")


def test_second_command_waits_for_the_first_to_end(tg: Shell, tmp_path: Path) -> None:
    name = f"rdflib:{tmp_path / 'runs.nq'}"
    with open_store(name):
        out = tg("record", "-", "--store", name)
        assert out.code == 3
        assert "has it open for writing; wait for it or stop it" in out.err
        assert tg("list", "--store", name).code == 0


def test_record_that_is_terminated_keeps_what_it_recorded(tmp_path: Path) -> None:
    name = f"rdflib:{tmp_path / 'runs.trig'}"
    line = '{"run": "m1", "type": "graph-rag", "event": "question", "question": "Open?"}\n'
    with start("record", "-", store=name, stdin=-1) as process:
        assert process.stdin is not None
        process.stdin.write(line)
        process.stdin.flush()
        journal = tmp_path / "runs.trig.journal"
        until(lambda: journal.exists() and b"Open?" in journal.read_bytes(), "the question")
        process.send_signal(signal.SIGTERM)
    listed = run("list", "-f", "csv", store=name)
    assert "urn:trustgraph:question:m1,GraphRAG,Open?" in listed.out


def test_values_that_are_none_of_their_type_are_no_tracebacks(tmp_path: Path) -> None:
    file = tmp_path / "ill.nq"
    file.write_text(ILL_TYPED)
    name = f"rdflib:{tmp_path / 'store.nq'}"
    ask = "SELECT ?o { ?s ?p ?o } ORDER BY ?o"
    for words in (["import", str(file)], ["stats"], ["query", ask], ["validate"]):
        out = run(*words, store=name)
        assert out.code == 0, out.err
        assert "Failed to convert" not in out.err
        assert "Traceback" not in out.err
    assert set(ox.parse(path=str(tmp_path / "store.nq"))) >= set(ox.parse(path=str(file)))


def test_rdflib_logs_as_ever_for_others(caplog: pytest.LogCaptureFixture) -> None:
    with open_store("rdflib:") as store:
        store.insert(ox.parse(ILL_TYPED, format=ox.RdfFormat.N_QUADS))
        assert len(list(store.quads())) == 2
        assert not caplog.records
        rdflib.Literal("zz", datatype=rdflib.URIRef(XSD + "hexBinary"))
    assert [(one.name, one.levelno) for one in caplog.records] == [("rdflib.term", logging.WARNING)]
