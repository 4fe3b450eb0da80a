"""Mint RDF terms whose lexical form no engine will want to rewrite.

Lexical forms are canonical (XML Schema 1.1 part 2, section 3.3: the canonical mapping of each
datatype), so that a value written here compares equal after a round trip through any store.
"""

from __future__ import annotations

import hashlib
import math
import re
import warnings
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from .errors import InvalidTermError, InvalidValueError, ProvWarning
from .namespaces import (
    RDF_OBJECT,
    RDF_PREDICATE,
    RDF_STATEMENT,
    RDF_SUBJECT,
    RDF_TYPE,
    XSD_BOOLEAN,
    XSD_DATE_TIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
)

__all__ = [
    "boolean",
    "canonical",
    "date_time",
    "decimal",
    "instant",
    "integer",
    "iri",
    "iri_or_text",
    "statement_iri",
    "statement_triples",
    "text",
]

STATEMENT = "urn:trustgraph-prov:statement:"

_SURROGATES = re.compile("[\ud800-\udfff]")
_ABSOLUTE_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`\x00-\x20]*\Z")
_DATE_TIME = re.compile(
    r"(?P<base>-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d)(?P<fraction>\.\d+)?(?P<zone>Z|[+-]\d\d:\d\d)?\Z",
    re.ASCII,
)
_INTEGER = re.compile(r"[+-]?\d+\Z", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)\Z", re.ASCII)
_DOUBLE = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_NAMES = {"1": "true", "0": "false", "true": "true", "false": "false"}


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
        raise InvalidTermError(str(value), "an IRI is a str")
    try:
        return NamedNode(value)
    except ValueError as error:
        raise InvalidTermError(value, f"not an absolute IRI ({error})") from None


def iri_or_text(value: str | NamedNode | Literal) -> NamedNode | Literal:
    """Take a value that is an IRI in one pipeline and plain text in another.

    Args:
        value: `urn:chunk:1` becomes an IRI, `chunk 1` a literal; a term stays what it is.

    Example:
        >>> iri_or_text("chunk-7")
        <Literal value=chunk-7 datatype=<NamedNode value=http://www.w3.org/2001/XMLSchema#string>>
    """
    if isinstance(value, (NamedNode, Literal)):
        return value
    if _ABSOLUTE_IRI.match(value):
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

    Example:
        >>> text("Paris").value
        'Paris'
    """
    clean, replaced = _SURROGATES.subn("\ufffd", value)
    if replaced:
        warnings.warn(
            f"{replaced} lone surrogate{'s' if replaced > 1 else ''} in a text of {len(value)} "
            "characters became U+FFFD",
            ProvWarning,
            stacklevel=2,
        )
    return Literal(clean)


def integer(value: int) -> Literal:
    """Make an xsd:integer.

    Example:
        >>> str(integer(7))
        '"7"^^<http://www.w3.org/2001/XMLSchema#integer>'
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidValueError("integer", value, "an int")
    return Literal(str(value), datatype=NamedNode(XSD_INTEGER))


def decimal(value: Decimal | float | int | str) -> Literal:
    """Make an xsd:decimal in canonical form; a float is taken by its shortest decimal form.

    Args:
        value: any finite number, or its text (`"1e-05"` too).

    Raises:
        InvalidValueError: not a number, infinite or NaN, which xsd:decimal does not have.

    Example:
        >>> decimal(0.10).value, decimal("42.50").value, decimal(3).value
        ('0.1', '42.5', '3')
    """
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise InvalidValueError("decimal", value, "a number") from None
    if not number.is_finite():
        raise InvalidValueError("decimal", value, "a finite number")
    return Literal(_decimal_form(number), datatype=NamedNode(XSD_DECIMAL))


def boolean(value: bool) -> Literal:
    """Make an xsd:boolean.

    Example:
        >>> boolean(True).value
        'true'
    """
    return Literal("true" if value else "false", datatype=NamedNode(XSD_BOOLEAN))


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
        match = _DATE_TIME.match(value.strip().replace(" ", "T", 1))
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
    return value.astimezone(timezone.utc)


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
    moment = instant(value)
    form = moment.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
    if moment.microsecond:
        form += f".{moment.microsecond:06d}".rstrip("0")
    return Literal(form + "Z", datatype=NamedNode(XSD_DATE_TIME))


def canonical(term: Literal) -> Literal:
    """Bring a literal into the form that names a statement.

    integer, decimal, double, boolean and dateTime get the canonical lexical form of their value,
    a language tag becomes lower-case; anything else, and what is not valid for its datatype, stays.

    Example:
        >>> canonical(Literal("+042.50", datatype=NamedNode(XSD_DECIMAL))).value
        '42.5'
    """
    if term.language is not None:
        return Literal(term.value, language=term.language.lower(), direction=term.direction)
    form = _CANONICAL.get(term.datatype.value, str)(term.value)
    return Literal(form, datatype=term.datatype)


def statement_iri(
    subject: NamedNode | BlankNode, predicate: NamedNode, object: NamedNode | BlankNode | Literal
) -> NamedNode:
    r"""Name the statement node of an edge by its content.

    The name is the first 32 hex digits of the SHA-256 of the UTF-8 line `s p o .\n` in canonical
    N-Triples (RDF Dataset Canonicalization 1.0, section 5, for the escapes), with the object's
    literal in `canonical` form. `ontology/statement-hash.json` has test vectors.

    Raises:
        InvalidTermError: a blank node, which has no name to hash; skolemise it first.

    Example:
        >>> statement_iri(NamedNode("http://e/s"), NamedNode("http://e/p"), Literal("o")).value
        'urn:trustgraph-prov:statement:57743f10e6729b352c55d47d7b4e8190'
    """
    for term in (subject, object):
        if isinstance(term, BlankNode):
            raise InvalidTermError(str(term), "a statement is named by its terms; skolemise it")
    line = f"{_n_triples(subject)} {_n_triples(predicate)} {_n_triples(object)} .\n"
    return NamedNode(STATEMENT + hashlib.sha256(line.encode()).hexdigest()[:32])


def statement_triples(
    subject: NamedNode, predicate: NamedNode, object: NamedNode | Literal
) -> list[Triple]:
    """Reify an edge: its statement node with rdf:subject, rdf:predicate and rdf:object.

    The object is written in the `canonical` form that names the node, so that two writers of equal
    edges leave one rdf:object.

    Example:
        >>> len(statement_triples(NamedNode("http://e/s"), NamedNode("http://e/p"), Literal("o")))
        4
    """
    node = statement_iri(subject, predicate, object)
    return [
        Triple(node, NamedNode(RDF_TYPE), NamedNode(RDF_STATEMENT)),
        Triple(node, NamedNode(RDF_SUBJECT), subject),
        Triple(node, NamedNode(RDF_PREDICATE), predicate),
        Triple(
            node,
            NamedNode(RDF_OBJECT),
            canonical(object) if isinstance(object, Literal) else object,
        ),
    ]


_ESCAPES = {
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
}
_ESCAPED = re.compile(r'[\x00-\x1f\x7f"\\]')


def _n_triples(term: NamedNode | BlankNode | Literal) -> str:
    if not isinstance(term, Literal):
        return str(term)
    term = canonical(term)
    quoted = _ESCAPED.sub(
        lambda match: _ESCAPES.get(match[0], f"\\u{ord(match[0]):04X}"), term.value
    )
    if term.language is not None:
        direction = f"--{term.direction.value}" if term.direction is not None else ""
        return f'"{quoted}"@{term.language}{direction}'
    if term.datatype.value.endswith("XMLSchema#string"):
        return f'"{quoted}"'
    return f'"{quoted}"^^{term.datatype}'


def _decimal_form(number: Decimal) -> str:
    form = format(number, "f")
    if "." in form:
        form = form.rstrip("0").rstrip(".")
    return "0" if form in ("-0", "") else form


def _canonical_integer(form: str) -> str:
    if not _INTEGER.match(form):
        return form
    digits = form.lstrip("+-").lstrip("0") or "0"
    return f"-{digits}" if form.startswith("-") and digits != "0" else digits


def _canonical_decimal(form: str) -> str:
    return _decimal_form(Decimal(form)) if _DECIMAL.match(form) else form


def _canonical_double(form: str) -> str:
    special = {"INF": "INF", "+INF": "INF", "-INF": "-INF", "NaN": "NaN"}
    if form in special:
        return special[form]
    if not _DOUBLE.match(form):
        return form
    number = float(form)
    if math.isinf(number):
        return "INF" if number > 0 else "-INF"
    if number == 0:
        return "-0.0E0" if math.copysign(1, number) < 0 else "0.0E0"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    text_digits = "".join(map(str, digits))
    assert isinstance(exponent, int)  # noqa: S101 - finite, so the exponent is a number
    mantissa = f"{text_digits[0]}.{text_digits[1:] or '0'}"
    return f"{'-' if sign else ''}{mantissa}E{exponent + len(digits) - 1}"


def _canonical_date_time(form: str) -> str:
    match = _DATE_TIME.match(form)
    if not match:
        return form
    base, fraction = match["base"], (match["fraction"] or "").rstrip("0").rstrip(".")
    midnight = (
        base.endswith("T24:00:00") and not fraction
    )  # the end of a day is the next one's start
    zone = (match["zone"] or "Z").replace("Z", "+00:00")
    try:
        start = base.replace("T24:", "T00:") if midnight else base
        moment = datetime.fromisoformat(start + zone)
        moment = moment.astimezone(timezone.utc) + timedelta(days=midnight)
    except (ValueError, OverflowError):
        return form
    ending = "" if match["zone"] is None else "Z"
    return moment.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0") + fraction + ending


_CANONICAL: dict[str, Callable[[str], str]] = {
    XSD_INTEGER: _canonical_integer,
    XSD_DECIMAL: _canonical_decimal,
    XSD_DOUBLE: _canonical_double,
    XSD_BOOLEAN: lambda form: _NAMES.get(form, form),
    XSD_DATE_TIME: _canonical_date_time,
}
