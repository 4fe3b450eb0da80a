"""A store on a server: SPARQL 1.1 Protocol over HTTP, on any triplestore that speaks it."""

from __future__ import annotations

import ssl
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from typing import TypedDict

from pyoxigraph import Quad

from ..errors import InputSyntaxError, InvalidValueError, StoreError
from .addresses import secrets_of
from .base import EVERYTHING, QueryResult, Traits
from .faults import one_line
from .interrupt import check_timeout
from .opened import Opened
from .sparql_answers import RESULTS, TRIPLES, check_status
from .sparql_auth import Auth, BasicAuth
from .sparql_client import Client, Deadline
from .sparql_done import check_update
from .sparql_presets import endpoint
from .sparql_quads import read_quads
from .sparql_reading import Reader, check_syntax
from .sparql_text import QUERY_FORMS, form, recursive, repeatable, without_limits
from .sparql_transport import Reply, Signer
from .sparql_updates import check_terms, insert_requests, with_points, without_blank_nodes

__all__ = ["ServerOptions", "SparqlStore"]

CROWDED = 8
"""VALUES in a query from which on a planner that tries every order is told not to."""

ANSWER = 1_000_000_000
"""Bytes of the answer to a query: a graph of 2,500,000 triples of ordinary length."""

_ROWS = f"{RESULTS}, application/json;q=0.9"
_GRAPH = f"{TRIPLES}, text/turtle;q=0.8, application/rdf+xml;q=0.5"
_DONE = f"{RESULTS}, application/json;q=0.9, text/plain;q=0.8, */*;q=0.1"


class ServerOptions(TypedDict, total=False):
    """What `SparqlStore` takes by name."""

    update_url: str | None
    auth: Auth | None
    timeout: float
    retries: int
    backoff: float
    max_bytes: int | None
    max_triples: int | None
    max_text: int | None
    max_rows: int | None
    max_answer: int | None
    ssl_context: ssl.SSLContext | None
    signer: Signer | None
    proxies: Mapping[str, str] | None


