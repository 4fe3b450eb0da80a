"""The fields of a node: what was recorded, by the names and in the order of the shapes.

A property that nobody knew when this was written is a field like any other. What the heading, the
facts or a selection say already is left out here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import Literal

from ..explain.model import Node
from ..explain.nodes import Document, Observation, Reflection
from ..namespaces import (
    PROV_ENDED_AT_TIME,
    PROV_GENERATED_AT_TIME,
    PROV_STARTED_AT_TIME,
    PROV_WAS_ASSOCIATED_WITH,
    PROV_WAS_ATTRIBUTED_TO,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    PROV_WAS_INFORMED_BY,
    RDF_OBJECT,
    RDF_PREDICATE,
    RDF_SUBJECT,
    RDFS_LABEL,
    TG_ANSWER,
    TG_ARGUMENTS,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_IN_TOKEN,
    TG_LLM_DURATION_MS,
    TG_LLM_MODEL,
    TG_OUT_TOKEN,
    TG_QUERY,
    TG_STEP_NUMBER,
    TG_TOOL_DURATION_MS,
    TG_TOOL_ERROR,
    TGP_CALLED_FROM,
    TGP_COLLECTION,
    TGP_ERROR_MESSAGE,
    TGP_IN_HOUR,
    TGP_OMITTED_BYTES,
    TGP_SHA256,
    TGP_STARTED_AT,
    TGP_TRACE,
    TGP_USER,
)
from ..terms import plain
from ..uris import model_uri, user_uri
from ..vocabulary import vocabulary
from .names import arguments, short

__all__ = ["FACTS", "HEAD", "Field", "Value", "fields_of", "has_own_heading"]

_ERRORS = {TG_TOOL_ERROR, TGP_ERROR_MESSAGE}
_AMOUNTS = {
    *(TG_STEP_NUMBER, TG_IN_TOKEN, TG_OUT_TOKEN, TG_LLM_DURATION_MS, TG_TOOL_DURATION_MS),
}
_MOMENTS = {PROV_GENERATED_AT_TIME, PROV_STARTED_AT_TIME, PROV_ENDED_AT_TIME}
FACTS = frozenset(_AMOUNTS | {PROV_GENERATED_AT_TIME, RDFS_LABEL, TG_LLM_MODEL})
"""What the heading of a step says, and the line of facts below it."""

HEAD = frozenset(
    {*(PROV_STARTED_AT_TIME, PROV_ENDED_AT_TIME, RDFS_LABEL), *(TG_QUERY, TGP_USER, TGP_COLLECTION)}
)
"""What the head of a run says."""

PIECE = frozenset({TG_TOOL_DURATION_MS, RDFS_LABEL})
"""What is said of a piece by the facts of its step, and by the name it stands under."""

_LINKS = {
    *(PROV_WAS_DERIVED_FROM, PROV_WAS_GENERATED_BY, PROV_WAS_INFORMED_BY),
    *(TGP_TRACE, TGP_IN_HOUR, TGP_STARTED_AT, TGP_CALLED_FROM),
    *(RDF_SUBJECT, RDF_PREDICATE, RDF_OBJECT),
}


_CUT = {
    TGP_OMITTED_BYTES: ("Cut", "{} bytes are left out at the end of a text"),
    TGP_SHA256: (
        "Whole text",
        "dead-letters/{}.txt in the outbox, on the machine that recorded it",
    ),
}
"""What is said of a text that was too long for its store, and where the rest is."""


@dataclass(frozen=True)
class Value:
    """A value to show.

    Attributes:
        text: what people read.
        iri: the whole IRI behind it, or "".
    """

    text: str
    iri: str = ""


@dataclass(frozen=True)
class Field:
    """A named value, or several.

    Attributes:
        name: from the shapes.
        values: in order.
        style: `text`; `code`; `error`; `terms`, which are short and may share a line.
    """

    name: str
    values: tuple[Value, ...]
    style: str = "text"


def has_own_heading(part: Node) -> bool:
    """Tell whether a part is shown by itself, and not as a field of what holds it."""
    return not isinstance(part, (Reflection, Observation, Document))


def fields_of(
    node: Node, *shown: str, said: frozenset[str] = frozenset({RDFS_LABEL})
) -> Iterator[Field]:
    """Read a node's fields, and those of the pieces that have no heading of their own.

    Args:
        node: any node.
        shown: properties that are shown elsewhere, whatever they hold.
        said: properties that are said elsewhere, as long as they hold one value of their form.
    """
    parts = {part.uri: part for part in node.parts}
    told = {value for property in shown for value in node.values(property)}
    for property in node.properties:
        if property not in shown and not _is_said(node, property, said):
            yield from _field(node, property, parts, told)
    for part in node.parts:
        if not has_own_heading(part):
            if part.uri not in told:
                where = () if part.texts else (Value(short(part.uri), part.uri),)
                yield Field(part.label, where or tuple(map(Value, part.texts)))
            document = (TG_DOCUMENT,) if part.texts else ()
            yield from fields_of(part, TG_CONTENT, TG_ANSWER, *document, said=PIECE)


def _is_said(node: Node, property: str, said: frozenset[str]) -> bool:
    if property in _LINKS or property not in said or len(node.properties[property]) > 1:
        return property in _LINKS
    if property in _AMOUNTS:
        return node.integer(property) is not None
    return property not in _MOMENTS or node.moment(property) is not None


def _field(node: Node, property: str, parts: dict[str, Node], told: set[str]) -> Iterator[Field]:
    words = vocabulary()
    name = words.name(node.kind, property)
    values: list[Value] = []
    for term in node.properties[property]:
        target = "" if isinstance(term, Literal) else plain(term)
        part = parts.get(target)
        if part is not None and part.texts and not has_own_heading(part):
            told.add(target)
            values.extend(map(Value, part.texts))
            name = words.name(node.kind, TG_CONTENT) if property == TG_DOCUMENT else name
        elif not (part and has_own_heading(part)) and not _obvious(node, property, target):
            told.add(target)
            values.append(Value(short(term), target))
    if property in _CUT:
        name, of_each = _CUT[property]
        values = [Value(of_each.format(value.text)) for value in values]
    if property == TG_ARGUMENTS:
        values = [Value(arguments(value.text)) for value in values]
    if values:
        style = "error" if property in _ERRORS else "code" if property == TG_ARGUMENTS else "text"
        terms = style == "text" and len(values) > 1 and all(_is_short(value) for value in values)
        yield Field(name, tuple(values), "terms" if terms else style)


def _is_short(value: Value) -> bool:
    return bool(value.iri) or (len(value.text) <= 40 and "\n" not in value.text)


def _obvious(node: Node, property: str, target: str) -> bool:
    """What the facts or the head say already, and a document that is the node itself."""
    if property == PROV_WAS_ATTRIBUTED_TO and node.model:
        return target == model_uri(node.model)
    if property == PROV_WAS_ASSOCIATED_WITH and node.value(TGP_USER):
        return target == user_uri(node.value(TGP_USER) or "")
    return property == TG_DOCUMENT and target == node.uri
