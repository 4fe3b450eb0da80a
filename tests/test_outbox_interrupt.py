"""Ctrl-C at any moment of a call harms no later one: a notebook goes on after it."""

from __future__ import annotations

from pathlib import Path

from outbox_cases import Child, Endpoint, quad

CALLS = 2_000

STORM = f"""
import random, signal, sys
from outbox_cases import HttpStore, quad
from trustgraph_prov.outbox import OutboxStore

armed = False

def interrupt(*_):
    if armed:
        raise KeyboardInterrupt

chance = random.Random(7)
signal.signal(signal.SIGALRM, interrupt)
store = OutboxStore(HttpStore(int(sys.argv[1])), sys.argv[2], fsync=False, wait=120)
returned = []
for number in range({CALLS}):
    try:
        armed = True
        signal.setitimer(signal.ITIMER_REAL, chance.random() * 0.003)
        store.insert([quad(number)])
        if number % 20 == 0:
            store.flush()
        armed = False
        returned.append(number)
    except KeyboardInterrupt:
        armed = False
armed = False
store.insert([quad({CALLS})])
store.flush()
store.close()
print(*returned)
"""


def test_calls_that_ctrl_c_breaks_off_harm_no_other(endpoint: Endpoint, tmp_path: Path) -> None:
    child = Child("-c", STORM, endpoint.port, tmp_path / "outbox")
    code, (line,) = child.end()
    returned = {quad(int(number)) for number in line.split()}
    assert code == 0
    assert 0 < len(returned) < CALLS
    arrived = endpoint.quads()
    assert returned | {quad(CALLS)} <= arrived <= {quad(number) for number in range(CALLS + 1)}
