"""Run the commands that the documents show, on a terminal, against a store that holds the demo."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
COLUMNS = 120
ALIASES = (
    "tg-list-explain-traces",
    "tg-show-explain-trace",
    "tg-query-graph",
    "tg-invoke-agent",
)

_CONSOLE = re.compile(r"^```console\n(?P<body>.*?)^```$", re.M | re.S)
_PYTHON = re.compile(r"^```python\n(?P<body>.*?)^```$", re.M | re.S)
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def python_blocks(text: str) -> list[str]:
    """The Python examples of a document."""
    return [match["body"] for match in _PYTHON.finditer(text)]


def console_blocks(text: str) -> list[str]:
    """The console sessions of a document: `$ command` lines, each followed by its output."""
    return [match["body"] for match in _CONSOLE.finditer(text)]


def replay(session: str, store: Path) -> str:
    """Run the commands of a session again and write down what they print now."""
    commands = [line[2:] for line in session.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{on_terminal(command, store)}" for command in commands)


def on_terminal(command: str, store: Path, columns: int = COLUMNS) -> str:
    """Run one shell command on a terminal of so many columns; what it prints, without colours."""
    primary, secondary = pty.openpty()
    fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {**os.environ, "TG_PROV_STORE": str(store), "TERM": "dumb", "NO_COLOR": "1"}
    environment["PATH"] = f"{BIN}{os.pathsep}{environment.get('PATH', '')}"
    environment.pop("COLUMNS", None)
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=secondary,
        stderr=secondary,
        env=environment,
        cwd=ROOT,
    )
    os.close(secondary)
    written = b""
    while True:
        try:
            chunk = os.read(primary, 65536)
        except OSError:  # the other side of a terminal is closed
            break
        if not chunk:
            break
        written += chunk
    os.close(primary)
    process.wait(timeout=60)
    lines = _ANSI.sub("", written.decode()).replace("\r\n", "\n").splitlines()
    return "".join(line.rstrip() + "\n" for line in lines)


def command_names() -> list[str]:
    """Every subcommand of `tg-prov`, as its own help lists them."""
    return _listed("tg-prov")


def _listed(command: str) -> list[str]:
    return re.findall(r"^  ([a-z][a-z-]*)  ", help_of(command).partition("Commands:")[2], re.M)


def help_of(command: str) -> str:
    """What `command --help` prints, 80 columns wide."""
    words = command.split()
    shown = subprocess.run(
        [str(BIN / words[0]), *words[1:], "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"},
        timeout=60,
    )
    return "".join(line.rstrip() + "\n" for line in shown.stdout.splitlines())


def reference() -> str:
    """The command-line reference, from the commands themselves."""
    commands = ["tg-prov"]
    for name in command_names():
        command = f"tg-prov {name}"
        commands += [command, *(f"{command} {inner}" for inner in _listed(command))]
    commands += ALIASES
    parts = ["# Command line\n\nWritten by `python tests/write_docs.py`.\n"]
    parts += [f"\n## {command}\n\n```text\n{help_of(command)}```\n" for command in commands]
    return "".join(parts)
