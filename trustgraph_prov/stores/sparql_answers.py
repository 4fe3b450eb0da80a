"""Check what a server answered before anybody relies on it.

A 200 proves little: it comes with login pages, with answers that broke off, and with errors in
words. What cannot be read as a whole is one StoreError that names endpoint, status and the first
200 characters.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pyoxigraph as ox
from pyoxigraph import RdfFormat, Triple

from ..errors import StoreDeniedError, StoreError, StoreRefusedError
from ..n_quads import decode
from ..namespaces import XSD_BOOLEAN, XSD_DATE_TIME
from ..strict_json import read_json
from .addresses import bare_name, longest_spelling, without_secrets
from .interrupt import Answer
from .sparql_body import GZIP, encoding
from .sparql_transport import Reply

__all__ = [
    "RESULTS",
    "TRIPLES",
    "check_status",
    "no_answer",
    "read_rows",
    "read_triples",
    "shown",
    "sql_state",
]

BEGINNING = 4_000
"""Bytes of an answer that are looked at to show 200 characters: the rest may be blanks."""

RESULTS = "application/sparql-results+json"
TRIPLES = "application/n-triples"

_REFUSALS = {400, 405, 406, 409, 410, 411, 413, 414, 415, 422, 431, 501}
_PASSING = {401, 404, 407, 408, 425, 429}
"""Of those from 400 to 499 that refuse nothing for good, what is not about the request itself."""

_REFUSED_STATES = re.compile(
    r"Virtuoso (22\w{3} Error|37\w{3} Error|42000 Error (RDFGE|GEOOV):)"  # a value, a syntax
)
_STATE = re.compile(r"Virtuoso (\w{5}) Error")
_FRACTION = re.compile(r"([^.]*)(\.\d+)(.*)\Z", re.S)
_BLANK_LABEL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*\Z")


def shown(reply: Reply) -> str:
    """The beginning of an answer, on one line, of 200 characters."""
    packed = encoding(reply.headers)
    if packed not in ("identity", *GZIP):
        return f"compressed as {reply.clean(packed)}, which nobody asked for"
    most = longest_spelling(reply.secrets)
    end = BEGINNING + 5 * most  # a secret, and as many characters of 4 bytes
    text = reply.beginning(end)
    if len(reply.body) > end:  # there may be a part of a secret
        text = without_secrets(text, reply.secrets)
        text = text[: max(len(text) - most, 0)]
    return reply.clean(text)


def sql_state(reply: Reply) -> str:
    """Virtuoso's code for what went wrong, such as S1TAT, or an empty text."""
    state = reply.headers.get("X-SQL-State")
    if not state and reply.status >= 400:
        match = _STATE.search(reply.body[:200].decode("utf-8", "replace"))
        state = match[1] if match else None
    return state or ""


def check_status(name: str, reply: Reply) -> None:
    """Let only an answer through that says it is one.

    Args:
        name: of the store.
        reply: the answer.

    Raises:
        StoreRefusedError: the server will refuse this however often it is sent.
        StoreDeniedError: it forbids this.
        StoreError: a redirect, a refused password, an error of the server.
    """
    kind: type[StoreError]
    status, state = reply.status, sql_state(reply)
    if 200 <= status < 300 and not state:
        return
    if 300 <= status < 400:
        target = re.split("[?#]", bare_name(reply.headers.get("Location", "elsewhere")))[0]
        raise StoreError(
            name,
            f"{reply.url} answered {status}, a redirect to {reply.clean(target)}; redirects are "
            "refused, since updates and passwords get lost on them: name the endpoint itself",
        )
    if status in (401, 403):
        kind = StoreError if status in _PASSING else StoreDeniedError
        raise kind(
            name,
            f"{reply.url} answered {status}, it refuses these credentials; give others"
            f"{_behind(reply)}",
        )
    if status == 404:
        raise StoreError(
            name, f"{reply.url} answered 404, nothing there; check the path{_behind(reply)}"
        )
    if state == "S1TAT":
        raise StoreError(
            name,
            f"{reply.url} answered {status} with X-SQL-State S1TAT: its own time limit ended the "
            "query, so rows are missing; narrow the query, or raise MaxQueryExecutionTime there",
        )
    if 200 <= status < 300:
        what = reply.clean(reply.headers.get("X-SQL-Message") or "") or shown(reply)
        said = reply.clean(state)
        raise StoreError(name, f"{reply.url} answered {status} with error {said}: {what}")
    body = reply.body[:200].decode("utf-8", "replace")
    if status in _REFUSALS or (status >= 500 and _REFUSED_STATES.search(body)):
        kind = StoreRefusedError
    elif state == "42000" or (status < 500 and status not in _PASSING):
        kind = StoreDeniedError
    else:
        kind = StoreError
    raise kind(name, f"{reply.url} answered {status}{_behind(reply)}")


