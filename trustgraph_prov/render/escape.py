r"""Escape text from a run for what it is shown on.

It may close the markup around it. `visible` comes first, everywhere; then what the output format
itself asks for.

Example:
    >>> markup("<script>")
    '&lt;script&gt;'
"""

from __future__ import annotations

import html
import re
from urllib.parse import urlsplit

from ..characters import shown, shows, visible
from ..curies import expand

__all__ = ["dot_string", "escaped", "link", "markup", "mermaid_label"]

_SUSPECT = re.compile(r"[^\n\t -~]")
_QUOTED = (
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:"""|\\?\Z)'
    r'|"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)'
)
_LOCAL = r"(?:\\.|\.(?![ \t\r\n]|\Z)|[^\x00-\x20\"'<>()\[\]{},;.\\])+"
_RDF_PIECE = re.compile(
    "|".join(
        (
            _QUOTED,
            _QUOTED.replace('"', "'"),
            r'<[^<>"\x00-\x20]*>',
            r"#[^\n]*",
            rf"(?P<prefix>_|[A-Za-z][\w.-]*)(?::(?P<local>{_LOCAL}))?",
        )
    ),
    re.S,
)
"""A text, an IRI, a comment, a word, or a name with a prefix (RDF 1.1 Turtle, section 6.5).

A text without end and a word without a name are pieces too, so that nothing is read twice.
"""

_NAME_ESCAPE = re.compile(r"\\(.)")

_LINKED = {"http", "https"}
_LIST_ITEM = re.compile(r"\s*(?:\d+[.)]|[-+])(?=\s|$)")
_PLAIN = frozenset(" .,-!?/+…→—·()")


def escaped(text: str, *, json: bool) -> str:
    r"""Escape what `visible` replaces, so that what reads the text reads the same values.

    Spaces of any width stay: they show as what they are.

    Args:
        text: JSON; or RDF, all of it or whole lines, in which only line ends and tabs are layout.
        json: write pairs of UTF-16 (RFC 8259, section 7), and not `\U000E0041` as RDF does (RDF 1.1
            Turtle, section 6.4). In RDF an IRI with a prefix of `PREFIXES` is written whole where
            it has something to escape, and a blank node gets another label: names have no escapes.

    Example:
        >>> print(escaped('"invoice\u202egpj.exe"', json=True))
        "invoice\u202egpj.exe"
        >>> print(escaped("<urn:s> tg:a\u200db tg:b .", json=False))
        <urn:s> <https://trustgraph.ai/ns/a\u200db> tg:b .
    """
    if not _SUSPECT.search(text):
        return text
    return _escaped(text if json else _RDF_PIECE.sub(_whole, text), json)


def _whole(piece: re.Match[str]) -> str:
    name, local = piece[0], piece["local"]
    if local is None or _escaped(name, json=False) == name:
        return name
    if piece["prefix"] == "_":
        return f"_:x{local.encode().hex()}"
    iri = expand(f"{piece['prefix']}:" + _NAME_ESCAPE.sub(r"\1", local))
    return name if iri is None else f"<{iri}>"


def _escaped(text: str, json: bool) -> str:
    return "".join(
        one if shows(one) or shown(text, at) in (one, " ") else _escape(one, json)
        for at, one in enumerate(text)
    )


def _escape(character: str, json: bool) -> str:
    if not json and ord(character) > 0xFFFF:
        return f"\\U{ord(character):08X}"
    units = character.encode("utf-16-be", "surrogatepass").hex(" ", 2)
    return "".join(f"\\u{unit}" for unit in units.split())


def markup(text: str) -> str:
    """Escape text for HTML, in an element or in a quoted attribute."""
    return html.escape(visible(text), quote=True)


def link(iri: str) -> str | None:
    """Give an IRI back if it may be a link: http and https alone, with nothing hidden in it.

    Example:
        >>> link("javascript:alert(1)") is None
        True
    """
    try:
        pieces = urlsplit(iri)
    except ValueError:
        return None
    safe = pieces.scheme in _LINKED and pieces.netloc and visible(iri) == iri
    return iri if safe and not re.search(r"[\s\"'<>\\`]", iri) else None


def mermaid_label(text: str) -> str:
    """Write a quoted label of a Mermaid flowchart.

    Everything but letters, digits and plain punctuation becomes an entity code (`#34;`), so nothing
    ends the label, or starts Markdown, HTML or a directive.

    Example:
        >>> mermaid_label('a"] --> b')
        '"a#34;#93; --#62; b"'
    """
    return '"' + "<br/>".join(map(_mermaid_line, visible(text).split("\n"))) + '"'


def _mermaid_line(line: str) -> str:
    item = _LIST_ITEM.match(line)
    start = len(item[0]) if item else 0
    return "".join(
        one
        if one == " "
        or (at >= start and (one.isalnum() or one in _PLAIN))
        or line[at : at + 2] == ": "
        else f"#{ord(one)};"
        for at, one in enumerate(line)
    )


def dot_string(text: str) -> str:
    r"""Write a quoted string of DOT; each line ends in `\l`, so that it is set flush left.

    Example:
        >>> print(dot_string('say "hi" & go'))
        "say \"hi\" &amp; go"
    """
    shown = visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return '"' + shown.replace("\n", "\\l") + '"'
