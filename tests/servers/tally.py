"""What a run of the tests says of each engine."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

import pytest

__all__ = ["tallies_of"]

_ENDS = {"passed": "passed", "xfailed": "strict xfails", "skipped": "skipped"}


def tallies_of(engines: Mapping[str, str], stats: Mapping[str, Iterable[object]]) -> list[str]:
    """A line for each engine on which a case ran, with its faults below it.

    Args:
        engines: by name, what each is called with its version; in the order wanted.
        stats: the reports of each outcome, as pytest's terminal reporter keeps them.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    faults: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome, engine, report in _ended(stats):
        counts[engine][_ENDS.get(outcome, "failed")] += 1
        if outcome == "xfailed":
            faults[engine][str(getattr(report, "wasxfail", "")).partition(": ")[2]] += 1
    lines = []
    for engine in filter(counts.__contains__, engines):
        count = counts[engine]
        ends = ", ".join(f"{count[end]} {end}" for end in (*_ENDS.values(), "failed") if count[end])
        lines.append(f"{engines[engine]}: {count.total()} collected, {ends}")
        lines.extend(f"    {n}: {why}" for why, n in faults[engine].most_common())
    return lines


def _ended(stats: Mapping[str, Iterable[object]]) -> Iterator[tuple[str, str, pytest.TestReport]]:
    """Outcome, engine and report of each case that ran on an engine, once."""
    for outcome, reports in stats.items():
        for report in reports:
            if isinstance(report, pytest.TestReport) and outcome:  # "": of set-up or tear-down
                engine = dict(report.user_properties).get("engine")
                if engine is not None:
                    yield outcome, str(engine), report
