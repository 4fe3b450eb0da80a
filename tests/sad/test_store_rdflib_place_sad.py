"""A dataset in a file whose journal or folder is taken away or changed while it is open."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from outbox_cases import quad
from pyoxigraph import Quad

from trustgraph_prov.errors import StoreError
from trustgraph_prov.stores import open_store
from trustgraph_prov.stores.lease import Lease


def read(name: str) -> set[Quad]:
    with open_store(name, read_only=True) as store:
        return set(store.quads())


def replaced(file: Path) -> None:
    file.rename(file.with_name("moved"))
    file.write_bytes(b"")


@pytest.mark.parametrize(
    "take", [Path.unlink, lambda file: file.rename(file.with_name("moved"))], ids=["gone", "moved"]
)
def test_reopening_without_the_journal_keeps_every_call_that_returned(
    dataset_name: str, dataset: Path, journal: Path, take: Callable[[Path], object]
) -> None:
    """It was read as empty, and closing wrote that."""
    store = open_store(dataset_name)
    store.insert([quad(1)])
    store.flush()
    store.insert([quad(2)])
    take(journal)
    store.reopen()
    assert set(store.quads()) == {quad(1), quad(2)}
    store.close()
    assert read(dataset_name) == {quad(1), quad(2)}


def test_reopening_beside_a_journal_of_somebody_else_keeps_every_call_that_returned(
    dataset_name: str, dataset: Path, journal: Path
) -> None:
    store = open_store(dataset_name)
    store.insert([quad(1)])
    replaced(journal)
    store.reopen()
    assert set(store.quads()) == {quad(1)}
    with pytest.raises(StoreError, match="was removed, moved or replaced while it was open"):
        store.flush()
    journal.unlink()
    store.close()
    assert read(dataset_name) == {quad(1)}


def test_journal_that_another_program_cut_stops_writing_and_loses_nothing(
    dataset_name: str, journal: Path
) -> None:
    """The next call went behind a hole of NULs, and reopening forgot those before."""
    store = open_store(dataset_name)
    store.insert([quad(1)])
    store.insert([quad(2)])
    os.truncate(journal, 9)
    lost = f"{journal.name} beside it was cut short while it was open; "
    close = "close the store, which writes what was recorded, and open it again$"
    with pytest.raises(StoreError, match=lost + close):
        store.reopen()
    with pytest.raises(StoreError, match=f"{lost}nothing of this call was written; {close}"):
        store.insert([quad(3)])
    assert set(store.quads()) == {quad(1), quad(2)}
    store.close()
    assert read(dataset_name) == {quad(1), quad(2)}
    assert not journal.exists()


def test_what_another_s_journal_keeps_from_the_file_is_said_to_be_in_this_store_only(
    dataset_name: str, dataset: Path, journal: Path
) -> None:
    """Who closed the store and opened it again, as the message said, lost it."""
    store = open_store(dataset_name)
    store.insert([quad(1)])
    journal.unlink()
    with open_store(dataset_name) as other:
        other.insert([quad(2)])
        lost = f"{journal.name} beside it was removed, moved or replaced while it was open; "
        out = (
            "what was recorded since is in this store only; export it, or move the "
            f"{journal.name} that is there now away and flush again$"
        )
        with pytest.raises(StoreError, match=f"{lost}nothing of this call was written; {out}"):
            store.insert([quad(3)])
        for end in (store.flush, store.close, store.close):
            with pytest.raises(StoreError, match=lost + out):
                end()
        assert set(store.quads()) == {quad(1)}
        journal.rename(journal.with_name("moved"))
        store.flush()
        assert read(dataset_name) == {quad(1)}
        with pytest.raises(StoreError, match=r"in this store only; reopen it to write both$"):
            other.flush()
        other.reopen()
    store.close()
    assert read(dataset_name) == {quad(1), quad(2)}


def test_file_that_another_wrote_after_the_journal_was_removed_is_written_with_both(
    dataset_name: str, journal: Path
) -> None:
    """The message said that opening it again would do, which lost what was recorded."""
    with open_store(dataset_name) as store:
        store.insert([quad(1)])
        journal.unlink()
        with open_store(dataset_name) as other:
            other.insert([quad(2)])
        with pytest.raises(StoreError, match=r"in this store only; reopen it to write both$"):
            store.flush()
        store.reopen()
    assert read(dataset_name) == {quad(1), quad(2)}


def test_folder_that_is_no_folder_any_more_is_told_without_python(
    tmp_path: Path, dataset: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    store = open_store(f"rdflib:{folder / dataset.name}")
    store.insert([quad(1)])
    folder.rename(tmp_path / "moved")
    folder.symlink_to(folder)
    with pytest.raises(StoreError, match=r"cannot be written \(.*\); nothing of this call was"):
        store.insert([quad(2)])
    with pytest.raises(StoreError, match=r"cannot be read: .*Too many levels"):
        store.reopen()
    why = r"cannot be written \(.*Too many levels.*\); the file is as it was; .*this store only$"
    for end in (store.flush, store.close):
        with pytest.raises(StoreError, match=why):
            end()
    assert read(f"rdflib:{tmp_path / 'moved' / dataset.name}") == {quad(1)}


@pytest.mark.parametrize("read_only", [False, True], ids=["write", "read"])
@pytest.mark.parametrize("place", ["loop/runs.nq", "loop.nq", f"{'x' * 300}.nq"])
def test_place_that_cannot_be_looked_at_is_told_without_python(
    tmp_path: Path, place: str, read_only: bool
) -> None:
    for loop in ("loop", "loop.nq"):
        (tmp_path / loop).symlink_to(tmp_path / loop)
    with pytest.raises(StoreError, match=r"runs\.nq: cannot be|\.nq: cannot be read: "):
        open_store(f"rdflib:{tmp_path / place}", read_only=read_only)


def test_folder_that_may_not_be_looked_into_is_told_without_python(
    dataset_name: str, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is found out; root may look into any."""

    def refused(self: Path, **_: object) -> os.stat_result:
        if self.parent == dataset.parent:
            raise PermissionError(errno.EACCES, "Permission denied")
        return stat(self)

    stat, store = Path.stat, open_store(dataset_name)
    store.insert([quad(1)])
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", refused)
        for read_only in (False, True):
            with pytest.raises(StoreError, match=r"cannot be read: .*Permission denied"):
                open_store(dataset_name, read_only=read_only)
        for call in (store.flush, store.close):
            with pytest.raises(StoreError, match=r"cannot be written \(.*Permission denied"):
                call()
    assert read(dataset_name) == {quad(1)}


