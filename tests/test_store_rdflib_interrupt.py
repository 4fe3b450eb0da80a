"""What breaks off an insert into RDFLib, which cannot undo half a triple."""

from __future__ import annotations

import _thread
import ctypes
import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from outbox_cases import quad
from rdflib.plugins.stores.memory import Memory

from trustgraph_prov.stores import open_store


@pytest.fixture
def usr1_raises() -> Iterator[None]:
    before = signal.signal(signal.SIGUSR1, signal.default_int_handler)
    yield
    signal.signal(signal.SIGUSR1, before)


def raise_in_main_thread() -> None:
    ident = ctypes.c_ulong(threading.main_thread().ident or 0)
    error = ctypes.py_object(KeyboardInterrupt)
    assert ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, error) == 1


@pytest.mark.usefixtures("usr1_raises")
@pytest.mark.parametrize(
    "break_off",
    [
        partial(signal.raise_signal, signal.SIGINT),
        partial(signal.raise_signal, signal.SIGUSR1),
        raise_in_main_thread,
    ],
    ids=["ctrl-c", "another signal", "another thread"],
)
def test_ctrl_c_inside_rdflib_leaves_a_whole_call_or_none(
    dataset_name: str, monkeypatch: pytest.MonkeyPatch, break_off: Callable[[], None]
) -> None:
    """It ended in a KeyError of the undoing, and half a call was in the file after a flush."""

    def interrupted(self: Memory, *args: Any) -> None:
        seen.append(args[0])
        if len(seen) == 5:
            break_off()
        inside(self, *args)

    seen, inside = list[Any](), Memory._Memory__add_triple_context  # type: ignore[attr-defined]
    monkeypatch.setattr(Memory, "_Memory__add_triple_context", interrupted)
    first, call = [quad(0)], [quad(number) for number in range(1, 9)]
    with open_store(dataset_name) as store:
        store.insert(first)
        with pytest.raises(KeyboardInterrupt):
            store.insert(call)
        there = set(store.quads())
        assert there in (set(first), {*first, *call})
        with open_store(dataset_name, read_only=True) as reader:
            assert set(reader.quads()) == there
        store.insert(call)
    with open_store(dataset_name, read_only=True) as reader:
        assert set(reader.quads()) == {*first, *call}


def test_insert_where_no_thread_can_be_started(
    dataset_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at the end of Python."""

    def refused(*args: object) -> int:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(_thread, "start_new_thread", refused)
    with open_store(dataset_name) as store:
        store.insert([quad(1)])
    with open_store(dataset_name, read_only=True) as reader:
        assert list(reader.quads()) == [quad(1)]
