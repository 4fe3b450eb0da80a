"""Answers of a server that are none, whatever their status says; each with real sockets."""

from __future__ import annotations

import codecs
import gzip

import pytest
from narrowing import rows, triples
from sparql_cases import (
    ASK,
    EMPTY,
    HTML,
    JSON,
    ONE,
    SELECT,
    Answer,
    Handler,
    Seen,
    fixed,
    impatient,
    server,
)

from trustgraph_prov.errors import StoreError

ONE_ROW = b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"urn:x"}}]}}'
CONSTRUCT = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"
TRUNCATED = b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"urn:x"}}'


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (fixed(200, HTML, "text/html"), r"answered 200 with no SPARQL result.*: <!DOCTYPE html>"),
        (fixed(200, HTML), r"answered 200 with no SPARQL result that can be read: <!DOCTYPE"),
        (fixed(200, TRUNCATED), r"answered 200 with no SPARQL result that can be read: \{"),
        (fixed(200, b"Error: no space", "text/plain"), "answered 200 with no SPARQL.*: Error: no"),
        (fixed(200, b'{"error":"no"}'), r"no SPARQL result that can be read \(.*: \{.error"),
        (fixed(200, b'{"head":{},"boolean":true}'), r"can be read \(rows.*|true or false"),
        (fixed(200, b'{"head":{"vars":["x"]},"results":{"bindings":[{"y":{}}]}}'), "can be read"),
        (
            fixed(
                200,
                b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":""}}]}}',
            ),
            r"can be read \(Invalid",
        ),
        (fixed(200, b"[]"), "can be read"),
        (fixed(204), "answered 204 with no SPARQL result that can be read$"),
        (
            fixed(200, TRUNCATED + b"]}}", X_SQL_State="S1TAT"),
            "X-SQL-State S1TAT: its own time limit ended the query, so rows are missing",
        ),
        (
            fixed(200, TRUNCATED + b"]}}", X_SQL_State="42000", X_SQL_Message="no way"),
            "answered 200 with error 42000: no way",
        ),
    ],
)
def test_answer_to_a_query_that_is_none(answer: Answer, match: str) -> None:
    with server(answer) as running:
        with pytest.raises(StoreError, match=match) as caught:
            impatient(running.url + "/sparql").query(SELECT)
        assert running.url + "/sparql" in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("words", [b"[" * 200_000, b'{"head":' * 100_000, b"1" * 5_000])
def test_answer_that_python_cannot_read(words: bytes) -> None:
    with server(fixed(200, words)) as running, pytest.raises(StoreError, match=r"can be read.*: "):
        impatient(running.url).query(SELECT)


TURTLE = b'<urn:a> <urn:b> "c" .'
ASK_YES = b'{"head":{},"boolean":true}'


def test_byte_order_mark_before_an_answer_is_no_part_of_it() -> None:
    marked = codecs.BOM_UTF8 + ONE_ROW
    for said in (fixed(200, marked), fixed(200, gzip.compress(marked), Content_Encoding="gzip")):
        with server(said) as running:
            assert len(rows(impatient(running.url).query(SELECT))) == 1
    with server(fixed(200, codecs.BOM_UTF8 + ASK_YES)) as running:
        assert impatient(running.url).query(ASK)
    for kind in ("text/turtle", "application/n-triples"):
        with server(fixed(200, codecs.BOM_UTF8 + TURTLE, kind)) as running:
            assert len(list(triples(impatient(running.url).query(CONSTRUCT)))) == 1
    for status in (200, 500):
        with (
            server(fixed(status, codecs.BOM_UTF8 + b"no way", "text/plain")) as running,
            pytest.raises(StoreError, match=f"answered {status}.*: no way$"),
        ):
            impatient(running.url).query(SELECT)


PACKED = gzip.compress(ONE_ROW)


@pytest.mark.parametrize("form", ["gzip", "x-gzip", "GZip", "GZIP "])
def test_answer_that_is_packed_unasked_is_unpacked(form: str) -> None:
    with server(fixed(200, PACKED, Content_Encoding=form)) as running:
        assert len(rows(impatient(running.url).query(SELECT))) == 1


