"""Answers of a server that are none, whatever their status says; each with real sockets."""

from __future__ import annotations

import gzip
import time
from http.client import HTTPMessage

import pytest
from narrowing import rows
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

from trustgraph_prov.errors import QueryTimeoutError, StoreError, StoreRefusedError
from trustgraph_prov.stores.sparql_done import check_update
from trustgraph_prov.stores.sparql_transport import Reply

HTML = b"<!DOCTYPE html><html><form>Please log in</form>" + b"x" * 5_000
ONE_ROW = b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"urn:x"}}]}}'
CALLRET = (
    b'{"head":{"link":[],"vars":["callret-0"]},"results":{"distinct":false,"ordered":true,'
    b'"bindings":[{"callret-0":{"type":"literal","value":"%b"}}]}}'
)
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


def test_answer_that_is_no_http_is_shown_in_one_line() -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.wfile.write(b"SSH-2.0-\x1b[31mOpenSSH\r\n")
        handler.close_connection = True

    with server(answer) as running, pytest.raises(StoreError) as caught:
        impatient(running.url).insert([ONE])
    assert str(caught.value).endswith(": SSH-2.0- [31mOpenSSH; see that the server runs")


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
        impatient(running.url).query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")


XHTML = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><title>Please log in</title></html>"""
XML = "application/xml"
ROLLED_BACK = (
    b"<p>COMMIT: totalElapsed=1ms, commitTime=2, mutationCount=0</p><p>Error: rollback</p>"
)


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (fixed(200, HTML, "text/html"), "answered 200 with a page: <!DOCTYPE html>"),
        (fixed(200, XHTML, "application/xhtml+xml"), "answered 200 with a page: <.xml .*log in"),
        (fixed(200, XHTML, "text/html"), "answered 200 with a page: <.xml .*log in"),
        (fixed(200, b'<?xml version="1.0"?><error>no</error>', XML), "a page: .*<error>no"),
        (fixed(200, b"<html>IOException at COMMIT</html>", "text/html"), "a page: <html>IOEx"),
        (fixed(200, b"<data>mutationCount=1</data>", XML), "a page: <data>mut"),
        (fixed(200, b"<sparql><boolean>false</boolean></sparql>", XML), "a page: <sparql>"),
        (fixed(200, b"Update failed: disk", "text/plain"), "with an error in words: Update failed"),
        (fixed(200, b"Error: failed at COMMIT: disk full"), "an error in words: Error: failed at"),
        (fixed(200, b"Please sign in to continue.", "text/plain"), "known to say of .*: Please"),
        (fixed(200, b"not done", "text/plain"), "known to say of an update that was done: not"),
        (fixed(200, b'{"error":"disk"}'), "JSON that does not say that the .*done: ..error"),
        (fixed(200, b'{"errors":[{"message":"no"}]}'), "does not say that the update was done"),
        (fixed(200, b'{"success":false,"message":"quota"}'), "does not say .*: .*quota"),
        (fixed(200, b'{"success":true,"errors":["quota"]}'), "does not say .*: .*quota"),
        (fixed(200, b'{"success":false,"status":"ok"}'), "does not say that the update was done"),
        (fixed(200, b"{}"), "does not say that the update was done"),
        (fixed(200, b"[]"), "does not say that the update was done"),
        (fixed(200, b"[[1], 2]"), "does not say that the update was done"),
        (fixed(200, b'[{"type":"UpdateEvent"},{"type":"Error"}]'), "does not say that the update"),
        (fixed(200, EMPTY), "does not say that the update was done"),
        (fixed(200, CALLRET % b"Load <urn:x> -- failed: no"), "does not say .*-- failed: no"),
        (fixed(200, b'{"result":"ok","ok":false}'), "does not say that the update was done"),
        (fixed(200, b'{"status":"ok","boolean":false}'), "does not say that the update was done"),
        (fixed(200, b'{"status":"ok","statusCode":500}'), "does not say that the update was done"),
        (fixed(200, b'{"ok":true,"failed":3}'), "does not say that the update was done"),
        (fixed(200, b'{"status":"success","message":"Please log in"}'), "does not say .*log in"),
        (fixed(200, b'{"operations":[{"status":"OK"},{"status":"ERROR"}]}'), "does not say that"),
        (
            fixed(200, b'[{"type":"UpdateEvent"},{"type":"Commit","error":"x"}]'),
            "does not say that",
        ),
        (fixed(200, ROLLED_BACK, "text/html"), "a page: <p>COMMIT: .*rollback"),
        (fixed(200, b'{"ok":'), "answered 200 with JSON that breaks off"),
        (fixed(200, b"[" * 200_000), "answered 200 with JSON that breaks off"),
    ],
)
def test_answer_to_an_update_that_is_none(answer: Answer, match: str) -> None:
    with server(answer) as running:
        with pytest.raises(StoreError, match=match) as caught:
            impatient(running.url + "/sparql").insert([ONE])
        assert f"{running.url}/sparql answered 200 with" in str(caught.value)
    assert not isinstance(caught.value, StoreRefusedError)
    assert len(str(caught.value)) < 400


BLAZEGRAPH = b"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" \
"http://www.w3.org/TR/html4/loose.dtd"><html><head><title>blazegraph&trade; by SYSTAP</title
></head
><body<p>totalElapsed=88ms, elapsed=4ms, connFlush=0ms, insertClause=0ms</p
><hr><p>COMMIT: totalElapsed=157ms, commitTime=1651761749071, mutationCount=1</p
></html
>"""
FUSEKI = b"""<html>
<head>
</head>
<body>
<h1>Success</h1>
<p>
Update succeeded
</p>
</body>
</html>
"""
VIRTUOSO = b"""<?xml version="1.0" ?>
<sparql xmlns="http://www.w3.org/2005/sparql-results#">
 <head><variable name="callret-0"/></head>
 <results distinct="false" ordered="true">
  <result>
   <binding name="callret-0"><literal>Insert into &lt;urn:g&gt;, 1 -- done</literal></binding>
  </result>
 </results>
</sparql>"""


