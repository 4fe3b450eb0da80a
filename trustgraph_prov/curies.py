"""IRIs with the prefixes that tables, drawings and files show, and back."""

from __future__ import annotations

from .namespaces import PREFIXES
from .terms import ABSOLUTE_IRI

__all__ = ["compress", "expand"]


def compress(iri: str) -> str | None:
    """Write an IRI with a prefix.

    Args:
        iri: any IRI.

    Returns:
        A prefix of `PREFIXES`, a colon and the rest of the IRI, whatever characters that has; None
        where no prefix fits or nothing would be left.

    Example:
        >>> compress("https://trustgraph.ai/ns/query"), compress("urn:a")
        ('tg:query', None)
    """
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace) and iri != namespace:
            return f"{prefix}:{iri[len(namespace) :]}"
    return None


def expand(curie: str) -> str | None:
    """Write a prefix out.

    Args:
        curie: as `compress` writes it.

    Returns:
        The whole IRI; None where `PREFIXES` has no such prefix, as of an IRI that is whole, and
        where what is behind it, blanks say, can be in no IRI.

    Example:
        >>> expand("tg:query"), expand("urn:a"), expand("tg: hello")
        ('https://trustgraph.ai/ns/query', None, None)
    """
    prefix, colon, local = curie.partition(":")
    if not colon or prefix not in PREFIXES:
        return None
    iri = PREFIXES[prefix] + local
    return iri if ABSOLUTE_IRI.match(iri) else None
