"""`tg-prov import`."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from enum import Enum
from errno import EISDIR
from pathlib import Path
from stat import S_ISDIR
from typing import IO, TYPE_CHECKING, Annotated, NamedTuple

import typer

from ..failures import fail, note
from ..files import STDIN
from ..options import (
    DEFAULT_COLLECTION,
    DEFAULT_USER,
    RDF_FORMATS,
    Outbox,
    RunCollection,
    Store,
    Workspace,
    of_workspace,
)
from ..progress import progress
from ..queued import queue_all, tell_outcome
from ..stores import making, queueing
from ..text import counted

if TYPE_CHECKING:
    from trustgraph_prov import Store as OpenStore

__all__ = ["import_"]

_LATER = "kept, in case {} imported"
_LATER_QUEUED = "kept; once all is sent, run `tg-prov index` on the store"


class Origin(str, Enum):
    """What wrote a file that holds no RDF."""

    trustgraph = "trustgraph"


def import_(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="RDF files or files of messages, or - for stdin.",
            metavar="FILE…",
            show_default=False,
        ),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help=f"{RDF_FORMATS}. Default: what the file's name says.",
            show_default=False,
        ),
    ] = None,
    origin: Annotated[
        Origin | None,
        typer.Option(
            "--from",
            help="The files hold messages of TrustGraph's services, as JSON lines or one array.",
            show_default=False,
        ),
    ] = None,
    documents: Annotated[
        Path | None,
        typer.Option(
            "--documents",
            help="JSON file of the texts that tg:document points at, by their IRI. May come alone.",
            show_default=False,
        ),
    ] = None,
    user: Annotated[
        str | None,
        typer.Option(
            "--user",
            "-U",
            help="User of the runs that do not name one.",
            show_default=DEFAULT_USER,
        ),
    ] = None,
    collection: RunCollection = DEFAULT_COLLECTION,
    workspace: Workspace = None,
    graph: Annotated[
        str | None,
        typer.Option(
            "--graph",
            "-g",
            help="Graph for triples that have none, such as urn:graph:retrieval.",
            metavar="IRI",
        ),
    ] = None,
    outbox: Outbox = None,
    store: Store = None,
) -> None:
    """Add RDF files, or messages of TrustGraph; twice changes nothing.

    A file with a fault in it is named with its line, and nothing of it is written. Triple terms
    become statement nodes, and blank nodes get IRIs.
    """
    from trustgraph_prov import rdf_format, trustgraph

    files = files or []
    if not files and documents is None:
        fail("name a file to import, or - for stdin; --documents alone adds texts")
    if not files and (format is not None or graph is not None):
        fail("--format and --graph are of files, of which none is named")
    if origin is not None and format is not None:
        fail("--format is of RDF files; messages, as --from says these are, have one format")
    if origin is None:
        for file in files:
            if format is None and file.removesuffix(".gz").endswith(".jsonl"):
                fail(f"{file}: no RDF file ends like this; --from trustgraph reads messages")
            rdf_format(format, file)

    owner = of_workspace(user, workspace) or DEFAULT_USER
    texts = {} if documents is None else trustgraph.read_documents(documents)
    _check_files(files)
    queue = queueing(store, outbox)
    # Behind an outbox, runs are indexed here.
    place = making("memory:" if queue is not None else store)
    with _telling(at_a_fault=queue is None) as told, queue or nullcontext(), place as opened:
        later = _LATER_QUEUED if queue is not None else _LATER
        for file in files:
            if origin is Origin.trustgraph:
                told.append(_import_messages(opened, file, texts, owner, collection, graph, later))
            else:
                told.append(_import_rdf(opened, file, format, owner, collection, graph))
        if documents is not None:
            told.append(_add_texts(opened, documents, texts, later))
        if queue is not None:
            queue_all(opened, queue)
    if queue is not None:
        tell_outcome(queue, store)


class _Told(NamedTuple):
    """A line about what was imported, and notes on it."""

    line: str
    notes: list[str]


@contextmanager
def _telling(*, at_a_fault: bool) -> Iterator[list[_Told]]:
    """Say what was imported once it is kept: once the store is closed, and only if that went well.

    Args:
        at_a_fault: what was imported before a file with a fault in it is kept, and told.

    Yields:
        Where to put what is to be said.
    """
    from trustgraph_prov import StoreError

    told: list[_Told] = []
    try:
        yield told
    except Exception as error:
        if at_a_fault and not isinstance(error, StoreError):
            _tell(told)
        raise
    _tell(told)


def _tell(told: list[_Told]) -> None:
    for line, notes in told:
        print(line)
        for one in notes:
            note(one)


def _check_files(files: list[str]) -> None:
    """Find a file that is none before anything of the others is written."""
    if files.count(STDIN) > 1:
        fail("stdin can be read once, but - is given twice")
    for file in files:
        if file != STDIN and S_ISDIR(Path(file).stat().st_mode):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), file)


def _import_messages(
    store: OpenStore,
    file: str,
    given: Collection[str],
    user: str,
    collection: str,
    graph: str | None,
    later: str,
) -> _Told:
    from trustgraph_prov import trustgraph

    heard = trustgraph.import_messages(
        store, _source(file), given=given, user=user, collection=collection, graph=graph
    )
    runs = heard.index.runs if heard.index else 0
    line = (
        f"{file}: {counted(heard.messages, 'message')}, {counted(heard.written, 'quad')},"
        f" {counted(heard.texts, 'text')}, {counted(runs, 'run')} indexed"
    )
    notes = _notes(
        (
            heard.bare,
            "explain message",
            "without triples: import those of the nodes that they name as well",
        ),
        (heard.waiting, "text", later.format("the steps or answers are")),
        (heard.unplaced, "text", "of no step or answer in these messages or in the store"),
        (heard.unended, "text", "without an end, not written"),
    )
    return _Told(line, notes)


def _import_rdf(
    store: OpenStore, file: str, format: str | None, user: str, collection: str, graph: str | None
) -> _Told:
    from trustgraph_prov import GRAPH_DEFAULT, GRAPH_RETRIEVAL, import_quads

    with progress(f"import {file}") as tick:
        report = import_quads(
            store,
            _source(file),
            format=format,
            user=user,
            collection=collection,
            graph=graph,
            progress=tick,
        )
    runs = report.index.runs
    line = f"{file}: {counted(report.quads, 'quad')}, {counted(runs, 'run')} indexed"
    if report.index.texts:
        line += f", {counted(report.index.texts, 'text')} put in place"
    in_default = report.graphs.get(GRAPH_DEFAULT)
    if not in_default or GRAPH_RETRIEVAL in report.graphs:
        return _Told(line, [])
    hint = (
        f"{counted(in_default, 'quad')} in the default graph, as knowledge;"
        f" --graph {GRAPH_RETRIEVAL} puts runs where they are looked for"
    )
    return _Told(line, [hint])


def _source(file: str) -> str | IO[bytes]:
    return sys.stdin.buffer if file == STDIN else file


def _add_texts(store: OpenStore, file: Path, texts: dict[str, str], later: str) -> _Told:
    from trustgraph_prov import trustgraph

    added = trustgraph.add_documents(store, texts)
    notes = _notes(
        (added.unclaimed, "text", later.format("a run that points at the documents is")),
        (added.misnamed, "text", "under a name that is no IRI, not written"),
    )
    return _Told(f"{file}: {counted(added.texts, 'text')}", [f"{file}: {one}" for one in notes])


def _notes(*found: tuple[int, str, str]) -> list[str]:
    """Say what there is any of."""
    return [f"{counted(number, what)} {which}" for number, what, which in found if number]
