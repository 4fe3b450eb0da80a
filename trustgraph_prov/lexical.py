"""Canonical lexical forms of the datatypes that runs use, as texts.

XML Schema 1.1 part 2, section 3.3, has the canonical mapping of each datatype. A time keeps every
digit of its fraction; one without an offset stays without.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from .namespaces import XSD_BOOLEAN, XSD_DATE_TIME, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER

__all__ = ["DATE_TIME", "canonical_form", "decimal_form", "pointed_form", "utc_form"]

DATE_TIME = re.compile(
    r"(?P<base>-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d)(?P<fraction>\.\d+)?(?P<zone>Z|[+-]\d\d:\d\d)?\Z",
    re.ASCII,
)
_INTEGER = re.compile(r"[+-]?\d+\Z", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)\Z", re.ASCII)
_DOUBLE = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_SPECIAL = {"INF": "INF", "+INF": "INF", "-INF": "-INF", "NaN": "NaN"}
_BOOLEANS = {"1": "true", "0": "false"}


def canonical_form(form: str, datatype: str) -> str:
    """Bring a lexical form into the canonical one of its value.

    Args:
        form: any text.
        datatype: an IRI; integer, decimal, double, boolean and dateTime have a canonical form here.

    Returns:
        The canonical form; `form` as it is for another datatype, or where it is not valid.

    Example:
        >>> canonical_form("+042.50", XSD_DECIMAL), canonical_form("1e3", XSD_DOUBLE)
        ('42.5', '1.0E3')
    """
    return _FORMS.get(datatype, str)(form)


def decimal_form(number: Decimal) -> str:
    """Write a finite number as a canonical xsd:decimal: no exponent, no trailing zero, no point."""
    form = format(number, "f")
    if "." in form:
        form = form.rstrip("0").rstrip(".")
    return "0" if form in ("-0", "") else form


def utc_form(moment: datetime, timespec: str = "auto") -> str:
    """Write a time in UTC as an xsd:dateTime, with `Z`.

    Args:
        moment: an aware datetime in UTC.
        timespec: as for `datetime.isoformat`, such as `seconds`.

    Example:
        >>> utc_form(datetime(2026, 3, 2, 8, 15, tzinfo=timezone.utc))
        '2026-03-02T08:15:00Z'
    """
    return moment.isoformat(timespec=timespec).replace("+00:00", "Z")


def pointed_form(form: str) -> str:
    """Bring an xsd:decimal into the canonical form of XML Schema 1.0, which always has a point.

    Names of statements rest on `canonical_form`, that of 1.1; this one is for servers that read a
    decimal as a number and write it so (part 2, second edition, section 3.2.3.2).

    Example:
        >>> pointed_form("1"), pointed_form("+042.50"), pointed_form("many")
        ('1.0', '42.5', 'many')
    """
    short = _decimal(form)
    return f"{short}.0" if _INTEGER.match(short) else short


def _integer(form: str) -> str:
    if not _INTEGER.match(form):
        return form
    digits = form.lstrip("+-").lstrip("0") or "0"
    return f"-{digits}" if form.startswith("-") and digits != "0" else digits


def _decimal(form: str) -> str:
    return decimal_form(Decimal(form)) if _DECIMAL.match(form) else form


def _double(form: str) -> str:
    if form in _SPECIAL:
        return _SPECIAL[form]
    if not _DOUBLE.match(form):
        return form
    number = float(form)
    if math.isinf(number):
        return "INF" if number > 0 else "-INF"
    if number == 0:
        return "-0.0E0" if math.copysign(1, number) < 0 else "0.0E0"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    first, *rest = map(str, digits)
    power = int(exponent) + len(digits) - 1
    return f"{'-' if sign else ''}{first}.{''.join(rest) or '0'}E{power}"


def _date_time(form: str) -> str:
    match = DATE_TIME.match(form)
    if not match:
        return form
    base, fraction = match["base"], (match["fraction"] or "").rstrip("0").rstrip(".")
    end_of_day = base.endswith("T24:00:00") and not fraction  # the next day's start
    zone = (match["zone"] or "Z").replace("Z", "+00:00")
    try:
        start = base.replace("T24:", "T00:") if end_of_day else base
        moment = datetime.fromisoformat(start + zone)
        moment = moment.astimezone(timezone.utc) + timedelta(days=end_of_day)
    except (ValueError, OverflowError):
        return form
    ending = "" if match["zone"] is None else "Z"
    return utc_form(moment).removesuffix("Z") + fraction + ending


_FORMS: dict[str, Callable[[str], str]] = {
    XSD_INTEGER: _integer,
    XSD_DECIMAL: _decimal,
    XSD_DOUBLE: _double,
    XSD_BOOLEAN: lambda form: _BOOLEANS.get(form, form),
    XSD_DATE_TIME: _date_time,
}
