"""How a store on a server talks to it: requests, presets, authentication, retries, deadlines."""

from __future__ import annotations

import base64
import hashlib
import re
import ssl
import time
import urllib.request
from email.utils import formatdate

import pytest
import trustme
from narrowing import rows
from pyoxigraph import Literal, NamedNode, QueryBoolean
from sparql_cases import (
    ASK,
    EMPTY,
    ONE,
    SELECT,
    A,
    Answer,
    Endpoint,
    Handler,
    P,
    Proxy,
    Seen,
    fixed,
    impatient,
    in_turn,
    server,
)

from trustgraph_prov.stores import open_store
from trustgraph_prov.stores.sparql import SparqlStore
from trustgraph_prov.stores.sparql_auth import BasicAuth, BearerAuth, DigestAuth, HeaderAuth
from trustgraph_prov.stores.sparql_presets import PRESETS, endpoint


def test_update_is_a_direct_post_and_query_a_form() -> None:
    with server(Endpoint()) as running:
        store = impatient(running.url + "/ds?tenant=7", update_url=running.url + "/up?tenant=8")
        store.insert([ONE])
        assert list(store.quads("urn:test:g")) == [ONE]
    update, query = running.seen
    assert (update.method, update.path) == ("POST", "/up?tenant=8")
    assert update.headers["content-type"] == "application/sparql-update; charset=utf-8"
    assert update.body.startswith(b"INSERT DATA {")
    assert (query.method, query.path) == ("POST", "/ds?tenant=7")
    assert query.headers["content-type"] == "application/x-www-form-urlencoded"
    assert list(query.form) == ["query"]
    assert store.requests == 2


def test_the_form_of_a_query_is_not_guessed_from_its_comments() -> None:
    text = "#+ summary: INSERT, DELETE\n#+ and CLEAR\n# DROP\nPREFIX drop: <urn:load> ASK {}"
    with server(Endpoint()) as running:
        assert impatient(running.url).query(text)
    assert running.seen[0].form["query"] == text


def test_opening_sends_nothing_and_closing_is_final() -> None:
    with server(fixed(500)) as running:
        with SparqlStore(running.url) as store:
            store.flush()
            store.reopen()
        store.close()
        assert not running.seen


@pytest.mark.parametrize(
    ("name", "query", "update"),
    [
        ("http://h/sparql", "http://h/sparql", "http://h/sparql"),
        ("http://h/sparql?key=1", "http://h/sparql?key=1", "http://h/sparql?key=1"),
        ("fuseki+http://h:3030/ds", "http://h:3030/ds/query", "http://h:3030/ds/update"),
        ("fuseki+http://h:3030/ds/", "http://h:3030/ds/query", "http://h:3030/ds/update"),
        ("fuseki+http://h/ds?k=1", "http://h/ds/query?k=1", "http://h/ds/update?k=1"),
        ("fuseki+http://h/ds/sparql", "http://h/ds/query", "http://h/ds/update"),
        ("fuseki+http://h/ds/update", "http://h/ds/query", "http://h/ds/update"),
        ("fuseki+http://h/sparql", "http://h/sparql/query", "http://h/sparql/update"),
        ("oxigraph+http://h/update", "http://h/query", "http://h/update"),
        ("oxigraph+http://h:7878", "http://h:7878/query", "http://h:7878/update"),
        ("stardog+https://h/db", "https://h/db/query", "https://h/db/update"),
        ("virtuoso+http://h:8890", "http://h:8890/sparql", "http://h:8890/sparql"),
        ("virtuoso+http://h:8890/sparql", "http://h:8890/sparql", "http://h:8890/sparql"),
        ("virtuoso+http://h/sparql-auth", "http://h/sparql-auth", "http://h/sparql-auth"),
        (
            "rdf4j+http://h:8080/rdf4j-server/repositories/x",
            "http://h:8080/rdf4j-server/repositories/x",
            "http://h:8080/rdf4j-server/repositories/x/statements",
        ),
        ("rdf4j+http://h/x/statements", "http://h/x", "http://h/x/statements"),
        (
            "graphdb+http://h:7200/repositories/x",
            "http://h:7200/repositories/x",
            "http://h:7200/repositories/x/statements",
        ),
        (
            "blazegraph+http://h:9999",
            "http://h:9999/blazegraph/namespace/kb/sparql",
            "http://h:9999/blazegraph/namespace/kb/sparql",
        ),
        (
            "blazegraph+http://h:9999/bigdata/namespace/x",
            "http://h:9999/bigdata/namespace/x/sparql",
            "http://h:9999/bigdata/namespace/x/sparql",
        ),
        ("neptune+https://h:8182", "https://h:8182/sparql", "https://h:8182/sparql"),
    ],
)
def test_presets_know_the_endpoints(name: str, query: str, update: str) -> None:
    found = endpoint(name)
    assert (found.query_url, found.update_url) == (query, update)
    assert found.name.partition("?")[0] == name.partition("?")[0]
    assert re.fullmatch(r"(\?…[0-9a-f]{8})?", found.name.removeprefix(name.partition("?")[0]))
    assert ("?" in found.name) == ("?" in name)


