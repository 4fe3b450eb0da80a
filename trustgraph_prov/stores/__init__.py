"""Open a store by its name."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ..errors import InvalidValueError
from .addresses import bare_name
from .base import QueryResult, Store
from .oxigraph import OxigraphStore
from .sparql_presets import is_endpoint

if TYPE_CHECKING:
    from rdflib import Dataset
    from typing_extensions import Unpack

    from .sparql import ServerOptions

__all__ = ["QueryResult", "Store", "is_endpoint", "open_store"]

_SCHEME = re.compile(r"(?!memory:\Z|rdflib:)\s*([A-Za-z][A-Za-z0-9+.-]+:|https?//)")


def open_store(
    name_or_path: str | os.PathLike[str] | Dataset,
    *,
    read_only: bool = False,
    **server: Unpack[ServerOptions],
) -> Store:
    """Open a store.

    Args:
        name_or_path: a folder, made when it is not there; `memory:`; `rdflib:` for an empty RDFLib
            dataset, `rdflib:FILE` for one that is read from and flushed to a TriG or N-Quads file;
            or a Dataset of your own; the URL of a SPARQL endpoint, with a kind of server before it
            or not, as in `fuseki+http://HOST:3030/DATASET`.
        read_only: refuse writing. A folder is then read beside a process that writes, as it was
            when it was opened; `reopen` brings it up to date.
        server: for an endpoint only: `update_url`, `auth`, `timeout` and whatever else
            `SparqlStore` takes.

    Raises:
        StoreMissingError: read-only, and there is no store.
        StoreBusyError: another process has the folder open for writing.
        StoreError: it cannot be opened; the message says why.
        InvalidValueError: no kind of store has such a name.

    Example:
        >>> with open_store("memory:") as store:
        ...     bool(store.query("ASK { ?s ?p ?o }"))
        False
    """
    if isinstance(name_or_path, str) and is_endpoint(name_or_path):
        from .sparql import SparqlStore

        return SparqlStore(name_or_path, read_only=read_only, **server)
    if server:
        shown = bare_name(str(name_or_path))
        raise InvalidValueError("store", shown, f"a URL, to go with {min(server)}")
    if not isinstance(name_or_path, (str, os.PathLike)):
        from .rdflib_ import RdflibStore

        return RdflibStore(name_or_path, read_only=read_only)
    name, named = os.fspath(name_or_path), isinstance(name_or_path, str)
    if not name or bare_name(name) != name or (named and _SCHEME.match(name)):
        expected = 'a folder, "memory:", "rdflib:FILE" or a URL'
        raise InvalidValueError("store", bare_name(name), expected)
    if name == "memory:":
        return OxigraphStore(read_only=read_only)
    if name.startswith("rdflib:"):
        from .rdflib_ import RdflibStore

        return RdflibStore.from_file(name, read_only=read_only)
    return OxigraphStore(name, read_only=read_only)
