"""Record runs from JSON lines of any language; `record.schema.json` describes them."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from json import JSONDecodeError
from typing import Any

from ..errors import (
    AlreadyRecordedError,
    ProvError,
    RunExistsError,
    RunFinishedError,
    StoreError,
)
from ..namespaces import TGP_COLLECTION, TGP_USER
from ..strict_json import read_json
from ..terms import instant
from .event import apply, apply_alone, ask, step_of
from .recorder import KINDS, Recorder
from .repeat import Repeats
from .run import Run
from .schema import line_faults
from .step import Step

__all__ = ["LinesReport", "record_lines"]

_HELD = 1000  # runs at hand; another is looked up in the store when a line of it comes
_OWNERS = {"user": TGP_USER, "collection": TGP_COLLECTION}


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
    runs = _Runs(recorder)
    for number, line in enumerate(lines, 1):
        words = (
            line.removeprefix("\ufeff") if isinstance(line, str) else line.removeprefix(BOM_UTF8)
        )
        if not words.strip():
            continue
        try:
            event = read_json(words)
        except JSONDecodeError as error:
            report.faults.append((number, f"not JSON: {error.msg} at column {error.colno}"))
            continue
        faults = line_faults(event)
        if faults:
            report.faults.append((number, "; ".join(faults)))
            continue
        try:
            if runs.record(event):
                report.recorded += 1
            else:
                report.repeated += 1
        except StoreError:
            raise
        except ProvError as error:
            report.faults.append((number, str(error)))
    return report


class _Runs:
    """The runs of the lines so far; the last ones are at hand."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._repeats = Repeats(recorder)
        self._held: dict[tuple[str, str], Run] = {}

    def record(self, event: dict[str, Any]) -> bool:
        """Record an event, and tell whether it was new."""
        key = (event["type"], event["run"])
        if "time" in event:
            event = event | {"time": instant(event["time"])}
        try:
            if event["event"] == "question":
                self._held[key] = ask(self._recorder, event, self._caller(event))
            else:
                apply(self._find(*key), event)
        except (AlreadyRecordedError, RunExistsError, RunFinishedError):
            uri = self._recorder.blank(KINDS[event["type"]], event["run"]).uri
            unsaid = {_OWNERS[name] for name in _OWNERS.keys() - event.keys()}
            if self._repeats.has(uri, partial(apply_alone, event), unsaid):
                return False
            raise
        finally:
            if key in self._held and self._held[key].ended:
                del self._held[key]
            elif len(self._held) > _HELD:
                del self._held[next(iter(self._held))]
        return True

    def _find(self, kind: str, session_id: str) -> Run:
        key = (kind, session_id)
        if key not in self._held:
            self._held[key] = self._recorder.find(KINDS[kind], session_id)
        return self._held[key]

    def _caller(self, event: dict[str, Any]) -> Step | None:
        if "called_from" not in event:
            return None
        called_from = event["called_from"]
        return step_of(self._find("agent", called_from["run"]), called_from["step"])
