"""What explain messages say, for people who watch them come."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from ..messages import AgentResponse, to_quads
from ..namespaces import PROV, PROV_ENDED_AT_TIME, RDF_TYPE, TGP, TGP_ERROR_MESSAGE
from ..vocabulary import vocabulary

__all__ = ["Event", "EventReader"]


@dataclass(frozen=True)
class Event:
    """Something that was recorded.

    Attributes:
        node: IRI of the node it is about.
        kind: label of the node's class.
        fields: names and values, in the order in which the node is read.
        ended: whether the run is over.
    """

    node: str
    kind: str
    fields: tuple[tuple[str, str], ...]
    ended: bool = False


class EventReader:
    """Reads explain messages; one that only completes a node is told as that node's.

    Example:
        >>> from trustgraph_prov.emitters import agent_session_triples
        >>> from trustgraph_prov.messages import to_triples
        >>> triples = to_triples(agent_session_triples("urn:trustgraph:agent:7", "Why?"))
        >>> response = AgentResponse("explain", explain_id="urn:trustgraph:agent:7",
        ...                          explain_triples=triples)
        >>> event = EventReader().read(response)[0]
        >>> event.kind, event.fields
        ('Agent question', (('Question', 'Why?'),))
    """

    def __init__(self) -> None:
        self._types: dict[str, set[str]] = defaultdict(set)

    def read(self, response: AgentResponse) -> list[Event]:
        """Read a response.

        Returns:
            What it tells of the node it explains; nothing where it tells nothing for people.
        """
        if response.explain_id is None:
            return []
        node = response.explain_id
        told: list[tuple[str, NamedNode | Literal]] = []
        ended = False
        for quad in to_quads(response.explain_triples):
            name = quad.predicate.value
            ended = ended or name == PROV_ENDED_AT_TIME
            if not isinstance(quad.subject, NamedNode) or quad.subject.value != node:
                continue
            if not isinstance(quad.object, (NamedNode, Literal)):
                continue
            if name == RDF_TYPE:
                self._types[node].add(quad.object.value)
            elif _shown(name):
                told.append((name, quad.object))
        if not told:
            return []
        words = vocabulary()
        kind = words.kind(self._types[node])
        told.sort(key=lambda each: words.order(kind, each[0]))
        fields = tuple((words.name(kind, name), value.value) for name, value in told)
        return [Event(node, words.label(kind), fields, ended)]


def _shown(name: str) -> bool:
    return name == TGP_ERROR_MESSAGE or not name.startswith((PROV, TGP))
