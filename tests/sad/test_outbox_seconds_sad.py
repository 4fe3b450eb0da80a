"""Seconds that an outbox cannot wait."""

from __future__ import annotations

import functools
import itertools
import math
from pathlib import Path
from typing import Any

import pytest
from outbox_cases import PATIENCE, HttpStore, barred, quad, until

from trustgraph_prov.errors import InvalidValueError
from trustgraph_prov.outbox import OutboxStore
from trustgraph_prov.stores import open_store

NOBODY = HttpStore(9)  # the discard port: nothing answers there


@pytest.mark.parametrize("stale_reads", [False, True])
@pytest.mark.parametrize("seconds", [0, -1, math.nan, "a", True, b"1", [1]])
def test_a_timeout_that_is_none_is_refused_whether_something_waits_or_not(
    seconds: Any, stale_reads: bool, tmp_path: Path
) -> None:
    """While something waited, the answer was that the store is still taking it."""
    with OutboxStore(NOBODY, tmp_path, linger=0, stale_reads=stale_reads) as store:
        for waiting in (0, 1):
            assert store.pending() == waiting
            for call in (store.flush, functools.partial(store.query, "ASK {}")):
                with pytest.raises(InvalidValueError) as caught:
                    call(timeout=seconds)
                assert str(caught.value) == (
                    f"timeout is {seconds!r}; expected seconds, more than 0"
                )
            store.insert([quad(1)])


@pytest.mark.parametrize(
    ("setting", "seconds"),
    [
        *itertools.product(
            ["wait", "linger", "longest_pause"], [-1, math.nan, "a", "5", True, b"1", [1]]
        ),
        ("linger", None),
        ("longest_pause", None),
    ],
)
def test_a_setting_that_is_no_seconds_is_refused(
    setting: str, seconds: Any, tmp_path: Path
) -> None:
    """Some ended the sender, some what was called with a TypeError."""
    settings: dict[str, Any] = {setting: seconds}
    with pytest.raises(InvalidValueError, match=f"^{setting} is .*; expected seconds, ") as caught:
        OutboxStore(NOBODY, tmp_path / "outbox", **settings)
    assert caught.value.value is seconds
    assert not (tmp_path / "outbox").exists()


def test_a_pause_without_end_is_over_when_somebody_asks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """No thread can wait so long: the sender ended, and nothing was sent any more."""
    with OutboxStore(open_store("memory:"), tmp_path, longest_pause=math.inf) as store:
        store.insert([quad(1)])
        store.flush(PATIENCE)
        lock = barred(tmp_path)
        store.insert([quad(2)])
        until(lambda: "Is a directory" in caplog.text, "the trouble")
        lock.rmdir()
        store.flush(PATIENCE)
        assert set(store.quads()) == {quad(1), quad(2)}
