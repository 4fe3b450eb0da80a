"""Folders that cannot be opened: one clear line each."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov.errors import StoreBusyError, StoreError, StoreMissingError
from trustgraph_prov.stores import engine as opening
from trustgraph_prov.stores import open_store

ONE = Quad(NamedNode("urn:a"), NamedNode("urn:b"), Literal("one"), NamedNode("urn:g"))

HOLD = """
import sys
from trustgraph_prov.stores import open_store
with open_store(sys.argv[1]):
    print("open", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    folder = tmp_path / "traces"
    with open_store(folder) as store:
        store.insert([ONE])
    return folder


@contextmanager
def another_process(folder: Path) -> Iterator[None]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == b"open\n"
        try:
            yield
        finally:
            process.stdin.close()
            process.wait(10)


@contextmanager
def not_root() -> Iterator[None]:
    """Root may read anything, so be nobody for a moment."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def one_line(error: StoreError, folder: Path) -> str:
    text = str(error)
    assert text.startswith(f"{folder}: ")
    assert error.store == str(folder)
    assert "\n" not in text
    return text


def test_second_writer_in_another_process(filled: Path) -> None:
    with another_process(filled), pytest.raises(StoreBusyError) as caught:
        open_store(filled)
    assert one_line(caught.value, filled).endswith(
        ": another process has it open for writing; wait for it or stop it "
        "(reading goes on beside it)"
    )
    with open_store(filled) as store:
        store.insert([ONE])


def test_second_writer_in_this_process(filled: Path) -> None:
    with (
        open_store(filled),
        pytest.raises(StoreBusyError, match="use that store, or close it and wait"),
    ):
        open_store(filled)


def test_reader_does_not_keep_a_later_writer_out(filled: Path) -> None:
    with open_store(filled, read_only=True) as reader, open_store(filled) as writer:
        writer.insert([Quad(ONE.subject, ONE.predicate, Literal("two"), ONE.graph_name)])
        assert len(list(reader.quads())) == 1
        reader.reopen()
        assert len(list(reader.quads())) == 2


def test_iterator_left_unread_does_not_keep_a_later_writer_out(filled: Path) -> None:
    store = open_store(filled)
    quads = store.quads()
    assert next(quads) == ONE
    store.close()
    with open_store(filled) as writer:
        assert set(writer.quads()) == {ONE}
    del quads


def test_result_left_unread_does_not_keep_a_later_writer_out(filled: Path) -> None:
    store = open_store(filled)
    result = store.query("SELECT ?o { GRAPH ?g { ?s ?p ?o } }")
    store.close()
    with open_store(filled) as writer:
        assert set(writer.quads()) == {ONE}
    del result


@pytest.mark.parametrize("read_only", [False, True])
def test_path_is_a_file(tmp_path: Path, read_only: bool) -> None:
    file = tmp_path / "traces.trig"
    file.write_text("")
    with pytest.raises(StoreError, match="is a file; a store is a folder") as caught:
        open_store(file, read_only=read_only)
    one_line(caught.value, file)


def test_path_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "store"
    why = r"no folder can be made there \(Not a directory\); name another place$"
    with pytest.raises(StoreError, match=why) as caught:
        open_store(folder)
    one_line(caught.value, folder)


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EROFS])
def test_place_where_no_folder_can_be_made_is_no_damaged_store(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As below /proc, or on a disk that is read-only."""

    def refused(self: Path, *args: object, **options: object) -> None:
        raise OSError(number, os.strerror(number), str(self))

    monkeypatch.setattr(Path, "mkdir", refused)
    why = rf"no folder can be made there \({os.strerror(number)}\); name another place$"
    with pytest.raises(StoreError, match=why) as caught:
        open_store(tmp_path / "store")
    one_line(caught.value, tmp_path / "store")


def test_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    (tmp_path / "LOG").write_text("")
    with pytest.raises(StoreError, match=r"holds something else \(thesis.tex\) and no store; name"):
        open_store(tmp_path)
    with pytest.raises(StoreMissingError, match="no store there; `tg-prov demo` or a recorder"):
        open_store(tmp_path, read_only=True)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["LOG", "thesis.tex"]


def test_empty_folder_becomes_a_store_but_only_for_writing(tmp_path: Path) -> None:
    with pytest.raises(StoreMissingError, match="no store there"):
        open_store(tmp_path, read_only=True)
    with open_store(tmp_path) as store:
        store.insert([ONE])
        assert set(store.quads()) == {ONE}


def test_folder_whose_making_was_cut_short(tmp_path: Path) -> None:
    for name in ("LOG", "LOCK", "IDENTITY", "OPTIONS-000007.dbtmp"):
        (tmp_path / name).write_text("")
    with open_store(tmp_path) as store:
        store.insert([ONE])
        assert set(store.quads()) == {ONE}


def open_the_way_to(folder: Path) -> None:
    """Let every user come through the folders above it, which tests have made for one."""
    top = Path(tempfile.gettempdir())
    for above in folder.parents:
        if top in above.parents:
            above.chmod(above.stat().st_mode | 0o055)


def test_folder_nobody_may_read(filled: Path) -> None:
    filled.chmod(0o000)
    open_the_way_to(filled)
    try:
        with not_root():
            for read_only in (False, True):
                with pytest.raises(StoreError, match=r"no permission to (open|read) this folder"):
                    open_store(filled, read_only=read_only)
    finally:
        filled.chmod(0o755)


def test_folder_nobody_may_write(filled: Path) -> None:
    open_the_way_to(filled)
    filled.chmod(0o555)
    for file in filled.iterdir():
        file.chmod(0o444)
    with not_root():
        with pytest.raises(StoreError, match="no permission to open this folder"):
            open_store(filled)
        with open_store(filled, read_only=True) as store:
            assert list(store.quads()) == [ONE]


def damage(folder: Path, kind: str) -> None:
    if kind == "table is missing":
        tables = list(folder.glob("*.sst"))
        assert tables
        for file in tables:
            file.unlink()
    elif kind == "table is cut":
        for file in folder.glob("*.sst"):
            file.write_bytes(file.read_bytes()[:100])
    elif kind == "manifest is missing":
        next(folder.glob("MANIFEST-*")).unlink()
    elif kind == "manifest is junk":
        next(folder.glob("MANIFEST-*")).write_bytes(b"junk" * 50)
    else:
        (folder / "CURRENT").write_text("junk")


@pytest.mark.parametrize(
    "kind",
    [
        "table is missing",
        "table is cut",
        "manifest is missing",
        "manifest is junk",
        "current is junk",
    ],
)
@pytest.mark.parametrize("read_only", [False, True], ids=["writer", "reader"])
def test_damaged_store(filled: Path, kind: str, read_only: bool) -> None:
    damage(filled, kind)
    with pytest.raises(StoreError, match=r"the store is damaged.*restore the folder from a backup"):
        open_store(filled, read_only=read_only)


def test_damage_is_told_from_a_busy_writer_by_the_file_that_stays_missing(filled: Path) -> None:
    damage(filled, "table is missing")
    with pytest.raises(StoreError, match=r"damaged, a file is missing \(.*sst") as caught:
        open_store(filled, read_only=True)
    assert not isinstance(caught.value, StoreBusyError)
    assert len(one_line(caught.value, filled)) < 500


def test_writer_that_replaces_files_all_the_time(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each open meets another manifest that is gone again, for as long as it tries."""
    monkeypatch.setattr(opening, "ATTEMPTS", 6)
    stop = threading.Event()

    def replace() -> None:
        number = 1000
        while not stop.is_set():
            number += 1
            fresh = filled / f"{number}.dbtmp"
            fresh.write_text(f"MANIFEST-{number:06d}\n")
            fresh.replace(filled / "CURRENT")

    thread = threading.Thread(target=replace)
    (filled / "CURRENT").write_text("MANIFEST-001000\n")
    thread.start()
    try:
        with pytest.raises(StoreBusyError) as caught:
            open_store(filled, read_only=True)
    finally:
        stop.set()
        thread.join()
    assert one_line(caught.value, filled).endswith(
        ": another process is busy writing to it; try again in a moment"
    )
    assert "orruption" not in str(caught.value)


@pytest.mark.parametrize("then", ["removed", "moved", "replaced"])
def test_a_folder_that_goes_away_takes_no_more(filled: Path, then: str) -> None:
    store = open_store(filled)
    store.insert([ONE])
    elsewhere = filled.with_name("elsewhere")
    filled.rename(elsewhere)
    if then == "replaced":
        shutil.copytree(elsewhere, filled)
    elif then == "removed":
        shutil.rmtree(elsewhere)
    writes: list[Callable[[], None]] = [
        lambda: store.insert([ONE]),
        lambda: store.update("CLEAR ALL"),
        store.flush,
    ]
    for write in writes:
        with pytest.raises(StoreError, match="was removed, moved or replaced while it was open"):
            write()
    with pytest.raises(StoreError, match="removed, moved or replaced"):
        store.close()
    store.close()
    assert filled.exists() == (then == "replaced")


@pytest.mark.parametrize("read_only", [False, True])
def test_a_folder_whose_first_file_is_empty_is_damaged(filled: Path, read_only: bool) -> None:
    (filled / "CURRENT").write_text("")
    with pytest.raises(StoreError, match=r"the store is damaged \(.*CURRENT .*\); restore"):
        open_store(filled, read_only=read_only)
