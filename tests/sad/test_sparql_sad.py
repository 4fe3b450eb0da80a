"""Requests that get no answer from a server, or a no; each with real sockets."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from traceback import walk_stack
from typing import Any

import pytest
from outbox_cases import PATIENCE
from pyoxigraph import Literal, Quad
from sparql_cases import (
    ASK,
    ONE,
    A,
    Endpoint,
    G,
    Handler,
    P,
    Proxy,
    Seen,
    fixed,
    impatient,
    in_turn,
    server,
)

from trustgraph_prov.errors import (
    InputSyntaxError,
    InvalidValueError,
    QueryTimeoutError,
    StoreError,
    StoreRefusedError,
)
from trustgraph_prov.stores import open_store
from trustgraph_prov.stores.interrupt import _Call
from trustgraph_prov.stores.sparql import SparqlStore
from trustgraph_prov.stores.sparql_auth import BasicAuth, BearerAuth, DigestAuth, HeaderAuth


def test_endpoint_down_at_the_start() -> None:
    with server(Endpoint()) as running:
        url = running.url
    store = impatient(url)
    with pytest.raises(StoreError, match=r"no answer: .*refused; see that the server runs$"):
        store.insert([ONE])
    assert store.requests == 4


def test_update_that_broke_off_is_not_sent_again() -> None:
    sound = Endpoint()
    with server(sound) as running, Proxy(running.server_port, down=0) as proxy:
        store = impatient(f"http://127.0.0.1:{proxy.port}")
        with pytest.raises(StoreError, match="see that the server runs; it may have been done"):
            store.update("INSERT { <urn:a> <urn:b> ?u } WHERE { BIND(UUID() AS ?u) }")
        assert proxy.connections == 1
        with pytest.raises(StoreError, match=r"see that the server runs$"):
            store.update("INSERT DATA { <urn:a> <urn:b> 1 }")
        assert proxy.connections == 5


def test_update_behind_a_bad_gateway_is_not_sent_again_unless_harmless() -> None:
    with server(fixed(502, b"bad gateway", "text/plain")) as running:
        store = impatient(running.url, retries=2)
        with pytest.raises(StoreError, match="answered 502: bad gateway"):
            store.update("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }")
        assert len(running.seen) == 1
        with pytest.raises(StoreError, match="answered 502"):
            store.insert([ONE])
        assert len(running.seen) == 4


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 413, 418, 500, 501])
def test_other_failures_are_not_tried_again(status: int) -> None:
    with server(fixed(status, b"no", "text/plain")) as running:
        with pytest.raises(StoreError, match=f"{running.url}/x answered {status}") as caught:
            impatient(running.url + "/x").insert([ONE])
        assert len(running.seen) == 1
    for_good = status in (400, 405, 409, 413, 501)
    assert isinstance(caught.value, StoreRefusedError) == for_good


def test_retry_after_longer_than_the_time_left_gives_up_at_once() -> None:
    with server(fixed(503, b"later", "text/plain", Retry_After="3600")) as running:
        with pytest.raises(StoreError, match="answered 503: later"):
            impatient(running.url).insert([ONE])
        assert len(running.seen) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_is_refused_and_nothing_is_sent_elsewhere(status: int) -> None:
    with (
        server(Endpoint()) as other,
        server(
            lambda handler, seen: handler.say(status, Location=other.url + "/login?token=hidden")
        ) as running,
    ):
        store = impatient(running.url, auth=BasicAuth("u", "secret"))
        for call in (lambda: store.insert([ONE]), lambda: store.query(ASK)):
            with pytest.raises(
                StoreError, match=rf"answered {status}, a redirect to .*refused"
            ) as e:
                call()
            assert "hidden" not in str(e.value)
        assert not other.seen


@pytest.mark.parametrize(
    "auth", [BasicAuth("u", "S3cret"), DigestAuth("u", "S3cret"), BearerAuth("S3cret")]
)
def test_wrong_password_is_sent_once_and_never_shown(auth: BasicAuth) -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        echo = f"{seen.headers.get('authorization')} and S3cret are wrong".encode()
        challenge = 'Digest realm="r", qop="auth", nonce="n"'
        handler.say(401, echo, "text/plain", WWW_Authenticate=challenge)

    with server(answer) as running:
        store = impatient(running.url, auth=auth)
        with pytest.raises(
            StoreError, match="answered 401, it refuses these credentials"
        ) as caught:
            store.insert([ONE])
        assert len(running.seen) == (2 if isinstance(auth, DigestAuth) else 1)
    shown = str(caught.value) + repr(caught.value) + repr(store) + repr(auth) + repr(vars(store))
    assert "S3cret" not in shown
    assert "dTpTM2NyZXQ=" not in shown


def test_challenge_that_cannot_be_met() -> None:
    challenge = 'Digest realm="r", algorithm=SHA-512-256, nonce="n"'
    with server(fixed(401, WWW_Authenticate=challenge)) as running:
        store = impatient(running.url, auth=DigestAuth("u", "secret"))
        with pytest.raises(StoreError, match=r"[Uu]nsupported digest|answered 401"):
            store.query(ASK)


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("timeout", [None, "a", True, -1]),
        ("backoff", [None, "a", True, -1, math.nan]),
        ("retries", [None, "a", True, 1.5, -1]),
        ("max_bytes", ["a", True, 1.5, 0]),
        ("max_rows", ["a", True, 1.5, 0]),
    ],
)
def test_setting_that_is_no_number_is_refused(setting: str, values: list[Any]) -> None:
    for value in values:
        settings: dict[str, Any] = {setting: value}
        with pytest.raises(
            InvalidValueError, match=f"^{setting} is .*; expected (seconds|a whole number), "
        ) as caught:
            SparqlStore("http://h", **settings)
        assert caught.value.value is value


@pytest.mark.parametrize(
    ("proxies", "shown"),
    [
        ({"http": None}, "{'http': <class 'NoneType'>}"),
        ({"http": b"http://u:S3cret@h"}, "{'http': <class 'bytes'>}"),
        ({1: "http://u:S3cret@h"}, "{1: <class 'str'>}"),
        ("http://u:S3cret@h", "<class 'str'>"),
        ([("http", "http://u:S3cret@h")], "<class 'list'>"),
    ],
)
def test_proxies_that_are_none_are_refused_without_their_password(proxies: Any, shown: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        SparqlStore("http://h", proxies=proxies)
    assert str(caught.value) == (
        f"proxies is {shown}; expected a mapping of schemes to URLs, each a str"
    )


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: BasicAuth("a:b", "x"), "user is 'a:b'; expected a name without a colon"),
        (lambda: HeaderAuth("X Y", "x"), "header is 'X Y'; expected the name of a header field"),
        (lambda: BearerAuth("sec\nret"), "value of Authorization is '…'; expected text that a"),
        (lambda: SparqlStore("http://h", timeout=0), "timeout is 0; expected seconds"),
        (lambda: SparqlStore("http://h", timeout=1e300), "timeout is .*; expected seconds, 1,000,"),
        (lambda: SparqlStore("http://h", timeout=math.inf), "timeout is inf; expected seconds, 1"),
        (lambda: SparqlStore("http://h", max_answer=0), "max_answer is 0; expected a whole number"),
        (lambda: BasicAuth("u", "p\udcff"), "password is '…'; expected text in UTF-8"),
        (lambda: BasicAuth("u\udcff", "p"), "user is '…'; expected text in UTF-8"),
        (lambda: DigestAuth("u", "p\udcff"), "password is '…'; expected text in UTF-8"),
        (lambda: SparqlStore("http://h", max_bytes=0), "max_bytes is 0; expected a whole number"),
        (lambda: SparqlStore("http://"), "expected a URL with http:// or https:// and a host"),
        (lambda: SparqlStore("http://h:99999"), "expected a URL with a number up to 65535 as its"),
        (lambda: SparqlStore("ftp://h"), r"expected http://…, https://…, or fuseki\+http"),
        (lambda: SparqlStore("http://h", update_url="ftp://h"), "update_url is .*a URL with http"),
        (lambda: open_store("oracle+http://u:secret@h"), r"store is 'oracle\+http://h'"),
        (lambda: open_store("memory:", timeout=3), "store is 'memory:'; expected a URL"),
    ],
)
def test_argument_that_is_none(make: Callable[[], object], match: str) -> None:
    with pytest.raises(InvalidValueError, match=match):
        make()


class Slow:
    """An answer in parts, each after a pause; or none at all until it is told to stop.

    Attributes:
        finished: answers whose last part was written.
    """

    def __init__(self, *parts: bytes, stop: threading.Event) -> None:
        self.finished = 0
        self._parts = parts
        self._stop = stop

    def __call__(self, handler: Handler, seen: Seen) -> None:
        handler.close_connection = True
        if not self._parts:
            assert self._stop.wait(PATIENCE)
        for part in self._parts:
            self._stop.wait(0.1)
            handler.wfile.write(part)
            handler.wfile.flush()
        self.finished += 1


DRIPPING = [
    bytes([byte]) for byte in b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX: " + b"y" * 999
]
BODY = [b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n", *[b" "] * 999]


@pytest.mark.parametrize("parts", [DRIPPING, BODY, []], ids=["headers", "body", "silence"])
def test_timeout_is_a_deadline(parts: list[bytes]) -> None:
    stop = threading.Event()
    slow = Slow(*parts, stop=stop)
    with server(slow) as running:
        store = impatient(running.url, timeout=0.5)
        with pytest.raises(QueryTimeoutError, match=r"did not end within 0\.5 s"):
            store.query(ASK)
        with pytest.raises(QueryTimeoutError, match=r"did not end within 0\.3 s"):
            store.query(ASK, timeout=0.3)
        with pytest.raises(StoreError, match=r"within 0\.5 s; sending it again is harmless"):
            store.insert([ONE])
        with pytest.raises(StoreError, match=r"within 0\.5 s; it may have been done"):
            store.update("INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }")
        assert slow.finished == 0  # each part came in time, and all of them would take 100 s
        assert len(running.seen) <= 4  # none is sent again
        stop.set()


def test_answer_after_the_deadline_is_not_that_of_the_next_request() -> None:
    stop, sound = threading.Event(), Endpoint()

    def late(handler: Handler, seen: Seen) -> None:
        assert stop.wait(PATIENCE)
        handler.say(200, b'{"head":{},"boolean":true}')

    with server(in_turn(late, sound)) as running:
        store = impatient(running.url, timeout=PATIENCE)
        with pytest.raises(QueryTimeoutError):
            store.query(ASK, timeout=1.0)
        stop.set()
        assert not store.query(ASK)


def test_retries_end_at_the_deadline() -> None:
    with server(fixed(503)) as running:
        store = impatient(running.url, timeout=1.0, retries=10**9, backoff=0.05)
        with pytest.raises(StoreError, match=r"answered 503|within 1 s"):
            store.insert([ONE])  # so many tries would last for years


def test_threads_of_requests_that_were_given_up_end() -> None:
    def given_up() -> bool:
        frames = sys._current_frames().values()
        return any(_Call.run.__code__ in [f.f_code for f, _ in walk_stack(one)] for one in frames)

    stop = threading.Event()
    with server(Slow(stop=stop)) as running:
        with pytest.raises(QueryTimeoutError):
            impatient(running.url, timeout=0.3).query(ASK)
        end = time.monotonic() + PATIENCE
        while given_up() and time.monotonic() < end:
            time.sleep(0.01)
        assert not given_up()
        assert not stop.is_set()  # nor has the server answered
        stop.set()


def test_text_beyond_the_limit_is_refused_before_anything_is_sent() -> None:
    with server(Endpoint()) as running:
        store = impatient(running.url, max_text=1_000)
        assert store.traits.text_limit == 1_000
        long = Quad(A, P, Literal("é" * 501), G)
        with pytest.raises(StoreRefusedError, match=r"text of 1,002 bytes on <urn:test:a>.*1,000"):
            store.insert([ONE, long])
        assert not running.seen
        store.insert([Quad(A, P, Literal("é" * 500), G)])
    assert SparqlStore("virtuoso+http://h").traits.text_limit == 2_000_000


def test_insert_that_fails_half_way_says_so() -> None:
    quads = [Quad(A, P, Literal(str(n)), G) for n in range(30)]
    sound = Endpoint()
    with (
        server(in_turn(sound, sound, fixed(500, b"full", "text/plain"))) as running,
        pytest.raises(
            StoreError,
            match="answered 500: full; 2 requests of this call were done; sending all again",
        ),
    ):
        impatient(running.url, max_triples=10).insert(quads)
    assert len(sound.store) == 20


def test_syntax_is_pointed_at() -> None:
    with server(Endpoint()) as running:
        store = impatient(running.url)
        with pytest.raises(InputSyntaxError, match=r"^query:2: not SPARQL at column 1"):
            store.query("ASK {\n")
        with pytest.raises(InputSyntaxError, match=r"^update:1: not SPARQL at column"):
            store.update("INSERT DATA { ?s ?p ?o }")
        with pytest.raises(InputSyntaxError, match="surrogates not allowed"):
            store.query("ASK { ?s ?p '\ud800' }")
        sent = len(running.seen)
        for text in ("", "INSERT DATA { <urn:a> <urn:b> 1 }", "LOAD <urn:x>"):
            with pytest.raises(InputSyntaxError, match=r"^query.*not SPARQL"):
                store.query(text)
        with pytest.raises(InputSyntaxError, match=r"^update:1: not SPARQL"):
            store.update(ASK)
        assert len(running.seen) == sent


@pytest.mark.parametrize("text", ["ASK { SERVICE <urn:x> { ?s ?p ?o } ?", "ASK { ?s ?p ?o }"])
def test_refused_query_that_is_sparql_for_us(text: str) -> None:
    with (
        server(fixed(400, b"not here", "text/plain")) as running,
        pytest.raises(StoreRefusedError, match="answered 400: not here"),
    ):
        impatient(running.url).query(text)


def test_read_only_sends_no_update() -> None:
    with server(Endpoint()) as running:
        store = impatient(running.url, read_only=True)
        assert repr(store).endswith("read_only=True)")
        calls: list[Callable[[], None]] = [
            lambda: store.insert([ONE]),
            lambda: store.update("CLEAR ALL"),
        ]
        for call in calls:
            with pytest.raises(StoreError, match="opened read-only"):
                call()
        assert not running.seen
