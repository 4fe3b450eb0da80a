"""List runs, newest first, a page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from math import inf
from typing import Any, TypeAlias

from pyoxigraph import QuerySolution

from ..answers import rows
from ..errors import InvalidValueError
from ..namespaces import RDF, TGP_CALLED_FROM
from ..stores.base import Store
from ..terms import instant
from .kinds import QUESTIONS, trace_type
from .model import Node, TraceSummary, TraceType

__all__ = ["Cursor", "TraceList", "list_traces"]

EVERYTHING = 1_000_000_000
WINDOWS = ((3, 8), (64, 512), (EVERYTHING, EVERYTHING))
"""Days and hours to look at, widened until the page is full."""

SEARCH_PAGE = 500
SEARCH_BACK = 20_000
"""Runs that a text search looks through before it hands back what it has."""


@dataclass(frozen=True)
class Cursor:
    """Where a page ended, so that the next can go on.

    Attributes:
        started_at: start of its last run, or None among the runs without one, which come last.
        uri: IRI of its last run.
    """

    started_at: datetime | None
    uri: str


@dataclass(frozen=True)
class TraceList:
    """A page of runs.

    Attributes:
        traces: newest first, runs that started at once by IRI; those without a start come last.
        more: where the next page begins (`list_traces(…, before=page.more)`), or None after the
            last run.
        searched_back_to: start of the oldest run that a text search looked at; None once it has
            looked at all of them, and without a text.
    """

    traces: list[TraceSummary]
    more: Cursor | None = None
    searched_back_to: datetime | None = None


def list_traces(
    store: Store,
    *,
    user: str | None = None,
    collection: str | None = None,
    type: str | None = None,
    since: datetime | str | None = None,
    until: datetime | str | None = None,
    text: str | None = None,
    limit: int = 50,
    called: bool = False,
    before: Cursor | None = None,
) -> TraceList:
    """List the newest runs.

    Goes down the collection > day > hour tree, so its time does not grow with the store.

    Args:
        store: where they are.
        user: only this user's.
        collection: only those on collections of this name.
        type: `Agent`, `GraphRAG`, `DocRAG`, or `Question` for those of no known kind.
        since, until: only runs that started in this time, both ends included.
        text: only runs with this in their question or answer, whatever the case of its letters. A
            search ends after looking through 20,000 runs, unless `since` says how far to go.
        limit: runs of a page, 1 or more.
        called: list the runs, too, that a step of another run called.
        before: `more` of the page before.

    Returns:
        A page, and where the next one begins.

    Raises:
        InvalidValueError: an unknown type, a limit below 1, or a time that is none.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> list_traces(open_store("memory:")).traces
        []
    """
    if type is not None and type not in QUESTIONS:
        raise InvalidValueError("type", type, f"one of {', '.join(QUESTIONS)}")
    if limit < 1:
        raise InvalidValueError("limit", limit, "1 or more")
    limit = min(limit, EVERYTHING)
    wanted = _Wanted(
        store,
        owner={"user": user, "collection": collection},
        type=type,
        since=None if since is None else instant(since),
        until=None if until is None else instant(until),
        hide=RDF + "nil" if called else TGP_CALLED_FROM,
    )
    if text:
        return _search(wanted, text, limit, before)
    runs, more = wanted.page(limit, before)
    return TraceList([run for run, _ in runs], more)


def _search(wanted: _Wanted, text: str, limit: int, before: Cursor | None) -> TraceList:
    """Look through the runs, newest first, until the page is full or the search has gone far."""
    found: list[TraceSummary] = []
    looked, place = 0, before
    while True:
        runs, more = wanted.page(SEARCH_PAGE, place)
        held = wanted.holding(text, [run for run, _ in runs])
        for number, (run, place) in enumerate(runs, 1):
            if run.uri in held:
                found.append(run)
            if len(found) == limit:
                if more is None and number == len(runs):
                    return TraceList(found)
                return TraceList(found, place, run.started_at)
        looked += len(runs)
        if more is None:
            return TraceList(found)
        place = more
        if looked >= SEARCH_BACK and wanted.since is None:
            return TraceList(found, place, place.started_at)


@dataclass(frozen=True)
class _Wanted:
    """What is listed, and how to ask a store for it."""

    store: Store
    owner: Mapping[str, str | None]
    type: str | None
    since: datetime | None
    until: datetime | None
    hide: str

    def page(self, limit: int, before: Cursor | None) -> tuple[list[_Placed], Cursor | None]:
        """Read a page of runs, and where the next begins, if there is one."""
        runs = list(islice(self._after(before, limit + 1), limit + 1))
        return runs[:limit], runs[limit - 1][1] if len(runs) > limit else None

    def holding(self, text: str, runs: list[TraceSummary]) -> set[str]:
        """Pick the runs with a text in their question or answer."""
        held = {run.uri for run in runs if text.lower() in run.question.lower()}
        others = [run.uri for run in runs if run.uri not in held]
        if others:
            found = rows(self.store, "trace/search", text=text, trace=others)
            held |= {row["trace"].value for row in found}
        return held

    def _after(self, before: Cursor | None, size: int) -> Iterator[_Placed]:
        if not any(rows(self.store, "trace/collections")):
            yield from self._plain(before)
        elif before is not None and before.started_at is None:
            yield from self._undated(before.uri, size)
        else:
            yield from self._dated(before, size)
            yield from self._undated("", size)

    def _dated(self, before: Cursor | None, size: int) -> Iterator[_Placed]:
        """Go down the tree, over more days and hours each time it holds too few."""
        while True:
            for days, hours in WINDOWS:
                values = self._window(before) | {"days": days, "hours": hours, "limit": size}
                page = list(rows(self.store, "trace/list", **values))
                starts = {(row["trace"].value, row["startedAt"].value) for row in page}
                if len(starts) >= size:
                    break
            placed = [(run, Cursor(run.started_at, run.uri)) for run in self._summaries(page)]
            yield from ((run, place) for run, place in placed if self._fits(run))
            if len(starts) < size:
                return
            before = Cursor(instant(page[-1]["startedAt"].value), page[-1]["trace"].value)

    def _window(self, before: Cursor | None) -> dict[str, Any]:
        until, after = self.until, None
        if before is not None and before.started_at is not None:
            until = min(until or before.started_at, before.started_at)
            after = before.uri
        hour = self.since and self.since.replace(minute=0, second=0, microsecond=0)
        return {
            **self.owner,
            "type": next((one for name, one in QUESTIONS.items() if name == self.type), None),
            "hide": self.hide,
            "since": self.since,
            "sinceHour": hour,
            "sinceDay": hour and hour.replace(hour=0),
            "until": until,
            "before": until if after else None,
            "beforeTrace": after,
        }

    def _undated(self, after: str, size: int) -> Iterator[_Placed]:
        while True:
            values = {**self.owner, "hide": self.hide, "after": after, "limit": size}
            page = list(rows(self.store, "trace/list-undated", **values))
            for run in self._summaries(page):
                after = run.uri
                if self._fits(run) and self._in_time(run):
                    yield run, Cursor(None, run.uri)
            if len(page) < size:
                return

    def _plain(self, before: Cursor | None) -> Iterator[_Placed]:
        values = {**self.owner, "hide": self.hide, "limit": EVERYTHING}
        runs = sorted(self._summaries(rows(self.store, "trace/list-plain", **values)), key=_order)
        for run in runs:
            place = Cursor(run.started_at, run.uri)
            later = before is None or _order(before) < _order(place)
            if later and self._fits(run) and self._in_time(run):
                yield run, place

    def _fits(self, run: TraceSummary) -> bool:
        return self.type in (None, run.type)

    def _in_time(self, run: TraceSummary) -> bool:
        start = run.started_at
        if start is None:
            return self.since is None and self.until is None
        return (self.since or start) <= start <= (self.until or start)

    def _summaries(self, found: Iterable[QuerySolution]) -> list[TraceSummary]:
        """Make each run once of its rows, which are several when it has several kinds."""
        runs: dict[str, tuple[QuerySolution, set[str]]] = {}
        for row in found:
            kinds = runs.setdefault(row["trace"].value, (row, set()))[1]
            if row["kind"] is not None:
                kinds.add(row["kind"].value)
        types = {uri: trace_type(uri, sorted(kinds), []) for uri, (_, kinds) in runs.items()}
        types |= self._by_steps([uri for uri, known in types.items() if known == "Question"])
        return [
            TraceSummary(
                uri=uri,
                type=types[uri],
                question=_text(row["question"]) or "",
                started_at=_start(_text(row["startedAt"])),
                user=_text(row["ofUser"]),
                collection=_text(row["ofCollection"]),
                called_from=_text(row["calledFrom"]),
            )
            for uri, (row, _) in runs.items()
        ]

    def _by_steps(self, runs: list[str]) -> dict[str, TraceType]:
        """Tell what ran by its steps, where neither types nor IRI say it."""
        if not runs:
            return {}
        steps: dict[str, list[Node]] = {}
        for row in rows(self.store, "trace/step-kinds", trace=runs):
            kind, property = row["kind"].value, row["property"].value
            step = Node("", (kind,), kind, "", {property: ()})
            steps.setdefault(row["trace"].value, []).append(step)
        return {uri: trace_type(uri, (), nodes) for uri, nodes in steps.items()}


_Placed: TypeAlias = "tuple[TraceSummary, Cursor]"


def _order(one: TraceSummary | Cursor) -> tuple[float, str]:
    return (inf if one.started_at is None else -one.started_at.timestamp(), one.uri)


def _text(term: Any) -> str | None:
    return None if term is None else str(term.value)


def _start(text: str | None) -> datetime | None:
    try:
        return None if text is None else instant(text)
    except InvalidValueError:
        return None
