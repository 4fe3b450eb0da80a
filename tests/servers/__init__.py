"""Triplestores for the tests: each started once on 127.0.0.1, ended by its own process id."""

from __future__ import annotations

from .fuseki import Fuseki
from .oxigraph import OxigraphServer
from .process import Server
from .rdf4j import Rdf4j
from .virtuoso import Virtuoso

__all__ = ["SERVERS", "Server"]

SERVERS: dict[str, type[Server]] = {
    "fuseki": Fuseki,
    "virtuoso": Virtuoso,
    "rdf4j": Rdf4j,
    "oxigraph-server": OxigraphServer,
}
