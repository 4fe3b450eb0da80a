"""Collect the triples of one node."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import TypeAlias, TypeVar

from pyoxigraph import Literal, NamedNode, Triple

from .. import terms
from ..errors import InvalidValueError
from ..namespaces import (
    PROV_GENERATED_AT_TIME,
    PROV_WAS_ATTRIBUTED_TO,
    PROV_WAS_DERIVED_FROM,
    PROV_WAS_GENERATED_BY,
    RDF_TYPE,
    TG_ERROR_TYPE,
    TG_IN_TOKEN,
    TG_LLM_DURATION_MS,
    TG_LLM_MODEL,
    TG_OUT_TOKEN,
    TG_TERMINATION_REASON,
    TGP_ERROR_MESSAGE,
    TGP_TRACE,
)
from ..statement import statement_triples
from ..uris import model_uri, recognise
from .actors import model_triples

__all__ = ["Node", "Parents", "Uri", "is_question", "made", "several"]

T = TypeVar("T")
V = TypeVar("V")
Uri: TypeAlias = "str | NamedNode"
Parents: TypeAlias = "str | NamedNode | Sequence[str | NamedNode]"


class Node:
    """The triples of one node, in the order they are added.

    Attributes:
        iri: the node.
        triples: what was added, with what belongs to other nodes.
    """

    def __init__(self, uri: Uri, *types: str, trace: Uri | None = None) -> None:
        self.iri = terms.iri(uri)
        self.triples: list[Triple] = []
        for each in types:
            self.link(RDF_TYPE, each)
        self.link(TGP_TRACE, trace)

    def add(self, predicate: str, value: NamedNode | Literal) -> None:
        """Add one triple."""
        self.triples.append(Triple(self.iri, NamedNode(predicate), value))

    def link(self, predicate: str, value: Uri | None) -> None:
        """Add an IRI, unless it is None."""
        if value is not None:
            self.add(predicate, terms.iri(value))

    def text(self, predicate: str, value: str | Literal | None, name: str = "") -> None:
        """Add a text, unless it is None; an empty text is a text.

        Args:
            name: what the value is called where that is not the local name of the predicate.

        Raises:
            InvalidValueError: it is something else.
        """
        if isinstance(value, str):
            self.add(predicate, terms.text(value))
        elif isinstance(value, Literal):
            self.add(predicate, value)
        elif value is not None:
            raise InvalidValueError(name or _local(predicate), value, "a text")

    def texts(self, predicate: str, values: Iterable[str] | None) -> None:
        """Add several texts."""
        for value in several(_local(predicate), values, "texts"):
            self.text(predicate, value)

    def either(self, predicate: str, value: str | NamedNode | Literal) -> None:
        """Add an IRI where the value is one, else a text.

        Raises:
            InvalidValueError: it is neither.
        """
        self.add(predicate, made(_local(predicate), terms.iri_or_text, value))

    def integer(self, predicate: str, value: int | None) -> None:
        """Add a count or a number of order, unless it is None.

        Raises:
            InvalidValueError: it is no int, or below 0.
        """
        if value is None:
            return
        number = made(_local(predicate), terms.integer, value)
        if value < 0:
            raise InvalidValueError(_local(predicate), value, "a whole number, 0 or more")
        self.add(predicate, number)

    def milliseconds(self, predicate: str, value: float | None) -> None:
        """Add a duration, rounded to whole milliseconds, unless it is None.

        Raises:
            InvalidValueError: it is no finite number, or below 0.
        """
        if value is None:
            return
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not (whole or (isinstance(value, float) and math.isfinite(value))) or value < 0:
            raise InvalidValueError(
                _local(predicate), value, "a finite number of milliseconds, 0 or more"
            )
        self.add(predicate, made(_local(predicate), terms.integer, round(value)))

    def decimal(self, predicate: str, value: Decimal | float | str | None) -> None:
        """Add a decimal number, unless it is None.

        Raises:
            InvalidValueError: it is no finite number.
        """
        if value is not None:
            self.add(predicate, made(_local(predicate), terms.decimal, value))

    def time(self, predicate: str, value: datetime | str | None) -> None:
        """Add a moment, unless it is None.

        Raises:
            InvalidValueError: it is no time.
        """
        if value is not None:
            self.add(predicate, made(_local(predicate), terms.date_time, value))

    def statement(
        self, predicate: str, edge: tuple[NamedNode, NamedNode, NamedNode | Literal]
    ) -> None:
        """Add the statement node of an edge, with what describes it."""
        triples = statement_triples(*edge)
        self.triples.append(Triple(self.iri, NamedNode(predicate), triples[0].subject))
        self.triples += triples

    def parents(
        self, parents: Parents, *, question_uri: Uri | None = None, strict: bool = True
    ) -> None:
        """Tie the node to what it came from.

        PROV-O (section 3.1) derives entities from entities only, and a question is an activity.

        Args:
            parents: one IRI or several.
            question_uri: the run's question, where its IRI has no pattern of ours.
            strict: a question gets prov:wasGeneratedBy; without, prov:wasDerivedFrom as the rest.
        """
        every = [parents] if isinstance(parents, (str, NamedNode)) else parents
        question = None if question_uri is None else terms.iri(question_uri)
        for parent in dict.fromkeys(map(terms.iri, several("parent", every, "IRIs, or one"))):
            generated = strict and (parent == question or is_question(parent))
            self.add(PROV_WAS_GENERATED_BY if generated else PROV_WAS_DERIVED_FROM, parent)

    def usage(
        self,
        *,
        model: str | None = None,
        in_token: int | None = None,
        out_token: int | None = None,
        llm_duration_ms: float | None = None,
        generated_at: datetime | str | None = None,
    ) -> None:
        """Add what the language model took, and when the node was there."""
        self.time(PROV_GENERATED_AT_TIME, generated_at)
        self.milliseconds(TG_LLM_DURATION_MS, llm_duration_ms)
        self.integer(TG_IN_TOKEN, in_token)
        self.integer(TG_OUT_TOKEN, out_token)
        if model is not None:
            self.text(TG_LLM_MODEL, model)
            self.link(PROV_WAS_ATTRIBUTED_TO, model_uri(model))
            self.triples.extend(model_triples(model))

    def ending(self, termination_reason: str | None, error: str | None) -> None:
        """Add why a run stopped; an error makes the node a tg:Error."""
        if error is not None:
            self.link(RDF_TYPE, TG_ERROR_TYPE)
            self.text(TGP_ERROR_MESSAGE, error)
        self.text(TG_TERMINATION_REASON, termination_reason)


def made(name: str, make: Callable[[V], T], value: V) -> T:
    """Make something of an argument; an error calls it by its name.

    Raises:
        InvalidValueError: as `make` does.

    Example:
        >>> made("count", terms.integer, "a")
        Traceback (most recent call last):
        trustgraph_prov.errors.InvalidValueError: count is 'a'; expected an int
    """
    try:
        return make(value)
    except InvalidValueError as error:
        raise InvalidValueError(name, error.value, error.expected) from None


def several(name: str, values: Iterable[T] | None, what: str) -> Iterable[T]:
    """Take an argument of several values; None is none of them.

    Raises:
        InvalidValueError: it is one value: a text would be taken letter by letter, and of a mapping
            its keys.
    """
    if values is None:
        return ()
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise InvalidValueError(name, values, f"several {what}")
    return values


def is_question(uri: NamedNode) -> bool:
    """Tell by its pattern whether an IRI names a question."""
    name = recognise(uri.value)
    return name is not None and name.is_question


def _local(predicate: str) -> str:
    return predicate.replace("#", "/").rsplit("/", 1)[-1]
