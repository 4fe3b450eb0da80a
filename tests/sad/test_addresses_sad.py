"""Names of stores that are no address, or one with a secret in it: what the messages show."""

from __future__ import annotations

import base64
import html
import json
import logging
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import pytest
from sparql_cases import ONE, SELECT, Endpoint, Handler, Seen, fixed, impatient, server

from trustgraph_prov import OutboxStore
from trustgraph_prov.errors import InvalidValueError, StoreError, StorePendingError
from trustgraph_prov.stores import open_store
from trustgraph_prov.stores.addresses import bare_name, without_secrets
from trustgraph_prov.stores.oxigraph import OxigraphStore
from trustgraph_prov.stores.sparql import SparqlStore
from trustgraph_prov.stores.sparql_auth import BasicAuth, DigestAuth, HeaderAuth

MISTYPED = {
    "htp://user:hunter2@h/ds": "htp://h/ds",
    "ftp://user:hunter2@h": "ftp://h",
    "http:/user:hunter2@h": "http:/h",
    "http//user:hunter2@h": "http//h",
    "//user:hunter2@h": "//h",
    " http://user:hunter2@h:1/ds": " http://h:1/ds",
    "user:hunter2@h/ds": "…@h/ds",
    "fuseki:http://user:hunter2@h/ds": "fuseki:http://h/ds",
    "fuseki+user:hunter2@h/ds": "fuseki+h/ds",
    "graphdb+httpx://u:hunter2@h": "graphdb+httpx://h",
    "oracle+http://u:hunter2@h": "oracle+http://h",
    "rdflib:http://u:hunter2@h/x": "rdflib:http://h/x",
    "rdflib:http://u:hunter2@h/x.trig": "rdflib:http://h/x.trig",
    "htp://h/ds?key=hunter2": "htp://h/ds",
    "http://user:hun/ter2@h:1/ds": "http://h:1/ds",
    "http://user:hun?ter2@h:1/ds": "http://…",
    "http://user:hun#ter2@h:1/ds": "http://…",
    "http://user:1/hunter2@h": "http://h",
    "http://user:hunter2": "http://user:…",
    "http://u:hunter2@[::1/x": "http://[::1/x",
    "http://u:hunter2\N{ACCOUNT OF}@h/x": "http://h/x",
    "http://u:hunter2@h/d s": "http://h/d s",
    "localhost:3030/ds?apikey=hunter2": "localhost:3030/ds",
    "rdf.example.org/ds?apikey=hunter2": "rdf.example.org/ds",
    "./ds?apikey=hunter2": "./ds",
    "./http://ann:hunter2@h/ds": "./http://h/ds",
    "rdflib:./http://ann:hunter2@h?key=hunter2": "rdflib:./http://h",
}

SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "HTML": html.escape,
    "JSON": json.dumps,
    "JSON with slashes": lambda text: json.dumps(text).replace("/", "\\/"),
    "percent": urllib.parse.quote,
    "lower-case percent": lambda text: urllib.parse.quote(text, safe="").lower(),
    "capitals": str.upper,
    "form": urllib.parse.quote_plus,
    "Latin-1 percent": lambda text: urllib.parse.quote(text, encoding="latin-1", errors="replace"),
    "UTF-8 read as Latin-1": lambda text: text.encode().decode("latin-1"),
    "UTF-8 read as Windows-1252": lambda text: text.encode().decode("cp1252", "replace"),
    "UTF-8 read as ASCII": lambda text: text.encode().decode("ascii", "replace"),
    "written as ASCII": lambda text: text.encode("ascii", "replace").decode(),
    "bytes": lambda text: repr(text.encode()),
}


@pytest.mark.parametrize("name", MISTYPED)
def test_password_in_a_mistyped_address_is_not_shown(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for read_only in (True, False):
        with pytest.raises(InvalidValueError) as caught:
            open_store(name, read_only=read_only)
        assert str(caught.value).startswith(f"store is {MISTYPED[name]!r}; expected ")
        assert "ter2" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", MISTYPED)
def test_password_in_a_mistyped_address_for_updates_is_not_shown(name: str) -> None:
    if name.startswith(("rdflib:", "oracle+")):
        return
    with pytest.raises(
        InvalidValueError, match=r"update_url is .*; expected a URL with "
    ) as caught:
        SparqlStore("http://h/ds", update_url=name)
    assert "ter2" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["/home/ann@work/store", "./a:b@c", "../ann:x@y", "ann@work", "memory:", "store#1", "~/a:b@c"],
)
def test_path_is_shown_whole(name: str) -> None:
    assert bare_name(name) == name
    assert bare_name("rdflib:" + name) == "rdflib:" + name


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize(
    "secret",
    ['hunter2&/ab"c', "hunter2 'ä'", "hunter2+%2Fx\\y", "ä\N{GRINNING FACE}hunter2 é ter2"],
)
def test_secret_that_a_server_spells_in_its_own_way_is_not_shown(
    spell: Callable[[str], str], secret: str
) -> None:
    said = spell(f"[{secret}]").encode()
    with server(fixed(500, said, "text/plain")) as running:
        store = SparqlStore(running.url, retries=0, auth=DigestAuth("ann", secret))
        with pytest.raises(StoreError, match="answered 500") as caught:
            store.query(SELECT)
    assert "ter2" not in str(caught.value)
    assert "…" in str(caught.value)


