"""Tell whether bare text, as the object of a triple, is an IRI or a text that looks like one."""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode

from . import terms
from .namespaces import (
    DC_DATE,
    DC_TITLE,
    PROV_ENDED_AT_TIME,
    PROV_GENERATED_AT_TIME,
    PROV_STARTED_AT_TIME,
    RDFS_LABEL,
    SCHEMA_DESCRIPTION,
    SCHEMA_KEYWORDS,
    SCHEMA_NAME,
    SKOS_DEFINITION,
    TG_OBSERVATION,
    TG_THOUGHT,
)
from .uris import recognise
from .vocabulary import vocabulary

__all__ = ["bare_object"]

_TEXTS = {
    DC_DATE,
    DC_TITLE,
    PROV_ENDED_AT_TIME,
    PROV_GENERATED_AT_TIME,
    PROV_STARTED_AT_TIME,
    RDFS_LABEL,
    SCHEMA_DESCRIPTION,
    SCHEMA_KEYWORDS,
    SCHEMA_NAME,
    SKOS_DEFINITION,
}
"""Properties of other vocabularies that hold text; ours declares its own alone."""

_SAID = {TG_THOUGHT, TG_OBSERVATION}


def bare_object(predicate: str, value: str) -> NamedNode | Literal:
    """Read bare text as the object of a triple.

    A property that the vocabulary declares for data has a text, an answer `https://a.b/c` too. A
    thought or an observation is text, unless it is the IRI of a node of a run. Else it is an IRI
    where it can be one.

    Args:
        predicate: IRI of the property.
        value: the text.

    Example:
        >>> from trustgraph_prov.namespaces import TG_ANSWER, TG_DOCUMENT
        >>> bare_object(TG_ANSWER, "note:this").value, str(bare_object(TG_DOCUMENT, "urn:doc:1"))
        ('note:this', '<urn:doc:1>')
    """
    said = predicate in _SAID and recognise(value) is None
    if said or predicate in _TEXTS or predicate in vocabulary().data_properties:
        return terms.text(value)
    return terms.iri_or_text(value)
