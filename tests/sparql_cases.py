"""Servers that answer as they are told, a proxy that breaks lines, and a sound endpoint."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pyoxigraph as ox
from narrowing import serialized
from pyoxigraph import Literal, NamedNode, Quad, QueryResultsFormat, QueryTriples, RdfFormat
from serving import serving

from trustgraph_prov.stores.sparql import SparqlStore

A, P, G = NamedNode("urn:test:a"), NamedNode("urn:test:p"), NamedNode("urn:test:g")
ONE = Quad(A, P, Literal("one"), G)
EMPTY = b'{"head":{"vars":["s"]},"results":{"bindings":[]}}'
HTML = b"<!DOCTYPE html><html><form>Please log in</form>" + b"x" * 5_000
JSON = "application/sparql-results+json"
ASK = "ASK { ?s ?p ?o }"
SELECT = "SELECT ?s { ?s ?p ?o }"


@dataclass(frozen=True)
class Seen:
    """A request that came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        """The body, as a form."""
        return dict(urllib.parse.parse_qsl(self.body.decode()))


class Handler(BaseHTTPRequestHandler):
    """Hands each request to the server's `answer`."""

    protocol_version = "HTTP/1.1"
    server: FaultyServer

    def handle_one_request(self) -> None:
        with contextlib.suppress(OSError):
            super().handle_one_request()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        seen = Seen(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        self.server.seen.append(seen)
        self.server.answer(self, seen)

    def do_GET(self) -> None:
        self.do_POST()

    def say(self, status: int, body: bytes = b"", kind: str = JSON, **headers: str) -> None:
        """Answer at once; header names are written with underscores."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(b"" if status == 204 else body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


Answer = Callable[[Handler, Seen], None]


class FaultyServer(ThreadingHTTPServer):
    """A server that answers as it is told.

    Attributes:
        seen: every request, in order.
        url: of its root.
    """

    daemon_threads = True

    def __init__(self, answer: Answer) -> None:
        self.seen: list[Seen] = []
        self.answer = answer
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextlib.contextmanager
def server(answer: Answer) -> Iterator[FaultyServer]:
    """Run a server for as long as the block lasts."""
    running = FaultyServer(answer)
    with serving(running):
        yield running


def fixed(status: int, body: bytes = b"", kind: str = JSON, **headers: str) -> Answer:
    """Always the same answer."""
    return lambda handler, seen: handler.say(status, body, kind, **headers)


def in_turn(*answers: Answer) -> Answer:
    """One answer after the other; the last one for ever."""
    left = list(answers)

    def answer(handler: Handler, seen: Seen) -> None:
        (left.pop(0) if len(left) > 1 else left[0])(handler, seen)

    return answer


@dataclass
class Endpoint:
    """SPARQL 1.1 Protocol over pyoxigraph, which cuts answers at so many rows."""

    cap: int | None = None
    store: ox.Store = field(default_factory=ox.Store)
    lock: threading.Lock = field(default_factory=threading.Lock)
    sorted_top: bool = False

    def __call__(self, handler: Handler, seen: Seen) -> None:
        with self.lock:
            if seen.headers["content-type"].startswith("application/sparql-update"):
                self._update(handler, seen.body.decode())
            else:
                self._query(handler, seen.form["query"])

    def _update(self, handler: Handler, text: str) -> None:
        try:
            self.store.update(text)
        except SyntaxError as error:
            handler.say(400, str(error).encode(), "text/plain")
        else:
            handler.say(204)

    def _query(self, handler: Handler, text: str) -> None:
        if self.sorted_top and "LIMIT 2000" in text:
            handler.say(500, b"Virtuoso 22023 Error SR353: Sorted TOP clause", "text/plain")
            return
        try:
            result = self.store.query(text)
        except SyntaxError as error:
            handler.say(400, str(error).encode(), "text/plain")
            return
        if isinstance(result, QueryTriples):
            lines = list(result)[: self.cap]
            handler.say(200, serialized(lines, RdfFormat.N_TRIPLES), "application/n-triples")
            return
        found = json.loads(result.serialize(format=QueryResultsFormat.JSON) or b"{}")
        headers = {}
        rows = found.get("results", {}).get("bindings", [])
        if self.cap is not None and len(rows) >= self.cap:
            del rows[self.cap :]
            headers["X_SPARQL_MaxRows"] = str(self.cap)
        handler.say(200, json.dumps(found).encode(), **headers)


class Proxy:
    """A TCP proxy that may cut, delay or reset what goes through.

    Args:
        port: of the server behind.
        up: bytes of each request that are let through, or None for all.
        down: bytes of each answer that are let through, or None for all.
        pause: seconds before each byte of an answer.
        cuts: connections that are treated so; later ones are sound.
    """

    def __init__(
        self,
        port: int,
        *,
        up: int | None = None,
        down: int | None = None,
        pause: float = 0.0,
        cuts: int = 10**9,
    ) -> None:
        self._port, self._up, self._down, self._pause, self._cuts = port, up, down, pause, cuts
        self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._open = [self._socket]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._open:
            _reset(one)
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                behind = socket.create_connection(("127.0.0.1", self._port))
                self._open += [client, behind]
                self.connections += 1
                bad = self.connections <= self._cuts
                up, down = (self._up, self._down) if bad else (None, None)
                for args in (
                    (client, behind, up, 0.0),
                    (behind, client, down, self._pause if bad else 0.0),
                ):
                    self._threads.append(threading.Thread(target=self._pump, args=args))
                    self._threads[-1].start()

    def _pump(
        self, source: socket.socket, target: socket.socket, limit: int | None, pause: float
    ) -> None:
        passed = 0
        with contextlib.suppress(OSError):
            while data := source.recv(1 if pause else 65_536):
                part = data if limit is None else data[: limit - passed]
                time.sleep(pause)
                target.sendall(part)
                passed += len(part)
                if passed == limit:
                    _reset(source)
                    _reset(target)
                    return
            target.shutdown(socket.SHUT_WR)


def _reset(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.shutdown(socket.SHUT_RDWR)
    one.close()


def impatient(url: str, **options: Any) -> SparqlStore:
    """A store that waits milliseconds where others wait seconds."""
    given = {"backoff": 0.001, "timeout": 20.0, **options}
    return SparqlStore(url, **given)