def test_pair_is_hidden_where_the_server_repeats_it_without_its_end() -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        pair = seen.headers["authorization"].split()[1].rstrip("=")
        handler.say(400, f"no such pair: {pair}".encode(), "text/plain")

    with server(answer) as running:
        store = impatient(running.url, auth=BasicAuth("ann", "topsecret"))
        with pytest.raises(StoreError, match=r"answered 400: no such pair: …$"):
            store.query(SELECT)


def test_key_of_few_characters_in_the_query_string_is_hidden_as_a_word() -> None:
    with server(fixed(400, b"key abc1 refused, see abc12", "text/plain")) as running:
        store = impatient(running.url + "/ds?key=abc1")
        with pytest.raises(StoreError, match=r"answered 400: key … refused, see abc12$"):
            store.query(SELECT)


@pytest.mark.parametrize("secret", ["e", "pw", "12", "_x", "!a"])
@pytest.mark.parametrize(
    "said",
    [
        "{}",
        "no /ds?{} HTTP/1.1",
        "key={}&other",
        '{{"password":"{}"}}',
        "bob:{}@h",
        "%3D{}%26",
        r"\n{}\t",
        r"\u000a{}",
        "&quot;{}&quot;",
    ],
)
def test_short_secret_is_hidden_where_it_stands(secret: str, said: str) -> None:
    assert without_secrets(said.format(secret), [secret]) == said.format("…")


@pytest.mark.parametrize("url", ["/ds?e", "/ds?key=e", "/ds"])
def test_short_secret_leaves_a_message_that_can_be_read(url: str) -> None:
    message = "the server said: never in these 1234 years"
    with server(fixed(500, message.encode(), "text/plain")) as running:
        store = impatient(running.url + url, auth=BasicAuth("u", "e"))
        with pytest.raises(StoreError, match=f"answered 500: {message}$"):
            store.insert([ONE])


def test_token_behind_a_scheme_is_hidden_where_the_server_repeats_it_alone() -> None:
    with server(fixed(500, b"hunter2hunter2 is no token", "text/plain")) as running:
        store = impatient(running.url, auth=HeaderAuth("Authorization", "Token hunter2hunter2"))
        with pytest.raises(StoreError, match=r"answered 500: … is no token$"):
            store.insert([ONE])


@pytest.mark.parametrize(
    "value",
    [
        "Token token=tok12345",
        'Token realm=x, token="tok12345"',
        "Token key='tok12345'; v=2",
        "token=tok12345",
        "a=1;token=tok12345==",
        "Key tok12345, more",
    ],
)
def test_key_within_the_value_of_a_header_is_hidden_where_the_server_repeats_it_alone(
    value: str,
) -> None:
    with server(fixed(400, b"unknown key <tok12345>", "text/plain")) as running:
        store = impatient(running.url, auth=HeaderAuth("Authorization", value))
        with pytest.raises(StoreError, match=r"answered 400: unknown key <…>$"):
            store.query(SELECT)


def test_end_of_base64_is_no_secret() -> None:
    assert "" not in HeaderAuth("Authorization", "Basic YW5uOg==").secrets()
    assert "=" not in HeaderAuth("Authorization", "Basic YW5uOg==").secrets()


@pytest.mark.parametrize("kind", [BasicAuth, DigestAuth])
def test_user_without_a_password_is_a_key(kind: type[BasicAuth] | type[DigestAuth]) -> None:
    assert "hunter2" not in repr(kind("hunter2", ""))
    with server(fixed(400, b"no such key: hunter2", "text/plain")) as running:
        store = impatient(running.url, auth=kind("hunter2", ""))
        with pytest.raises(StoreError, match=r"answered 400: no such key: …$"):
            store.query(SELECT)


@pytest.mark.parametrize("userinfo", ["hunter2@", "hunter2:@", "hunter%32@"])
def test_key_in_place_of_user_and_password_is_hidden(userinfo: str) -> None:
    with server(fixed(400, b"no such key: hunter2", "text/plain")) as running:
        store = impatient(running.url.replace("//", f"//{userinfo}"))
        with pytest.raises(StoreError, match=r"answered 400: no such key: …$"):
            store.query(SELECT)
        proxy = running.url.replace("//", f"//{userinfo}")
        store = impatient("http://store.invalid/ds", proxies={"http": proxy})
        with pytest.raises(StoreError, match=r"answered 400: no such key: …$"):
            store.query(SELECT)


