"""Record RAG and agent runs as PROV-O in a triplestore, and explain them with stored SPARQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import render
from .emitters import set_graph
from .errors import (
    AlreadyRecordedError,
    InputSyntaxError,
    InvalidTermError,
    InvalidValueError,
    MissingExtraError,
    ProvError,
    ProvWarning,
    QueryError,
    QueryTimeoutError,
    RunExistsError,
    RunFinishedError,
    StoreBusyError,
    StoreError,
    StoreMissingError,
    TraceNotFoundError,
)
from .explain import Answer, Node, Question, Source, Trace, TraceSummary, trace
from .explain.listing import Cursor, TraceList, list_traces
from .namespaces import GRAPH_DEFAULT, GRAPH_ONTOLOGY, GRAPH_RETRIEVAL, GRAPH_SOURCE, PREFIXES
from .queries import Parameter, StoredQuery, stored_queries, stored_query
from .render.escape import visible
from .stores import QueryResult, Store, open_store
from .validate import Report, Result, validate

__all__ = [
    "GRAPH_DEFAULT",
    "GRAPH_ONTOLOGY",
    "GRAPH_RETRIEVAL",
    "GRAPH_SOURCE",
    "PREFIXES",
    "AlreadyRecordedError",
    "Answer",
    "Cursor",
    "InputSyntaxError",
    "InvalidTermError",
    "InvalidValueError",
    "MissingExtraError",
    "Node",
    "Parameter",
    "ProvError",
    "ProvWarning",
    "QueryError",
    "QueryResult",
    "QueryTimeoutError",
    "Question",
    "Report",
    "Result",
    "RunExistsError",
    "RunFinishedError",
    "Source",
    "Store",
    "StoreBusyError",
    "StoreError",
    "StoreMissingError",
    "StoredQuery",
    "Trace",
    "TraceList",
    "TraceNotFoundError",
    "TraceSummary",
    "__version__",
    "list_traces",
    "open_store",
    "render",
    "set_graph",
    "stored_queries",
    "stored_query",
    "trace",
    "validate",
    "visible",
]

__version__: str

if not TYPE_CHECKING:  # mypy would take it for every name there is

    def __getattr__(name: str) -> str:
        # The version stands in pyproject.toml alone; it is read once somebody asks.
        if name == "__version__":
            from importlib.metadata import version

            return version("trustgraph-prov")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
