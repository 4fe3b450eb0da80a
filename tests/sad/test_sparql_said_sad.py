"""What a server says, as messages show it: on one line, cut, without what is secret."""

from __future__ import annotations

import email
from http.client import HTTPMessage

import pytest
from pyoxigraph import Literal, Quad
from sparql_cases import (
    ASK,
    EMPTY,
    JSON,
    ONE,
    SELECT,
    A,
    Answer,
    G,
    Handler,
    P,
    Seen,
    fixed,
    impatient,
    server,
)

from trustgraph_prov.errors import StoreError, StoreRefusedError
from trustgraph_prov.stores.addresses import longest_spelling
from trustgraph_prov.stores.sparql_answers import BEGINNING, shown
from trustgraph_prov.stores.sparql_auth import BasicAuth, BearerAuth, DigestAuth
from trustgraph_prov.stores.sparql_transport import Reply

HIDDEN = "hunter2hunter2"
BAD = "\x1b[31m" + HIDDEN
CONSTRUCT = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"


def test_answer_that_is_no_http_is_shown_in_one_line() -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.wfile.write(b"SSH-2.0-\x1b[31mOpenSSH\r\n")
        handler.close_connection = True

    with server(answer) as running, pytest.raises(StoreError) as caught:
        impatient(running.url).insert([ONE])
    assert str(caught.value).endswith(": SSH-2.0- [31mOpenSSH; see that the server runs")


def cut_line(handler: Handler, seen: Seen) -> None:
    """A status line that is none."""
    handler.wfile.write(BAD.encode() + b"\r\n")
    handler.close_connection = True


ROW = '{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"uri","value":"%s x"}}]}}'


@pytest.mark.parametrize(
    ("query", "answer", "match"),
    [
        (SELECT, fixed(200, (ROW % HIDDEN).encode()), "no SPARQL result that can be read"),
        (SELECT, fixed(200, b"{}", X_SQL_State=BAD), "answered 200 with error "),
        (SELECT, fixed(200, b"{}", X_SQL_State="42000", X_SQL_Message=BAD), "with error 42000: "),
        (SELECT, fixed(500, BAD.encode(), "text/plain"), "answered 500: "),
        (SELECT, fixed(200, b"{}", Content_Encoding=BAD), "compressed as "),
        (SELECT, fixed(302, Location=f"/{BAD}/there"), "a redirect to "),
        (SELECT, cut_line, "no answer: "),
        (CONSTRUCT, fixed(200, b"x", f"text/{BAD}"), "answered 200 with text/"),
        (CONSTRUCT, fixed(200, f"<urn:{BAD} x> <urn:b> 1 .".encode(), "text/turtle"), "no RDF"),
        (CONSTRUCT, fixed(200, f"{HIDDEN}:a <urn:b> 1 .".encode(), "text/turtle"), "The prefix …:"),
        (CONSTRUCT, fixed(200, f"<urn:{HIDDEN} x".encode(), "application/n-triples"), "no RDF"),
    ],
)
def test_whatever_a_server_says_is_shown_without_secrets_and_control_characters(
    query: str, answer: Answer, match: str
) -> None:
    with server(answer) as running:
        store = impatient(running.url, auth=BearerAuth(HIDDEN), retries=0)
        with pytest.raises(StoreError, match=match) as caught:
            store.query(query)
    assert "hunter2" not in str(caught.value)
    assert "…" in str(caught.value)
    assert str(caught.value).isprintable()


def test_challenge_is_shown_without_secrets_and_control_characters() -> None:
    challenge = fixed(401, WWW_Authenticate=f'{BAD} x="y"')
    with server(challenge) as running:
        store = impatient(running.url, auth=DigestAuth("u", HIDDEN), retries=0)
        with pytest.raises(StoreError, match=r"cannot talk to .* scheme: '.*…'") as caught:
            store.query(ASK)
    assert "hunter2" not in str(caught.value)
    assert str(caught.value).isprintable()


