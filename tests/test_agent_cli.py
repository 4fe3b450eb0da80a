"""`tg-invoke-agent` against an endpoint that speaks chat completions."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agent_cases import FRANCE, QUESTION, SELECTION, call, final
from agent_server import Answer, Endpoint, serve
from cli_cases import Outcome, Shell, start

AGENT = "tg-invoke-agent"
ASK = ("-q", QUESTION)
SCRIPT: list[Answer] = [
    call("knowledge-query", f'{{"question": "{QUESTION}"}}'),
    SELECTION,
    "Paris is.",
    final("Paris\x1b[31m!"),
]


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    for name in ("OPENAI_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    found = Shell(str(tmp_path / "store"), monkeypatch, capsys)
    (tmp_path / "kg.ttl").write_text(FRANCE, "utf-8")
    assert found("import", str(tmp_path / "kg.ttl")).code == 0
    return found


@pytest.fixture
def endpoint(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    assert shell
    with serve(SCRIPT) as found:
        monkeypatch.setenv("OPENAI_BASE_URL", found.base_url)
        monkeypatch.setenv("OPENAI_MODEL", "scripted")
        yield found


@pytest.mark.usefixtures("endpoint")
def test_each_event_is_printed_and_the_run_is_shown(shell: Shell) -> None:
    said = shell(*ASK, "-x", "-U", "ana", "-C", "atlas", command=AGENT)
    assert (said.code, said.err) == (0, "")
    kinds = re.findall(r"^([A-Z][\w -]*)  (urn:\S+)$", said.out, re.M)
    assert [kind for kind, _ in kinds] == [
        "Agent question",
        "Analysis",
        "Graph-RAG question",
        "Exploration",
        "Focus",
        "Synthesis",
        "Analysis",
        "Conclusion",
    ]
    assert f"  Question: {QUESTION}\n" in said.out
    assert "  Observation: Paris is.\n" in said.out
    assert "\x1b" not in said.out
    assert said.lines[-1].startswith("Paris")
    run = kinds[0][1]
    listed = shell("-U", "ana", "-C", "atlas", command="tg-list-explain-traces")
    assert run in listed.out
    assert len(listed.lines) == 2
    shown = shell(run, command="tg-show-explain-trace")
    order = ["Analysis: knowledge-query", "Exploration", "Focus", "Synthesis", "Conclusion"]
    assert re.findall("|".join(order), shown.out) == order
    assert "It names the capital." in shown.out


@pytest.mark.usefixtures("endpoint")
def test_the_answer_alone_and_where_it_is_recorded(shell: Shell) -> None:
    said = shell(*ASK, "--session-id", "7", command=AGENT)
    assert (said.code, len(said.lines)) == (0, 1)
    assert said.err == "recorded as urn:trustgraph:agent:7\n"
    again = shell(*ASK, "--session-id", "7", command=AGENT)
    assert (again.code, again.out) == (2, "")
    assert again.err == (
        "urn:trustgraph:agent:7 already has a run; give --session-id another id, or leave it out\n"
    )


@pytest.mark.usefixtures("endpoint")
def test_a_workspace_is_a_user(shell: Shell) -> None:
    assert shell(*ASK, "-w", "ana", command=AGENT).code == 0
    assert shell("list", "-U", "ana", "--format", "json").lines


@pytest.mark.usefixtures("endpoint")
def test_thoughts_actions_and_observations(shell: Shell) -> None:
    said = shell(*ASK, "-v", command=AGENT)
    assert said.lines[:-1] == [
        "Thought: Look it up.",
        "",
        "Action: knowledge-query",
        "",
        "Observation: Paris is.",
        "",
        "Thought: I know.",
        "",
    ]


def test_documents_are_searched(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("Paris is the capital of France.", "utf-8")
    script = [call("document-query", f'{{"question": "{QUESTION}"}}'), "Paris.", final()]
    with serve(script) as endpoint:
        options = ("--base-url", endpoint.base_url, "--model", "m", "--documents", str(tmp_path))
        said = shell(*ASK, *options, command=AGENT)
    assert (said.code, said.out) == (0, "Paris\n")
    assert "Paris is the capital of France." in endpoint.prompts()[1]


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({}, "set OPENAI_MODEL and OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint"),
        ({"OPENAI_API_KEY": "k"}, "set OPENAI_MODEL"),
        ({"OPENAI_MODEL": "m"}, "set OPENAI_API_KEY, or OPENAI_BASE_URL"),
    ],
)
def test_without_a_model(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], why: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    said = shell(*ASK, command=AGENT)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("no model is configured: ")
    assert why in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("question", ["", " \n"])
def test_an_empty_question_is_not_asked(shell: Shell, endpoint: Endpoint, question: str) -> None:
    said = shell("-q", question, command=AGENT)
    assert (said.code, said.out, said.err) == (2, "", "the question of -q is empty\n")
    assert endpoint.requests == []
    assert shell("list", "--format", "json").out == ""


def failing(shell: Shell, *words: str, answers: list[Answer] | None = None) -> Outcome:
    with serve(answers or [], again=bool(answers)) as endpoint:
        options = ("--base-url", endpoint.base_url, "--model", "m")
        return shell(*ASK, *options, *words, command=AGENT)


def test_a_model_that_refuses_is_out_of_reach(shell: Shell) -> None:
    said = failing(shell)
    assert (said.code, said.out) == (3, "")
    where, why = said.err.splitlines()
    assert re.fullmatch(r"recorded as urn:trustgraph:agent:[0-9a-f-]+", where)
    assert re.match(r"m: http://127\.0\.0\.1:\d+/v1 answered 400 \(", why)
    listed = shell("list", "--format", "json")
    assert QUESTION in listed.out


def test_an_empty_answer_is_a_step_and_the_agent_goes_on(shell: Shell) -> None:
    said = failing(shell, "--session-id", "7", answers=["", final()])
    assert (said.code, said.out) == (0, "Paris\n")
    shown = shell("show", "urn:trustgraph:agent:7")
    assert "ReplyError: the reply is empty" in shown.out


def test_an_endpoint_that_is_no_url(shell: Shell) -> None:
    said = shell(*ASK, "--base-url", "http://[", "--model", "m", command=AGENT)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("base_url is 'http://['; expected a URL with http://")


@pytest.mark.parametrize("key", ["ké", "key\n"])
def test_a_key_that_no_header_can_carry_is_not_the_endpoint_s_fault(shell: Shell, key: str) -> None:
    said = failing(shell, "--api-key", key)
    assert said.code == 2
    assert said.err == (
        "the key of OPENAI_API_KEY or --api-key has characters that no HTTP header can carry\n"
    )


@pytest.mark.filterwarnings("ignore:.*lone surrogate:trustgraph_prov.errors.ProvWarning")
def test_a_question_in_another_encoding_is_asked_and_recorded(shell: Shell) -> None:
    said = failing(shell, "-q", "caf\udce9?", answers=[final()])
    assert (said.code, said.out) == (0, "Paris\n")


def test_iterations_that_are_used_up_are_no_model_out_of_reach(shell: Shell) -> None:
    said = failing(shell, "--max-iterations", "2", "--session-id", "7", answers=["Hm."])
    assert (said.code, said.out) == (1, "")
    assert said.err == (
        "recorded as urn:trustgraph:agent:7\nmax-iterations: no answer after 2 iterations\n"
    )
    shown = shell("show", "urn:trustgraph:agent:7")
    assert "Ended by  max-iterations" in shown.out
    assert "No answer after 2 iterations." in shown.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--graph", "urn:graph:retrieval"), "expected a graph of knowledge"),
        (("--graph", "no iri"), "graph is 'no iri'; expected the IRI of a graph"),
        (("--documents", "no-such-folder"), "no-such-folder is no folder of documents"),
        (("--max-iterations", "0"), "--max-iterations"),
    ],
)
def test_what_cannot_be(shell: Shell, words: tuple[str, ...], why: str) -> None:
    said = failing(shell, *words)
    assert said.code == 2
    assert why in said.err
    assert said.err.count("\n") == 1


def test_ctrl_c_ends_it_and_the_run_is_marked(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    listener = (
        "import socket, sys; s = socket.create_server(('127.0.0.1', 0));"
        " print(s.getsockname()[1], flush=True); c = s.accept(); print('asked', flush=True);"
        " sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", listener],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as silent:
        assert silent.stdout is not None
        url = f"http://127.0.0.1:{silent.stdout.readline().strip()}/v1"
        options = ("--base-url", url, "--model", "m", "--session-id", "7")
        with start(*ASK, *options, store=str(folder), command=AGENT) as process:
            assert silent.stdout.readline() == "asked\n"
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        silent.kill()
    assert (process.returncode, "Traceback" in err) == (130, False)
    environment = {**os.environ, "TG_PROV_STORE": str(folder)}
    shown = subprocess.run(
        [str(Path(sys.executable).parent / "tg-prov"), "show", "urn:trustgraph:agent:7"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert "cancelled" in shown.stdout


@pytest.mark.parametrize("asked", [0, 1], ids=["question", "called run"])
def test_a_run_whose_reader_went_away_is_cancelled(
    shell: Shell, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, asked: int
) -> None:
    waiting, gone = threading.Event(), threading.Event()
    answer = endpoint.next

    def held(request: dict[str, Any]) -> Answer:
        if len(endpoint.requests) == asked:
            waiting.set()
            gone.wait(60)
        return answer(request)

    monkeypatch.setattr(endpoint, "next", held)
    with start(*ASK, "-x", "-v", "--session-id", "7", store=shell.store, command=AGENT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert waiting.wait(60)
        process.stdout.close()
        gone.set()
        assert (process.stderr.read(), process.wait(timeout=60)) == ("", 0)
    shown = shell("show", "urn:trustgraph:agent:7").out
    assert "cancelled" in shown
    assert "BrokenPipe" not in shown
