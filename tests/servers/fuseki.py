"""Apache Jena Fuseki on TDB2."""

from __future__ import annotations

import shutil

from .process import HERE, JAVA, Server, jars


class Fuseki(Server):
    """`java … FusekiMainCmd`, from the libraries in Maven Central."""

    @classmethod
    def missing(cls) -> str | None:
        """What this machine lacks to start it, or None."""
        if not jars("fuseki"):
            return "no libraries, see tests/servers/fetch"
        return None if shutil.which("java") else "no java"

    @classmethod
    def version(cls) -> str:
        """For the header line."""
        (jar,) = (HERE / "fuseki" / "target" / "lib").glob("jena-fuseki-main-*.jar")
        return f"Fuseki {jar.stem.rpartition('-')[2]} (TDB2)"

    @staticmethod
    def store_name(address: str) -> str:
        """How `open_store` calls it."""
        return f"fuseki+http://{address}/ds"

    def command(self) -> list[str]:
        """Program and arguments."""
        (self.folder / "tdb2").mkdir()
        return [
            *(*JAVA, "-Xmx3g", "-cp", f"{HERE}/fuseki/target/lib/*"),
            "org.apache.jena.fuseki.main.cmds.FusekiMainCmd",
            *("--localhost", f"--port={self.port}", "--update"),
            *("--tdb2", f"--loc={self.folder}/tdb2", "/ds"),
        ]
