"""Hold on to a store's files as they are at one moment, while another process replaces them.

pyoxigraph opens tables when a query first needs them. When the writer has deleted one by then, a
SELECT fails and an ASK never ends. So a reader opens every file beforehand, and gives the engine a
folder of links to what it holds open, which Linux resolves for deleted files too.

The moment is a consistent one: RocksDB deletes a table or writes over a log only after it has noted
in its manifest that they are no longer needed, so when the manifest has not grown meanwhile, all
is held. Logs are copied, because RocksDB uses their files again under other names.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

__all__ = ["Snapshot", "can_hold"]

TRIES = 200
"""Rounds of opening everything, a millisecond each, before the writer counts as busy."""

_TABLE = re.compile(r"\d+\.(sst|blob)\Z")
_LOG = re.compile(r"\d+\.log\Z")
_LINKS = Path("/proc/self/fd")


def can_hold() -> bool:
    """Whether this system can reopen a file that was deleted."""
    return _LINKS.is_dir()


class Snapshot:
    """A folder of links to files held open, for as long as this object lives.

    Args:
        folder: the store.

    Raises:
        FileNotFoundError: the files changed all the time, or one that is needed is not there.
        OSError: a file cannot be opened.
    """

    def __init__(self, folder: Path) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="trustgraph-prov-"))
        self._files: list[int] = []
        self._end = weakref.finalize(self, _let_go, self.path, self._files, os.getpid())
        try:
            self._take(folder)
        except BaseException:
            self._end()
            raise

    def drop_logs(self) -> None:
        """Delete the copies of logs: the engine has read them when it is open."""
        for log in self.path.glob("*.log"):
            log.unlink()

    def close(self) -> None:
        """Let go of the files; the engine must not need them any more."""
        self._end()

    def _take(self, folder: Path) -> None:
        for _ in range(TRIES):
            current = (folder / "CURRENT").read_text()
            manifest = current.strip()
            with (folder / manifest).open("rb") as source:
                size = os.fstat(source.fileno()).st_size
                self._hold(folder)
                unchanged = os.fstat(source.fileno()).st_size == size
                if unchanged and (folder / "CURRENT").read_text() == current:
                    (self.path / "CURRENT").write_text(current)
                    (self.path / manifest).write_bytes(source.read(size))
                    return
            self._drop()
        raise FileNotFoundError(f"No such file or directory: {folder} changed all the time")

    def _hold(self, folder: Path) -> None:
        for found in folder.iterdir():
            # What is gone by now is no longer needed; if it is, the manifest has grown.
            with suppress(FileNotFoundError):
                if _TABLE.match(found.name):
                    file = os.open(found, os.O_RDONLY)
                    self._files.append(file)
                    (self.path / found.name).symlink_to(_LINKS / str(file))
                elif _LOG.match(found.name):
                    shutil.copyfile(found, self.path / found.name)

    def _drop(self) -> None:
        while self._files:
            os.close(self._files.pop())
        for link in self.path.iterdir():
            link.unlink()


def _let_go(path: Path, files: list[int], pid: int) -> None:
    while files:
        os.close(files.pop())
    if os.getpid() == pid:
        shutil.rmtree(path, ignore_errors=True)
