"""A store over HTTP that goes down and up, and statements to send to it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyoxigraph as ox
from pyoxigraph import Literal, NamedNode, Quad, QueryResultsFormat, RdfFormat

from trustgraph_prov.errors import StoreError, StoreRefusedError
from trustgraph_prov.outbox import OutboxStore
from trustgraph_prov.stores import QueryResult
from trustgraph_prov.stores.lease import Lease

HERE = Path(__file__).parent
PATIENCE = 180.0
"""Seconds that a test waits for what must come."""


def quad(number: int, text: str = "", *, writer: int = 0) -> Quad:
    """A statement like no other."""
    return Quad(
        NamedNode(f"urn:step:{writer}:{number}"),
        NamedNode("urn:says"),
        Literal(text or f"step {number}"),
        NamedNode("urn:graph:retrieval"),
    )


def each_call(store: OutboxStore) -> list[Callable[[], object]]:
    """Everything an outbox can be asked."""
    return [
        lambda: store.insert([quad(1)]),
        lambda: store.query("ASK {}"),
        lambda: store.update("CLEAR ALL"),
        lambda: store.quads(),
        lambda: store.traits,
        store.pending,
        store.flush,
        store.reopen,
    ]


def until(condition: Callable[[], object], what: str) -> None:
    """Wait for something that must come."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.02)


class Endpoint:
    """A server process that can be killed, started again, and told to fail."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self._process: subprocess.Popen[str] | None = None
        folder.mkdir()

    def start(self) -> Endpoint:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "outbox_server.py"), str(self.folder), str(self.port)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        return self

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self.await_death()

    def await_death(self) -> None:
        """Wait until it has died of a fault."""
        assert self._process is not None
        self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    def fail(self, **faults: int | str) -> None:
        """Fail from now on: die=before|after, mark=TEXT, largest=BYTES, status=CODE; or no more."""
        draft = self.folder / "faults.draft"
        draft.write_text(json.dumps(faults))
        draft.replace(self.folder / "faults.json")

    def quads(self) -> set[Quad]:
        """All it has."""
        return set(HttpStore(self.port).quads())

    def received(self) -> list[tuple[int, Quad]]:
        """Statements in the order in which they came, with the number of inserts at once."""
        log = self.folder / "requests.log"
        found = []
        for line in log.read_bytes().splitlines() if log.exists() else []:
            at_once, statement = line.split(b" ", 1)
            found.append((int(at_once), *ox.parse(statement, format=RdfFormat.N_QUADS)))
        return found


class HttpStore:
    """What sends to an Endpoint; each call is one request on a connection of its own."""

    read_only = False

    def __init__(self, port: int) -> None:
        self.name = f"http://127.0.0.1:{port}"
        self._port = port

    def insert(self, quads: Iterable[Quad]) -> None:
        body = ox.serialize(quads, format=RdfFormat.N_QUADS)
        assert body is not None
        self._request("POST", "/insert", body)

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        answer = self._request("POST", "/query", query.encode())
        return ox.parse_query_results(answer, format=QueryResultsFormat.JSON)

    def update(self, update: str) -> None:
        self._request("POST", "/update", update.encode())

    def quads(self, graph: str | None = None) -> Iterator[Quad]:
        return ox.parse(self._request("GET", "/", None), format=RdfFormat.N_QUADS)

    def flush(self) -> None: ...

    def reopen(self) -> None: ...

    def close(self) -> None: ...

    def __enter__(self) -> HttpStore:
        return self

    def __exit__(self, *error: object) -> None: ...

    def _request(self, method: str, path: str, body: bytes | None) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise StoreError(self.name, f"no answer: {error!r}") from None
        finally:
            connection.close()
        if response.status in (400, 413):
            raise StoreRefusedError(self.name, f"{response.status}: {answer.decode()}")
        if response.status >= 300:
            raise StoreError(self.name, f"{response.status}: {answer.decode()}")
        return answer


class Child:
    """A process that runs a Python text, prints lines, and can be killed."""

    def __init__(self, *command: object) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *map(str, command)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=HERE,
        )
        self.pid = self._process.pid

    def line(self) -> str:
        """The next line it prints, or an empty text when it has ended."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def go_on(self, line: object = "") -> None:
        """Let it read a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def kill(self, *others: int) -> None:
        """Kill it and other processes that hold its output with -9."""
        for pid in (self.pid, *others):
            os.kill(pid, signal.SIGKILL)
        self.end()

    def kill_alone(self) -> None:
        """Kill it with -9, but not the processes that it has made."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)

    def end(self) -> tuple[int, list[str]]:
        """Wait for its end: exit code, and lines that nobody has read."""
        out, _ = self._process.communicate(timeout=PATIENCE)
        return self._process.returncode, out.splitlines()


def nobody_sends(folder: Path) -> bool:
    """Whether the right to send is free; then it stays so until somebody has something to send."""
    (file,) = folder.glob("sender-*.lock")
    lease = Lease(file)
    taken = lease.acquire()
    lease.release()
    return taken


def barred(folder: Path) -> Path:
    """Put a folder where the right to send is taken, once nobody sends."""
    until(lambda: nobody_sends(folder), "the end of sending")
    (lock,) = folder.glob("sender-*.lock")
    lock.unlink()
    lock.mkdir()
    return lock
