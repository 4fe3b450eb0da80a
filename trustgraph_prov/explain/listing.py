"""List runs, newest first, a page at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from math import inf
from types import NoneType
from typing import Any, TypeAlias

from pyoxigraph import QuerySolution

from ..answers import rows, rows_of
from ..emitters.node import made
from ..errors import InvalidValueError
from ..namespaces import RDF, TGP_CALLED_FROM
from ..stores.base import EVERYTHING, Store
from ..terms import instant
from .kinds import QUESTIONS, trace_type
from .model import TraceSummary, TraceType

__all__ = ["Cursor", "TraceList", "list_traces"]

NEWEST = {"days": 8, "hours": 16}
"""Where to look for a page first; busy stores fill it from there, however many runs they hold."""

WIDEST = 500
"""Runs of a page that the newest hours may fill; for a longer one they are not asked."""

LOOK = 10
"""Runs to look at for each of a page, since some may not be wanted."""

SEARCH_BACK = 5_000
"""Runs that a text search looks through before it hands back what it has."""

_KINDS = {kind.casefold(): kind for kind in QUESTIONS}


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

    Goes down the collection > day > hour tree, so its time does not grow with the store where the
    newest hours fill a page. Asks the store once or twice; once more for runs that neither a class
    nor their IRI tells the type of, and for each page of those that `type` then leaves out.

    Args:
        store: where they are.
        user: only this user's.
        collection: only those on collections of this name.
        type: `Agent`, `GraphRAG`, `DocRAG`, or `Question` for those of no known kind, in letters of
            any case.
        since, until: only runs that started in this time, both ends included.
        text: only runs with this in their question or answer, whatever the case of its letters. A
            search ends after looking through 5,000 runs, unless `since` says how far to go.
        limit: runs of a page, 1 or more.
        called: list the runs, too, that a step of another run called.
        before: `more` of the page before.

    Returns:
        A page, and where the next one begins.

    Raises:
        InvalidValueError: an unknown type, a limit below 1, a time that is none, or a limit, user,
            collection, text or `before` of another Python type.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> list_traces(open_store("memory:")).traces
        []
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidValueError("limit", limit, "an int, 1 or more")
    for name, said in (("user", user), ("collection", collection), ("text", text)):
        if not isinstance(said, (str, NoneType)):
            raise InvalidValueError(name, said, "a str")
    if not isinstance(before, (Cursor, NoneType)):
        raise InvalidValueError("before", before, "`more` of the page before")
    limit = min(limit, EVERYTHING)
    wanted = _Wanted(
        store,
        owner={"user": user, "collection": collection},
        type=_type(type),
        since=None if since is None else made("since", instant, since),
        until=None if until is None else made("until", instant, until),
        hide=RDF + "nil" if called else TGP_CALLED_FROM,
    )
    if text:
        return _search(wanted, text, limit, before)
    runs, more = wanted.page(limit, before)
    return TraceList([run for run, _ in runs], more)


def _type(name: str | None) -> TraceType | None:
    if name is None:
        return None
    kind = _KINDS.get(name.casefold()) if isinstance(name, str) else None
    if kind is None:
        raise InvalidValueError("type", name, f"one of {', '.join(QUESTIONS)}")
    return kind


def _search(wanted: _Wanted, text: str, limit: int, before: Cursor | None) -> TraceList:
    """Look through the runs, all at once, until the search has gone far."""
    runs, more = wanted.page(SEARCH_BACK if wanted.since is None else EVERYTHING, before)
    held = wanted.holding(text, [run for run, _ in runs], limit + 1)
    found = [(run, place) for run, place in runs if run.uri in held]
    if len(found) > limit:
        found, more = found[:limit], found[limit - 1][1]
    traces = [run for run, _ in found]
    return TraceList(traces, more, more.started_at if more else None)


@dataclass(frozen=True)
class _Wanted:
    """What is listed, and how to ask a store for it."""

    store: Store
    owner: Mapping[str, str | None]
    type: TraceType | None
    since: datetime | None
    until: datetime | None
    hide: str

    def page(self, limit: int, before: Cursor | None) -> tuple[list[_Placed], Cursor | None]:
        """Read a page of runs, and where the next begins, if there is one."""
        runs = list(islice(self._after(before, limit + 1), limit + 1))
        return runs[:limit], runs[limit - 1][1] if len(runs) > limit else None

    def holding(self, text: str, runs: list[TraceSummary], enough: int) -> set[str]:
        """Pick the runs with a text in their question or answer: all, or at least the first few."""
        asked = [n for n, run in enumerate(runs) if text.lower() in run.question.lower()]
        held = {runs[n].uri for n in asked}
        near = runs[: asked[enough - 1] + 1] if len(asked) >= enough else runs
        if any(run.uri not in held for run in near):
            since = min((run.started_at for run in near if run.started_at), default=None)
            found = rows(self.store, "trace/search", text=text, since=since)
            held |= {row["trace"].value for row in found}
        return held

    def _after(self, before: Cursor | None, size: int) -> Iterator[_Placed]:
        if size <= WIDEST and (before is None or before.started_at is not None):
            page = self._newest(before, size)
            if len(_traces(page)) >= size:
                yield from self._dated(self._summaries(page))
                before = _end(page)
        yield from self._rest(before, size)

    def _newest(self, before: Cursor | None, size: int) -> list[QuerySolution]:
        """Read the runs of the newest hours; those of a page, or all that these hours have."""
        hour = self.since and self.since.replace(minute=0, second=0, microsecond=0)
        values = self._bounds(before) | {
            "sinceHour": hour,
            "sinceDay": hour and hour.replace(hour=0),
        }
        return list(
            rows(self.store, "trace/list", **values, **NEWEST, runs=LOOK * size, limit=size)
        )

    def _rest(self, before: Cursor | None, size: int) -> Iterator[_Placed]:
        """Read the runs of all hours, and after them those that no hour has."""
        while True:
            values = self._bounds(before) | {"limit": size, "others": EVERYTHING}
            page = list(rows(self.store, "trace/list-all", **values))
            runs = self._summaries(page)
            in_hours = [row for row in page if row["days"] is None]
            dated = _traces(in_hours)
            if before is None or before.started_at is not None:
                yield from self._dated(run for run in runs if run.uri in dated)
                if len(dated) >= size:
                    before = _end(in_hours)
                    continue
            others = [run for run in runs if run.uri not in dated]
            tree = any(row["days"] is not None and int(row["days"].value) for row in page)
            yield from self._others(others, before, tree)
            return

    def _dated(self, runs: Iterable[TraceSummary]) -> Iterator[_Placed]:
        return ((run, Cursor(run.started_at, run.uri)) for run in runs if self._fits(run))

    def _others(
        self, runs: Iterable[TraceSummary], before: Cursor | None, tree: bool
    ) -> Iterator[_Placed]:
        """Put the runs that no hour has by IRI; where there is no tree at all, by their start."""
        placed = [
            (run, Cursor(None if tree else run.started_at, run.uri))
            for run in runs
            if self._fits(run) and self._in_time(run)
        ]
        for run, place in sorted(placed, key=lambda one: _order(one[1])):
            if before is None or _order(before) < _order(place):
                yield run, place

    def _bounds(self, before: Cursor | None) -> dict[str, Any]:
        until, after = self.until, None
        if before is not None and before.started_at is not None:
            until = min(until or before.started_at, before.started_at)
            after = before.uri
        return {
            **self.owner,
            "type": None if self.type is None else QUESTIONS[self.type],
            "hide": self.hide,
            "since": self.since,
            "until": until,
            "before": until if after else None,
            "beforeTrace": after,
        }

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
        types = {uri: trace_type(uri, sorted(kinds)) for uri, (_, kinds) in runs.items()}
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
        kinds: dict[str, set[str]] = defaultdict(set)
        properties: dict[str, set[str]] = defaultdict(set)
        for row in rows_of(self.store, "trace/step-kinds", "trace", runs):
            kinds[row["trace"].value].add(row["kind"].value)
            properties[row["trace"].value].add(row["property"].value)
        return {uri: trace_type(uri, (), kinds[uri], properties[uri]) for uri in kinds}


_Placed: TypeAlias = "tuple[TraceSummary, Cursor]"


def _traces(page: Iterable[QuerySolution]) -> set[str]:
    return {row["trace"].value for row in page}


def _end(page: list[QuerySolution]) -> Cursor:
    return Cursor(instant(page[-1]["startedAt"].value), page[-1]["trace"].value)


def _order(one: Cursor) -> tuple[float, str]:
    return (inf if one.started_at is None else -one.started_at.timestamp(), one.uri)


def _text(term: Any) -> str | None:
    return None if term is None else str(term.value)


def _start(text: str | None) -> datetime | None:
    try:
        return None if text is None else instant(text)
    except InvalidValueError:
        return None
