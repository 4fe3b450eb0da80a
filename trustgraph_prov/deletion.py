"""Remove runs, with what nothing else uses."""

from __future__ import annotations

from dataclasses import dataclass

from .answers import rows
from .calls import recorded_callers, recorded_facts
from .errors import StoreError, TraceNotFoundError
from .explain.indexed import by_index
from .indexing import index
from .namespaces import RDF_STATEMENT, RDF_TYPE, TGP_TRACE
from .queries import stored_query
from .stores.base import Store
from .terms import iri

__all__ = ["DeletionReport", "delete_trace"]


@dataclass(frozen=True)
class DeletionReport:
    """What a deletion took away, or would.

    Attributes:
        traces: IRIs of the runs' questions, the one asked for first; or what texts waited at.
        triples: triples of all of them.
        statements: edges among them, which nothing else used.
        dry_run: nothing was removed.
    """

    traces: tuple[str, ...]
    triples: int
    statements: int
    dry_run: bool


def delete_trace(
    store: Store, uri: str, *, called: bool = False, dry_run: bool = False
) -> DeletionReport:
    """Remove a run.

    Statements, documents and chunks it points at go with it when nothing else in the retrieval or
    the source graph uses them. Runs it called stay and are listed from then on, unless `called`. A
    run that is not indexed, or not wholly, is indexed first, for a dry run too. Of one that is not
    there, the texts that wait for it are removed; of a node or a document, those that wait at it.

    Args:
        store: where it was recorded.
        uri: IRI of its question, or of what a text waits at.
        called: remove the runs that it called, directly or not, too; one that a run which stays
            calls as well stays with it.
        dry_run: count only.

    Returns:
        What was removed, all in one update.

    Raises:
        TraceNotFoundError: no run has that IRI, and no text waits for or at it.
        StoreError: the store cannot be written, or is read-only and the run not indexed.

    Example:
        >>> from trustgraph_prov import Recorder
        >>> from trustgraph_prov.stores import open_store
        >>> store = open_store("memory:")
        >>> with Recorder(store).agent("Why?", session_id="7") as run:
        ...     _ = run.conclusion("Because.")
        >>> delete_trace(store, run.uri).traces
        ('urn:trustgraph:agent:7',)
    """
    uri = iri(uri).value
    known = recorded_facts(store, [uri])[uri]
    asked = known.is_question()
    if not asked and not any(rows(store, "trace/removal", trace=uri)):  # nor does a text wait
        raise TraceNotFoundError(uri)
    if asked and by_index(store, uri) is None:
        if store.read_only:
            how = "wholly indexed" if TGP_TRACE in known.values else "indexed"
            raise StoreError(
                store.name, f"{uri} is not {how}, so nothing can be counted; `tg-prov index` first"
            )
        index(store)
    traces = [uri]
    if called:
        traces += _called_by_none_else(store, uri)
    triples = statements = 0
    for row in rows(store, "trace/removal", trace=traces):
        triples += 1
        kind = (row["property"].value, getattr(row["value"], "value", None))
        statements += kind == (RDF_TYPE, RDF_STATEMENT)
    if not dry_run:
        store.update(stored_query("update/delete-trace").bind(trace=traces))
    return DeletionReport(tuple(traces), triples, statements, dry_run)


def _called_by_none_else(store: Store, uri: str) -> list[str]:
    below = {row["called"].value: None for row in rows(store, "trace/called-runs", trace=uri)}
    below.pop(uri, None)
    callers = recorded_callers(store, below)
    going = {uri, *below}
    while staying := {run for run in below if run in going and not callers[run] <= going}:
        going -= staying
    return [run for run in below if run in going]
