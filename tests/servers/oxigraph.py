"""Oxigraph's own HTTP server, where somebody has built it."""

from __future__ import annotations

import shutil
import subprocess
from typing import ClassVar

from .process import HERE, Server


class OxigraphServer(Server):
    """`oxigraph serve`, from PATH or as `tests/servers/build-oxigraph` leaves it."""

    required: ClassVar[bool] = False

    @classmethod
    def missing(cls) -> str | None:
        """What this machine lacks to start it, or None."""
        return None if cls._binary() else "no oxigraph, see tests/servers/build-oxigraph"

    @classmethod
    def version(cls) -> str:
        """For the header line."""
        done = subprocess.run([str(cls._binary()), "--version"], capture_output=True, check=True)
        return f"Oxigraph server {done.stdout.decode().split()[-1]}"

    @staticmethod
    def store_name(address: str) -> str:
        """How `open_store` calls it."""
        return f"oxigraph+http://{address}"

    def command(self) -> list[str]:
        """Program and arguments."""
        bind = f"127.0.0.1:{self.port}"
        return [str(self._binary()), "serve", "--location", f"{self.folder}/db", "--bind", bind]

    @classmethod
    def _binary(cls) -> str | None:
        built = HERE / "oxigraph" / "target" / "bin" / "oxigraph"
        return str(built) if built.exists() else shutil.which("oxigraph")
