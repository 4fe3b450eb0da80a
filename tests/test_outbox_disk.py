"""A full disk raises at the call; what was queued before is delivered."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from outbox_cases import PATIENCE, Endpoint, HttpStore, quad

from trustgraph_prov.errors import StoreError
from trustgraph_prov.outbox import OutboxStore, outbox_status
from trustgraph_prov.outbox.faults import RESERVE

LARGE = "x" * 100_000


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 10 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=10m", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        why = getattr(error, "stderr", "") or str(error)
        pytest.skip(f"no file system of 10 MB can be mounted here: {why.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)  # noqa: S607 - from the PATH


def fill(file: Path, leave: int) -> None:
    """Take the disk's space but for `leave` bytes."""
    with file.open("ab", buffering=0) as out, contextlib.suppress(OSError):
        while True:
            status = os.statvfs(file.parent)
            if status.f_bavail * status.f_frsize - leave < 4_096:
                break
            out.write(b"\0" * 4_096)


def insert_until_full(store: OutboxStore, text: str) -> int:
    """Insert as long as there is space; how many were."""
    inserted = itertools.count()
    with pytest.raises(StoreError, match=r"the disk of the outbox .* is full"):
        insert_for_ever(store, text, inserted)
    return next(inserted) - 1


def insert_for_ever(store: OutboxStore, text: str, numbers: Iterator[int]) -> None:
    for number in numbers:
        store.insert([quad(number, text + str(number))])


@pytest.mark.parametrize("size", [500, 100_000, 3_000_000])
def test_a_queue_that_fills_the_disk_raises_and_empties_without_help(
    size: int, disk: Path, endpoint: Endpoint
) -> None:
    endpoint.kill()
    text = "x" * size
    with OutboxStore(HttpStore(endpoint.port), disk / "outbox", fsync=False) as store:
        number = insert_until_full(store, text)
        assert number > 0
        assert store.pending() == number
        endpoint.start()
        store.flush(PATIENCE)
        store.insert([quad(number, text + str(number))])
        store.flush(PATIENCE)
    assert endpoint.quads() == {quad(n, text + str(n)) for n in range(number + 1)}


def test_the_message_names_folder_and_space(disk: Path, endpoint: Endpoint) -> None:
    with OutboxStore(HttpStore(endpoint.port), disk / "outbox") as store:
        fill(disk / "other", leave=RESERVE // 2)
        with pytest.raises(StoreError) as caught:
            store.insert([quad(1)])
        assert str(caught.value) == (
            f"{store.name}: the disk of the outbox {disk / 'outbox'} is full (0.5 MB free); "
            "make space and record it again: nothing of this call was queued, what was queued "
            "before is safe"
        )


def test_a_disk_that_others_fill_to_the_last_byte(disk: Path, endpoint: Endpoint) -> None:
    endpoint.kill()
    with OutboxStore(HttpStore(endpoint.port), disk / "outbox") as store:
        store.insert([quad(1), quad(2)])
        fill(disk / "other", leave=0)
        with pytest.raises(StoreError, match="is full"):
            store.insert([quad(3), quad(4)])
        assert store.pending() == 1
        endpoint.start()
        (disk / "other").unlink()
        store.insert([quad(5)])
        store.flush(PATIENCE)
    assert endpoint.quads() == {quad(1), quad(2), quad(5)}


def test_the_engine_of_the_queue_meets_a_full_disk_by_itself(
    disk: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Space can go between the look at it and the write."""
    monkeypatch.setattr("trustgraph_prov.outbox.journal.Journal._has_space", lambda *_: True)
    endpoint.kill()
    with OutboxStore(HttpStore(endpoint.port), disk / "outbox") as store:
        store.insert([quad(0)])
        fill(disk / "other", leave=3_000_000)
        number = 1 + insert_until_full(store, LARGE)
        assert store.pending() == number
        (disk / "other").unlink()
        store.insert([quad(number)])
        endpoint.start()
        store.flush(PATIENCE)
    expected = {quad(0), quad(number), *(quad(n, LARGE + str(n)) for n in range(number - 1))}
    assert endpoint.quads() == expected


def test_a_text_that_cannot_be_kept_whole_is_not_queued(disk: Path, endpoint: Endpoint) -> None:
    endpoint.kill()
    outbox = disk / "outbox"
    with OutboxStore(HttpStore(endpoint.port), outbox, max_text_bytes=1_000) as store:
        fill(disk / "other", leave=200_000)
        with pytest.raises(StoreError, match=r"the disk of .*dead-letters is full \(0\.\d MB free"):
            store.insert([quad(1, LARGE * 5)])
        assert store.pending() == 0
        assert list((outbox / "dead-letters").iterdir()) == []


def test_an_outbox_cannot_be_made_on_a_full_disk(disk: Path, endpoint: Endpoint) -> None:
    fill(disk / "other", leave=0)
    with pytest.raises(StoreError, match=r"the disk of the outbox .* is full \(0\.0 MB free\)"):
        OutboxStore(HttpStore(endpoint.port), disk / "outbox")


def test_a_disk_without_a_byte_is_called_full_by_status_and_at_opening(
    disk: Path, endpoint: Endpoint
) -> None:
    """SQLite calls it an I/O error, and permissions were to be checked."""
    with OutboxStore(HttpStore(endpoint.port), disk / "outbox", linger=0) as store:
        endpoint.kill()
        store.insert([quad(1)])
    fill(disk / "other", leave=0)
    with pytest.raises(StoreError, match=r"the disk of the outbox is full \(0\.0 MB free\); make"):
        outbox_status(disk / "outbox")
    with pytest.raises(StoreError, match=r"the disk of the outbox .* is full .*; make space$"):
        OutboxStore(HttpStore(endpoint.port), disk / "outbox")
    (disk / "other").unlink()
    assert outbox_status(disk / "outbox").pending == 1
