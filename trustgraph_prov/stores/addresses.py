"""Take addresses of servers apart, and show them without what is secret in them."""

from __future__ import annotations

import base64
import html.entities
import re
import urllib.parse
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..errors import InvalidValueError

__all__ = [
    "Address",
    "bare_name",
    "longest_spelling",
    "read_address",
    "secrets_of",
    "secrets_of_proxy",
    "without_secrets",
]

SHORTEST_SECRET = 6
"""Characters: a shorter secret is hidden where it stands as a word, not within others."""

_BEFORE = r"(?:(?<!\w)|(?<=%[0-9a-f]{2})|(?<=\\[bfnrt])|(?<=\\u[0-9a-f]{4}))"
"""Where a word begins, also behind a character that JSON or a URL spells with letters."""

_START = re.compile(
    r"\s*(?:[a-z][a-z0-9.-]*\+|[a-z][a-z0-9.-]*:(?=[a-z][a-z0-9.+-]*:?//))*"
    r"(?:[a-z][a-z0-9.-]*:/{1,3}|https?//|//)?",
    re.I,
)
_SCHEME = re.compile(r"\A[a-z][a-z0-9+.-]*:/+", re.I)
_PATH = re.compile(r"[.~]|[\\/](?!/)|[a-z]:[\\/](?!/)", re.I)
_ODD_PORT = re.compile(r"(\[[^\]]*\]|[^/:]*):(?!\d*(?:/|\Z))[^/]*")
_QUERY = re.compile(r"\?[^=]*=")
"""In a name, a query string: a folder that is named so is less likely than an address."""
_SAFE = "/%:@!$&'()*+,;=~-._?[]"

_SHORT = {" ": r"\+", "\n": r"\\n", "\r": r"\\r", "\t": r"\\t", "\b": r"\\b", "\f": r"\\f"}
"""How a form writes a space, and JSON control characters."""

_LONGEST = 16
"""Characters of the longest spelling of one: `\\xf0\\x9f\\x98\\x80`."""

_ENTITIES = {chr(code): name for code, name in html.entities.codepoint2name.items()}


@dataclass(frozen=True)
class Address:
    """A URL, and who asks there.

    Attributes:
        parts: of the URL, in ASCII but for the host, without credentials and fragment.
        credentials: user and password, or None.
    """

    parts: urllib.parse.SplitResult
    credentials: tuple[str, str] | None = field(default=None, repr=False)


def read_address(what: str, url: str) -> Address:
    """Read a URL.

    Args:
        what: it is, for the message.
        url: with `http://` or `https://`.

    Raises:
        InvalidValueError: it is none, or cannot be told from one with a secret in its path.

    Example:
        >>> read_address("store", "http://h/d\N{LATIN SMALL LETTER A WITH DIAERESIS}").parts.path
        '/d%C3%A4'
    """

    def refused(expected: str) -> InvalidValueError:
        return InvalidValueError(what, bare_name(url), expected)

    try:
        parts = urllib.parse.urlsplit(url)
        path, query = (_encoded(part) for part in (parts.path, parts.query))
    except ValueError:  # its text may hold the password
        raise refused("a URL with http:// or https:// and a host") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"\s", url):
        raise refused("a URL with http:// or https:// and a host")
    if "@" in f"{parts.path}{parts.query}{parts.fragment}":
        raise refused("a URL with %2F for /, %3F for ?, %23 for # and %40 for @ in a password")
    try:
        _ = parts.port
    except ValueError:
        raise refused("a URL with a number up to 65535 as its port") from None
    host = parts.netloc.rpartition("@")[2]
    bare = parts._replace(netloc=host, path=path, query=query, fragment="")
    if parts.username is None:
        return Address(bare)
    user, password = (urllib.parse.unquote(one or "") for one in (parts.username, parts.password))
    return Address(bare, (user, password))


def bare_name(name: str) -> str:
    """A store's name as messages may show it: of an address, no credentials and no query string.

    It may be mistyped: what stands before the last `@` is left out wherever an address might
    begin, and all of it where nobody can tell what belongs to the password. Paths stay whole, but
    for an address in them and what looks like a query string.

    Example:
        >>> bare_name("htp://ann:secret@host/ds?key=secret"), bare_name("/home/ann@work/store")
        ('htp://host/ds', '/home/ann@work/store')
        >>> bare_name("http://ann:sec?ret@host")
        'http://…'
    """
    if name.startswith("rdflib:"):
        return "rdflib:" + bare_name(name.removeprefix("rdflib:"))
    if _PATH.match(name):
        return _bare_path(name)
    match = _START.match(name)
    start = match[0] if match else ""
    before, at, after = name.rpartition("@")
    if not (start.endswith("/") or (at and ":" in before)):
        return _without_query(name)
    if at and re.search("[?#]", before):
        return f"{start}…"
    shown = re.split("[?#]", after if at else name[len(start) :])[0]
    if at:
        return f"{start or '…@'}{shown}"
    return start + _ODD_PORT.sub(r"\1:…", shown, count=1)


