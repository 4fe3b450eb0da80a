"""Keep what messages state until all of them are read, on disk once it is much."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from tempfile import SpooledTemporaryFile

from pyoxigraph import Quad, RdfFormat, parse, serialize

from ..exchange.formats import keep

__all__ = ["Spool"]

_IN_MEMORY = 16 * 1024 * 1024
_PARSED = 8 * 1024 * 1024  # the parser takes no value over 16 MiB


class Spool:
    """Quads in the order in which they came, read as often as wanted.

    Example:
        >>> from contextlib import closing
        >>> from pyoxigraph import NamedNode
        >>> quad = Quad(*[NamedNode("urn:a")] * 3)
        >>> with closing(Spool()) as spool:
        ...     spool.add([quad])
        ...     list(spool) == [quad]
        True
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed by close
        self._large: list[tuple[int, Sequence[Quad]]] = []
        self._count = 0

    def add(self, quads: Sequence[Quad]) -> None:
        """Keep the quads of a message."""
        lines = serialize(quads, format=RdfFormat.N_QUADS) or b""
        if len(lines) > _PARSED:
            self._large.append((self._count, quads))
        else:
            keep(self._file, lines)
            self._count += len(quads)

    def close(self) -> None:
        """Give the place on the disk back."""
        self._file.close()

    def __iter__(self) -> Iterator[Quad]:
        self._file.seek(0)
        large = deque(self._large)
        for place, quad in enumerate(parse(self._file, RdfFormat.N_QUADS)):
            while large and large[0][0] <= place:
                yield from large.popleft()[1]
            yield quad
        for _, quads in large:
            yield from quads
