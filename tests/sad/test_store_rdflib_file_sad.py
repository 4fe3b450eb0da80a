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


@pytest.fixture(params=["trig", "nq"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / f"runs.{request.param}"


@pytest.fixture
def name(file: Path) -> str:
    return f"rdflib:{file}"


@pytest.fixture
def journal(file: Path) -> Path:
    return file.with_name(f"{file.name}.journal")


def test_file_that_was_broken_by_another_program_is_not_overwritten(name: str, file: Path) -> None:
    """What was read before stayed, and counted as read since."""
    store = open_store(name)
    store.insert([quad(1)])
    store.flush()
    file.write_text("<urn:a> <urn:p> broken")
    with pytest.raises(InputSyntaxError):
        store.reopen()
    store.insert([quad(2)])
    with pytest.raises(StoreError, match="another program changed the file since it was read"):
        store.flush()
    with pytest.raises(StoreError, match="left as that wrote it"):
        store.close()
    assert file.read_text() == "<urn:a> <urn:p> broken"


def test_file_is_closed_when_its_journal_cannot_be_read(
    name: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(self: Path, *args: str) -> IO[Any]:
        files.append(open_(self, *args))
        return files[-1]

    def broken(self: FileJournal) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    files = list[IO[Any]]()
    open_: Callable[..., IO[Any]] = Path.open
    file.write_text("")
    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(FileJournal, "text", broken)
    with pytest.raises(StoreError, match=r"cannot be read: .*Input/output error"):
        open_store(name, read_only=True)
    assert [one.closed for one in files] == [True]


def test_journal_that_cannot_be_removed_does_not_keep_a_store_from_closing(
    name: str, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path, missing_ok: bool = False) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    store = open_store(name)
    store.insert([quad(1)])
    store.flush()  # the file is there, so that closing removes the journal and nothing else
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refused)
        store.close()
    assert journal.read_bytes() == b""
    open_store(name).close()
    assert not journal.exists()
    with open_store(name, read_only=True) as reader:
        assert list(reader.quads()) == [quad(1)]


def test_journal_is_read_once_when_the_store_is_opened(
    name: str, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted(self: Path) -> bytes:
        seen.append(self)
        return read_bytes(self)

    seen, read_bytes = list[Path](), Path.read_bytes
    journal.write_bytes(encode([quad(1)]) + b"#+\n")  # as a process that was killed leaves it
    monkeypatch.setattr(Path, "read_bytes", counted)
    with open_store(name) as store:
        assert seen == [journal]
        store.insert([quad(2)])
        store.reopen()
        assert set(store.quads()) == {quad(1), quad(2)}


def test_place_that_cannot_be_written_is_told_without_python(file: Path) -> None:
    file.parent.joinpath("other").write_text("")
    with pytest.raises(StoreError, match=r"name another place, or open it for reading alone$"):
        open_store(f"rdflib:{file.parent / 'other' / file.name}")


@pytest.mark.parametrize(
    "text",
    [b"my own notes", b"my own\nnotes\n", b"# my own notes\n", b"\n# notes", b"#notes", b"\xff\n"],
)
def test_a_file_of_somebody_else_s_in_place_of_the_journal_is_refused_and_kept(
    name: str, journal: Path, text: bytes
) -> None:
    """It was emptied, and removed when the store was closed."""
    journal.write_bytes(text)
    journal.chmod(0o640)
    why = rf"^{name}: {journal.name} beside it is no journal of this store; move it away$"
    for _ in range(2):  # and nobody has it open the second time
        with pytest.raises(StoreError, match=why):
            open_store(name)
    assert journal.read_bytes() == text
    assert journal.stat().st_mode & 0o777 == 0o640
    journal.unlink()
    open_store(name).close()


WHOLE = encode([quad(1)]) + b"#-\n" + encode([quad(2), quad(3)]) + b"#+\n"


@pytest.mark.parametrize("zeros", [b"", bytes(9)], ids=["kill", "power cut"])
@pytest.mark.parametrize("before", [b"", encode([quad(4)]) + b"#+\n"], ids=["first", "second"])
def test_a_call_that_was_cut_anywhere_is_no_file_of_somebody_else_s(
    name: str, journal: Path, before: bytes, zeros: bytes
) -> None:
    for size in range(len(WHOLE)):
        journal.write_bytes(before + WHOLE[:size] + zeros)
        with open_store(name) as store:
            assert list(store.quads()) == ([quad(4)] if before else [])


def test_copies_that_killed_writers_left_are_removed_by_the_next_one(
    name: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [
        f".{file.name}.original",
        f".{file.name}.tmp",
        ".runs.tmp",
        f".x{file.name}.12345678.tmp",
    ]
    for other in others:
        file.with_name(other).write_text("")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        patch.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt), open_store(name) as store:
            store.insert([quad(1)])
    assert len(list(file.parent.iterdir())) == len(others) + 2
    open_store(name, read_only=True).close()
    assert len(list(file.parent.iterdir())) == len(others) + 2
    with open_store(name) as store:
        assert list(store.quads()) == [quad(1)]
        assert len(list(file.parent.iterdir())) == len(others) + 1
    assert {one.name for one in file.parent.iterdir()} == {*others, file.name}


def killed(*args: object, **options: object) -> None:
    raise KeyboardInterrupt
