"""What breaks off a call: RDFLib cannot undo half a triple, and nobody a file that was renamed."""

from __future__ import annotations

import _thread
import ctypes
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from outbox_cases import quad
from rdflib.plugins.stores.memory import Memory

from trustgraph_prov.errors import StoreError
from trustgraph_prov.n_quads import encode
from trustgraph_prov.stores import drafts, open_store, rdflib_, rdflib_file, rdflib_file_journal
from trustgraph_prov.stores.base import Store

OURS = {one.__file__ for one in (drafts, rdflib_, rdflib_file, rdflib_file_journal)}


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


def broken_off(call: Callable[[], None], after: int) -> bool:
    """Do it and raise Ctrl-C where Python looks for one; whether it looks so often.

    That is where a function begins, and where one that is written in C has ended.
    """

    def profile(frame: FrameType, event: str, _: object) -> None:
        if event in {"call", "c_return"} and frame.f_code.co_filename in OURS:
            seen.append(event)
            if len(seen) == after:
                raise KeyboardInterrupt

    seen, before = list[str](), sys.getprofile()
    sys.setprofile(profile)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(before)
    return False


def test_ctrl_c_right_behind_the_rename_is_no_change_of_another_program(
    dataset_name: str, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing said so, and refused to write."""

    def interrupted(self: Path, target: Path) -> None:
        replace(self, target)
        signal.raise_signal(signal.SIGINT)

    replace = Path.replace
    store = open_store(dataset_name)
    store.insert([quad(1)])
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.flush()
    assert dataset.exists()
    store.insert([quad(2)])
    store.close()
    assert there(dataset_name) == {1, 2}


def there(name: str) -> set[int]:
    with open_store(name, read_only=True) as reader:
        found = set(reader.quads())
    return {number for number in range(9) if quad(number) in found}


def flushed(store: Store, _: Path) -> None:
    store.flush()


def reopened(store: Store, dataset: Path) -> None:
    """What another program wrote is not overwritten either."""
    dataset.write_bytes(dataset.read_bytes() + encode([quad(3)]))
    store.reopen()


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # broken off right behind open
@pytest.mark.parametrize("call", [flushed, reopened])
def test_ctrl_c_anywhere_while_the_file_is_written_or_read_loses_nothing(
    tmp_path: Path, call: Callable[[Store, Path], None]
) -> None:
    for after in count(1):
        dataset = tmp_path / str(after) / "runs.nq"
        with open_store(f"rdflib:{dataset}") as store:
            store.insert([quad(0)])
            store.flush()
            store.insert([quad(1)])
            broken = broken_off(partial(call, store, dataset), after)
            store.insert([quad(2)])
            if call is reopened:
                with suppress(StoreError):  # another program changed the file
                    store.flush()
                store.reopen()
        expected = {0, 1, 2} if call is flushed else {0, 1, 2, 3}
        assert there(f"rdflib:{dataset}") == expected
        assert {one.suffix for one in dataset.parent.iterdir()} <= {".nq", ".tmp"}
        if not broken:
            assert after > 20
            break
