"""A fork is noticed, and neither side harms the other's queue."""

from __future__ import annotations

import contextlib
import os
import warnings
from pathlib import Path

import pytest
from outbox_cases import PATIENCE, Child, Endpoint, HttpStore, quad, until

from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.outbox.journal import Journal
from trustgraph_prov.stores.lease import Lease

OPEN = """
import os, sys, threading
from outbox_cases import HttpStore, each_call, quad
from trustgraph_prov import StoreError
from trustgraph_prov.outbox import OutboxStore

def opened():
    return OutboxStore(HttpStore(int(sys.argv[1])), sys.argv[2], linger=60)

store = opened()
"""

REFUSED_IN_CHILD = """
store.insert([quad(0)])
if not os.fork():
    for call in each_call(store):
        try:
            call()
        except StoreError as error:
            print(error, flush=True)
    store.close()
    sys.exit()
os.wait()
store.insert([quad(2)])
store.close()
"""

MANY = """
def record(store, writer, count):
    for number in range(count):
        store.insert([quad(number, writer=writer)])

thread = threading.Thread(target=record, args=(store, 0, 300))
thread.start()
for writer in range(1, 11):
    if not os.fork():
        with opened() as own:
            record(own, writer, 20)
        os._exit(0)
for _ in range(1, 11):
    assert os.wait()[1] == 0
thread.join()
store.close()
"""

HELD_BY_PARENT = """
store.insert([quad(0)])
sys.stdin.readline()
child = os.fork()
if not child:
    threading.Event().wait()
print(child, flush=True)
threading.Event().wait()
"""


def test_a_child_is_refused_and_the_parent_loses_nothing(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    script = Child("-c", OPEN + REFUSED_IN_CHILD, endpoint.port, tmp_path / "outbox")
    code, lines = script.end()
    assert code == 0
    assert len(lines) == 8
    for line in lines:
        assert line.startswith(
            f"http://127.0.0.1:{endpoint.port}: its outbox was opened by process"
        )
        assert line.endswith("open an outbox of its own here, in the same folder if you like")
    assert endpoint.quads() == {quad(0), quad(2)}


def test_children_with_outboxes_of_their_own_share_the_folder(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    script = Child("-c", OPEN + MANY, endpoint.port, tmp_path / "outbox")
    assert script.end() == (0, [])
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox") as store:
        store.flush(PATIENCE)
    expected = {quad(number) for number in range(300)}
    expected |= {quad(n, writer=writer) for n in range(20) for writer in range(1, 11)}
    assert endpoint.quads() == expected


def test_a_child_does_not_keep_the_right_to_send_of_its_dead_parent(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.fail(status=503)
    parent = Child("-c", OPEN + HELD_BY_PARENT, endpoint.port, tmp_path / "outbox")
    until(lambda: [at.trouble for at in outbox_status(tmp_path / "outbox").targets], "trouble")
    parent.go_on()
    child = int(parent.line())
    parent.kill_alone()
    endpoint.fail()
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox") as store:
        store.flush(PATIENCE)
    assert endpoint.quads() == {quad(0)}
    parent.kill(child)


def open_files(folder: Path) -> set[str]:
    """Names of the files in a folder that this process has open."""
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):  # that of the listing is closed by now
            found.add(link.readlink())
    return {file.name for file in found if file.parent == folder}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no list of open files")
def test_nothing_open_crosses_a_fork(tmp_path: Path) -> None:
    journal, lease = Journal(tmp_path, "store"), Lease(tmp_path / "lock")
    journal.append(b"1")
    assert lease.acquire()
    assert {"queue.sqlite", "queue.sqlite-wal", "lock"} <= open_files(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other tests may have left threads
        child = os.fork()
    if not child:
        os._exit(len(open_files(tmp_path)))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not Lease(tmp_path / "lock").acquire()
    journal.append(b"2")
    assert journal.pending() == 2
    lease.release()
    journal.close()
