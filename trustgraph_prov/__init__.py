"""Record RAG and agent runs as PROV-O in a triplestore, and explain them with stored SPARQL.

Example:
    >>> with open_store("memory:") as store:  # or a folder
    ...     recorder = Recorder(store, user="trustgraph", collection="default")
    ...     with recorder.agent("What is the capital of France?") as run:
    ...         step = run.analysis(
    ...             thought="Look it up.",
    ...             action="knowledge-query",
    ...             arguments={"question": "capital of France"},
    ...             observation="Paris",
    ...         )
    ...         answer = run.conclusion("Paris")
    ...     listed = list_traces(store).traces
    ...     explained = trace(store, run.uri)
    >>> listed[0].question, explained.answer, explained.status
    ('What is the capital of France?', 'Paris', 'finished')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .answers import rows
from .characters import visible
from .curies import compress, expand
from .deletion import DeletionReport, delete_trace
from .demo import DEMO_RUNS, record_demo
from .doctor import Check, Diagnosis, diagnose
from .errors import (
    AlreadyRecordedError,
    InputSyntaxError,
    InvalidTermError,
    InvalidValueError,
    MissingExtraError,
    ModelError,
    ProvError,
    ProvWarning,
    QueryError,
    QueryTimeoutError,
    RunExistsError,
    RunFinishedError,
    SourceNotFoundError,
    StoreBusyError,
    StoreDeniedError,
    StoreError,
    StoreMissingError,
    StorePendingError,
    StoreRefusedError,
    ToolError,
    TraceNotFoundError,
)
from .exchange import (
    FORMATS,
    ImportReport,
    export_quads,
    import_quads,
    load_ontology,
    rdf_format,
)
from .explain import Answer, Node, Question, Source, Trace, TraceSummary, trace
from .explain.listing import Cursor, TraceList, list_traces
from .graphs import set_graph
from .indexing import IndexReport, Progress, index
from .namespaces import GRAPH_DEFAULT, GRAPH_ONTOLOGY, GRAPH_RETRIEVAL, GRAPH_SOURCE, PREFIXES
from .outbox import OutboxStatus, OutboxStore, outbox_status
from .queries import StoredQuery, stored_queries, stored_query
from .query_header import Parameter
from .recorder import AgentRun, DocRagRun, GraphRagRun, LinesReport, Recorder, Step, record_lines
from .stores import QueryResult, Store, is_endpoint, open_store
from .stores.addresses import bare_name
from .validate import Report, Result, validate

__all__ = [
    "DEMO_RUNS",
    "FORMATS",
    "GRAPH_DEFAULT",
    "GRAPH_ONTOLOGY",
    "GRAPH_RETRIEVAL",
    "GRAPH_SOURCE",
    "PREFIXES",
    "AgentRun",
    "AlreadyRecordedError",
    "Answer",
    "Auth",
    "BasicAuth",
    "BearerAuth",
    "Check",
    "Cursor",
    "DeletionReport",
    "Diagnosis",
    "DigestAuth",
    "DocRagRun",
    "GraphRagRun",
    "HeaderAuth",
    "ImportReport",
    "IndexReport",
    "InputSyntaxError",
    "InvalidTermError",
    "InvalidValueError",
    "LinesReport",
    "MissingExtraError",
    "ModelError",
    "Node",
    "OutboxStatus",
    "OutboxStore",
    "Parameter",
    "Progress",
    "ProvError",
    "ProvWarning",
    "QueryError",
    "QueryResult",
    "QueryTimeoutError",
    "Question",
    "Recorder",
    "Report",
    "Result",
    "RunExistsError",
    "RunFinishedError",
    "Source",
    "SourceNotFoundError",
    "Step",
    "Store",
    "StoreBusyError",
    "StoreDeniedError",
    "StoreError",
    "StoreMissingError",
    "StorePendingError",
    "StoreRefusedError",
    "StoredQuery",
    "ToolError",
    "Trace",
    "TraceList",
    "TraceNotFoundError",
    "TraceSummary",
    "__version__",
    "agent",
    "bare_name",
    "compress",
    "delete_trace",
    "diagnose",
    "escaped",
    "expand",
    "export_quads",
    "extraction",
    "import_quads",
    "index",
    "is_endpoint",
    "list_traces",
    "load_ontology",
    "messages",
    "open_store",
    "outbox_status",
    "rdf_format",
    "record_demo",
    "record_lines",
    "render",
    "rows",
    "set_graph",
    "stored_queries",
    "stored_query",
    "trace",
    "trustgraph",
    "validate",
    "visible",
]

if TYPE_CHECKING:
    from . import agent, extraction, messages, render, trustgraph
    from .render.escape import escaped
    from .stores.sparql_auth import Auth, BasicAuth, BearerAuth, DigestAuth, HeaderAuth

    __version__: str
else:

    def __getattr__(name: str) -> object:
        # What a program that only records never needs: rich behind `render` and `extraction`, other
        # formats behind `trustgraph`, and the version, which stands in pyproject.toml alone.
        if name in ("agent", "extraction", "messages", "render", "trustgraph"):
            return import_module(f".{name}", __name__)
        if name == "escaped":
            return getattr(import_module(".render.escape", __name__), name)
        if name in ("Auth", "BasicAuth", "BearerAuth", "DigestAuth", "HeaderAuth"):
            return getattr(import_module(".stores.sparql_auth", __name__), name)
        if name == "__version__":
            from importlib.metadata import version

            return version("trustgraph-prov")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