def test_the_name_tells_query_strings_apart_without_showing_them() -> None:
    names = [
        endpoint(f"http://h/x{end}").name for end in ("", "?db=a", "?db=b", "?db=a#f", "?", "#f")
    ]
    assert names == [names[0], names[1], names[2], names[1], names[0], names[0]]
    assert len(set(names)) == 3
    assert "db" not in "".join(names)


def test_every_preset_has_a_case() -> None:
    (mark,) = vars(test_presets_know_the_endpoints)["pytestmark"]
    assert {endpoint(case[0]).preset.kind for case in mark.args[1]} == set(PRESETS)


def test_credentials_of_the_url_are_sent_and_never_shown() -> None:
    with server(Endpoint()) as running:
        url = running.url.replace("//", "//ad%40min:s%C3%A9cret@")
        with open_store("fuseki+" + url + "/ds?apikey=hidden") as store:
            store.insert([ONE])
            shown = repr(store) + store.name
    sent = running.seen[0].headers["authorization"].removeprefix("Basic ")
    assert base64.b64decode(sent).decode() == "ad@min:sécret"
    assert shown.count("fuseki+http://127.0.0.1") == 2
    assert not re.search("cret|hidden|admin", shown)


@pytest.mark.parametrize(
    ("auth", "name", "value"),
    [
        (BasicAuth("u", ""), "authorization", "Basic dTo="),
        (BearerAuth("tok"), "authorization", "Bearer tok"),
        (HeaderAuth("X-API-Key", "k"), "x-api-key", "k"),
    ],
    ids=lambda one: str(one),
)
def test_authentication_by_header(auth: BasicAuth, name: str, value: str) -> None:
    with server(Endpoint()) as running:
        store = impatient(running.url, auth=auth)
        store.insert([ONE])
        store.query(ASK)
    assert [seen.headers[name] for seen in running.seen] == [value, value]


def digest(user: str, password: str, realm: str = "SPARQL") -> tuple[Endpoint, Answer]:
    """An endpoint behind digest authentication (RFC 7616, MD5)."""
    sound = Endpoint()

    def md5(text: str) -> str:
        return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

    def answer(handler: Handler, seen: Seen) -> None:
        given = dict(re.findall(r'(\w+)="?([^",]*)"?', seen.headers.get("authorization", "")))
        secret, asked = md5(f"{user}:{realm}:{password}"), md5(f"POST:{seen.path}")
        parts = (given.get("nonce"), given.get("nc"), given.get("cnonce"), "auth")
        if given.get("response") == md5(":".join([secret, *map(str, parts), asked])):
            sound(handler, seen)
        else:
            challenge = f'Digest realm="{realm}", qop="auth", nonce="n1", opaque="o1"'
            handler.say(401, b"who are you?", "text/plain", WWW_Authenticate=challenge)

    return sound, answer


def test_digest_is_answered_without_a_global_opener() -> None:
    before = vars(urllib.request)["_opener"]
    _, answer = digest("dba", "secret")
    with server(answer) as running:
        store = impatient(running.url + "/sparql?x=1", auth=DigestAuth("dba", "secret"))
        store.insert([ONE])
        assert list(store.quads("urn:test:g")) == [ONE]
    assert [("authorization" in seen.headers) for seen in running.seen] == [False, True] * 2
    assert b"secret" not in b"".join(repr(seen).encode() for seen in running.seen)
    assert vars(urllib.request)["_opener"] is before


def test_signer_signs_each_try() -> None:
    signed: list[tuple[str, str, bytes]] = []

    def signer(method: str, url: str, headers: object, body: bytes) -> dict[str, str]:
        signed.append((method, url, body))
        return {"X-Signature": f"s{len(signed)}"}

    with server(in_turn(fixed(503), Endpoint())) as running:
        impatient(running.url + "/sparql", signer=signer).insert([ONE])
    assert [seen.headers["x-signature"] for seen in running.seen] == ["s1", "s2"]
    assert signed[0] == ("POST", running.url + "/sparql", running.seen[0].body)


