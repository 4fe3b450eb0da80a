"""Tell what a store refuses for good from what may pass."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from pyoxigraph import Literal, NamedNode, Quad

from ..errors import ProvError, StoreDeniedError, StoreError, StoreRefusedError
from ..graphs import graph_name
from ..namespaces import GRAPH_PROBE, RDFS_LABEL
from ..queries import stored_query
from .dead_letters import Refusal

__all__ = ["AGAIN", "Refusals"]

AGAIN = 5
"""Times that a store forbids what is sent until it is asked whether it takes anything else."""

PROBE = f"{GRAPH_PROBE}:outbox"
"""The node that is written to ask so: always the same, so that one is left at most in a graph."""


class Refusals:
    """What a store refuses of one batch, however often that is tried.

    Args:
        name: of the store, without credentials.
        insert: sends statements in one request.
        update: runs an update on the store.
    """

    def __init__(
        self, name: str, insert: Callable[[list[Quad]], None], update: Callable[[str], None]
    ) -> None:
        self._name = name
        self._insert = insert
        self._update = update
        self._doubting = True
        self._denials = 0

    def doubt(self) -> None:
        """Believe the next refusal only once the store takes something else: a new try begins."""
        self._doubting = True

    def pass_on(self, error: ProvError, quads: list[Quad]) -> None:
        """Raise an error again unless it is the statements that the store refuses, for good.

        A server that is asked at the wrong address refuses everything for good too, and one that
        forbids something may forbid everything. So a probe is written to the graphs of what it
        refused, and removed: for the first request of several statements that it refuses, each
        time when it forbids such a request again, and for each statement that is refused alone
        (`sift`).

        Args:
            error: why they were refused.
            quads: all of the request.
        """
        if isinstance(error, StoreDeniedError):
            self._denials += 1
            if self._denials < AGAIN:
                raise error
            self._doubting = True
        elif not isinstance(error, StoreRefusedError):
            if isinstance(error, StoreError):
                raise error
            return
        if self._doubting and len(quads) > 1:
            self._ask(error, quads)
            self._doubting = False

    def sift(self, quads: list[Quad], error: ProvError) -> list[Refusal]:
        """Deliver the statements of a refused call that the store takes.

        Args:
            quads: all of the call.
            error: why they were refused together.

        Returns:
            The others.
        """
        if len(quads) == 1:
            return self._try_last(quads, error)
        middle = len(quads) // 2
        return [*self._try(quads[:middle]), *self._try(quads[middle:])]

    def _try(self, quads: list[Quad]) -> list[Refusal]:
        try:
            self._insert(quads)
        except ProvError as error:
            self.pass_on(error, quads)
            return self.sift(quads, error)
        return []

    def _try_last(self, quads: list[Quad], error: ProvError) -> list[Refusal]:
        """Refused, the probe taken, refused again: it was not full for a moment."""
        if isinstance(error, StoreError):
            self._ask(error, quads)
            try:
                self._insert(quads)
            except (StoreDeniedError, StoreRefusedError) as again:
                error = again
            else:
                return []
        return [(quads[0], str(error))]

    def _ask(self, error: ProvError, quads: list[Quad]) -> None:
        graphs = sorted({graph_name(quad) or GRAPH_PROBE for quad in quads})
        try:
            try:
                self._probe(graphs)
            except StoreRefusedError:  # it may be the name of a graph that it refuses
                self._probe([GRAPH_PROBE])
        except StoreDeniedError:
            raise error from None
        except StoreRefusedError as refused:
            raise StoreError(
                self._name,
                f"it refuses every update, so the statements are not to blame ({refused.why})",
                "name the address that takes updates",
            ) from None

    def _probe(self, graphs: list[str]) -> None:
        """Write one statement to each graph, and remove it where that is allowed."""
        node, label = NamedNode(PROBE), NamedNode(RDFS_LABEL)
        self._insert([Quad(node, label, Literal("probe"), NamedNode(name)) for name in graphs])
        with suppress(ProvError):  # who may add alone keeps the probe
            self._update(_removal(graphs))


def _removal(graphs: list[str]) -> str:
    """An update without comments, so that it is not refused for its length."""
    text = stored_query("update/remove-probe").bind(node=PROBE, graph=graphs)
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))
