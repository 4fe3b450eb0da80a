"""Ctrl-C and time limits: a query ends at once, and so does the process."""

from __future__ import annotations

import _thread
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import end_servers
from narrowing import rows
from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov.errors import QueryTimeoutError
from trustgraph_prov.stores import Store
from trustgraph_prov.stores.interrupt import GivenUpError, await_answer

P, G = NamedNode("urn:p"), NamedNode("urn:g")
MANY = [Quad(NamedNode(f"urn:{n}"), P, Literal(str(n)), G) for n in range(600)]
COUNT = (
    f"SELECT (COUNT(*) AS ?n) {{ VALUES ?times {{ {' '.join(map(str, range(100)))} }} "
    "GRAPH ?g { ?a ?p ?x . ?b ?q ?y . FILTER(?x < ?y) } }"
)
"""Goes on for seconds after it is given up, not for the minutes that would slow the other tests."""
STREAM = "SELECT * { GRAPH ?g { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z } }"
CONSTRUCT = "CONSTRUCT { ?a ?y ?z } WHERE { GRAPH ?g { ?a ?p ?x . ?y ?q ?b . ?c ?r ?z } }"

SCRIPT = """
import os, signal, sys, threading
from pyoxigraph import Literal, NamedNode, Quad
from trustgraph_prov.stores import open_store
store = open_store(sys.argv[1])
store.insert(
    Quad(NamedNode(f"urn:{n}"), NamedNode("urn:p"), Literal(str(n)), NamedNode("urn:g"))
    for n in range(1500)
)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    store.query(sys.argv[2])
except KeyboardInterrupt:
    print("interrupted", flush=True)
store.close()
sys.exit(5)
"""


@pytest.fixture(scope="module", autouse=True)
def nothing_runs_on() -> Iterator[None]:
    """A server goes on with what was given up, which took the time of the tests after these."""
    yield
    end_servers("store")


@pytest.fixture
def many(store: Store) -> Store:
    store.insert(MANY)
    return store


@pytest.mark.parametrize("query", [COUNT, STREAM, CONSTRUCT], ids=["count", "stream", "construct"])
def test_ctrl_c_ends_a_running_query(many: Store, query: str) -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        many.query(query)
    timer.join()
    assert many.query("ASK { GRAPH ?g { ?s ?p ?o } }")


@pytest.mark.parametrize("query", [COUNT, STREAM, CONSTRUCT], ids=["count", "stream", "construct"])
def test_timeout_ends_a_running_query(many: Store, query: str) -> None:
    with pytest.raises(QueryTimeoutError):
        many.query(query, timeout=0.3)


@pytest.mark.parametrize("timeout", [0, -1e-9, -1, float("-inf")])
def test_deadline_that_has_passed_ends_the_wait(timeout: float) -> None:
    """On a lock, -1 means without end, and anything else below 0 is refused."""
    with pytest.raises(GivenUpError):
        await_answer(lambda given_up: given_up.wait(20), timeout)


def test_timeout_that_is_over_before_anything_begins(many: Store) -> None:
    with pytest.raises(QueryTimeoutError, match="did not end within"):
        many.query(STREAM, timeout=1e-12)


def test_timeout_beyond_every_clock_is_none(store: Store) -> None:
    for timeout in (10**400, float("inf")):
        assert store.query("ASK {}", timeout=timeout)


def test_query_within_its_time(many: Store) -> None:
    found = rows(many.query("SELECT ?s { GRAPH ?g { ?s ?p ?o } }", timeout=60))
    assert len(found) == len(MANY)


def test_ctrl_c_on_an_insert_leaves_all_or_nothing(store: Store) -> None:
    """The signal comes while the source is read, or after everything was written."""

    def source() -> Iterator[Quad]:
        for n, quad in enumerate(MANY):
            if n == 300:
                os.kill(os.getpid(), signal.SIGINT)
            yield quad

    with pytest.raises(KeyboardInterrupt):
        store.insert(source())
    assert list(store.quads()) == []


@pytest.mark.parametrize("name", ["memory:", "folder"])
@pytest.mark.parametrize("query", [COUNT, STREAM], ids=["count", "stream"])
def test_process_ends_while_a_given_up_query_still_runs(
    tmp_path: Path, name: str, query: str
) -> None:
    name = str(tmp_path / "store") if name == "folder" else name
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", SCRIPT, name, query],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "interrupted\n"
    assert done.stderr == ""
    assert done.returncode == 5


def test_given_up_query_stops_at_its_next_row(many: Store) -> None:
    before = _thread._count()
    with pytest.raises(QueryTimeoutError):
        many.query(STREAM, timeout=0.2)
    end = time.monotonic() + 10
    while _thread._count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert _thread._count() == before
