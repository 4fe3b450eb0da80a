"""Know from an answer that an update was done.

Login pages, quotas and errors in words come with a 200 too, and whoever takes them for a yes loses
what was written. So an update was done where the answer has no body, or one of those that servers
are known to send; everything else is an error. One no next to a yes is a no.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ..strict_json import read_json
from .sparql_answers import no_answer
from .sparql_transport import Reply

__all__ = ["check_update"]

_PLAIN = re.compile(
    r"(200 )?(the )?(update |request )?(was )?"
    r"(ok|true|done|success(ful(ly)?)?|succeeded|executed|completed|committed)"
    r"( successfully)?[.!]?",
    re.I,
)
_FUSEKI = re.compile(
    r"<html>\s*<head>\s*</head>\s*<body>\s*<h1>Success</h1>\s*(<p>\s*Update succeeded\s*</p>\s*)?"
    r"</body>\s*</html>"
)
_BLAZEGRAPH = re.compile(r">COMMIT: totalElapsed=\d+ms, commitTime=\d+, mutationCount=\d+</p")
_XML = re.compile(r"(<\?xml[^<>]*\?>\s*)?(?P<root><(data|sparql)\b.*)", re.S)
_MODIFIED = re.compile(r"<data modified=\"\d+\" milliseconds=\"\d+\"\s*(/>|>\s*</data>)")
_CELL = re.compile(r"<binding name=\"callret[^<>]*>\s*<literal>([^<]*)</literal>")
_YES = re.compile(r"<boolean>\s*true\s*</boolean>")
_CALLRET = re.compile(r".* -- (done|nothing to do)|\w+ silent .* -- failed: .*", re.I)
_ERROR_WORDS = re.compile(r"\b(error|exception|failed|failure|denied|not allowed)\b", re.I)

_FAULTS = ("error", "errors", "exception", "failed", "failures")
"""Where JSON says what went wrong: anything there is a no."""

_SAID = ("success", "ok", "boolean", "status", "statusCode", "result", "message")
"""Where JSON says whether all went well: anything there but a yes is a no."""


def check_update(name: str, reply: Reply) -> None:
    """Believe that an update was done only where the answer says so.

    Args:
        name: of the store.
        reply: the answer, of status 2xx.

    Raises:
        StoreError: a page, words about an error, or anything else that is no known yes.
    """
    text = reply.body.decode("utf-8", "replace").strip()
    if not text or _PLAIN.fullmatch(text) or _is_report(text):
        return
    if text[0] in "{[":
        _check_json(name, reply, text)
    elif text[0] == "<":
        raise no_answer(name, reply, "a page")
    elif _ERROR_WORDS.search(text[:1_000]):
        raise no_answer(name, reply, "an error in words")
    else:
        raise no_answer(name, reply, "what no server is known to say of an update that was done")


def _is_report(text: str) -> bool:
    """Whether it is what Fuseki, Blazegraph or Virtuoso report in HTML or XML."""
    if text[0] != "<":
        return False
    if _FUSEKI.fullmatch(text):
        return True
    match = _XML.fullmatch(text)
    cells = _CELL.findall(text) if match else []
    if cells:  # they hold names of graphs, which may be any words
        return all(map(_is_callret, cells))
    if _ERROR_WORDS.search(text):
        return False
    if not match:
        return bool(_BLAZEGRAPH.search(text))
    return bool(_MODIFIED.fullmatch(match["root"]) or _YES.search(text))


def _check_json(name: str, reply: Reply, text: str) -> None:
    try:
        found = read_json(text)
    except json.JSONDecodeError:
        raise no_answer(name, reply, "JSON that breaks off") from None
    if not _says_done(found) and not _is_neptune(found):
        raise no_answer(name, reply, "JSON that does not say that the update was done")


def _says_done(found: Any) -> bool:
    """Whether there is a yes, and no no: in each object, and in all operations that it lists."""
    if isinstance(found, list):
        return bool(found) and all(map(_says_done, found))
    if not isinstance(found, dict) or any(found.get(key) for key in _FAULTS):
        return False
    said = [_is_yes(found[key]) for key in _SAID if found.get(key) is not None]
    if "operations" in found:
        said.append(_says_done(found["operations"]))
    if "results" in found:
        said.append(_is_virtuoso(found))
    return bool(said) and all(said)


def _is_yes(said: object) -> bool:
    if isinstance(said, str):
        return bool(_PLAIN.fullmatch(said))
    return isinstance(said, int) and (said == 1 or 200 <= said < 300)  # True is 1


def _is_virtuoso(found: dict[str, Any]) -> bool:
    """Whether it is a row of one column, `callret-0`, with a line for each operation."""
    try:
        (row,) = found["results"]["bindings"]
        ((column, term),) = row.items()
        return column.startswith("callret") and _is_callret(term["value"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return False


def _is_callret(said: str) -> bool:
    return all(_CALLRET.fullmatch(line) for line in said.splitlines() if line.strip())


def _is_neptune(found: Any) -> bool:
    """Whether it is a list of events, the last of them a commit."""
    try:
        kinds = [event["type"] for event in found]
        faults = [event[key] for event in found for key in _FAULTS if event.get(key)]
    except (KeyError, TypeError, AttributeError):
        return False
    return not faults and kinds[-1:] == ["Commit"] and set(kinds) <= {"UpdateEvent", "Commit"}