def no_answer(name: str, reply: Reply, what: str) -> StoreError:
    """The error for an answer that is none, whatever its status says."""
    return StoreError(name, f"{reply.url} answered {reply.status} with {what}{_behind(reply)}")


def read_rows(
    name: str, reply: Reply, *, ask: bool = False, in_order: bool = False
) -> tuple[Answer, int, list[str]]:
    """Read the answer to a SELECT or ASK.

    Args:
        name: of the store.
        reply: the answer.
        ask: it answers an ASK.
        in_order: sort the variables, which `SELECT *` returns as it likes.

    Returns:
        The answer, the number of its rows, and its variables; 0 and none for an ASK.

    Raises:
        StoreError: it is not SPARQL JSON from beginning to end.
    """
    try:
        found = read_json(reply.body)
    except json.JSONDecodeError:
        raise no_answer(name, reply, "no SPARQL result that can be read") from None
    try:
        changed = _straighten(found) or in_order
        if in_order:
            found["head"]["vars"].sort()
        boolean = found.get("boolean")
        rows = [] if isinstance(boolean, bool) else found["results"]["bindings"]
        names = [] if isinstance(boolean, bool) else [str(one) for one in found["head"]["vars"]]
        answer = Answer()
        answer.write(json.dumps(found).encode() if changed else reply.body)
        if _is_boolean(answer) != ask:
            raise TypeError("rows" if ask else "true or false")
    except (SyntaxError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"no SPARQL result that can be read ({reply.clean(error)})"
        raise no_answer(name, reply, why) from None
    return answer, len(rows), names


def read_triples(name: str, reply: Reply) -> Answer:
    """Read the answer to a CONSTRUCT or DESCRIBE.

    Raises:
        StoreError: it is not RDF from beginning to end.
    """
    kind = reply.headers.get_content_type()
    rdf = RdfFormat.N_TRIPLES if kind == "text/plain" else RdfFormat.from_media_type(kind)
    if rdf is None:
        raise no_answer(name, reply, f"{reply.clean(kind)}, which is not RDF")
    answer = Answer()
    try:
        answer.write_triples(
            Triple(quad.subject, quad.predicate, quad.object) for quad in decode(reply.body, rdf)
        )
    except SyntaxError as error:
        why = f"no RDF that can be read ({reply.clean(error)})"
        raise no_answer(name, reply, why) from None
    return answer


def _straighten(found: Any) -> bool:
    """Mend in place what Virtuoso says in its own way; whether anything was."""
    head, bindings = found["head"], found.get("results", {}).get("bindings")
    if bindings is None:
        return False
    if head.get("vars") == ["__ASK_RETVAL"]:
        del found["results"]
        said = [row["__ASK_RETVAL"]["value"] for row in bindings]  # no row is a no
        found["head"], found["boolean"] = {}, said in (["1"], ["true"])
        return True
    changed = False
    for row in bindings:
        for term in row.values():
            kind, value = term.get("type"), term.get("value")
            if kind == "bnode" and not _BLANK_LABEL.match(value):
                term["value"] = "b" + value.encode().hex()
                changed = True
            elif kind == "typed-literal":  # Virtuoso alone says so still
                changed = _canonical(term) or changed
    return changed


def _canonical(term: dict[str, str]) -> bool:
    """Undo what Virtuoso does to values: `1` for `true`, three digits for every fraction."""
    value, kind = term["value"], term.get("datatype")
    if kind == XSD_BOOLEAN:
        term["value"] = {"1": "true", "0": "false"}.get(value, value)
    elif kind == XSD_DATE_TIME and (match := _FRACTION.match(value)):
        term["value"] = match[1] + match[2].rstrip("0").rstrip(".") + match[3]
    return term["value"] != value


def _is_boolean(answer: Answer) -> bool:
    """Read an answer to its end, to see that this can be done."""
    result = answer.result()
    try:
        if isinstance(result, ox.QuerySolutions):
            for _ in result:
                pass
        return isinstance(result, ox.QueryBoolean)
    finally:
        del result  # an error keeps this frame, and no other thread may let go of a result


def _behind(reply: Reply) -> str:
    text = shown(reply)
    return f": {text}" if text else ""