@pytest.mark.parametrize(
    "proxy",
    ["http:/bob:hunter2@127.0.0.1:1", "bob:hunter2@127.0.0.1:1", "http://bob:hunter2@127.0.0.1:1"],
)
def test_password_of_a_proxy_is_not_shown(proxy: str) -> None:
    pair = base64.b64encode(b"bob:hunter2").decode()
    store = impatient("http://store.invalid/ds", proxies={"http": proxy}, retries=0)
    with pytest.raises(StoreError) as caught:
        store.insert([ONE])
    assert "hunter2" not in str(caught.value)
    said = fixed(407, f"bob:hunter2? {pair}?".encode(), "text/plain")
    with server(said) as running:
        there = proxy.replace("http:/bob", "http://bob").replace("127.0.0.1:1", running.url[7:])
        store = impatient("http://store.invalid/ds", proxies={"http": there}, retries=0)
        with pytest.raises(StoreError, match=r"answered 407: bob:…\? …\?"):
            store.insert([ONE])


def test_folder_that_is_named_like_an_address_is_shown_without_its_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with OxigraphStore("http//user:hunter2@h") as store:
        assert repr(store) == "OxigraphStore('http//h')"


@pytest.mark.parametrize("key", ["hunter2", "hunter2%2F%C3%B6", "hunter2+%40"])
def test_key_in_the_query_string_is_hidden_where_the_server_repeats_it(
    key: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        plain = urllib.parse.unquote_plus(key)
        handler.say(404, f"No such: {seen.path} {plain}{key}".encode(), "text/plain")

    caplog.set_level(logging.DEBUG)
    with server(answer) as running:
        url = f"{running.url}/ds?format=json&apikey={key}"
        store = impatient(url, update_url=url.replace("json", "xml"))
        with pytest.raises(StoreError, match=r"answered 404.*No such: /ds\?… ……$") as asked:
            store.query(SELECT)
        with OutboxStore(store, tmp_path, longest_pause=0.05, linger=0, wait=0.2) as outbox:
            outbox.insert([ONE])
            with pytest.raises(StorePendingError, match=r"No such: /ds\?…") as sent:
                outbox.flush(0.2)
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    shown = str(asked.value) + str(sent.value) + repr(store) + caplog.text + kept.decode("latin-1")
    assert "hunter2" not in shown
    assert "apikey" not in shown


@pytest.mark.parametrize(
    "target",
    [
        "http://user:hunter2@127.0.0.1:1/login?token=hunter2",
        "http://user:hun/hunter2@127.0.0.1:1/",
        "/login?token=hunter2",
        "/login#token=hunter2",
        "//user:hunter2@h/",
    ],
)
def test_credentials_in_a_redirect_are_not_shown(target: str) -> None:
    with (
        server(fixed(302, Location=target)) as running,
        pytest.raises(StoreError, match=r"answered 302, a redirect to .*; redirects") as caught,
    ):
        impatient(running.url).insert([ONE])
    assert "hunter2" not in str(caught.value)


def test_credentials_in_the_url_for_updates_are_sent_with_updates_alone() -> None:
    with server(Endpoint()) as running:
        other = running.url.replace("//", "//bob:hunter2@") + "/update"
        store = impatient(running.url, update_url=other)
        store.insert([ONE])
        store.query(SELECT)
        update, query = running.seen
    sent = update.headers["authorization"].removeprefix("Basic ")
    assert base64.b64decode(sent) == b"bob:hunter2"
    assert (update.path, query.headers.get("authorization")) == ("/update", None)


def test_credentials_in_the_url_for_updates_are_not_shown() -> None:
    with server(fixed(401, b"hunter2? no", "text/plain")) as running:
        store = impatient(running.url, update_url=running.url.replace("//", "//bob:hunter2@"))
        with pytest.raises(StoreError, match=r"answered 401, .*: …\? no") as caught:
            store.insert([ONE])
    assert "hunter2" not in str(caught.value) + repr(store) + repr(vars(store))


def test_address_in_other_letters_is_percent_encoded() -> None:
    with server(Endpoint()) as running:
        store = impatient(running.url + "/dätä%20x?größe=ü")
        store.insert([ONE])
        assert [seen.path for seen in running.seen] == [
            "/d%C3%A4t%C3%A4%20x?gr%C3%B6%C3%9Fe=%C3%BC"
        ]
        assert store.name.partition("?")[0] == running.url + "/d%C3%A4t%C3%A4%20x"