class SparqlStore(Opened):
    """Quads on a server.

    Opening sends nothing. An insert is cut into requests of a size that servers take, in the order
    of its quads; each is done whole or not at all, and all may be sent again without harm. Reading
    quads takes several requests, so it is no snapshot while others write.

    Args:
        url: endpoint, or a kind of server and its URL: `fuseki+http://host:3030/ds`. User and
            password in it are used, before `auth`, and never shown.
        read_only: refuse writing.
        update_url: where updates go, with the user and password in it, if any; as queries, or as
            the kind of server has it, otherwise.
        auth: BasicAuth, DigestAuth, BearerAuth or HeaderAuth.
        timeout: seconds for one request, from looking its name up to the end of the answer.
        retries: further tries after a lost connection (three at most) or 429, 502, 503, 504.
        backoff: seconds before the first of them.
        max_bytes: of one update.
        max_triples: of one update.
        max_text: bytes of one literal.
        max_rows: rows at which the server cuts an answer, where it does not say so itself.
        max_answer: bytes of the answer to a query, 1 GB unless told otherwise.
        ssl_context: for https.
        signer: returns header fields to add, given method, URL, header fields and body. What they
            hold is secret, as is what its errors say.
        proxies: URL of a proxy by scheme; the environment is not asked.

    Attributes:
        traits: what is known about the server.
        requests: how many were sent.

    Example:
        >>> SparqlStore("fuseki+http://admin:secret@127.0.0.1:3030/ds")
        SparqlStore('fuseki+http://127.0.0.1:3030/ds')
    """

    def __init__(
        self,
        url: str,
        *,
        read_only: bool = False,
        update_url: str | None = None,
        auth: Auth | None = None,
        timeout: float = 60.0,
        retries: int = 11,
        backoff: float = 0.1,
        max_bytes: int | None = None,
        max_triples: int | None = None,
        max_text: int | None = None,
        max_rows: int | None = None,
        max_answer: int | None = None,
        ssl_context: ssl.SSLContext | None = None,
        signer: Signer | None = None,
        proxies: Mapping[str, str] | None = None,
    ) -> None:
        found = endpoint(url, update_url)
        preset = found.preset
        super().__init__(found.name, read_only=read_only)
        self._text_limit = _number("max_text", max_text) or preset.max_text
        self._preset = preset
        self._query_url, self._update_url = found.query_url, found.update_url
        self._max_bytes = _number("max_bytes", max_bytes) or preset.max_bytes
        self._max_triples = _number("max_triples", max_triples) or preset.max_triples
        self._client = Client(
            self.name,
            auth=BasicAuth(*found.credentials) if found.credentials else auth,
            update_auth=BasicAuth(*found.update_credentials) if found.update_credentials else auth,
            secrets=(*secrets_of(found.query_url), *secrets_of(found.update_url)),
            timeout=timeout,
            max_answer=_number("max_answer", max_answer) or ANSWER,
            retries=_count("retries", retries, least=0),
            backoff=backoff,
            ssl_context=ssl_context,
            signer=signer,
            proxies=proxies,
        )
        cap = _number("max_rows", max_rows) or preset.max_rows
        self._reader = Reader(self.name, self._send_query, cap)

    @property
    def traits(self) -> Traits:
        """What is known about the server by now."""
        graph = self._preset.default_graph
        return Traits(
            kind=self._preset.kind,
            server=self._reader.server,
            text_limit=self._text_limit,
            row_cap=self._reader.row_cap,
            default_graph=graph,
            default_graph_name=graph or "" if self._preset.named else "",
        )

    @property
    def requests(self) -> int:
        """How many HTTP requests were sent."""
        return self._client.requests

    def insert(self, quads: Iterable[Quad]) -> None:
        """Add quads; adding what is there changes nothing. Blank nodes become IRIs.

        More than one request can hold goes in several: whoever needs a mark that all is there puts
        it last.
        """
        self._check(writing=True)
        batch = [without_blank_nodes(quad) for quad in quads]
        if self._preset.pointed:
            batch = [with_points(quad) for quad in batch]
        check_terms(
            self.name,
            batch,
            max_text=self._text_limit,
            max_iri=self._preset.max_iri,
            small=self._preset.small,
        )
        requests = insert_requests(
            batch,
            max_bytes=self._max_bytes,
            max_triples=self._max_triples,
            default_graph=self._preset.default_graph if self._preset.named else None,
        )
        for done, text in enumerate(requests):
            self._send_part(text, done)

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        """Run a SPARQL query. Ctrl-C ends the wait for it at once.

        An answer that the server cut is read again in pages. `timeout` is for all of them; without
        it each request has the store's own.
        """
        self._check()
        check_timeout(timeout)
        deadline = None if timeout is None else Deadline.in_(timeout)
        return self._reader.answer(query, deadline).result()

    def update(self, update: str) -> None:
        """Run a SPARQL update.

        One that could do something else the second time is not sent again when the connection
        breaks; the error then says that it may have been done.
        """
        self._check(writing=True)
        if form(update) in QUERY_FORMS:
            check_syntax("update", update)
        self._send_update(update, repeat=repeatable(update))

    def quads(self, graph: str | None = None) -> Iterator[Quad]:
        """Read quads, in no order, graph by graph."""
        self._check()
        return self._read(graph)

    def flush(self) -> None:
        """Nothing to do: an update that was answered is with the server."""
        self._check()

    def reopen(self) -> None:
        """Nothing to do: every query sees what is there."""
        self._check()

    def close(self) -> None:
        """Refuse further use; closing twice is fine."""
        self._closed = True

    def _read(self, graph: str | None) -> Iterator[Quad]:
        cut = self._reader.row_cap is not None
        for quad in read_quads(self.query, self._preset, graph, cut=cut):
            if self._closed:
                raise StoreError(self.name, "was closed while its quads were being read")
            yield quad

    def _send_query(self, kind: str, query: str, deadline: Deadline | None) -> Reply:
        if self._reader.row_cap is not None:
            query = without_limits(query, EVERYTHING)
        if self._preset.as_written and (query.count("VALUES") >= CROWDED or recursive(query)):
            query = self._preset.as_written + query
        accept = _GRAPH if kind in ("CONSTRUCT", "DESCRIBE") else _ROWS
        return self._client.query(self._request(kind, query, accept, update=False), deadline)

    def _send_part(self, update: str, done: int) -> None:
        try:
            self._send_update(update, repeat=True)
        except StoreError as error:
            if done:
                harm = f"{done} requests of this call were done; sending all again is harmless"
                error.what = f"{error.what}; {harm}"
            raise

    def _send_update(self, update: str, *, repeat: bool) -> None:
        reply = self._client.update(
            self._request("INSERT", update, _DONE, update=True), repeat=repeat
        )
        if reply.status == 400:
            check_syntax("update", update)
        check_status(self.name, reply)
        check_update(self.name, reply)

    def _request(
        self, kind: str, text: str, accept: str, *, update: bool
    ) -> urllib.request.Request:
        """Have SPARQLWrapper write the request; how it would send it is another matter."""
        from SPARQLWrapper import POST, POSTDIRECTLY, URLENCODED, SPARQLWrapper

        wrapper = SPARQLWrapper(self._query_url, self._update_url, agent="trustgraph-prov")
        wrapper.setMethod(POST)
        wrapper.setRequestMethod(POSTDIRECTLY if update else URLENCODED)
        wrapper.setOnlyConneg(True)
        wrapper.addCustomHttpHeader("Accept", accept)
        if update:
            wrapper.addCustomHttpHeader("Content-Type", "application/sparql-update; charset=utf-8")
        # Its own guess at the form is misled by comments, and slow on an update of a megabyte.
        wrapper.queryString, wrapper.queryType = text, kind
        try:
            request = wrapper._createRequest()
        except UnicodeEncodeError as error:
            what = "update" if update else "query"
            raise InputSyntaxError(what, None, f"not SPARQL: {one_line(error)}") from None
        # It appends "?" for a direct POST, also behind a query string.
        request.full_url = self._update_url if update else self._query_url
        return request


def _number(name: str, value: int | None) -> int | None:
    return None if value is None else _count(name, value, least=1)


def _count(name: str, value: int, *, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidValueError(name, value, f"a whole number, {least} or more")
    return value
