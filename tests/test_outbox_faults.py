"""Each fault between an outbox and a real SPARQL server: what was recorded arrives, once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from outbox_cases import PATIENCE, quad, until
from pyoxigraph import NamedNode, Quad
from sparql_cases import (
    Answer,
    Endpoint,
    FaultyServer,
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
from trustgraph_prov.outbox.refusals import AGAIN, PROBE
from trustgraph_prov.stores.sparql import SparqlStore

STATEMENTS = [quad(number) for number in range(20)]
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


@contextmanager
def recording(store: SparqlStore, folder: Path) -> Iterator[OutboxStore]:
    """An outbox with all statements, one insert each."""
    with OutboxStore(store, folder / "outbox", longest_pause=0.05, linger=0) as outbox:
        for one in STATEMENTS:
            outbox.insert([one])
        yield outbox


def arrived(outbox: OutboxStore, sound: Endpoint) -> None:
    """All is there, nothing was given up, and nothing waits."""
    outbox.flush(PATIENCE)
    assert sorted(map(str, sound.store)) == sorted(map(str, STATEMENTS))
    status = outbox_status(outbox.folder)
    assert (status.pending, status.refused) == (0, ())


def hasty(running: FaultyServer, timeout: float = 20.0) -> SparqlStore:
    return impatient(running.url, retries=0, timeout=timeout)


@pytest.mark.parametrize("fault", FAULTS)
def test_all_arrives_once_the_fault_is_over(fault: str, tmp_path: Path) -> None:
    sound = Endpoint()
    # A refusal is doubted with a second request, so an even number of them belongs to it.
    with server(in_turn(*[FAULTS[fault]] * 2 * TIMES, sound)) as running:
        store = hasty(running, timeout=0.5 if fault == "drip" else 20.0)
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


@pytest.mark.parametrize("status", [400, 405, 415, 501])
def test_a_server_that_refuses_every_update_makes_no_dead_letters(
    status: int, tmp_path: Path
) -> None:
    """A wrong address would otherwise take the queue apart, statement by statement."""
    with (
        server(fixed(status, b"wrong door", "text/plain")) as running,
        recording(hasty(running), tmp_path) as outbox,
    ):
        with pytest.raises(StorePendingError, match=r"it refuses every update.*wrong door.*name"):
            outbox.flush(0.5)
        found = outbox_status(outbox.folder)
        assert (found.pending, found.refused) == (len(STATEMENTS), ())


def refusing(sound: Endpoint, refuses: Callable[[bytes], bool], status: int) -> Answer:
    """A server that refuses some updates for good."""

    def answer(handler: Handler, seen: Seen) -> None:
        if refuses(seen.body):
            handler.say(status, b"not this", "text/plain")
        else:
            sound(handler, seen)

    return answer


@pytest.mark.parametrize("status", [400, 413, 403, 418, 451])
def test_one_statement_that_is_refused_is_the_only_one_that_does_not_arrive(
    status: int, tmp_path: Path
) -> None:
    sound = Endpoint()
    with (
        server(refusing(sound, lambda body: b"step 7" in body, status)) as running,
        recording(hasty(running), tmp_path) as outbox,
    ):
        outbox.flush(PATIENCE)
        assert set(sound.store) == set(STATEMENTS) - {quad(7)}
        (letter,) = outbox_status(outbox.folder).refused
        assert letter.read_text().strip() == f"{quad(7)} ."


@pytest.mark.parametrize(
    "words", ["42000 Error RDFGE: RDF box with", "42000 Error GEOOV: inserting", "42000 Error XX0"]
)
def test_a_value_that_virtuoso_cannot_keep_does_not_block_the_rest(
    words: str, tmp_path: Path
) -> None:
    sound, said = Endpoint(), f"Virtuoso {words}".encode()

    def answer(handler: Handler, seen: Seen) -> None:
        if b"step 7" in seen.body:
            handler.say(500, said, "text/plain")
        else:
            sound(handler, seen)

    with server(answer) as running, recording(hasty(running), tmp_path) as outbox:
        outbox.flush(PATIENCE)
        assert set(sound.store) == set(STATEMENTS) - {quad(7)}
        (letter,) = outbox_status(outbox.folder).refused
        assert letter.read_text().strip() == f"{quad(7)} ."


@pytest.mark.parametrize("status", [403, 418])
def test_a_right_that_is_lacking_makes_no_dead_letters(status: int, tmp_path: Path) -> None:
    """However often it is tried; what waits is sent once the right is given."""
    sound, may = Endpoint(), threading.Event()

    def answer(handler: Handler, seen: Seen) -> None:
        if may.is_set():
            sound(handler, seen)
        else:
            handler.say(status, b"you may not", "text/plain")

    with server(answer) as running, recording(hasty(running), tmp_path) as outbox:
        until(lambda: len(running.seen) > 4 * AGAIN, "the last of many tries")
        with pytest.raises(StorePendingError, match=f"answered {status}.*you may not"):
            outbox.flush(0.1)
        found = outbox_status(outbox.folder)
        assert (found.pending, found.refused) == (len(STATEMENTS), ())
        may.set()
        arrived(outbox, sound)


@pytest.mark.parametrize(
    ("where", "status"),
    [
        (b"INSERT DATA", 400),
        (b"INSERT DATA", 403),
        (b"INSERT DATA", 405),
        (b"<urn:graph:retrieval>", 403),
    ],
)
def test_where_adding_alone_is_forbidden_all_of_it_waits(
    where: bytes, status: int, tmp_path: Path
) -> None:
    """Everywhere, or to the graph of what waits: an update that removes is no proof of a right."""
    sound, may = Endpoint(), threading.Event()

    def answer(handler: Handler, seen: Seen) -> None:
        if where in seen.body and b"DELETE" not in seen.body and not may.is_set():
            handler.say(status, b"over quota", "text/plain")
        else:
            sound(handler, seen)

    with server(answer) as running, recording(hasty(running), tmp_path) as outbox:
        until(lambda: len(running.seen) > 4 * AGAIN, "the last of many tries")
        with pytest.raises(StorePendingError, match="over quota"):
            outbox.flush(0.1)
        found = outbox_status(outbox.folder)
        assert (found.pending, found.refused) == (len(STATEMENTS), ())
        may.set()
        arrived(outbox, sound)


@pytest.mark.parametrize("status", [400, 403])
def test_where_removing_is_forbidden_one_bad_statement_holds_nothing(
    status: int, tmp_path: Path
) -> None:
    """Who may add alone keeps the probe, one statement that is always the same."""
    sound = Endpoint()

    def answer(handler: Handler, seen: Seen) -> None:
        if b"DELETE" in seen.body or b"step 7" in seen.body:
            handler.say(403 if b"DELETE" in seen.body else status, b"no", "text/plain")
        else:
            sound(handler, seen)

    with server(answer) as running, recording(hasty(running), tmp_path) as outbox:
        outbox.flush(PATIENCE)
        (letter,) = outbox_status(outbox.folder).refused
        assert letter.read_text().strip() == f"{quad(7)} ."
        (left,) = set(sound.store) - set(STATEMENTS)
        assert (left.subject, left.graph_name) == (NamedNode(PROBE), quad(7).graph_name)
        assert set(sound.store) - {left} == set(STATEMENTS) - {quad(7)}


def test_a_graph_whose_name_is_refused_holds_nothing(tmp_path: Path) -> None:
    sound = Endpoint()
    bad = Quad(NamedNode("urn:a"), NamedNode("urn:b"), NamedNode("urn:c"), NamedNode("urn:bad"))
    with (
        server(refusing(sound, lambda body: b"<urn:bad>" in body, 400)) as running,
        recording(hasty(running), tmp_path) as outbox,
    ):
        outbox.insert([bad])
        outbox.flush(PATIENCE)
        assert set(sound.store) == set(STATEMENTS)
        (letter,) = outbox_status(outbox.folder).refused
        assert letter.read_text().strip() == f"{bad} ."


def test_a_right_that_is_given_in_the_middle_of_a_doubt_makes_no_dead_letter(
    tmp_path: Path,
) -> None:
    sound = Endpoint()
    forbidden = FAULTS["forbidden"]
    with (
        server(in_turn(*[forbidden] * AGAIN, sound)) as running,
        OutboxStore(hasty(running), tmp_path / "outbox", longest_pause=0.05) as outbox,
    ):
        outbox.insert([quad(1)])
        outbox.flush(PATIENCE)
        assert set(sound.store) == {quad(1)}
        assert not outbox_status(outbox.folder).refused


@pytest.mark.parametrize("status", [400, 403, 413, 500])
@pytest.mark.parametrize("calls", [1, 8])
def test_a_store_that_is_full_for_a_moment_makes_no_dead_letter(
    status: int, calls: int, tmp_path: Path
) -> None:
    """Whichever refused request is the last one: a probe that is taken behind it proves little."""
    full = fixed(status, b"Virtuoso 42000 Error RDFGE: over quota", "text/plain")
    for refused in range(1, 12):
        sound, folder = Endpoint(), tmp_path / str(refused)
        with (
            server(in_turn(*[full] * refused, sound)) as running,
            OutboxStore(hasty(running), folder, longest_pause=0.01, linger=0) as outbox,
        ):
            for one in STATEMENTS[:calls]:
                outbox.insert([one])
            outbox.flush(PATIENCE)
            assert set(sound.store) == set(STATEMENTS[:calls]), refused
            assert not outbox_status(folder).refused


def test_a_store_that_fills_up_while_a_refusal_is_narrowed_down_makes_one_dead_letter(
    tmp_path: Path,
) -> None:
    """What it refuses then is no fault of the statements that come after the one at fault."""
    for full in range(3, 14):
        sound, folder, refused = Endpoint(), tmp_path / str(full), 0

        def answer(handler: Handler, seen: Seen, full: int = full, sound: Endpoint = sound) -> None:
            nonlocal refused
            refused += b"step 2" in seen.body or refused > 1
            if b"step 2" in seen.body or full <= refused < full + 3:
                handler.say(400, b"no", "text/plain")
            else:
                sound(handler, seen)

        with (
            server(answer) as running,
            OutboxStore(hasty(running), folder, longest_pause=0.01, linger=0) as outbox,
        ):
            for one in STATEMENTS[:8]:
                outbox.insert([one])
            outbox.flush(PATIENCE)
            assert set(sound.store) == set(STATEMENTS[:8]) - {quad(2)}, full
            (letter,) = outbox_status(folder).refused
            assert letter.read_text().strip() == f"{quad(2)} ."


def test_what_is_too_large_at_once_arrives_in_parts(tmp_path: Path) -> None:
    sound = Endpoint()
    with (
        server(refusing(sound, lambda body: len(body) > 400, 413)) as running,
        recording(hasty(running), tmp_path) as outbox,
    ):
        outbox.insert(STATEMENTS)  # in one call, so that it is refused at once
        arrived(outbox, sound)
        assert any(len(seen.body) > 400 for seen in running.seen)


def test_a_server_that_is_away_while_a_refusal_is_doubted_loses_nothing(tmp_path: Path) -> None:
    sound = Endpoint()
    refused, away = fixed(400, b"no", "text/plain"), fixed(503)
    with (
        server(in_turn(refused, away, away, sound)) as running,
        recording(hasty(running), tmp_path) as outbox,
    ):
        arrived(outbox, sound)


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
