"""Where the ontology and the stored queries are: in a wheel, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

__all__ = ["ONTOLOGY", "VOCABULARY", "folder"]

VOCABULARY = ("trustgraph.ttl", "extension.ttl", "shapes.ttl")
"""The files of `ontology/` that declare terms and say how they are shown."""

ONTOLOGY = (*VOCABULARY, "alignment-prov.ttl")
"""The files of `ontology/` that a store is given."""


def folder(name: str) -> Path:
    """Find a top-level data folder.

    A wheel carries `ontology/` and `queries/` inside the package; an editable install leaves them
    one level above it.

    Args:
        name: `ontology` or `queries`.

    Returns:
        The existing folder.

    Raises:
        FileNotFoundError: neither place has it, so the installation is broken.

    Example:
        >>> (folder("queries") / "trace" / "show.rq").is_file()
        True
    """
    package = Path(__file__).resolve().parent
    for place in (package / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"{name}/ is not in {package} nor beside it; install trustgraph-prov again"
    )
