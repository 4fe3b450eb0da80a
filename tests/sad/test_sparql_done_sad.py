"""Answers to updates that are no yes, and those that are; each with real sockets."""

from __future__ import annotations

import codecs
import time
from http.client import HTTPMessage

import pytest
from sparql_cases import EMPTY, HTML, ONE, Answer, fixed, impatient, server

from trustgraph_prov.errors import StoreError, StoreRefusedError
from trustgraph_prov.stores.sparql_done import check_update
from trustgraph_prov.stores.sparql_transport import Reply

CALLRET = (
    b'{"head":{"link":[],"vars":["callret-0"]},"results":{"distinct":false,"ordered":true,'
    b'"bindings":[{"callret-0":{"type":"literal","value":"%b"}}]}}'
)
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
        fixed(200, codecs.BOM_UTF8 + b"OK", "text/plain"),
        fixed(200, codecs.BOM_UTF8 + b'{"success":true}'),
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
    """Four times the length takes four times as long; sixteen where each part is read again."""

    def seconds(size: int) -> float:
        text = "<sparql>" + piece * (size // len(piece))
        reply = Reply("http://h", 200, HTTPMessage(), text.encode())
        start = time.thread_time()
        with pytest.raises(StoreError, match="a page"):
            check_update("h", reply)
        return time.thread_time() - start

    short, long = (min(seconds(size) for _ in range(3)) for size in (200_000, 800_000))
    assert long < 9 * max(short, 0.001), (short, long)


@pytest.mark.parametrize("state", ["22023", "37000"])
def test_refusal_of_virtuoso_is_for_good(state: str) -> None:
    said = fixed(500, f"Virtuoso {state} Error SR1: no".encode(), "text/plain")
    with server(said) as running, pytest.raises(StoreRefusedError, match=f"{state} Error SR1"):
        impatient(running.url).insert([ONE])
