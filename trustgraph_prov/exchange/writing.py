"""Write many quads to a store, a part at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import Literal, Quad

from ..errors import StoreError
from ..stores.base import Store

__all__ = ["batched", "insert_part"]

_QUADS = 10_000
_CHARACTERS = 8 * 1024 * 1024


def batched(parts: Iterable[list[Quad]]) -> Iterator[tuple[list[Quad], int]]:
    """Put quads together for one insert each, few of them where their texts are long.

    Args:
        parts: quads that belong together.

    Yields:
        The quads of some parts, none of them empty, and how many parts were read so far.
    """
    batch: list[Quad] = []
    read = length = 0
    for part in parts:
        batch += part
        read += 1
        length += sum(len(q.object.value) for q in part if isinstance(q.object, Literal))
        if len(batch) >= _QUADS or length >= _CHARACTERS:
            yield batch, read
            batch, length = [], 0
    if batch:
        yield batch, read


def insert_part(store: Store, quads: list[Quad], *, written: int, of: int, source: str) -> None:
    """Insert some quads of an input.

    Args:
        written, of: how many quads of the input are in the store, and how many it has.
        source: how error messages call it.

    Raises:
        StoreError: the store failed; the message says how much is written.
    """
    try:
        store.insert(quads)
    except StoreError as error:
        raise StoreError(
            store.name,
            f"{error.why}; {written} of {of} quads of {source} are written, and importing it"
            " again is safe",
        ) from error
