"""What a query that a model wrote may say, before any engine reads it.

Engines do not all cut a text into words alike: `1.SERVICE:x` calls a server in some and not in
others. So a query is refused too where it could be read in two ways.
"""

from __future__ import annotations

import re

from pyoxigraph import NamedNode

from ..errors import ToolError
from ..stores.sparql_text import QUERY_FORMS, Token, tokens_of

__all__ = ["LONGEST", "check_query", "within"]

LONGEST = 10_000
"""Characters of a query."""

_SIGNS = frozenset("{}()[].,;*/|^!=<>+-&?@$")
_ESCAPE = re.compile(r"\\u00[0-7][0-9a-f]|\\U000000[0-7][0-9a-f]", re.I)
_TWO_WAYS = re.compile(r"'|\).*#")
_PLAINLY = "put spaces around < and >, and a name with a prefix for an IRI with a quote"
_OF_AN_ENGINE = ("bif:", "sql:", "java:")
_AFTER = ("GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES")


def check_query(tool: str, query: str, refused: dict[str, str], *, on_server: bool = False) -> None:
    """Refuse a query that uses some words, or that hides what it uses.

    Args:
        tool: for the message.
        query: SPARQL, well-formed or not.
        refused: keywords in capitals, and why each is not allowed.
        on_server: refuse functions too that are a server's own.

    Raises:
        ToolError: it is refused; the message is for the model to read.

    Example:
        >>> check_query("t", "ASK { ?s ?service 'SERVICE' }", {"SERVICE": "one store is asked"})
        >>> check_query("t", "ASK { SERVICE ?s {} }", {"SERVICE": "one store is asked"})
        Traceback (most recent call last):
        trustgraph_prov.errors.ToolError: t: SERVICE is not allowed: one store is asked
    """
    if len(query) > LONGEST:
        raise ToolError(tool, f"the query is longer than {LONGEST:,} characters; shorten it")
    if _ESCAPE.search(query):
        raise ToolError(tool, "write plain characters, not \\u escapes of them")
    for token in tokens_of(query):
        for word, why in refused.items():
            if _uses(token, word):
                raise ToolError(tool, f"{word} is not allowed: {why}")
        if _has_two_readings(token):
            raise ToolError(tool, f"{token.text!r} may be read in two ways; {_PLAINLY}")
        if on_server and token.text.lstrip("<").lower().startswith(_OF_AN_ENGINE):
            raise ToolError(tool, f"{token.text} is not allowed: it is of one engine alone")


def within(query: str, graph: str) -> str:
    """Have a query read one graph, whatever the store's default graph is.

    Args:
        query: a SELECT, ASK or CONSTRUCT without FROM.
        graph: IRI of the graph, or "" to leave the query as it is.

    Example:
        >>> within("SELECT ?s { ?s ?p ?o }", "urn:g")
        'SELECT ?s \\nFROM <urn:g>\\n{ ?s ?p ?o }'
    """
    tokens = list(tokens_of(query))
    start = next((n for n, token in enumerate(tokens) if token.word in QUERY_FORMS), None)
    if start is None or not graph:
        return query
    rest = iter(tokens[start + 1 :])
    template = tokens[start].word == "CONSTRUCT" and tokens[start + 1 : start + 2]
    if template and template[0].text == "{":
        next((token for token in rest if token.depth == 0 and token.text == "}"), None)
    outer = (token for token in rest if token.depth == 0)
    place = next((t.start for t in outer if t.text == "{" or t.word in ("WHERE", *_AFTER)), None)
    at = len(query) if place is None else place
    return f"{query[:at]}\nFROM {NamedNode(graph)}\n{query[at:]}"


def _uses(token: Token, word: str) -> bool:
    text = token.text.upper()
    if word not in text:
        return False
    if token.kind == "name":
        prefix, _, local = text.partition(":")
        return word in prefix or f".{word}" in local or local.startswith((".", "-"))
    return token.kind == "word"


def _has_two_readings(token: Token) -> bool:
    """Whether an engine could see less-than in an IRI, or the quote of a text left open."""
    if token.kind == "iri":
        return bool(_TWO_WAYS.search(token.text))
    return token.kind == "sign" and token.text not in _SIGNS
