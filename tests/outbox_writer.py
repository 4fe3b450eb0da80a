"""Record one run of many steps, in processes that may be killed.

`python outbox_writer.py PORT OUTBOX STEPS` forks a process for each line it reads. That one goes on
where the run stands, as far as the step the line names, and prints the number of each step once
its call has returned. It ends after the last of all steps; before, it waits to be killed.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
from datetime import datetime, timezone

from outbox_cases import HttpStore

from trustgraph_prov import InvalidValueError, Recorder
from trustgraph_prov.outbox import OutboxStore
from trustgraph_prov.recorder import AgentRun

SESSION = "7"


def clock() -> datetime:
    return datetime(2026, 3, 2, 8, 15, tzinfo=timezone.utc)


def observation(step: int) -> str:
    """A text of its own for each step, up to 100 kB."""
    return f"{step} " * random.Random(step).randrange(20_000)


def say(line: str) -> None:
    """Print a line at once: whole or not at all, also where output is not buffered."""
    sys.stdout.write(line)
    sys.stdout.flush()


def record(recorder: Recorder, steps: int) -> None:
    run = recorder.agent("Does every step arrive?", session_id=SESSION, resume=True)
    for number in range(steps_of(run) + 1, steps + 1):
        run.analysis(f"thought {number}", "search", {"n": number}, observation(number))
        say(f"{number}\n")


def steps_of(run: AgentRun) -> int:
    """How many steps a run has."""
    number = 0
    with contextlib.suppress(InvalidValueError):
        while run.step(number + 1):
            number += 1
    return number


def write(port: int, outbox: str, steps: int, last: int) -> None:
    say(f"pid {os.getpid()}\n")
    with OutboxStore(HttpStore(port), outbox) as store:
        record(Recorder(store, clock=clock), last)
        store.flush()
        while last < steps:
            signal.pause()


if __name__ == "__main__":
    for line in sys.stdin:
        child = os.fork()
        if not child:
            write(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(line))
            break
        say(f"ended {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
