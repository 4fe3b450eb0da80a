"""Read the edges and chunks a run selected, in the forms pipelines hand over, and rate them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from .. import terms
from ..errors import InvalidTermError, InvalidValueError
from ..namespaces import TG_REASONING, TG_SCORE, TGP_RANK
from ..uris import recognise
from .node import Node, several

__all__ = [
    "ChunkChoice",
    "Edge",
    "EdgeChoice",
    "edge_terms",
    "rate",
    "read_choice",
    "read_choices",
]

Edge: TypeAlias = "Sequence[Any] | Triple"
EdgeChoice: TypeAlias = "Mapping[str, Any] | Edge"
ChunkChoice: TypeAlias = "Mapping[str, Any] | str | NamedNode | Literal"


def edge_terms(edge: Edge) -> tuple[NamedNode, NamedNode, NamedNode | Literal]:
    """Read an edge.

    Args:
        edge: subject, predicate, object, of str, pyoxigraph or RDFLib. A str as the object is an
            IRI where it is an absolute one, else text; give a `Literal` to force text.

    Raises:
        InvalidTermError: a blank node, which has no name outside its file, or a subject or
            predicate that is not an IRI.
        InvalidValueError: not three terms.

    Example:
        >>> str(edge_terms(("http://e/dam", "http://e/height", "41 m"))[2])
        '"41 m"'
    """
    given = edge if isinstance(edge, Iterable) and not isinstance(edge, (str, bytes)) else ()
    parts = [_native(part) for part in given]
    if len(parts) != 3:
        raise InvalidValueError("edge", edge, "a subject, a predicate and an object")
    for part in parts:
        if isinstance(part, BlankNode) or (isinstance(part, str) and part.startswith("_:")):
            raise InvalidTermError(
                str(part), "a blank node has no name outside its file; give it an IRI"
            )
    subject, predicate, value = parts
    if not isinstance(value, (str, NamedNode, Literal)):
        raise InvalidTermError(str(value), "an edge ends in an IRI, a text or a literal")
    return terms.iri(subject), terms.iri(predicate), terms.iri_or_text(value)


def _native(part: Any) -> Any:
    """Take a term of RDFLib for what it is: all of its terms are texts, blank nodes too."""
    if not type(part).__module__.startswith("rdflib."):
        return part
    kind = type(part).__name__
    if kind == "Literal":
        datatype = None if part.datatype is None else NamedNode(str(part.datatype))
        return Literal(terms.text(part).value, datatype=datatype, language=part.language)
    return f"_:{part}" if kind == "BNode" else str(part)


def read_choice(choice: Any, name: str) -> dict[str, Any]:
    """Read a choice: its fields, or what was chosen alone.

    Example:
        >>> read_choice("urn:chunk:1", "chunk_id")
        {'chunk_id': 'urn:chunk:1'}
    """
    return dict(choice) if isinstance(choice, Mapping) else {name: choice}


def read_choices(
    choices: Iterable[Any], name: str, session_id: str, focus: NamedNode
) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Read choices, best first.

    Args:
        choices: mappings, or what was chosen alone.
        name: the field that says what was chosen; a choice that lacks it is left out.
        session_id: names the selections; by default the one in the IRI of their focus.
        focus: that IRI.

    Returns:
        The session of each, its place, counted from 0 with those left out, and its fields.

    Raises:
        InvalidValueError: there is a choice, and nothing tells the session.
    """
    for index, choice in enumerate(several(name, choices, "choices")):
        fields = read_choice(choice, name)
        if fields.get(name):
            session_id = session_id or _session_of(focus)
            yield session_id, index, fields


def rate(selection: Node, index: int, fields: Mapping[str, Any]) -> None:
    """Add the place of a choice, and the reason and the score it was given."""
    selection.integer(TGP_RANK, index + 1)
    selection.text(TG_REASONING, fields.get("reasoning"))
    selection.decimal(TG_SCORE, fields.get("score"))


def _session_of(focus: NamedNode) -> str:
    name = recognise(focus.value)
    if name is None:
        raise InvalidValueError(
            "session_id", "", "a session id, for the IRI of the node has no pattern of ours"
        )
    return name.session