def test_answer_that_is_packed_in_several_parts_is_unpacked() -> None:
    parts = b"".join(gzip.compress(part) for part in (ONE_ROW[:20], b"", ONE_ROW[20:]))
    with server(fixed(200, parts, Content_Encoding="gzip")) as running:
        assert len(rows(impatient(running.url).query(SELECT))) == 1


def test_error_that_is_packed_unasked_is_unpacked() -> None:
    said = fixed(500, gzip.compress(b"the disk is full"), Content_Encoding="gzip")
    with server(said) as running, pytest.raises(StoreError, match="answered 500: the disk is full"):
        impatient(running.url).insert([ONE])


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (fixed(200, PACKED, Content_Encoding="br"), "read: compressed as br, which nobody asked"),
        (fixed(200, PACKED[:40], Content_Encoding="gzip"), "the answer broke off after 40 bytes"),
        (fixed(200, EMPTY, Content_Encoding="gzip"), "the answer is no gzip, as it says it is"),
    ],
)
def test_packed_answer_that_cannot_be_unpacked(answer: Answer, match: str) -> None:
    with server(answer) as running, pytest.raises(StoreError, match=match):
        impatient(running.url, retries=0).query(SELECT)


def endless(handler: Handler, seen: Seen) -> None:
    """Blanks for ever, in chunks."""
    handler.send_response(200)
    handler.send_header("Content-Type", JSON)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    while True:
        handler.wfile.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")


def boundless(handler: Handler, seen: Seen) -> None:
    """A length that no memory has."""
    handler.send_response(200)
    handler.send_header("Content-Length", "99999999999999999")
    handler.end_headers()
    handler.wfile.write(EMPTY)


BOMB = fixed(200, gzip.compress(b" " * 20_000_000), Content_Encoding="gzip")


@pytest.mark.parametrize("answer", [endless, boundless, BOMB, fixed(200, b" " * 1_000_001)])
def test_answer_over_the_limit_is_not_read_to_its_end(answer: Answer) -> None:
    with server(answer) as running:
        store = impatient(running.url, max_answer=1_000_000)
        with pytest.raises(StoreError, match=r"with more than 1,000,000 bytes; narrow the query"):
            store.query(SELECT)
        assert store.requests == 1


@pytest.mark.parametrize("answer", [endless, boundless, BOMB])
def test_answer_to_an_update_over_the_limit_is_not_read_to_its_end(answer: Answer) -> None:
    with server(answer) as running:
        store = impatient(running.url)
        with pytest.raises(StoreError, match=r"with more than 10,000,000 bytes, which no server"):
            store.insert([ONE])
        assert store.requests == 1


def test_answer_of_the_very_length_of_the_limit_is_read() -> None:
    with server(fixed(200, EMPTY)) as running:
        assert rows(impatient(running.url, max_answer=len(EMPTY)).query(SELECT)) == []
        with pytest.raises(StoreError, match=f"more than {len(EMPTY) - 1} bytes"):
            impatient(running.url, max_answer=len(EMPTY) - 1).query(SELECT)


def test_error_that_never_ends_is_still_that_error() -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.send_response(500)
        handler.send_header("Content-Length", "99999999999999999")
        handler.end_headers()
        while True:
            handler.wfile.write(b"no " * 10_000)

    with server(answer) as running, pytest.raises(StoreError, match="answered 500: no no no"):
        impatient(running.url).insert([ONE])


def test_answer_that_breaks_off() -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + TRUNCATED)
        handler.close_connection = True

    with server(answer) as running, pytest.raises(StoreError, match="broke off after 82 bytes"):
        impatient(running.url).query(SELECT)


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (fixed(200, HTML, "text/html"), "answered 200 with text/html, which is not RDF: <!DOC"),
        (fixed(200, b"<urn:a> <urn:b> ", "application/n-triples"), "with no RDF that can be read"),
        (fixed(200, b"<urn:a> <urn:b> ", "text/turtle"), "with no RDF that can be read"),
    ],
)
def test_answer_to_a_construct_that_is_none(answer: Answer, match: str) -> None:
    with server(answer) as running, pytest.raises(StoreError, match=match):
        impatient(running.url).query(CONSTRUCT)
