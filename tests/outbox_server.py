"""A small store over HTTP that can be told to fail: `python outbox_server.py FOLDER PORT`.

It keeps quads in an embedded store in FOLDER and speaks plain N-Quads at /insert, and the SPARQL
Protocol at /sparql. At /insert it refuses what FOLDER/faults.json says, and writes a line about
each statement to FOLDER/requests.log: how many inserts were running at once, and the statement.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyoxigraph as ox
from narrowing import narrow, serialized
from pyoxigraph import QueryResultsFormat, RdfFormat

FOLDER: Path
STORE: ox.Store
LOCK = threading.Lock()
BUSY: list[int] = []


def faults() -> dict[str, int | str]:
    file = FOLDER / "faults.json"
    return json.loads(file.read_text()) if file.exists() else {}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/insert":
            BUSY.append(1)
            outcome = self.insert(body)
            BUSY.pop()
            self.reply(*outcome)
        elif self.path == "/query":
            self.reply(200, self.answer(body.decode()))
        elif self.path == "/update" or self.headers["Content-Type"].startswith(
            "application/sparql-update"
        ):
            STORE.update(body.decode())
            self.reply(204)
        else:  # SPARQL 1.1 Protocol, section 2.1.2
            answer = self.answer(urllib.parse.parse_qs(body.decode())["query"][0])
            self.reply(200, answer, "application/sparql-results+json")

    def do_GET(self) -> None:
        self.reply(200, serialized(STORE, RdfFormat.N_QUADS))

    def answer(self, query: str) -> bytes:
        found = STORE.query(query)
        assert not isinstance(found, ox.QueryTriples)
        return narrow(found.serialize(format=QueryResultsFormat.JSON), bytes)

    def insert(self, body: bytes) -> tuple[int, bytes]:
        fault = faults()
        if fault.get("die") == "before":
            os._exit(1)
        if "mark" in fault and str(fault["mark"]).encode() in body:
            return 400, b"no such thing as " + str(fault["mark"]).encode()
        if len(body) > int(fault.get("largest", 1 << 40)):
            return 413, b"too large"
        if "status" in fault:
            return int(fault["status"]), b"try again"
        STORE.extend(ox.parse(body, format=RdfFormat.N_QUADS))
        with LOCK, (FOLDER / "requests.log").open("ab") as log:
            for line in body.splitlines():
                log.write(b"%d %s\n" % (len(BUSY), line))
        if fault.get("die") == "after":
            os._exit(1)
        return 204, b""

    def reply(self, status: int, body: bytes = b"", kind: str = "text/plain") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # who asked was killed
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        pass


if __name__ == "__main__":
    FOLDER = Path(sys.argv[1])
    STORE = ox.Store(str(FOLDER / "data"))
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
