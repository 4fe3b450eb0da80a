r"""Make text from a run harmless, whatever it is shown on.

What a model, a tool or a document wrote is untrusted: it may move the cursor, hide or reorder other
text, or close the markup around it. `visible` comes first, everywhere; then what the output format
itself asks for.

Example:
    >>> visible("\x1b[31mred")
    '␛[31mred'
    >>> markup("<script>")
    '&lt;script&gt;'
"""

from __future__ import annotations

import html
import re
import unicodedata
from urllib.parse import urlsplit

from ..curies import expand

__all__ = ["dot_string", "escaped", "link", "markup", "mermaid_label", "one_line", "visible"]

_PICTURES = {code: chr(0x2400 + code) for code in range(32)} | {0x7F: "\u2421"}
_SUSPECT = re.compile(r"[^\n\t -~]")
_LINES = re.compile("\r\n?|[\u0085\u2028\u2029]")
_JOINERS = "\u200c\u200d"
_EMOJI_STYLES = "\ufe0e\ufe0f"
_BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Characters that count as letters or marks and show nothing: a place to hide text in."""

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


def visible(text: str) -> str:
    """Replace characters that act, or hide, instead of showing.

    Control characters become their pictures (ESC is `␛`), every line end a newline; bidirectional
    controls, zero-width and other format characters, blanks that count as letters, lone surrogates
    and unassigned ones become `<U+202E>` and the like. A joiner stays inside an emoji and between
    the letters of a script that is written with it.

    Args:
        text: any text.

    Example:
        >>> visible("invoice\u202egpj.exe")
        'invoice<U+202E>gpj.exe'
    """
    text = _LINES.sub("\n", text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if _shows(one) else _shown(text, at) for at, one in enumerate(text))


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
        one if _shows(one) or _shown(text, at) in (one, " ") else _escape(one, json)
        for at, one in enumerate(text)
    )


def _escape(character: str, json: bool) -> str:
    if not json and ord(character) > 0xFFFF:
        return f"\\U{ord(character):08X}"
    units = character.encode("utf-16-be", "surrogatepass").hex(" ", 2)
    return "".join(f"\\u{unit}" for unit in units.split())


def _shows(character: str) -> bool:
    return character in "\n\t" or (character.isprintable() and not _BLANKS.match(character))


def _shown(text: str, at: int) -> str:
    character, before, after = text[at], text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if ord(character) in _PICTURES:
        return _PICTURES[ord(character)]
    if unicodedata.category(character) == "Zs":
        return " "
    between_emoji = _pictorial(before) and _pictorial(after)
    if character in _JOINERS and (between_emoji or (_joined(before) and _joined(after))):
        return character
    if character in _EMOJI_STYLES and (_pictorial(before) or before in tuple("#*0123456789")):
        return character
    return f"<U+{ord(character):04X}>"


def _pictorial(character: str) -> bool:
    return bool(character) and (
        unicodedata.category(character) in ("So", "Sk") or character in _EMOJI_STYLES + "♀♂⚕"
    )


def _joined(character: str) -> bool:
    """Tell whether a letter or mark is of a script between Arabic and Khmer, or beyond the BMP."""
    return bool(character) and (
        "\u0600" <= character <= "\u18ff" and unicodedata.category(character)[0] in "LM"
    )


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


def one_line(text: str, most: int | None = None) -> str:
    """Put text on one line, cut after `most` characters.

    Example:
        >>> one_line("a long  story\\nin two lines", 12)
        'a long stor…'
    """
    line = " ".join(visible(text).split())
    return line if most is None or len(line) <= most else line[: most - 1] + "…"


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
