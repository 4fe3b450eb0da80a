"""Call the recorder with what the event of a line says."""

from __future__ import annotations

import json
from typing import Any, cast

from pyoxigraph import Literal

from ..errors import InvalidTermError, RunFinishedError
from ..terms import iri, text
from .agent import AgentRun
from .graph_rag import GraphRagRun
from .recorder import KINDS, Recorder
from .run import Run
from .step import Step

__all__ = ["apply", "apply_alone", "ask", "step_of"]

_RENAMED = {"time": "at", "step": "number", "document": "document_id"}
_WHOLE = {"step", "in_token", "out_token", "edge_count", "chunk_count"}


def ask(recorder: Recorder, event: dict[str, Any], caller: Step | None) -> Run:
    """Begin the run whose question an event is.

    Args:
        recorder: records it.
        event: a line that has no `line_faults`; here and below.
        caller: the step that it says it was called from.
    """
    return recorder.start(
        KINDS[event["type"]],
        event["question"],
        session_id=event["run"],
        user=event.get("user"),
        collection=event.get("collection"),
        at=event.get("time"),
        called_from=caller,
    )


def apply(run: Run, event: dict[str, Any]) -> None:
    """Record any other event of a run.

    Raises:
        ProvError: what the run raises; nothing was written.
    """
    name = event["event"]
    given: dict[str, Any] = {
        _RENAMED.get(key, key): int(value) if key in _WHOLE else value
        for key, value in event.items()
        if key not in ("run", "type", "event")
    }
    if name == "end":
        _end(run, given)
    elif name == "observation":
        _observe(step_of(run, given["number"]), given)
    else:
        if "parents" in given:
            given["parents"] = [step_of(run, number).uri for number in given["parents"]]
        if name == "conclusion":
            given.setdefault("answer", None)
        elif name == "synthesis":
            given.setdefault("content", None)
        elif name == "exploration" and isinstance(run, GraphRagRun):
            given.setdefault("edge_count", None)
        elif name == "focus":
            _read_selections(given)
        getattr(run, name)(**given)


def apply_alone(event: dict[str, Any], recorder: Recorder) -> None:
    """Record an event as if its run had nothing else."""
    event = {name: value for name, value in event.items() if name not in ("parents", "called_from")}
    if event["event"] == "question":
        ask(recorder, event, None)
    elif event["event"] == "observation":
        step = Step(recorder.blank(AgentRun, event["run"]), int(event["step"]))
        _observe(step, event | {"at": event.get("time")})
    else:
        apply(recorder.blank(KINDS[event["type"]], event["run"]), event)


def step_of(run: Run, number: float) -> Step:
    """Find a step of a run; the schema lets events of agent runs alone name one.

    Raises:
        InvalidValueError: the run has none of that number.
    """
    return cast(AgentRun, run).step(int(number))


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
