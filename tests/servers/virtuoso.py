"""Virtuoso 7, as Debian packages it."""

from __future__ import annotations

import shutil
import subprocess

from narrowing import rows

from trustgraph_prov.stores.sparql_presets import PRESETS

from .process import Server, free_port

_SETTINGS = """\
[Database]
DatabaseFile = {folder}/db/virtuoso.db
ErrorLogFile = {folder}/db/virtuoso.log
LockFile = {folder}/db/virtuoso.lck
TransactionFile = {folder}/db/virtuoso.trx
xa_persistent_file = {folder}/db/virtuoso.pxa
FileExtend = 200
TempStorage = TempDatabase

[TempDatabase]
DatabaseFile = {folder}/db/virtuoso-temp.db
TransactionFile = {folder}/db/virtuoso-temp.trx

[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
NumberOfBuffers = 10000
MaxDirtyBuffers = 6000
MaxClientConnections = 10

[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {folder}
MaxClientConnections = 10

[SPARQL]
ResultSetMaxRows = 10000
MaxQueryExecutionTime = 60
"""
"""The limits of Debian's /etc/virtuoso-opensource-7/virtuoso.ini, and addresses of our own."""


class Virtuoso(Server):
    """`virtuoso-t`; takes updates at /sparql once they are granted."""

    sql_port: int

    @classmethod
    def missing(cls) -> str | None:
        """What this machine lacks to start it, or None."""
        wanted = [name for name in ("virtuoso-t", "isql-vt") if not shutil.which(name)]
        return f"no {' and no '.join(wanted)}" if wanted else None

    @classmethod
    def version(cls) -> str:
        """For the header line."""
        done = subprocess.run([_program("virtuoso-t"), "-?"], capture_output=True, check=False)
        words = (done.stdout + done.stderr).decode().split()
        return f"Virtuoso {words[words.index('Version') + 1].partition('-')[0]}"

    @staticmethod
    def store_name(address: str) -> str:
        """How `open_store` calls it."""
        return f"virtuoso+http://{address}"

    def command(self) -> list[str]:
        """Program and arguments."""
        self.sql_port = free_port()
        (self.folder / "db").mkdir()
        settings = self.folder / "virtuoso.ini"
        settings.write_text(_SETTINGS.format(folder=self.folder, sql=self.sql_port, http=self.port))
        return [_program("virtuoso-t"), "+configfile", str(settings), "+foreground"]

    def prepare(self) -> None:
        """Grant updates to everybody, as its manual says."""
        self.sql('GRANT SPARQL_UPDATE TO "SPARQL";')

    def sql(self, statement: str) -> str:
        """Run SQL as its administrator."""
        done = subprocess.run(
            [_program("isql-vt"), f"127.0.0.1:{self.sql_port}", "dba", "dba"],
            input=statement.encode(),
            capture_output=True,
            check=True,
            timeout=60,
        )
        return done.stdout.decode()

    def clear(self) -> None:
        """Empty it but for its own graphs."""
        store = self.open()
        for (graph,) in rows(store.query("SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }")):
            if graph.value not in PRESETS["virtuoso"].hidden:
                store.update(f"CLEAR GRAPH {graph}")


def _program(name: str) -> str:
    found = shutil.which(name)
    assert found, f"no {name}"
    return found
