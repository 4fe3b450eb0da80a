"""What is known about each server: where its endpoints are, and what it takes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace

from ..errors import InvalidValueError
from ..namespaces import OWL
from .addresses import Address, bare_name, read_address

__all__ = ["PRESETS", "Endpoint", "Preset", "endpoint", "is_endpoint"]

MB = 1_000_000


@dataclass(frozen=True)
class Preset:
    """A kind of server.

    Attributes:
        kind: the word before `+http` in a store's name.
        query, update: paths of the endpoints below the URL that people give.
        service: path of another, which people give too; it is taken off.
        at: where these start when the URL has no path.
        max_bytes, max_triples: of one update; more is cut into several.
        max_text: bytes of one literal, or None; more is refused before anything is sent.
        max_iri: bytes of one IRI, or None; of a longer one it would keep the first part.
        max_rows: rows of one answer where the server cuts longer ones, or None.
        default_graph: IRI under which the default graph is kept (`named`) or can be read alone, or
            None where it is not mixed with the named ones.
        named: the default graph is a named one.
        hidden: graphs of the server's own.
        pointed: it reads `1` and `0.90` as numbers, and does not find them again to delete them,
            since it writes them as `1.0` and `0.9`.
        small: it keeps integers in 64 bits, and wider ones as other numbers.
        as_written: what to put before a query with many VALUES or with a recursive path, to have it
            planned as it stands.
    """

    kind: str
    query: str = ""
    update: str = ""
    service: str = ""
    at: str = ""
    max_bytes: int = MB
    max_triples: int = 5_000
    max_text: int | None = None
    max_iri: int | None = None
    max_rows: int | None = None
    default_graph: str | None = None
    named: bool = False
    hidden: frozenset[str] = field(default_factory=frozenset)
    pointed: bool = False
    small: bool = False
    as_written: str = ""


_ALL = (
    Preset("sparql"),
    Preset("fuseki", "/query", "/update", "/sparql", pointed=True),
    Preset("oxigraph", "/query", "/update"),
    Preset("stardog", "/query", "/update"),
    Preset("rdf4j", "", "/statements", default_graph="http://rdf4j.org/schema/rdf4j#nil"),
    Preset("graphdb", "", "/statements", default_graph="http://www.openrdf.org/schema/sesame#nil"),
    Preset(
        "blazegraph",
        "/sparql",
        "/sparql",
        at="/blazegraph/namespace/kb",
        default_graph="http://www.bigdata.com/rdf#nullGraph",
    ),
    Preset(
        "neptune",
        "/sparql",
        "/sparql",
        default_graph="http://aws.amazon.com/neptune/vocab/v01/DefaultNamedGraph",
        named=True,
    ),
    Preset(
        "virtuoso",
        "/sparql",
        "/sparql",
        max_triples=1_000,
        max_text=2 * MB,
        max_iri=1_880,
        max_rows=10_000,
        default_graph="urn:graph:default",
        named=True,
        hidden=frozenset(
            {
                "http://www.openlinksw.com/schemas/virtrdf#",
                "http://www.w3.org/ns/ldp#",
                OWL,
                "http://localuriqaserver/sparql",
                "urn:activitystreams-owl:map",
                "urn:core:services:sparql",
            }
        ),
        small=True,
        # It tries every order of joins, again inside each sub-select: seconds, or no memory left.
        # A recursive path it may begin at the wrong end: rows lost, or seconds for milliseconds.
        as_written='DEFINE sql:select-option "order"\n',
    ),
)
PRESETS = {preset.kind: preset for preset in _ALL}

_DIGEST = 8
_NAME = re.compile(r"(?:(?P<kind>[a-z0-9]+)\+)?(?P<url>https?://.*)\Z", re.I | re.S)


@dataclass(frozen=True)
class Endpoint:
    """Where a server is, and of which kind.

    Attributes:
        name: as the user named it, without credentials; of a query string, which may hold a key, a
            digest tells it from others.
        query_url, update_url: complete.
        preset: what is known about such servers.
        credentials: user and password from the URL, or None.
        update_credentials: those for updates.
    """

    name: str
    query_url: str
    update_url: str
    preset: Preset
    credentials: tuple[str, str] | None = field(default=None, repr=False)
    update_credentials: tuple[str, str] | None = field(default=None, repr=False)


def is_endpoint(name: str) -> bool:
    """Whether a store's name is the URL of an endpoint, with a kind of server before it or not.

    Example:
        >>> [is_endpoint(name) for name in ("fuseki+http://host:3030/ds", "http:", "rdflib:")]
        [True, False, False]
    """
    return _NAME.match(name) is not None


def endpoint(name: str, update_url: str | None = None) -> Endpoint:
    """Find the endpoints behind a store's name.

    Args:
        name: a URL, with a kind of server before it or not: `http://host/sparql`,
            `fuseki+http://host:3030/ds`.
        update_url: where updates go; for a plain URL the same as queries otherwise.

    Raises:
        InvalidValueError: not such a name, or an unknown kind.

    Example:
        >>> found = endpoint("fuseki+http://127.0.0.1:3030/ds")
        >>> found.query_url, found.update_url
        ('http://127.0.0.1:3030/ds/query', 'http://127.0.0.1:3030/ds/update')
        >>> endpoint("virtuoso+http://dba:secret@127.0.0.1:8890").name
        'virtuoso+http://127.0.0.1:8890'
        >>> endpoint("http://127.0.0.1:8080/sparql?db=a").name
        'http://127.0.0.1:8080/sparql?…44446c29'
    """
    match = _NAME.match(name)
    kind = (match["kind"] or "sparql").lower() if match else ""
    if not match or kind not in PRESETS:
        known = ", ".join(f"{one}+http://…" for one in PRESETS if one != "sparql")
        raise InvalidValueError("store", bare_name(name), f"http://…, https://…, or {known}")
    preset = PRESETS[kind]
    address = read_address("store", match["url"])
    parts = address.parts
    path = parts.path if kind == "sparql" else parts.path.rstrip("/") or preset.at
    if preset.query == preset.update and path.endswith(f"{preset.query}-auth"):
        preset = replace(preset, query="", update="")  # Virtuoso's endpoint with passwords
    root = _root(path, preset)
    update = Address(parts._replace(path=root + preset.update), address.credentials)
    if update_url is not None:
        given = read_address("update_url", update_url)
        update = replace(given, credentials=given.credentials or address.credentials)
    bare = parts._replace(query="", fragment="").geturl()
    if parts.query:
        bare += f"?…{hashlib.sha256(parts.query.encode()).hexdigest()[:_DIGEST]}"
    return Endpoint(
        name=f"{match['kind'].lower()}+{bare}" if match["kind"] else bare,
        query_url=parts._replace(path=root + preset.query).geturl(),
        update_url=update.parts.geturl(),
        preset=preset,
        credentials=address.credentials,
        update_credentials=update.credentials,
    )


def _root(path: str, preset: Preset) -> str:
    """What the endpoints are below, where a name may end with one of them."""
    for one in (preset.query, preset.update, preset.service):
        if one and path.endswith(one) and (path != one or one != preset.service):
            return path.removesuffix(one)
    return path