def _bare_path(name: str) -> str:
    path, address, rest = name.partition("://")
    if address and "@" in rest:
        return f"{path}://{_without_query(rest.rpartition('@')[2])}"
    return _without_query(name)


def _without_query(name: str) -> str:
    return name.partition("?")[0] if _QUERY.search(name) else name


def secrets_of(url: str) -> tuple[str, ...]:
    """What no message may hold of a URL without credentials: its query string and the values."""
    query = urllib.parse.urlsplit(url).query
    values = [pair.partition("=")[2] or pair for pair in query.split("&")]
    return (query, *values, *map(urllib.parse.unquote_plus, values))


def secrets_of_proxy(url: str) -> tuple[str, ...]:
    """What no message may hold of a proxy's URL: the password, and what is sent of it.

    A user without a password is a key.
    """
    known = _SCHEME.sub("", url.rpartition("@")[0])
    user, _, password = known.partition(":")
    password = password or user
    pair = base64.b64encode(urllib.parse.unquote(known).encode(errors="surrogateescape")).decode()
    return (password, urllib.parse.unquote(password), pair)


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """Hide secrets in a text, also where their characters are spelled otherwise.

    As HTML, JSON or a URL may, or who takes one encoding for another; or in Base64 without its end.

    Example:
        >>> without_secrets("no /ds?key=a&amp;b%2fc", ["a&b/c"])
        'no /ds?key=…'
        >>> without_secrets("the password 'e' is weak", ["e"])
        "the password '…' is weak"
    """
    longest_first = sorted(filter(None, secrets), key=len, reverse=True)
    pattern = "|".join(map(_pattern, longest_first))
    return re.sub(pattern, "…", text, flags=re.I) if pattern else text


def longest_spelling(secrets: Iterable[str]) -> int:
    """Count the characters that `without_secrets` finds one of the secrets in, at most.

    Example:
        >>> longest_spelling(["abc", "a&b"])
        18
    """
    return max(
        (sum(1 if _is_plain(one) else _LONGEST for one in each) for each in secrets), default=0
    )


def _pattern(secret: str) -> str:
    bare = secret.rstrip("=") or secret
    spelled = "".join(map(_spellings, bare))
    if bare != secret:
        spelled += f"{_spellings('=')}*"
    if len(bare) >= SHORTEST_SECRET:
        return spelled
    before = _BEFORE if _is_in_words(bare[0]) else ""
    return f"{before}{spelled}" + (r"(?!\w)" if _is_in_words(bare[-1]) else "")


def _is_in_words(char: str) -> bool:
    return char.isalnum() or char == "_"


def _is_plain(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _spellings(char: str) -> str:
    """A pattern for all ways to write a character."""
    if _is_plain(char):
        return char
    code = ord(char)
    ways = [rf"\\?{re.escape(char)}", urllib.parse.quote(char, safe="", errors="surrogateescape")]
    ways += [rf"\\u{code:04x}", rf"\\U{code:08x}", f"&#0*{code};", f"&#x0*{code:x};"]
    if char in _ENTITIES:
        ways.append(f"&{_ENTITIES[char]};")
    if char in _SHORT:
        ways.append(_SHORT[char])
    if not char.isascii():
        ways += _misread(char)
    return f"(?:{'|'.join(ways)})"


def _misread(char: str) -> list[str]:
    """Patterns for a character that stands in JSON as a pair, or was read in a wrong encoding."""
    pair = char.encode("utf-16-be", "surrogatepass").hex(" ", 2).split()
    data = char.encode(errors="surrogatepass")
    read = {data.decode(one, "replace") for one in ("latin-1", "cp1252", "ascii")}
    hexadecimal = "".join(rf"\\x{byte:02x}" for byte in data)
    latin = urllib.parse.quote(char, safe="", encoding="latin-1", errors="replace")
    return [
        "".join(rf"\\u{unit}" for unit in pair),
        *map(re.escape, sorted(read, key=len, reverse=True)),
        hexadecimal,
        latin,
        "\ufffd",
        r"\?",
    ]


def _encoded(part: str) -> str:
    return urllib.parse.quote(part, safe=_SAFE, errors="surrogateescape")
