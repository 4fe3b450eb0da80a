"""Put the steps of a run in order, whatever graph they make.

SPARQL has no path length, so the order is found here: by tg:stepNumber where steps have one, else
each step after everything it was derived from.
"""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise, product

__all__ = ["in_order", "natural"]

_NUMBERS = re.compile(r"(\d{1,18})")


def natural(text: str) -> tuple[tuple[int, str], ...]:
    """Make a sort key that puts `edge:10` after `edge:2`.

    Example:
        >>> sorted(["edge:10", "edge:2"], key=natural)
        ['edge:2', 'edge:10']
    """
    pieces = _NUMBERS.split(text)
    return tuple((int(piece) if at % 2 else 0, piece) for at, piece in enumerate(pieces))


def in_order(
    parents: Mapping[str, Iterable[str]],
    numbers: Mapping[str, int],
    last: Collection[str] = (),
) -> list[str]:
    """Order steps, each once.

    Of steps that could come next, one with the lower number comes first, then the one whose IRI
    sorts first, answers last. Where steps go in a circle, it is cut before the step of it that
    sorts first.

    Args:
        parents: for each step, what it was derived from; what is no step itself is ignored.
        numbers: tg:stepNumber of the steps that have one.
        last: steps that come as late as they can.

    Example:
        >>> in_order({"d": ["b", "c"], "c": ["a"], "b": ["a"], "a": []}, {})
        ['a', 'b', 'c', 'd']
    """
    before: dict[str, set[str]] = {step: set() for step in parents}
    after: dict[str, set[str]] = defaultdict(set)
    for earlier, later in _constraints(parents, numbers):
        before[later].add(earlier)
        after[earlier].add(later)
    key = {step: (step in last, numbers.get(step, float("inf")), natural(step)) for step in parents}
    ready = [(key[step], step) for step, waits in before.items() if not waits]
    heapq.heapify(ready)
    ordered: list[str] = []
    while before:
        step = heapq.heappop(ready)[1] if ready else min(_circle(before), key=key.__getitem__)
        del before[step]
        ordered.append(step)
        for later in after[step] & before.keys():
            before[later].discard(step)
            if not before[later]:
                heapq.heappush(ready, (key[later], later))
    return ordered


def _constraints(
    parents: Mapping[str, Iterable[str]], numbers: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    for step, derived_from in parents.items():
        for parent in derived_from:
            told_by_number = numbers.get(step, -1) != numbers.get(parent, -2)
            both = step in numbers and parent in numbers
            if parent in parents and parent != step and not (both and told_by_number):
                yield parent, step
    by_number: dict[int, list[str]] = defaultdict(list)
    for step, number in numbers.items():
        by_number[number].append(step)
    for earlier, later in pairwise(sorted(by_number)):
        yield from product(by_number[earlier], by_number[later])


def _circle(before: Mapping[str, set[str]]) -> list[str]:
    """Walk back from any step until one comes again; each waits for another, so one does."""
    path: list[str] = []
    seen: dict[str, int] = {}
    step = next(iter(before))
    while step not in seen:
        seen[step] = len(path)
        path.append(step)
        step = min(before[step])
    return path[seen[step] :]
