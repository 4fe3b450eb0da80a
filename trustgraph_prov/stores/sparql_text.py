"""Find the parts of a query: prologue, form, projection, template, WHERE and what comes after.

No more than paging needs: terms are told apart, braces are counted, nothing is checked.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = [
    "QUERY_FORMS",
    "Parts",
    "Token",
    "form",
    "parts",
    "recursive",
    "repeatable",
    "tokens_of",
    "without_limits",
]

_TOKEN = re.compile(
    r"""(?P<skip>\s+|\#[^\r\n]*)
      | (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
      | (?P<text>\"{3}(?:\"{0,2}(?:[^"\\]|\\.))*\"{3} | '{3}(?:'{0,2}(?:[^'\\]|\\.))*'{3}
                | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*')
      | (?P<variable>[?$]\w+)
      | (?P<name>(?:[^\W\d][\w.-]*)?:(?:[\w.:-]|%[0-9A-Fa-f]{2}|\\.)*)
      | (?P<word>[A-Za-z]\w*)
      | (?P<number>\d+)
      | (?P<sign>.)""",
    re.X | re.S,
)
QUERY_FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
"""The words with which a query begins, after its prologue."""

_FORMS = (
    *QUERY_FORMS,
    *("INSERT", "DELETE", "WITH", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY"),
)


@dataclass(frozen=True)
class Parts:
    """A SELECT or CONSTRUCT query, cut up; joined in this order the parts say the same.

    Attributes:
        prologue: BASE and PREFIX lines, and comments.
        form: `SELECT` or `CONSTRUCT`.
        head: what stands behind that word: the projection, or the template with its braces.
        datasets: FROM clauses.
        where: the pattern with its braces.
        groups: GROUP BY and HAVING.
        order: ORDER BY, LIMIT and OFFSET.
        values: VALUES at the end.
        order_variables: variables of `order`.
        head_variables: variables of `head`.
        every_variable: whether it is `SELECT *`.
        blank: whether `head` makes blank nodes.
        limit: the number behind the outermost LIMIT, or None.
    """

    prologue: str
    form: str
    head: str
    datasets: str
    where: str
    groups: str
    order: str
    values: str
    order_variables: frozenset[str]
    head_variables: tuple[str, ...]
    every_variable: bool
    blank: bool
    limit: int | None


@dataclass(frozen=True)
class Token:
    """One word or sign of a query, of the kind that `_TOKEN` calls it by, and how deep it is."""

    kind: str
    text: str
    start: int
    end: int
    depth: int

    @property
    def word(self) -> str:
        return self.text.upper() if self.kind == "word" else ""


def form(text: str) -> str:
    """The first word that says what a query or an update does, in capitals, or an empty text.

    Example:
        >>> form("# SELECT or not\\nPREFIX select: <urn:select> ASK { ?s ?p ?o }")
        'ASK'
    """
    return next((token.word for token in tokens_of(text) if token.word in _FORMS), "")


def repeatable(update: str) -> bool:
    """Whether doing an update twice is certainly the same as doing it once.

    Example:
        >>> repeatable("INSERT DATA { <urn:a> <urn:p> 1 }")
        True
        >>> repeatable("INSERT { ?s ?p ?next } WHERE { ?s ?p ?n BIND(?n + 1 AS ?next) }")
        False
    """
    tokens = list(tokens_of(update))
    first = next((n for n, token in enumerate(tokens) if token.word in _FORMS), None)
    if first is None or any(t.text in (";", "[", "(") or t.text.startswith("_:") for t in tokens):
        return False
    if tokens[first].word in ("CLEAR", "DROP"):
        return True
    return tokens[first].word in ("INSERT", "DELETE") and [
        token.word for token in tokens[first + 1 : first + 2]
    ] == ["DATA"]


def recursive(query: str) -> bool:
    """Whether a path in a query goes on as long as it can.

    Example:
        >>> recursive("SELECT ?s { ?s (<urn:p>|<urn:q>)* <urn:o> }")
        True
        >>> recursive("SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o FILTER(?o > 2 * 3) }")
        False
    """
    return any(
        after.text in ("*", "+")
        and after.start == token.end
        and (token.text == ")" or token.kind in ("iri", "name"))
        for token, after in itertools.pairwise(tokens_of(query))
    )


def without_limits(text: str, least: int) -> str:
    """Leave out every `LIMIT n`, in sub-selects too, whose n is `least` or more.

    Example:
        >>> without_limits("SELECT ?s { ?s ?p 'LIMIT 999' } ORDER BY ?s LIMIT 999", 100).rstrip()
        "SELECT ?s { ?s ?p 'LIMIT 999' } ORDER BY ?s"
    """
    pieces, end = [], 0
    for token, following in itertools.pairwise(tokens_of(text)):
        wide = following.kind == "number" and _whole(following.text) >= least
        if token.word == "LIMIT" and wide:
            pieces.append(text[end : token.start])
            end = following.end
    return "".join([*pieces, text[end:]])


def parts(text: str) -> Parts | None:
    """Cut a SELECT or CONSTRUCT query up; None when it is neither or is not understood."""
    tokens = list(tokens_of(text))
    start = next((n for n, token in enumerate(tokens) if token.word in QUERY_FORMS), None)
    if start is None or tokens[start].word not in ("SELECT", "CONSTRUCT"):
        return None
    prologue = text[: tokens[start].start]
    groups = _groups(tokens, start + 1)
    construct = tokens[start].word == "CONSTRUCT"
    short = construct and tokens[start + 1 : start + 2] and tokens[start + 1].text != "{"
    if len(groups) < (2 if construct and not short else 1):
        return None
    opening, closing = groups[1 if construct and not short else 0]
    where = text[tokens[opening].start : tokens[closing].end]
    head_end = groups[0][1] + 1 if construct and not short else opening
    inner = tokens[start + 1 : head_end]
    between = tokens[head_end:opening] if construct and not short else inner
    cut = next((n for n, token in enumerate(between) if token.word in ("FROM", "WHERE")), None)
    head = tokens[groups[0][0] : groups[0][1] + 1] if construct else inner[:cut]
    froms = [
        token for token in (between if cut is None else between[cut:]) if token.word != "WHERE"
    ]
    if construct and cut is None:
        froms = []
    after = tokens[closing + 1 :]
    marks = [_index(after, words) for words in (_ORDER, ("VALUES",))]
    order_at, values_at = min(marks), marks[1]
    order = after[order_at:values_at]
    return Parts(
        prologue=prologue,
        form=tokens[start].word,
        head=_span(text, head),
        datasets=_span(text, froms) if froms and froms[0].word == "FROM" else "",
        where=where,
        groups=_span(text, after[:order_at]),
        order=_span(text, order),
        values=_span(text, after[values_at:]),
        order_variables=frozenset(t.text[1:] for t in order if t.kind == "variable"),
        head_variables=tuple(dict.fromkeys(t.text[1:] for t in head if t.kind == "variable")),
        every_variable=not construct and any(t.text == "*" and t.depth == 0 for t in head),
        blank=any(t.text in "[(" or t.text.startswith("_:") for t in head),
        limit=_limit(order),
    )


_ORDER = ("ORDER", "LIMIT", "OFFSET")


def tokens_of(text: str) -> Iterator[Token]:
    """Cut a text into words and signs; white space and comments are left out."""
    depth = 0
    for match in _TOKEN.finditer(text):
        kind, found = str(match.lastgroup), match[0]
        if kind == "skip":
            continue
        if found in ("}", ")"):
            depth -= 1
        yield Token(kind, found, match.start(), match.end(), depth)
        if found in ("{", "("):
            depth += 1


def _groups(tokens: list[Token], start: int) -> list[tuple[int, int]]:
    """The outermost `{ … }`, as positions of their braces."""
    found, opening = [], None
    for n in range(start, len(tokens)):
        token = tokens[n]
        if token.depth == 0 and token.text == "{" and opening is None:
            opening = n
        elif token.depth == 0 and token.text == "}" and opening is not None:
            found.append((opening, n))
            opening = None
    return found


def _index(tokens: list[Token], words: tuple[str, ...]) -> int:
    for n, token in enumerate(tokens):
        if token.depth == 0 and token.word in words:
            return n
    return len(tokens)


def _span(text: str, tokens: list[Token]) -> str:
    return text[tokens[0].start : tokens[-1].end] if tokens else ""


def _limit(order: list[Token]) -> int | None:
    for token, following in itertools.pairwise(order):
        if token.word == "LIMIT" and following.kind == "number":
            return _whole(following.text)
    return None


def _whole(digits: str) -> int:
    """Read a LIMIT; of one too long for Python the beginning, more than any answer has rows."""
    return int(digits.lstrip("0")[:40] or 0)
