"""Start a server, wait until it answers, and end it."""

from __future__ import annotations

import contextlib
import http.client
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import ClassVar

from trustgraph_prov.stores.sparql import SparqlStore

HERE = Path(__file__).parent
_TIMEOUT = shutil.which("timeout") or "timeout"
LONGEST = "2h"
"""How long a server runs at the most, should nobody be left to end it."""

JAVA = ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Java for a server of a few minutes: most of what it compiles at length does not pay any more."""

PATIENCE = 60.0
"""Seconds that a server has to answer for the first time."""


class Server:
    """A triplestore in a process of its own.

    Args:
        folder: empty; everything the server writes goes there.
    """

    required: ClassVar[bool] = True
    """Whether `--engines=all` fails without it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = self.store_name(f"127.0.0.1:{self.port}")
        with (folder / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                [_TIMEOUT, LONGEST, *self.command()],
                cwd=folder,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            self._wait()
            self.prepare()
        except BaseException:
            self.stop()
            raise

    @classmethod
    def missing(cls) -> str | None:
        """What this machine lacks to start it, or None."""
        raise NotImplementedError

    @classmethod
    def version(cls) -> str:
        """For the header line."""
        raise NotImplementedError

    @staticmethod
    def store_name(address: str) -> str:
        """How `open_store` calls it."""
        raise NotImplementedError

    def command(self) -> list[str]:
        """Program and arguments."""
        raise NotImplementedError

    def prepare(self) -> None:
        """What is to be done once it answers."""

    def open(self) -> SparqlStore:
        """A store on it, for the tests' own use."""
        return SparqlStore(self.url)

    def clear(self) -> None:
        """Empty it."""
        self.open().update("DROP ALL")  # on TDB2, CLEAR ALL leaves some decimals

    def stop(self) -> None:
        """End it, by its process id."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    @property
    def running(self) -> bool:
        """Whether the process lives."""
        return self._process.poll() is None

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            assert self.running, f"it ended: {(self.folder / 'server.log').read_text()[-2000:]}"
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/")
                connection.getresponse().read()
                connection.close()
                return
            time.sleep(0.1)
        raise AssertionError(f"no answer within {PATIENCE:g} s")


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def jars(server: str) -> list[Path]:
    """Libraries that `tests/servers/fetch` has copied."""
    return sorted((HERE / server / "target" / "lib").glob("*.jar"))
