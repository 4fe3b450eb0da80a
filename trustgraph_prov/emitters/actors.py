"""Emit the agents in PROV-O's sense: who asked, and which model answered.

Runs share these nodes, so they carry no tgp:trace.
"""

from __future__ import annotations

from collections.abc import Callable

from pyoxigraph import NamedNode, Triple

from .. import terms
from ..errors import InvalidValueError
from ..namespaces import PROV_AGENT, PROV_SOFTWARE_AGENT, RDF_TYPE, RDFS_LABEL
from ..uris import model_uri, user_uri

__all__ = ["model_triples", "user_triples"]


def user_triples(user: str) -> list[Triple]:
    """Describe an asking user.

    Args:
        user: the user's name.

    Raises:
        InvalidValueError: it is no text.

    Example:
        >>> [str(triple.object) for triple in user_triples("ana")]
        ['<http://www.w3.org/ns/prov#Agent>', '"ana"']
    """
    return _agent(user_uri, PROV_AGENT, "user", user)


def model_triples(model: str) -> list[Triple]:
    """Describe a language model.

    Args:
        model: the model's name, as its provider spells it.

    Raises:
        InvalidValueError: it is no text.

    Example:
        >>> model_triples("org/lumen-70b")[0].subject.value
        'urn:trustgraph-prov:model:org%2Flumen-70b'
    """
    return _agent(model_uri, PROV_SOFTWARE_AGENT, "model", model)


def _agent(mint: Callable[[str], str], kind: str, name: str, label: str) -> list[Triple]:
    if not isinstance(label, str):
        raise InvalidValueError(name, label, "a text")
    node = terms.iri(mint(label))
    return [
        Triple(node, NamedNode(RDF_TYPE), NamedNode(kind)),
        Triple(node, NamedNode(RDFS_LABEL), terms.text(label)),
    ]
