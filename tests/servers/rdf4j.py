"""RDF4J's NativeStore, the engine of GraphDB, behind a small server of our own."""

from __future__ import annotations

import shutil

from .process import HERE, JAVA, Server, jars


class Rdf4j(Server):
    """`java Rdf4jServer.java`, with the libraries in Maven Central."""

    @classmethod
    def missing(cls) -> str | None:
        """What this machine lacks to start it, or None."""
        if not jars("rdf4j"):
            return "no libraries, see tests/servers/fetch"
        return None if shutil.which("javac") else "no java that compiles"

    @classmethod
    def version(cls) -> str:
        """For the header line."""
        (jar,) = (HERE / "rdf4j" / "target" / "lib").glob("rdf4j-sail-nativerdf-*.jar")
        return f"RDF4J {jar.stem.rpartition('-')[2]} (NativeStore)"

    @staticmethod
    def store_name(address: str) -> str:
        """How `open_store` calls it."""
        return f"rdf4j+http://{address}/repositories/test"

    def command(self) -> list[str]:
        """Program and arguments."""
        return [
            *(*JAVA, "-Xmx2g", "-XX:+ExitOnOutOfMemoryError"),
            *("-cp", f"{HERE}/rdf4j/target/lib/*"),
            str(HERE / "rdf4j" / "Rdf4jServer.java"),
            *(str(self.port), f"{self.folder}/native"),
        ]
