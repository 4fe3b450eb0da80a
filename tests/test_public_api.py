"""The names that the package promises; taking one away, or adding one, is a decision."""

from __future__ import annotations

import inspect
from importlib.metadata import version
from types import ModuleType
from typing import get_origin

import pytest

import trustgraph_prov

NAMES = [
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


def test_the_names_are_these() -> None:
    assert trustgraph_prov.__all__ == NAMES


def test_the_names_are_sorted_and_there() -> None:
    def key(name: str) -> tuple[int, str]:
        return (0 if name.isupper() else 1 if name[0].isupper() else 2), name

    assert trustgraph_prov.__all__ == sorted(trustgraph_prov.__all__, key=key)
    for name in trustgraph_prov.__all__:
        assert getattr(trustgraph_prov, name) is not None


@pytest.mark.parametrize("name", [name for name in NAMES if not name.isupper()])
def test_each_says_what_it_is(name: str) -> None:
    thing = getattr(trustgraph_prov, name)
    if get_origin(thing) is not None:  # an alias, which Python 3.10 takes for a class
        return
    if isinstance(thing, ModuleType) or inspect.isclass(thing) or inspect.isfunction(thing):
        assert thing.__doc__
        assert len(thing.__doc__.splitlines()[0]) <= 100


def test_every_error_has_the_one_root() -> None:
    errors = [
        thing
        for name in NAMES
        if inspect.isclass(thing := getattr(trustgraph_prov, name))
        and issubclass(thing, Exception)
        and not issubclass(thing, Warning)
    ]
    assert len(errors) > 10
    assert all(issubclass(error, trustgraph_prov.ProvError) for error in errors)


def test_functions_named_like_modules_are_the_functions() -> None:
    import trustgraph_prov.validate

    assert callable(trustgraph_prov.validate)
    assert callable(trustgraph_prov.trace)
    assert callable(trustgraph_prov.index)


def test_the_version_is_that_of_the_installed_package() -> None:
    assert trustgraph_prov.__version__ == version("trustgraph-prov")
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        getattr(trustgraph_prov, "nope")  # noqa: B009 - a name that types know to be missing