def test_name_of_a_server_is_kept_without_secrets_and_control_characters() -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.server_version, handler.sys_version = f"Virtuoso/8 {BAD}", ""
        handler.say(200, EMPTY)

    with server(answer) as running:
        store = impatient(running.url, auth=BearerAuth(HIDDEN))
        store.query(SELECT)
    assert store.traits.server.strip() == "Virtuoso/8 [31m…"
    assert store.traits.row_cap == 10_000


def said(text: str, *secrets: str) -> Reply:
    return Reply(
        "http://h/ds", 400, email.message_from_string("", HTTPMessage), text.encode(), secrets
    )


@pytest.mark.parametrize("secret", [HIDDEN, "hun/t&r", "hunter" * 1_000])
def test_secret_is_not_shown_where_the_answer_is_cut(secret: str) -> None:
    spelled = secret.replace("&", "&#x00026;").replace("/", "&#x0002f;")
    end = BEGINNING + 5 * longest_spelling([secret])
    around = range(end - len(spelled) - 9, end + 9, len(spelled) // 50 + 1)
    for blanks in (0, BEGINNING - 9, *around):
        assert "hun" not in shown(said(" " * blanks + spelled + " and more" * 9_000, secret))


@pytest.mark.parametrize("secret", ["", HIDDEN, "geheim/é" * 50, "hunter" * 1_000])
@pytest.mark.parametrize(
    "word", ["x", "Ошибка разбора запроса ", "解析エラー", "<p>é</p>", "\U0001f600", "a\u0301"]
)
def test_beginning_of_a_long_answer_is_shown_in_every_script(word: str, secret: str) -> None:
    """Of 4,000 bytes half as many characters were cut off: all of a text in Cyrillic."""
    text = word * 20_000
    for begun in ("", f"no {secret}" if secret else ""):
        beginning = shown(said(begun + text, secret)).replace(begun and "no …", "")
        assert text.startswith(beginning.removesuffix("…"))
        assert len(beginning) > 190


def test_error_that_repeats_the_request_is_cut() -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.say(400, b"Virtuoso 37000 Error SP030: no\n" + seen.body, "text/plain")

    with server(answer) as running, pytest.raises(StoreRefusedError) as caught:
        impatient(running.url).insert([Quad(A, P, Literal("long " * 60_000), G)])
    assert len(str(caught.value)) < 400


def test_control_characters_of_a_server_do_not_reach_the_screen() -> None:
    with (
        server(fixed(500, b"\x1b[31mred\x07\r\nX", "text/plain", JSON=JSON)) as running,
        pytest.raises(StoreError, match=r"answered 500: \[31mred X$"),
    ):
        impatient(running.url).query(ASK)


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-8", "utf-16", "no-such", "hex"])
def test_answer_is_read_in_the_encoding_it_names(charset: str) -> None:
    known = charset if charset not in ("no-such", "hex") else "utf-8"
    said = "Kennwort pässwört: nein, für hunter2é nicht".encode(known)
    with server(fixed(400, said, f"text/plain; charset={charset}")) as running:
        store = impatient(running.url, auth=BasicAuth("ann", "hunter2é"))
        with pytest.raises(
            StoreError, match=r"answered 400: Kennwort pässwört: nein, für … nicht$"
        ):
            store.query(ASK)


def test_secret_in_a_header_field_is_hidden_however_the_field_is_read() -> None:
    word = "pässwort-hunter2"
    wire = word.encode().decode("latin-1")  # http.server sends the bytes of UTF-8
    for said in (word, wire):
        answers = (
            fixed(200, X_SQL_State="S0001", X_SQL_Message=f"bad {said}"),
            fixed(302, Location=f"http://x/login/{said}"),
        )
        for answer in answers:
            with server(answer) as running:
                store = impatient(running.url, auth=BasicAuth("ann", word))
                with pytest.raises(StoreError, match="…") as caught:
                    store.query(ASK)
            assert "hunter2" not in str(caught.value)
