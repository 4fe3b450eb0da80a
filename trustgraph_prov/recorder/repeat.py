"""Tell a line that says again what is recorded from one that contradicts it."""

from __future__ import annotations

from collections.abc import Callable, Set

from pyoxigraph import Literal

from ..answers import rows
from ..namespaces import OURS, PROV, TGP_CALLED_FROM, TGP_IN_HOUR, TGP_STARTED_AT
from ..statement import canonical
from .batch import Batch
from .recorder import Recorder

__all__ = ["Repeats"]

_DERIVED = {TGP_CALLED_FROM, TGP_IN_HOUR, TGP_STARTED_AT}


class Repeats:
    """Compares what a line would write with what the store has of its run.

    Times and links are left out: a line without a time gets another one each time, and what a step
    rests on by default depends on what was there.

    Args:
        recorder: the recorder whose lines these are.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._uri = ""
        self._rows: set[tuple[str, str, str]] = set()

    def has(self, uri: str, write: Callable[[Recorder], None], unsaid: Set[str]) -> bool:
        """Tell whether all that a line says of its run is recorded.

        Args:
            uri: the run's question.
            write: records the line, and nothing else, with the recorder it is given.
            unsaid: predicates that the line leaves to a default.
        """
        batch = Batch()
        write(self._recorder.over(batch))
        said = {
            (str(quad.subject), str(quad.predicate), _text(quad.object))
            for quad in batch.quads()
            if not str(quad.subject).startswith(f"<{OURS}")  # shared by runs
            and not quad.predicate.value.startswith(PROV)
            and quad.predicate.value not in _DERIVED | unsaid
        }
        if self._uri != uri or not said <= self._rows:
            self._uri, self._rows = uri, self._read(uri)
        return said <= self._rows

    def _read(self, uri: str) -> set[tuple[str, str, str]]:
        return {
            (str(row["node"]), str(row["property"]), _text(row["value"]))
            for row in rows(self._recorder.store, "trace/show", trace=uri)
        }


def _text(value: object) -> str:
    # A server may write a number in another form than it was sent.
    return str(canonical(value) if isinstance(value, Literal) else value)
