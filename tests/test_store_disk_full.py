"""A disk that fills up and has room again."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from narrowing import rows
from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov.errors import StoreError
from trustgraph_prov.stores import Store, open_store

P, G = NamedNode("urn:p"), NamedNode("urn:g")
BATCH = 38


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 MB, of which a ballast file takes 40."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(disk)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no `mount` here to make a small file system with")
    if done.returncode:
        pytest.skip(f"a small file system cannot be mounted: {done.stderr.strip()}")
    (disk / "ballast").write_bytes(b"x" * 40_000_000)
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)  # noqa: S607 - from the PATH


def grow(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)  # noqa: S607 - from the PATH


def batch(n: int, size: int = 1000) -> list[Quad]:
    return [
        Quad(NamedNode(f"urn:batch:{n}"), P, Literal(f"{n} {k} " + "x" * size), G)
        for k in range(BATCH)
    ]


def fill(store: Store, start: int = 0, size: int = 1000) -> tuple[int, StoreError]:
    """Insert until that fails: how many batches were acknowledged, and the error."""
    n = start
    try:
        while True:
            store.insert(batch(n, size))
            n += 1
    except StoreError as error:
        return n, error


def batches(store: Store) -> dict[int, int]:
    counted = "SELECT ?s (COUNT(*) AS ?n) { GRAPH <urn:g> { ?s <urn:p> ?o } } GROUP BY ?s"
    found = rows(store.query(counted))
    return {int(row["s"].value.rpartition(":")[2]): int(row["n"].value) for row in found}


def assert_whole(store: Store, acknowledged: int) -> None:
    """Everything acknowledged is there, and no batch in part."""
    found = batches(store)
    assert set(range(acknowledged)) <= set(found)
    assert set(found.values()) == {BATCH}


def test_store_writes_on_once_there_is_space(small_disk: Path) -> None:
    folder = small_disk / "store"
    with open_store(folder) as store:
        acknowledged = 0
        for _ in range(4):
            acknowledged, error = fill(store, acknowledged)
            assert error.store == str(folder)
            assert re.match(
                rf"{folder}: the disk is full \(\d+\.\d MB free\); .*; make \d+ MB of space and "
                r"write again$",
                str(error),
            )
            assert_whole(store, acknowledged)

        (small_disk / "ballast").unlink()
        store.insert(batch(acknowledged))
        assert_whole(store, acknowledged + 1)
    with open_store(folder) as store:
        assert_whole(store, acknowledged + 1)


def test_store_closed_while_the_disk_is_full(small_disk: Path) -> None:
    folder = small_disk / "store"
    with open_store(folder) as store:
        acknowledged, _ = fill(store, size=300)
    (small_disk / "ballast").unlink()
    with open_store(folder) as store:
        assert_whole(store, acknowledged)


def test_disk_that_fills_up_twice(small_disk: Path) -> None:
    folder = small_disk / "store"
    with open_store(folder) as store:
        first, _ = fill(store)
        (small_disk / "ballast").unlink()
        second, error = fill(store, first)
        assert second > first
        assert "the disk is full" in str(error)
        grow(small_disk, "192m")
        store.update("INSERT DATA { GRAPH <urn:g> { <urn:batch:-1> <urn:p> 'after' } }")
        assert set(range(-1, second)) <= set(batches(store))


def test_flush_once_there_is_space(small_disk: Path) -> None:
    folder = small_disk / "store"
    with open_store(folder) as store:
        acknowledged, _ = fill(store)
        (small_disk / "ballast").unlink()
        store.flush()
        assert_whole(store, acknowledged)


def test_store_opened_on_a_full_disk(small_disk: Path) -> None:
    rest = small_disk / "rest"
    with pytest.raises(OSError, match="No space left"):
        rest.write_bytes(b"x" * 80_000_000)
    with pytest.raises(StoreError, match=r"the disk is full \(0\.0 MB free\)"):
        open_store(small_disk / "store")
