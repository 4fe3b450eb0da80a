"""Run the commands: in this process where that is enough, in one of their own where it is not."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from trustgraph_prov_cli import aliases, invoke, main

AGENT, CALLED, GRAPH_RAG, DOC_RAG, FAILED = (
    "urn:trustgraph:agent:0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01",
    "urn:trustgraph:question:5b0f6b5e-0d5c-4c57-8a3c-1f4c9d2e7a02",
    "urn:trustgraph:question:8d3f2c44-6a1b-4e0f-b7c5-2e9a4d6f8b03",
    "urn:trustgraph:docrag:e1a7c9d0-3b52-4f86-9d14-7c8b5a2f6e04",
    "urn:trustgraph:agent:f4b8d2e6-7c19-4a3d-8e50-9b6a1c4d7f05",
)
NEWEST_FIRST = [FAILED, AGENT, GRAPH_RAG, DOC_RAG]

COMMANDS: dict[str, Callable[[], None]] = {
    "tg-prov": main,
    "tg-list-explain-traces": aliases.list_explain_traces,
    "tg-show-explain-trace": aliases.show_explain_trace,
    "tg-query-graph": aliases.query_graph,
    "tg-invoke-agent": invoke.invoke_agent,
}
ENTRY = {
    name: f"import {command.__module__} as m; m.{command.__name__}()"
    for name, command in COMMANDS.items()
}


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


class Shell:
    """Runs commands on one store, in this process, as in a pipe."""

    def __init__(self, store: str, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]):
        self.store = store
        self._patch = patch
        self._capture = capture
        patch.setenv("TG_PROV_STORE", store)

    def __call__(self, *words: str, stdin: str | bytes = "", command: str = "tg-prov") -> Outcome:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self._patch.setattr(sys, "argv", [command, *words])
        pipe = io.BytesIO(data)
        pipe.name = "<stdin>"
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(pipe, encoding="utf-8"))
        self._capture.readouterr()
        with pytest.raises(SystemExit) as caught:
            COMMANDS[command]()
        out, err = self._capture.readouterr()
        code = caught.value.code
        assert isinstance(code, int)
        assert "Traceback" not in err
        return Outcome(code, out, err)


def start(
    *words: str, store: str, command: str = "tg-prov", **options: Any
) -> subprocess.Popen[Any]:
    """Start a command in a process of its own, as wide as its terminal says."""
    inherited = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.Popen(
        [sys.executable, "-c", ENTRY[command], *words],
        env={**inherited, "TG_PROV_STORE": store},
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options},
    )


def run(*words: str, store: str, **options: Any) -> Outcome:
    """Run a command in a process of its own."""
    with start(*words, store=store, **options) as process:
        out, err = process.communicate(timeout=60)
        return Outcome(process.returncode, out, err)
