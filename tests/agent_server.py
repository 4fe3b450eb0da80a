"""A chat-completions endpoint with scripted answers, to ask over real HTTP.

`python tests/agent_server.py answers.json` serves the texts of a JSON array, over and over, and
says on which URL.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeAlias

from serving import serving

MODEL = "scripted-1"


@dataclass(frozen=True)
class Refusal:
    """An answer with a status other than 200."""

    status: int
    message: str = "no"
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Raw:
    """A body that is sent as it is."""

    body: bytes
    content_type: str = "application/json"


Answer: TypeAlias = "str | Refusal | Raw"


@dataclass
class Endpoint:
    """A running endpoint.

    Attributes:
        base_url: for a client.
        requests: bodies that were received, in their order.
    """

    base_url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    again: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, request: dict[str, Any]) -> Answer:
        with self.lock:
            at = len(self.requests)
            self.requests.append(request)
        if self.again:
            return self.answers[at % len(self.answers)]
        return self.answers[at] if at < len(self.answers) else Refusal(400, "the script is over")

    def prompts(self) -> list[str]:
        """Everything each request said to the model."""
        return ["\n".join(m["content"] for m in each["messages"]) for each in self.requests]


@contextmanager
def serve(answers: Sequence[Answer], *, port: int = 0, again: bool = False) -> Iterator[Endpoint]:
    """Serve answers, one a request, at a free port of this machine."""
    endpoint = Endpoint(answers=list(answers), again=again)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = json.loads(body)
            if self.path != "/v1/chat/completions":
                self._send(404, b"{}", "application/json")
                return
            answer = endpoint.next(request)
            if isinstance(answer, Refusal):
                fault = {"error": {"message": answer.message, "type": "scripted"}}
                text = json.dumps(fault).encode()
                self._send(answer.status, text, "application/json", answer.headers)
            elif isinstance(answer, Raw):
                self._send(200, answer.body, answer.content_type)
            elif request.get("stream"):
                self._send(200, b"".join(_events(answer)), "text/event-stream")
            else:
                self._send(200, json.dumps(_whole(answer)).encode(), "application/json")

        def _send(
            self,
            status: int,
            body: bytes,
            kind: str,
            headers: tuple[tuple[str, str], ...] = (),
        ) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

    server = Server(("127.0.0.1", port), Handler)
    endpoint.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    with serving(server):
        yield endpoint


def _whole(text: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def _events(text: str) -> Iterator[bytes]:
    base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": MODEL}
    for at in range(0, len(text), 5):
        choice = {"index": 0, "delta": {"content": text[at : at + 5]}, "finish_reason": None}
        yield _event({**base, "choices": [choice]})
    yield _event({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    yield _event({**base, "choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def _event(data: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def main() -> None:
    """Serve a file of answers until Ctrl-C."""
    answers = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    with serve(answers, again=True) as endpoint:
        print(endpoint.base_url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
