"""What a real SPARQL server refuses: for good, for a moment, or because it refuses all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from outbox_cases import PATIENCE, HttpStore, quad, until
from outbox_fault_cases import STATEMENTS, arrived, hasty, recording
from pyoxigraph import NamedNode, Quad
from sparql_cases import Answer, Endpoint, Handler, Seen, fixed, in_turn, server

from trustgraph_prov.errors import StoreError, StorePendingError, StoreRefusedError
from trustgraph_prov.n_quads import encode
from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.outbox.journal import Journal
from trustgraph_prov.outbox.refusals import AGAIN, PROBE


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
    forbidden = fixed(403, b"not you", "text/plain")
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
            # A probe that could not be removed just then is left; that is no fault.
            has = {one for one in sound.store if one.subject != NamedNode(PROBE)}
            assert has == set(STATEMENTS[:8]) - {quad(2)}, full
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


def test_what_was_delivered_before_the_store_went_away_is_not_sent_again(tmp_path: Path) -> None:
    """The whole batch was, and brought back what was deleted on the store meanwhile."""
    sent: list[list[Quad]] = []
    away, back = threading.Event(), threading.Event()

    class Remote(HttpStore):
        def insert(self, quads: Iterable[Quad]) -> None:
            sent.append(list(quads))
            if len(sent[-1]) > 1:
                raise StoreRefusedError(self.name, "too much at once")
            if sent[-1] == [quad(2)] and not back.is_set():
                away.set()
                raise StoreError(self.name, "away")

        def update(self, update: str) -> None: ...

    journal = Journal(tmp_path, HttpStore(9).name)
    for number in range(4):
        journal.append(encode([quad(number)]))
    journal.close()
    with OutboxStore(Remote(9), tmp_path, longest_pause=0.01) as store:
        assert away.wait(PATIENCE)
        until(lambda: sent.count([quad(2)]) > 3, "more tries")
        back.set()
        store.flush(PATIENCE)
    assert [sent.count([quad(number)]) for number in (0, 1, 3)] == [1, 1, 1]
    assert sum(quad(0) in quads for quads in sent) == 3  # with all, with half, alone
    assert not outbox_status(tmp_path).refused
