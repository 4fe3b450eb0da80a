"""Record runs from JSON lines of any language; `record.schema.json` describes them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from pyoxigraph import Literal

from ..emitters.arguments import read_json
from ..errors import (
    AlreadyRecordedError,
    InvalidTermError,
    ProvError,
    RunExistsError,
    RunFinishedError,
    StoreError,
)
from ..namespaces import TGP_COLLECTION, TGP_USER
from ..terms import iri, text
from .agent import AgentRun
from .doc_rag import DocRagRun
from .graph_rag import GraphRagRun
from .recorder import Recorder
from .repeat import Repeats
from .run import Run
from .schema import line_faults
from .step import Step

__all__ = ["LinesReport", "record_lines"]

_KINDS: dict[str, type[AgentRun] | type[GraphRagRun] | type[DocRagRun]] = {
    "agent": AgentRun,
    "graph-rag": GraphRagRun,
    "doc-rag": DocRagRun,
}
_Runs: TypeAlias = "dict[tuple[str, str], Run]"
_HELD = 1000  # runs at hand; another is looked up in the store when a line of it comes
_RENAMED = {"time": "at", "step": "number", "document": "document_id"}
_OWNERS = {"user": TGP_USER, "collection": TGP_COLLECTION}
_WHOLE = {"step", "in_token", "out_token", "edge_count", "chunk_count"}


@dataclass
class LinesReport:
    """What became of some lines.

    Attributes:
        recorded: how many were recorded.
        repeated: how many said what had been recorded before.
        faults: number of the line, from 1, and what is wrong with it; such a line wrote nothing.
    """

    recorded: int = 0
    repeated: int = 0
    faults: list[tuple[int, str]] = field(default_factory=list)


def record_lines(recorder: Recorder, lines: Iterable[str | bytes]) -> LinesReport:
    """Record runs from JSON lines.

    Lines of several runs may be mixed, and a run may go on in a later call. A line that is wrong is
    reported and the rest goes on. A line that repeats what is there is harmless, if it has its step
    number.

    Args:
        recorder: records them; its mask, user and collection hold.
        lines: one JSON object each; blank ones are passed over.

    Raises:
        StoreError: the store cannot be written; lines up to there have been.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> record_lines(Recorder(open_store("memory:")), [
        ...     '{"run": "7", "type": "agent", "event": "question", "question": "Capital?"}',
        ...     '{"run": "7", "type": "agent", "event": "conclusion", "answer": "Paris"}',
        ...     '{"run": "7", "type": "agent"}',
        ... ])
        LinesReport(recorded=2, repeated=0, faults=[(3, 'event: missing')])
    """
    report = LinesReport()
    runs: _Runs = {}
    repeats = Repeats(recorder)
    for number, line in enumerate(lines, 1):
        try:
            words = (line.decode() if isinstance(line, bytes) else line).removeprefix("\ufeff")
            if not words.strip():
                continue
            event = read_json(words)
        except (ValueError, RecursionError) as error:
            report.faults.append((number, f"not JSON: {error}"))
            continue
        faults = line_faults(event)
        if faults:
            report.faults.append((number, "; ".join(faults)))
            continue
        try:
            if _record(recorder, runs, repeats, event):
                report.recorded += 1
            else:
                report.repeated += 1
        except StoreError:
            raise
        except ProvError as error:
            report.faults.append((number, str(error)))
    return report


def _record(recorder: Recorder, runs: _Runs, repeats: Repeats, event: dict[str, Any]) -> bool:
    """Record a line, and tell whether it was new."""
    key = (event["type"], event["run"])
    try:
        if event["event"] == "question":
            runs[key] = _ask(recorder, runs, event)
        else:
            _apply(_run(recorder, runs, *key), event)
    except (AlreadyRecordedError, RunExistsError, RunFinishedError):
        uri = recorder.blank(_KINDS[event["type"]], event["run"]).uri
        unsaid = {_OWNERS[name] for name in _OWNERS.keys() - event.keys()}
        if repeats.has(uri, partial(_record_alone, event), unsaid):
            return False
        raise
    finally:
        if key in runs and runs[key].ended:
            del runs[key]
        elif len(runs) > _HELD:
            del runs[next(iter(runs))]
    return True


def _record_alone(event: dict[str, Any], recorder: Recorder) -> None:
    """Record a line as if its run had nothing else."""
    event = {name: value for name, value in event.items() if name not in ("parents", "called_from")}
    if event["event"] == "question":
        _ask(recorder, {}, event)
        return
    run = recorder.blank(_KINDS[event["type"]], event["run"])
    if event["event"] == "observation":
        assert isinstance(run, AgentRun)  # noqa: S101 - the schema ties the event to the type
        _observe(Step(run, int(event["step"])), event | {"at": event.get("time")})
    else:
        _apply(run, event)


def _run(recorder: Recorder, runs: _Runs, kind: str, session_id: str) -> Run:
    key = (kind, session_id)
    if key not in runs:
        runs[key] = recorder.find(_KINDS[kind], session_id)
    return runs[key]


def _ask(recorder: Recorder, runs: _Runs, event: dict[str, Any]) -> Run:
    caller: Step | None = None
    if "called_from" in event:
        calling = _run(recorder, runs, "agent", event["called_from"]["run"])
        assert isinstance(calling, AgentRun)  # noqa: S101 - found by its kind
        caller = calling.step(int(event["called_from"]["step"]))
    begin = {
        "agent": recorder.agent,
        "graph-rag": recorder.graph_rag,
        "doc-rag": recorder.doc_rag,
    }[event["type"]]
    return begin(
        event["question"],
        session_id=event["run"],
        user=event.get("user"),
        collection=event.get("collection"),
        at=event.get("time"),
        called_from=caller,
    )


def _apply(run: Run, event: dict[str, Any]) -> None:
    name = event["event"]
    given: dict[str, Any] = {
        _RENAMED.get(key, key): int(value) if key in _WHOLE else value
        for key, value in event.items()
        if key not in ("run", "type", "event")
    }
    if name == "end":
        _end(run, given)
    elif name == "observation":
        assert isinstance(run, AgentRun)  # noqa: S101 - the schema ties the event to the type
        _observe(run.step(given.pop("number")), given)
    else:
        if "parents" in given:
            assert isinstance(run, AgentRun)  # noqa: S101 - likewise
            given["parents"] = [run.step(int(number)).uri for number in given["parents"]]
        if name == "conclusion":
            given.setdefault("answer", None)
        elif name == "synthesis":
            given.setdefault("content", None)
        elif name == "exploration" and isinstance(run, GraphRagRun):
            given.setdefault("edge_count", None)
        elif name == "focus":
            _read_selections(given)
        getattr(run, name)(**given)


def _end(run: Run, given: dict[str, Any]) -> None:
    at = given.get("at")
    reason = given.get("reason", "error" if "error" in given else "ended")
    if reason == "error":
        run.fail(given.get("error", "error"), at=at)
    elif reason == "cancelled":
        run.cancel(at=at)
    elif run.ended:
        raise RunFinishedError(run.uri)
    else:
        run.end(at=at)


def _observe(step: Step, given: dict[str, Any]) -> None:
    step.complete(
        given.get("observation"),
        given.get("error"),
        given.get("tool_duration_ms"),
        given.get("at"),
    )


def _read_selections(given: dict[str, Any]) -> None:
    if "edges" in given:
        given["edges"] = [each | {"edge": _edge(each["edge"])} for each in given["edges"]]
    else:
        given["chunks"] = [each | {"chunk_id": each["chunk"]} for each in given["chunks"]]


def _edge(parts: list[Any]) -> tuple[Any, ...]:
    subject, predicate, value = parts
    if isinstance(value, dict):
        datatype = iri(value["datatype"]) if "datatype" in value else None
        words = text(value["value"]).value
        try:
            value = Literal(words, datatype=datatype, language=value.get("language"))
        except ValueError as error:
            raise InvalidTermError(json.dumps(value), str(error)) from None
    return subject, predicate, value
