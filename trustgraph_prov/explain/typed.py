"""Read dates and numbers as such where a writer left them as text.

TrustGraph writes every value as a plain string; a store keeps it as it came, and a reader is told
what it means. `update/upgrade-legacy` says the same for good.
"""

from __future__ import annotations

import re
from contextlib import suppress

from pyoxigraph import Literal, NamedNode

from .. import terms
from ..errors import InvalidValueError
from ..namespaces import (
    PROV_ENDED_AT_TIME,
    PROV_GENERATED_AT_TIME,
    PROV_STARTED_AT_TIME,
    TG_CHAR_LENGTH,
    TG_CHAR_OFFSET,
    TG_CHUNK_COUNT,
    TG_CHUNK_INDEX,
    TG_CHUNK_OVERLAP,
    TG_CHUNK_SIZE,
    TG_EDGE_COUNT,
    TG_IMAGE_COUNT,
    TG_IN_TOKEN,
    TG_LLM_DURATION_MS,
    TG_OUT_TOKEN,
    TG_PAGE_COUNT,
    TG_PAGE_NUMBER,
    TG_SCORE,
    TG_STEP_NUMBER,
    TG_TABLE_COUNT,
    TG_TOOL_DURATION_MS,
    XSD_DATE_TIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
)
from ..statement import canonical
from ..terms import Term

__all__ = ["DECIMALS", "INTEGERS", "TIMES", "typed"]

TIMES = frozenset({PROV_STARTED_AT_TIME, PROV_ENDED_AT_TIME, PROV_GENERATED_AT_TIME})
INTEGERS = frozenset(
    {
        *(TG_STEP_NUMBER, TG_EDGE_COUNT, TG_CHUNK_COUNT, TG_IN_TOKEN, TG_OUT_TOKEN),
        *(TG_LLM_DURATION_MS, TG_TOOL_DURATION_MS, TG_PAGE_COUNT, TG_PAGE_NUMBER),
        *(TG_CHUNK_INDEX, TG_CHAR_OFFSET, TG_CHAR_LENGTH, TG_CHUNK_SIZE, TG_CHUNK_OVERLAP),
        *(TG_TABLE_COUNT, TG_IMAGE_COUNT),
    }
)
DECIMALS = frozenset({TG_SCORE})

_WHOLE = re.compile(r"(0|[1-9][0-9]*)\Z")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?\Z")
_ZONE = re.compile(r"(Z|[+-]\d\d:\d\d)\Z")
_TYPES = {XSD_STRING, XSD_DATE_TIME, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER}


def typed(property: str, value: Term) -> Term:
    """Read a value of a property.

    What is not a date or a number where one belongs stays as it is, and so does every value of
    another property, an edge's among them.

    Example:
        >>> from pyoxigraph import Literal
        >>> typed("https://trustgraph.ai/ns/score", Literal("0.90")).value
        '0.9'
    """
    if not isinstance(value, Literal) or value.language or value.datatype.value not in _TYPES:
        return value
    text = value.value
    if property in TIMES:
        with suppress(InvalidValueError):
            terms.instant(text)
            form = text.strip().replace(" ", "T", 1)
            form += "" if _ZONE.search(form) else "Z"
            return canonical(Literal(form, datatype=NamedNode(XSD_DATE_TIME)))
    elif property in INTEGERS and _WHOLE.match(text):
        return terms.integer(int(text)) if len(text) < 19 else value
    elif property in DECIMALS and _NUMBER.match(text):
        return terms.decimal(text)
    return value