@pytest.mark.parametrize(
    "answer",
    [
        fixed(200),
        fixed(204),
        fixed(200, b"done", "text/plain"),
        fixed(200, b"OK\n", "text/plain"),
        fixed(200, b"Success", "text/html"),
        fixed(200, b"Update succeeded.", "text/plain"),
        fixed(200, b"Update executed successfully", "text/plain"),
        fixed(200, b"true"),
        fixed(200, b'{"success":true}'),
        fixed(200, b'{"status":"OK","errors":[]}'),
        fixed(200, b'[{"status":"OK"}]'),
        fixed(200, b'{"head":{},"boolean":true}'),
        fixed(200, b"<sparql><boolean>true</boolean></sparql>", "application/sparql-results+xml"),
        fixed(200, b'[{"type":"UpdateEvent","totalElapsedMillis":9},{"type":"Commit"}]'),
        fixed(200, CALLRET % b"Insert into <urn:g>, 1 (or less) triples -- done"),
        fixed(200, CALLRET % b"Insert into <urn:g>, 1 quads -- done\\nCommit -- done\\n"),
        fixed(200, CALLRET % b"Delete from <urn:g>, 0 triples -- nothing to do"),
        fixed(200, CALLRET % b"Load silent <urn:x> -- failed: no connection"),
        fixed(200, CALLRET % b""),
        fixed(200, VIRTUOSO, "application/sparql-results+xml"),
        fixed(200, FUSEKI, "text/html"),
        fixed(200, BLAZEGRAPH, "text/html"),
        fixed(200, b'<?xml version="1.0"?><data modified="1" milliseconds="12"/>', XML),
        fixed(200, b'<data modified="0" milliseconds="0"></data>', XML),
        fixed(200, b'{"operations":[{"status":"OK","warnings":[]}],"time":{"total":"2ms"}}'),
        fixed(200, b'{"statusCode":200,"message":"Update succeeded"}'),
        fixed(200, b'{"success":1}'),
        fixed(200, b"200 OK", "text/plain"),
        fixed(200, CALLRET % b"Insert into <urn:failed:error>, 1 triples -- done"),
    ],
)
def test_answers_that_servers_give_to_an_update(answer: Answer) -> None:
    with server(answer) as running:
        impatient(running.url).insert([ONE])
    assert len(running.seen) == 1


@pytest.mark.parametrize(
    "piece", ['<binding name="callret', "<boolean>" + " " * 50, "<boolean> true", "<?xml ", " -- "]
)
def test_hostile_answer_to_an_update_is_read_in_time_that_grows_with_its_length(piece: str) -> None:
    """At a time that grew with the square, these 4 MB would take minutes."""
    text = "<sparql>" + piece * (4_000_000 // len(piece))
    reply = Reply("http://h", 200, HTTPMessage(), text.encode())
    start = time.monotonic()
    with pytest.raises(StoreError, match="a page"):
        check_update("h", reply)
    assert time.monotonic() - start < 10


def test_error_that_repeats_the_request_is_cut() -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.say(400, b"Virtuoso 37000 Error SP030: no\n" + seen.body, "text/plain")

    with server(answer) as running, pytest.raises(StoreRefusedError) as caught:
        impatient(running.url).insert([Quad(A, P, Literal("long " * 60_000), G)])
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("state", ["22023", "37000"])
def test_refusal_of_virtuoso_is_for_good(state: str) -> None:
    said = fixed(500, f"Virtuoso {state} Error SR1: no".encode(), "text/plain")
    with server(said) as running, pytest.raises(StoreRefusedError, match=f"{state} Error SR1"):
        impatient(running.url).insert([ONE])


def test_control_characters_of_a_server_do_not_reach_the_screen() -> None:
    with (
        server(fixed(500, b"\x1b[31mred\x07\r\nX", "text/plain", JSON=JSON)) as running,
        pytest.raises(StoreError, match=r"answered 500: \[31mred X$"),
    ):
        impatient(running.url).query(ASK)


def test_time_of_a_query_is_told_in_round_seconds() -> None:
    assert "within 2 s;" in str(QueryTimeoutError("h", 1.99988))
    assert "within 1800 s;" in str(QueryTimeoutError("h", 1800))
