"""Look at a store from all sides."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass

from ..answers import rows
from ..errors import StoreError
from ..exchange import ontology_quads
from ..lexical import utc_form
from ..outbox import outbox_status
from ..stores.base import Store, traits_of
from ..wording import counted
from .checks import Check, finding, fine, limit
from .probe import probe

__all__ = ["TEXT_BYTES", "Diagnosis", "diagnose"]

TEXT_BYTES = 1_000_000
"""Length of the text that a probe writes: longer than most of what tools return."""


@dataclass(frozen=True)
class Diagnosis:
    """What was found.

    Attributes:
        store: its name.
        checks: one for each thing that was looked at.
    """

    store: str
    checks: tuple[Check, ...]

    @property
    def findings(self) -> tuple[Check, ...]:
        """Checks that want something done."""
        return tuple(check for check in self.checks if check.outcome == "finding")


def diagnose(
    store: Store,
    *,
    outbox: str | os.PathLike[str] | None = None,
    text_bytes: int = TEXT_BYTES,
) -> Diagnosis:
    """Say what a store is, what it holds, and what it cannot do that is needed.

    A probe is written into a graph of its own, and removed again.

    Args:
        store: open for writing, and the store itself, not an outbox before it.
        outbox: folder of the outbox; None looks at none.
        text_bytes: length of the longest text that is tried; never more than the store's own limit.

    Raises:
        StoreError: the store is out of reach.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> [check.name for check in diagnose(open_store("memory:")).findings]
        ['ontology']
    """
    holds = [_ontology(store), *_index(store)]  # what is out of reach ends here
    checks = [_kind(store), fine("read", "queries are answered"), *probe(store, text_bytes), *holds]
    checks.append(_row_cap(store))
    if outbox is not None:
        checks.append(_outbox(store.name, outbox))
    return Diagnosis(store.name, tuple(checks))


def _kind(store: Store) -> Check:
    traits = traits_of(store)
    kind = traits.kind
    if kind is None:
        return fine("store", f"{store.name}, on this machine")
    says = (traits.server or "").strip()
    if kind == "sparql" and says.startswith("Virtuoso"):
        way_out = f"name it virtuoso+{store.name}: its limits are kept then; a long text kills it"
        return finding("store", f"a SPARQL endpoint: {says}", way_out)
    named = "a SPARQL endpoint" if kind == "sparql" else kind
    return fine(
        "store", f"{named}: {says}" if says else f"{named}, which does not tell its version"
    )


def _ontology(store: Store) -> Check:
    found = [int(row[1].value) for row in rows(store, "audit/ontology")]
    count, whole = found[0] if found else 0, len(ontology_quads())
    if count >= whole:
        return fine("ontology", f"{count:,} triples")
    what = f"{count:,} of {whole:,} triples" if count else "not there"
    return finding("ontology", what, "`tg-prov init` loads it, with its shapes")


def _index(store: Store) -> list[Check]:
    found = [[int(row[n].value) for n in (1, 2, 3)] for row in rows(store, "audit/index")]
    runs, traced, timed = found[0] if found else (0, 0, 0)
    checks = [fine("runs", f"{runs:,}")]
    lacking = next(rows(store, "audit/unindexed", limit=1), None)
    if runs > traced or lacking is not None:
        what = f"{runs - traced:,} of {runs:,} runs without it, {timed:,} in an hour"
        return [*checks, finding("index", what, "`tg-prov index` adds what is missing")]
    undated = f"; {runs - timed:,} have no start that can be read" if runs > timed else ""
    return [*checks, fine("index", f"{timed:,} of {runs:,} runs are in an hour{undated}")]


def _row_cap(store: Store) -> Check:
    cap = traits_of(store).row_cap
    if cap is None:
        return fine("row cap", "none was seen")
    return limit(
        "row cap",
        f"{cap:,} rows of an answer",
        "longer answers are read in pages; in the server's own page, ask for less at a time",
    )


def _outbox(name: str, folder: str | os.PathLike[str]) -> Check:
    try:
        status = outbox_status(folder)
    except StoreError as error:
        return finding("outbox", error.what, error.way_out)
    target = next((one for one in status.targets if one.store == name), None)
    if status.refused:
        what = f"{counted(len(status.refused), 'insert')} refused by a store, and kept"
        return finding("outbox", what, f"read why in {status.letters}, then `tg-prov import` them")
    if target is None or not target.pending:
        return fine("outbox", "nothing waits")
    why = f" ({target.trouble})" if target.trouble else ""
    since = f" since {utc_form(target.oldest, 'seconds')}" if target.oldest else ""
    what = f"{counted(target.pending, 'insert')} to be sent{since}"
    named = f"--outbox {shlex.quote(str(status.folder))} --store {shlex.quote(name)}"
    return finding("outbox", f"{what}{why}", f"`tg-prov outbox drain {named}` sends what waits")
