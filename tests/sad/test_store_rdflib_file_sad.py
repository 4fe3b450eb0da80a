"""A dataset in a file that somebody else broke, or that cannot be read, removed or written."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest
from outbox_cases import quad

from trustgraph_prov.errors import InputSyntaxError, StoreError
from trustgraph_prov.n_quads import encode
from trustgraph_prov.stores import open_store
from trustgraph_prov.stores.rdflib_file_journal import FileJournal

FIRST = b"#tg-prov journal: calls that are not in the file beside it yet; each ends with #+\n"


def test_file_that_was_broken_by_another_program_is_not_overwritten(
    dataset_name: str, dataset: Path
) -> None:
    """What was read before stayed, and counted as read since."""
    store = open_store(dataset_name)
    store.insert([quad(1)])
    store.flush()
    dataset.write_text("<urn:a> <urn:p> broken")
    with pytest.raises(InputSyntaxError):
        store.reopen()
    store.insert([quad(2)])
    with pytest.raises(StoreError, match="another program changed the file since it was read"):
        store.flush()
    with pytest.raises(StoreError, match="left as that wrote it"):
        store.close()
    assert dataset.read_text() == "<urn:a> <urn:p> broken"


def test_file_is_closed_when_its_journal_cannot_be_read(
    dataset_name: str, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(self: Path, *args: str) -> IO[Any]:
        files.append(open_(self, *args))
        return files[-1]

    def broken(self: FileJournal) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    files = list[IO[Any]]()
    open_: Callable[..., IO[Any]] = Path.open
    dataset.write_text("")
    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(FileJournal, "text", broken)
    with pytest.raises(StoreError, match=r"cannot be read: .*Input/output error"):
        open_store(dataset_name, read_only=True)
    assert [one.closed for one in files] == [True]


def test_journal_that_cannot_be_removed_does_not_keep_a_store_from_closing(
    dataset_name: str, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path, missing_ok: bool = False) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    store = open_store(dataset_name)
    store.insert([quad(1)])
    store.flush()  # the file is there, so that closing removes the journal and nothing else
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refused)
        store.close()
    assert journal.read_bytes() == b""
    open_store(dataset_name).close()
    assert not journal.exists()
    with open_store(dataset_name, read_only=True) as reader:
        assert list(reader.quads()) == [quad(1)]


def test_journal_is_read_once_when_the_store_is_opened(
    dataset_name: str, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted(self: FileJournal) -> bytes:
        seen.append(self.path)
        return read(self)

    seen, read = list[Path](), FileJournal._read
    journal.write_bytes(FIRST + encode([quad(1)]) + b"#+\n")  # as a process that was killed does
    monkeypatch.setattr(FileJournal, "_read", counted)
    with open_store(dataset_name) as store:
        assert seen == [journal]
        store.insert([quad(2)])
        store.reopen()
        assert set(store.quads()) == {quad(1), quad(2)}


def test_place_that_cannot_be_written_is_told_without_python(dataset: Path) -> None:
    dataset.parent.joinpath("other").write_text("")
    with pytest.raises(StoreError, match=r"name another place, or open it for reading alone$"):
        open_store(f"rdflib:{dataset.parent / 'other' / dataset.name}")


@pytest.mark.parametrize(
    "text",
    [
        b"my own notes",
        b"my own\nnotes\n",
        b"# my own notes\n",
        b"\n# notes",
        b"#notes",
        b"\xff\n",
        encode([quad(1), quad(2)]),
        encode([quad(1)])[:-9],
        encode([quad(1)]) + b"#+\n",
        FIRST[:-9] + b"\n",
        b"\0" + FIRST,
    ],
)
def test_a_file_of_somebody_else_s_in_place_of_the_journal_is_refused_and_kept(
    dataset_name: str, journal: Path, text: bytes
) -> None:
    """It was emptied, and removed when the store was closed; N-Quads were longer than notes."""
    journal.write_bytes(text)
    journal.chmod(0o640)
    why = rf"^{dataset_name}: {journal.name} beside it is no journal of this store; move it away$"
    for _ in range(2):  # and nobody has it open the second time
        with pytest.raises(StoreError, match=why):
            open_store(dataset_name)
        with pytest.raises(StoreError, match=why):
            open_store(dataset_name, read_only=True)
    assert journal.read_bytes() == text
    assert journal.stat().st_mode & 0o777 == 0o640
    journal.unlink()
    open_store(dataset_name).close()


WHOLE = encode([quad(1)]) + b"#-\n" + encode([quad(2), quad(3)]) + b"#+\n"


def test_journal_begins_with_a_line_of_its_own_each_time_it_is_empty(
    dataset_name: str, journal: Path
) -> None:
    with open_store(dataset_name) as store:
        for number in range(2):
            assert journal.read_bytes() == b""
            store.insert([quad(number)])
            store.insert([quad(number + 7)])
            text = journal.read_bytes()
            assert text.startswith(FIRST)
            assert text.count(FIRST) == 1
            store.flush()


@pytest.mark.parametrize("zeros", [b"", bytes(9)], ids=["kill", "power cut"])
@pytest.mark.parametrize("before", [b"", FIRST + encode([quad(4)]) + b"#+\n"], ids=["1", "2"])
def test_a_call_that_was_cut_anywhere_is_no_file_of_somebody_else_s(
    dataset_name: str, journal: Path, before: bytes, zeros: bytes
) -> None:
    call = WHOLE if before else FIRST + WHOLE
    for size in range(len(call)):
        journal.write_bytes(before + call[:size] + zeros)
        with open_store(dataset_name) as store:
            assert list(store.quads()) == ([quad(4)] if before else [])


def test_copies_that_killed_writers_left_are_removed_by_the_next_one(
    dataset_name: str, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [
        f".{dataset.name}.original",
        f".{dataset.name}.tmp",
        ".runs.tmp",
        f".x{dataset.name}.12345678.tmp",
    ]
    for other in others:
        dataset.with_name(other).write_text("")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        patch.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt), open_store(dataset_name) as store:
            store.insert([quad(1)])
    assert len(list(dataset.parent.iterdir())) == len(others) + 2
    open_store(dataset_name, read_only=True).close()
    assert len(list(dataset.parent.iterdir())) == len(others) + 2
    with open_store(dataset_name) as store:
        assert list(store.quads()) == [quad(1)]
        assert len(list(dataset.parent.iterdir())) == len(others) + 1
    assert {one.name for one in dataset.parent.iterdir()} == {*others, dataset.name}


def killed(*args: object, **options: object) -> None:
    raise KeyboardInterrupt
