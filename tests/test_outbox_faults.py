"""Each fault between an outbox and a real SPARQL server: what was recorded arrives, once."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest
from outbox_cases import PATIENCE, until
from outbox_fault_cases import STATEMENTS, arrived, hasty, recording
from sparql_cases import (
    Answer,
    Endpoint,
    Handler,
    Proxy,
    Seen,
    fixed,
    impatient,
    in_turn,
    server,
)

from trustgraph_prov.errors import StorePendingError
from trustgraph_prov.outbox import OutboxStore, outbox_status

PAGE = b"<!DOCTYPE html><html><form>Please log in</form></html>"
TIMES = 3
"""How often a server fails before it is well."""


def dripping(handler: Handler, seen: Seen) -> None:
    """An answer that comes byte by byte, for longer than anybody waits."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
    for _ in range(9_999):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        threading.Event().wait(0.1)


def late(sound: Endpoint, answered: threading.Event) -> Answer:
    """Do what is asked, and answer only after the time-out."""

    def answer(handler: Handler, seen: Seen) -> None:
        with sound.lock:
            sound.store.update(seen.body.decode())
        assert answered.wait(PATIENCE)
        handler.say(204)

    return answer


def cut(handler: Handler, seen: Seen) -> None:
    """The beginning of an answer, and no more."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\ndone")
    handler.close_connection = True


def reset(handler: Handler, seen: Seen) -> None:
    """No answer at all."""
    handler.close_connection = True


FAULTS: dict[str, Answer] = {
    "busy": fixed(503, b"busy", "text/plain"),
    "gateway": fixed(502, b"bad gateway", "text/html"),
    "broken": fixed(500, b"the disk of the server is full", "text/plain"),
    "gone": fixed(404, b"no such dataset", "text/plain"),
    "redirect": fixed(302, Location="https://login.example.org/"),
    "password": fixed(401, b"who are you?", "text/plain"),
    "forbidden": fixed(403, b"not you", "text/plain"),
    "page": fixed(200, PAGE, "text/html"),
    "page-as-json": fixed(200, PAGE),
    "words": fixed(200, b"Update failed: no space", "text/plain"),
    "no-updates": fixed(405, b"not here", "text/plain"),
    "query-form-only": fixed(415, b"unsupported", "text/plain"),
    "refuses-all": fixed(400, b"no query in the form", "text/plain"),
    "cut": cut,
    "reset": reset,
    "drip": dripping,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_all_arrives_once_the_fault_is_over(fault: str, tmp_path: Path) -> None:
    sound = Endpoint()
    # A refusal is doubted with a second request, so an even number of them belongs to it.
    with server(in_turn(*[FAULTS[fault]] * 2 * TIMES, sound)) as running:
        store = hasty(running, timeout=0.25 if fault == "drip" else 20.0)
        with recording(store, tmp_path) as outbox:
            arrived(outbox, sound)
        assert len(running.seen) > 2 * TIMES


def test_503_ten_times_and_then_fine_with_the_retries_of_the_store(tmp_path: Path) -> None:
    sound = Endpoint()
    with (
        server(in_turn(*[FAULTS["busy"]] * 10, sound)) as running,
        recording(impatient(running.url), tmp_path) as outbox,
    ):
        arrived(outbox, sound)


def test_an_answer_after_the_time_out_is_an_insert_done_twice_that_counts_once(
    tmp_path: Path,
) -> None:
    sound, answered = Endpoint(), threading.Event()
    with server(in_turn(late(sound, answered), sound)) as running:
        store = impatient(running.url, retries=0, timeout=0.5)
        with OutboxStore(store, tmp_path / "outbox", longest_pause=0.05) as outbox:
            outbox.insert(STATEMENTS)
            arrived(outbox, sound)
            answered.set()
        assert len(running.seen) > 1
        assert {seen.body for seen in running.seen} == {running.seen[0].body}


def test_recording_goes_on_while_the_server_keeps_silent(tmp_path: Path) -> None:
    sound, answered = Endpoint(), threading.Event()
    with server(in_turn(late(sound, answered), sound)) as running:
        store = impatient(running.url, timeout=PATIENCE)
        with OutboxStore(store, tmp_path / "outbox") as outbox:
            outbox.insert(STATEMENTS[:1])
            until(lambda: running.seen, "the request that is not answered")
            for one in STATEMENTS[1:]:
                outbox.insert([one])
            assert outbox.pending() == len(STATEMENTS)  # all calls returned before any answer
            answered.set()
            arrived(outbox, sound)


@pytest.mark.parametrize("fault", [{"up": 300}, {"up": 20}, {"down": 10}, {"down": 0}])
def test_a_line_that_breaks_is_made_again(fault: dict[str, int], tmp_path: Path) -> None:
    sound = Endpoint()
    with server(sound) as running, Proxy(running.server_port, cuts=TIMES, **fault) as proxy:
        store = impatient(f"http://127.0.0.1:{proxy.port}", retries=0)
        with recording(store, tmp_path) as outbox:
            arrived(outbox, sound)
        assert proxy.connections > TIMES


def test_credentials_are_in_no_log_and_in_no_file_of_the_outbox(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def echo(handler: Handler, seen: Seen) -> None:
        handler.say(401, f"{seen.headers['authorization']} S3cret".encode(), "text/plain")

    with server(echo) as running:
        url = running.url.replace("//", "//ann:S3cret@") + "/x?apikey=hidden"
        with recording(impatient(url, retries=0), tmp_path) as outbox:
            until(lambda: outbox_status(outbox.folder).targets[0].trouble, "the trouble")
            with pytest.raises(StorePendingError, match="answered 401") as caught:
                outbox.flush(0.1)
            shown = f"{caught.value} {outbox!r} {outbox_status(outbox.folder)}"
    kept = b"".join(file.read_bytes() for file in (tmp_path / "outbox").rglob("*.*"))
    assert "answered 401" in caplog.text
    shown += caplog.text
    for secret in ("S3cret", "hidden", "YW5uOlMzY3JldA=="):
        assert secret not in shown
        assert secret.encode() not in kept