@pytest.mark.parametrize("name", ["open", "fsync", "ftruncate"])
def test_what_fails_behind_the_rename_does_not_say_that_the_file_is_as_it_was(
    dataset_name: str, dataset: Path, journal: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def refused(target: object, *args: object, **_: object) -> object:
        if (dataset.exists() and name != "open") or target == dataset.parent:
            raise OSError(errno.EIO, "Input/output error")
        return real(target, *args)

    store, real = open_store(dataset_name), getattr(os, name)
    first, second = quad(1, "a longer text"), quad(2)
    store.insert([first])
    with monkeypatch.context() as patch:
        patch.setattr(os, name, refused)
        with pytest.raises(StoreError) as caught:
            store.flush()
    assert str(caught.value) == (
        f"{dataset_name}: is written, but its folder or its journal is not up to date ([Errno 5] "
        f"Input/output error); what was recorded since is in {journal.name} beside it, and is read "
        "too"
    )
    assert read(dataset_name) == {first}
    store.insert([second])
    assert read(dataset_name) == {first, second}
    store.close()
    assert read(dataset_name) == {first, second}
    assert not journal.exists()


def test_file_system_that_cannot_bring_a_folder_to_the_disk_is_no_error(
    dataset_name: str, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(descriptor: int) -> None:
        if dataset.exists():
            raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", refused)
    with open_store(dataset_name) as store:
        store.insert([quad(1)])
    assert read(dataset_name) == {quad(1)}


def test_lease_is_free_after_opening_has_failed(
    dataset_name: str, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "ftruncate", refused)
    with pytest.raises(
        StoreError, match=r"cannot be opened for writing \(.*Input/output"
    ) as caught:
        open_store(dataset_name)
    lease = Lease(journal)
    assert lease.acquire(), caught  # whose traceback keeps all of it alive
    lease.release()
