"""Mint RDF terms whose lexical form no engine will want to rewrite.

Lexical forms are canonical, so that a value written here compares equal after a round trip through
any store.
"""

from __future__ import annotations

import re
import warnings
from datetime import datetime, timezone
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from .errors import InvalidTermError, InvalidValueError, ProvWarning
from .lexical import DATE_TIME, decimal_form, utc_form
from .namespaces import XSD_DATE_TIME, XSD_DECIMAL, XSD_INTEGER
from .wording import counted

__all__ = [
    "ABSOLUTE_IRI",
    "Term",
    "absolute",
    "date_time",
    "decimal",
    "instant",
    "integer",
    "iri",
    "iri_or_text",
    "plain",
    "scalars",
    "text",
]

Term: TypeAlias = "NamedNode | BlankNode | Literal | Triple"

_SURROGATES = re.compile("[\ud800-\udfff]")
ABSOLUTE_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`\x00-\x20]*\Z")
"""What looks like an absolute IRI, whatever its scheme asks for (RFC 3987, section 2.2)."""


def iri(value: str | NamedNode) -> NamedNode:
    """Make an absolute IRI.

    Args:
        value: the IRI, without angle brackets.

    Raises:
        InvalidTermError: not an absolute IRI (RFC 3987).

    Example:
        >>> str(iri("urn:trustgraph:agent:1"))
        '<urn:trustgraph:agent:1>'
    """
    if isinstance(value, NamedNode):
        return value
    if not isinstance(value, str):
        raise InvalidTermError(value, "an IRI is a str")
    try:
        return NamedNode(value)
    except ValueError as error:
        raise InvalidTermError(value, f"not an absolute IRI ({error})") from None


def absolute(value: str) -> bool:
    """Tell whether a text is an absolute IRI, which a blank node's name and a literal are not.

    Example:
        >>> absolute("urn:trustgraph:agent:1"), absolute("_:b0"), absolute("chunk 7")
        (True, False, False)
    """
    try:
        iri(value)
    except InvalidTermError:
        return False
    return True


def iri_or_text(value: str | NamedNode | Literal) -> NamedNode | Literal:
    """Take a value that is an IRI in one pipeline and plain text in another.

    Args:
        value: `urn:chunk:1` becomes an IRI, `chunk 1` a literal; a term stays what it is.

    Raises:
        InvalidValueError: none of these.

    Example:
        >>> iri_or_text("chunk-7")
        <Literal value=chunk-7 datatype=<NamedNode value=http://www.w3.org/2001/XMLSchema#string>>
    """
    if isinstance(value, (NamedNode, Literal)):
        return value
    if isinstance(value, str) and ABSOLUTE_IRI.match(value):
        try:
            return NamedNode(value)
        except ValueError:
            pass
    return text(value)


def text(value: str) -> Literal:
    """Make a plain string literal.

    A lone surrogate is not a Unicode scalar value and no RDF term can hold it (RDF 1.1 Concepts,
    section 3.3), so each becomes U+FFFD and a `ProvWarning` counts them.

    Args:
        value: any text.

    Raises:
        InvalidValueError: not a str.

    Example:
        >>> text("Paris").value
        'Paris'
    """
    if not isinstance(value, str):
        raise InvalidValueError("text", value, "a str")
    clean = scalars(value)
    if replaced := len(_SURROGATES.findall(value)):
        warnings.warn(
            f"{counted(replaced, 'lone surrogate')} in a text of {len(value)} "
            "characters became U+FFFD",
            ProvWarning,
            stacklevel=2,
        )
    return Literal(clean)


def scalars(value: str) -> str:
    """Replace each lone surrogate by U+FFFD, so that UTF-8 can hold the text.

    Args:
        value: any text.

    Example:
        >>> scalars("Par\\ud800is").encode()
        b'Par\\xef\\xbf\\xbdis'
    """
    return _SURROGATES.sub("\ufffd", value)


def plain(term: Term) -> str:
    """Read a term as text: an IRI, a lexical form, or N-Triples for the rest.

    Example:
        >>> plain(NamedNode("urn:chunk:1")), plain(Literal("Paris"))
        ('urn:chunk:1', 'Paris')
    """
    return term.value if isinstance(term, (NamedNode, Literal)) else str(term)


def integer(value: int) -> Literal:
    """Make an xsd:integer.

    Args:
        value: any whole number.

    Raises:
        InvalidValueError: not an int, or one of over 4,300 digits, which Python does not write.

    Example:
        >>> str(integer(7))
        '"7"^^<http://www.w3.org/2001/XMLSchema#integer>'
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidValueError("integer", value, "an int")
    try:
        return Literal(str(value), datatype=NamedNode(XSD_INTEGER))
    except ValueError:
        raise InvalidValueError("integer", value, "an int of 4,300 digits at most") from None


def decimal(value: Decimal | float | int | str) -> Literal:
    """Make an xsd:decimal in canonical form; a float is taken by its shortest decimal form.

    Args:
        value: any finite number, or its text in ASCII digits (`"1e-05"` too).

    Raises:
        InvalidValueError: not a number, infinite or NaN, which xsd:decimal does not have, or an
            int of over 4,300 digits.

    Example:
        >>> decimal(0.10).value, decimal("42.50").value, decimal(3).value
        ('0.1', '42.5', '3')
    """
    try:
        form = str(value)
        number = Decimal(form if form.isascii() and "_" not in form else "")
    except InvalidOperation:
        raise InvalidValueError("decimal", value, "a number") from None
    except ValueError:  # of an int of more there is no text
        raise InvalidValueError("decimal", value, "a number of 4,300 digits at most") from None
    if not number.is_finite():
        raise InvalidValueError("decimal", value, "a finite number")
    return Literal(decimal_form(number), datatype=NamedNode(XSD_DECIMAL))


def instant(value: datetime | str) -> datetime:
    """Read a time as an aware datetime in UTC.

    Args:
        value: a datetime, or ISO 8601 text. Without an offset it is taken as UTC. Fractions finer
            than a microsecond are cut.

    Raises:
        InvalidValueError: not a time.

    Example:
        >>> instant("2026-03-02T10:15:00.5+02:00").isoformat()
        '2026-03-02T08:15:00.500000+00:00'
    """
    if isinstance(value, str):
        match = DATE_TIME.match(value.strip().replace(" ", "T", 1))
        if not match:
            raise InvalidValueError("time", value, "a datetime or ISO 8601 text")
        fraction = (match["fraction"] or ".0")[1:7].ljust(6, "0")
        zone = (match["zone"] or "Z").replace("Z", "+00:00")
        try:
            moment = datetime.fromisoformat(f"{match['base']}.{fraction}{zone}")
            return moment.astimezone(timezone.utc)
        except (ValueError, OverflowError):
            raise InvalidValueError("time", value, "a datetime or ISO 8601 text") from None
    if not isinstance(value, datetime):
        raise InvalidValueError("time", value, "a datetime or ISO 8601 text")
    if value.tzinfo is None:
        value = value.replace(tzinfo=timezone.utc)
    try:
        return value.astimezone(timezone.utc)
    except OverflowError:
        raise InvalidValueError(
            "time", str(value), "a time of the years 1 to 9999, in UTC"
        ) from None


def date_time(value: datetime | str) -> Literal:
    """Make an xsd:dateTime in UTC, with `Z`, without trailing zeros in the fraction.

    Args:
        value: as for `instant`.

    Raises:
        InvalidValueError: not a time.

    Example:
        >>> date_time("2026-03-02T08:15:00.120000Z").value
        '2026-03-02T08:15:00.12Z'
    """
    form = utc_form(instant(value))
    if "." in form:
        form = form.removesuffix("Z").rstrip("0") + "Z"
    return Literal(form, datatype=NamedNode(XSD_DATE_TIME))
