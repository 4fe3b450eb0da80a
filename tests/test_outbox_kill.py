"""Processes killed with -9 at any moment lose no call that returned, and double nothing."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

from outbox_cases import Child, Endpoint, HttpStore, quad, until
from outbox_writer import clock, record

from trustgraph_prov import Recorder
from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.stores import open_store

STEPS = 200
KILLS = 50

INSERT = """
import sys
from outbox_cases import HttpStore, quad
from trustgraph_prov.outbox import OutboxStore
port, folder, writer, first, last = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
with OutboxStore(HttpStore(int(port)), folder, linger=60) as store:
    for number in range(first, last):
        store.insert([quad(number, writer=writer)])
        print(number, flush=True)
    sys.stdin.readline()
"""


def test_kill_at_50_random_points_of_a_run_of_200_steps(endpoint: Endpoint, tmp_path: Path) -> None:
    chance = random.Random(20)
    writers = Child("outbox_writer.py", endpoint.port, tmp_path / "outbox", STEPS)
    returned: list[int] = []
    for kill in range(1, KILLS + 1):
        writers.go_on(STEPS * kill // KILLS - 1)
        pid = int(writers.line().removeprefix("pid "))
        # In the middle of opening, catching up, queueing, sending or waiting.
        returned.extend(int(writers.line()) for _ in range(chance.randrange(STEPS // KILLS)))
        time.sleep(chance.random() * 0.02)
        if kill % 5 == 0:
            endpoint.kill()
        os.kill(pid, signal.SIGKILL)
        while (line := writers.line()) != f"ended {-signal.SIGKILL}":
            returned.append(int(line))
        if kill % 5 == 0:
            endpoint.start()
    writers.go_on(STEPS)
    assert int(writers.line().removeprefix("pid ")) > 0
    while (line := writers.line()) != "ended 0":
        returned.append(int(line))
    assert writers.end()[0] == 0
    # What has returned is never recorded again: the next process has found it.
    assert len(returned) == len(set(returned))
    assert STEPS - KILLS <= len(returned) <= STEPS
    with open_store("memory:") as undisturbed:
        record(Recorder(undisturbed, clock=clock), STEPS)
        expected = set(undisturbed.quads())
    arrived = endpoint.quads()
    assert arrived - expected == set()
    assert expected - arrived == set()
    assert outbox_status(tmp_path / "outbox").refused == ()


def test_processes_share_a_folder_and_one_at_a_time_sends(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    writers = [
        Child("-c", INSERT, endpoint.port, tmp_path / "outbox", number, 0, 100)
        for number in range(4)
    ]
    for writer in writers:
        writer.go_on()
        code, lines = writer.end()
        assert (code, len(lines)) == (0, 100)
    received = endpoint.received()
    assert {at_once for at_once, _ in received} == {1}
    for number in range(4):
        own = [quad(step, writer=number) for step in range(100)]
        assert [one for _, one in received if one in set(own)] == own
    assert len(received) == 400


def test_the_death_of_the_process_that_sends_lets_another_one_send(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.fail(status=503)
    first = Child("-c", INSERT, endpoint.port, tmp_path / "outbox", 1, 0, 5)
    assert [first.line() for _ in range(5)] == ["0", "1", "2", "3", "4"]
    until(lambda: [at.trouble for at in outbox_status(tmp_path / "outbox").targets], "trouble")
    second = Child("-c", INSERT, endpoint.port, tmp_path / "outbox", 2, 0, 5)
    assert [second.line() for _ in range(5)] == ["0", "1", "2", "3", "4"]
    first.kill()
    endpoint.fail()
    until(lambda: outbox_status(tmp_path / "outbox").targets == (), "delivery by the other one")
    assert endpoint.quads() == {quad(n, writer=w) for n in range(5) for w in (1, 2)}
    second.kill()


def test_a_living_process_sends_what_a_dead_one_has_left(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox") as idle:
        endpoint.fail(status=503)
        other = Child("-c", INSERT, endpoint.port, tmp_path / "outbox", 1, 0, 3)
        assert [other.line() for _ in range(3)] == ["0", "1", "2"]
        other.kill()
        endpoint.fail()
        until(lambda: idle.pending() == 0, "delivery")
    assert endpoint.quads() == {quad(n, writer=1) for n in range(3)}