def test_proxy_is_an_argument() -> None:
    with server(fixed(200, b'{"head":{},"boolean":true}')) as running:
        store = impatient("http://store.invalid/sparql", proxies={"http": running.url})
        assert store.query(ASK)
    assert running.seen[0].path == "http://store.invalid/sparql"


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_ten_failures_then_fine(status: int) -> None:
    with server(in_turn(*[fixed(status, b"busy", "text/plain")] * 10, Endpoint())) as running:
        impatient(running.url).insert([ONE])
    assert len(running.seen) == 11


def test_deadlock_on_virtuoso_is_tried_again() -> None:
    dead = fixed(500, b"Virtuoso 40001 Error SR172: Transaction deadlocked", "text/plain")
    with server(in_turn(dead, Endpoint())) as running:
        impatient(running.url).insert([ONE])
    assert len(running.seen) == 2


@pytest.mark.parametrize(
    ("wait", "least"),
    [
        ("7", 7),
        ("date", 3_000),
        ("soon", 0),
        ("-5", 0),
        ("Mon, 02 Jan 99999999999999999999 10:00:00 GMT", 0),
        ("02 Jan 2030 10:00:00 +99999999999999", 0),
    ],
)
def test_retry_after_is_honoured(wait: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("trustgraph_prov.stores.sparql_retry.pause", slept.append)
    asked = formatdate(time.time() + 3_600, usegmt=True) if wait == "date" else wait
    with server(in_turn(fixed(503, Retry_After=asked), Endpoint())) as running:
        impatient(running.url, timeout=10_000).insert([ONE])
    assert len(running.seen) == 2
    (seconds,) = slept
    assert least <= seconds <= max(least * 1.2, 0.1)


@pytest.mark.parametrize("fault", [{"up": 300}, {"up": 20}, {"down": 30}, {"down": 0}])
def test_connection_that_breaks_is_made_again(fault: dict[str, int]) -> None:
    sound = Endpoint()
    with server(sound) as running, Proxy(running.server_port, cuts=2, **fault) as proxy:
        store = impatient(f"http://127.0.0.1:{proxy.port}")
        store.insert([ONE])
        assert isinstance(store.query(ASK), QueryBoolean)
    assert proxy.connections >= 3
    assert len(sound.store) == 1


def test_certificate_is_an_argument() -> None:
    authority = trustme.CA()
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(serving)
    trusting = ssl.create_default_context(cadata=authority.cert_pem.bytes().decode())
    with server(Endpoint()) as running:
        running.socket = serving.wrap_socket(running.socket, server_side=True)
        url = running.url.replace("http:", "https:")
        impatient(url, ssl_context=trusting).insert([ONE])
        with pytest.raises(Exception, match=r"cannot talk to https.*certificate is not trusted"):
            impatient(url).query(ASK)
        assert len(running.seen) == 1


def test_insert_is_cut_on_statements_in_order() -> None:
    texts = [f'say " .\n }} {n} ' + "é" * (n * 40 % 999) for n in range(60)]
    graphs = [NamedNode(f"urn:test:g{n // 7 % 3}") for n in range(60)]
    quads = [type(ONE)(A, P, Literal(text), g) for text, g in zip(texts, graphs, strict=True)]
    sound = Endpoint()
    with server(sound) as running:
        impatient(running.url, max_bytes=2_500, max_triples=4).insert(quads)
    assert set(sound.store) == set(quads)
    bodies = [seen.body.decode() for seen in running.seen]
    assert all(len(body.encode()) <= 2_500 or body.count("urn:test:a") == 1 for body in bodies)
    assert max(body.count("urn:test:a") for body in bodies) == 4
    order = [int(n) for body in bodies for n in re.findall(r"\\n }+ (\d+) ", body)]
    assert order == list(range(60))


def test_insert_twice_in_small_requests_counts_once() -> None:
    quads = [type(ONE)(A, P, Literal(str(n)), ONE.graph_name) for n in range(200)]
    sound = Endpoint()
    with server(sound) as running:
        store = impatient(running.url, max_bytes=1_000)
        store.insert(quads)
        store.insert(quads)
    assert len(sound.store) == 200
    assert len(running.seen) > 10


def test_blank_nodes_become_iris_that_stay_the_same() -> None:
    from pyoxigraph import BlankNode, Quad

    sound = Endpoint()
    with server(sound) as running:
        for _ in range(2):
            impatient(running.url).insert(
                [Quad(BlankNode("b1"), P, BlankNode("b2"), ONE.graph_name)]
            )
    assert {str(quad.object) for quad in sound.store} == {"<urn:trustgraph-prov:genid:b2>"}
    assert len(sound.store) == 1


def test_time_of_the_whole_query_is_shared_by_its_requests() -> None:
    with server(fixed(200, EMPTY)) as running:
        assert not rows(impatient(running.url).query(SELECT, timeout=10))
