"""Say what somebody may have meant, when a run is not there."""

from __future__ import annotations

from difflib import get_close_matches

from ..errors import TraceNotFoundError
from ..stores.base import Store
from ..terms import absolute, plain
from .rows import read

__all__ = ["not_found"]

_MOST = 3


def not_found(store: Store, uri: str) -> TraceNotFoundError:
    """Make the error for a run that is not there.

    Args:
        store: where it was looked for.
        uri: what was asked for, a mistyped, shortened or wrong IRI.

    Returns:
        An error that names the run the IRI is a step of, or else runs whose IRI looks like it.
    """
    holders = _holders(store, uri) if absolute(uri) else ()
    if holders:
        return TraceNotFoundError(
            uri, holders, f"is a step of {', '.join(holders)}, and no run itself"
        )
    return TraceNotFoundError(uri, _nearest(store, uri))


def _holders(store: Store, uri: str) -> tuple[str, ...]:
    for name in ("trace/of-node", "trace/of-node-by-links"):
        found = read(store, name, "trace", node=uri)
        holders = tuple(plain(run) for (run,) in found)
        if holders:
            return holders[:_MOST]
    return ()


def _nearest(store: Store, uri: str) -> tuple[str, ...]:
    """Prefer IRIs that hold what was typed, or the start of its id, to any that look alike."""
    typed = uri.strip()
    for part in dict.fromkeys((typed, typed.rpartition(":")[2][:8])):
        if part:
            found = _iris(store, part)
            if found:
                return tuple(get_close_matches(typed, found, _MOST, 0) or found[:_MOST])
    return tuple(get_close_matches(typed, _iris(store, ""), _MOST, 0.5))


def _iris(store: Store, contains: str) -> list[str]:
    found = read(store, "trace/iris", "trace", contains=contains, limit=10_000)
    return [plain(run) for (run,) in found]
