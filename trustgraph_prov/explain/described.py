"""How a node is told, in a run and in what was extracted from a document alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pyoxigraph import Literal

from ..namespaces import DC_TITLE, RDF_TYPE, RDFS_LABEL, TG_CHUNK_INDEX, TG_PAGE_NUMBER
from ..terms import Term, plain
from ..vocabulary import vocabulary
from .kinds import kind_of
from .order import natural

__all__ = ["arranged", "by_text", "kind_name", "number_of", "title_of", "types_of"]

Recorded = Mapping[str, Sequence[Term]]

_NUMBERS = ((TG_PAGE_NUMBER, "page"), (TG_CHUNK_INDEX, "chunk"))


def types_of(recorded: Recorded) -> tuple[str, ...]:
    """List a node's rdf:types, sorted."""
    return tuple(sorted(map(plain, recorded.get(RDF_TYPE, ()))))


def kind_name(uri: str, recorded: Recorded) -> str:
    """Name what a node is, for people; "" where nothing says it."""
    kind = kind_of(uri, types_of(recorded), recorded)
    return vocabulary().label(kind) if kind else ""


def by_text(term: Term) -> tuple[object, ...]:
    """Make a sort key of a value: by its text, numbers in it as numbers."""
    return natural(plain(term)), str(term)


def arranged(
    kind: str,
    recorded: Recorded,
    key: Callable[[Term], tuple[object, ...]] = by_text,
) -> dict[str, tuple[Term, ...]]:
    """Put a node's properties, but for rdf:type, in the order in which they are shown.

    Args:
        kind: the class whose shape says the order; properties it does not name come last.
        recorded: values by property.
        key: orders the values of a property.

    Example:
        >>> list(arranged("", {"urn:b": [], RDF_TYPE: [], "urn:a": []}))
        ['urn:a', 'urn:b']
    """
    order = vocabulary().order
    names = sorted(recorded.keys() - {RDF_TYPE}, key=lambda name: (order(kind, name), name))
    return {
        name: tuple(recorded[name] if len(recorded[name]) == 1 else sorted(recorded[name], key=key))
        for name in names
    }


def number_of(recorded: Recorded) -> tuple[str, str] | None:
    """Read the number of a page or chunk, after what it numbers.

    Example:
        >>> number_of({TG_PAGE_NUMBER: [Literal(3)]})
        ('page', '3')
    """
    for property, name in _NUMBERS:
        for number in recorded.get(property, ()):
            return name, plain(number)
    return None


def title_of(recorded: Recorded, properties: Iterable[str] = (DC_TITLE, RDFS_LABEL)) -> str:
    """Read what to call a node: the first text that one of some properties holds, or ""."""
    for property in properties:
        for value in recorded.get(property, ()):
            if isinstance(value, Literal) and value.value:
                return value.value
    return ""
