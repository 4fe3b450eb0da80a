"""Write three nodes into a graph of their own, ask what queries need, and remove them again."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from pyoxigraph import Literal, NamedNode, Quad

from ..answers import rows as ask_rows
from ..errors import ProvError, StoreError
from ..namespaces import (
    GRAPH_PROBE,
    PROV_WAS_DERIVED_FROM,
    TG_OBSERVATION,
    TG_QUERY,
    TGP_STARTED_AT,
    XSD_DATE_TIME,
)
from ..queries import stored_query
from ..stores.base import Store, traits_of
from ..terms import date_time, instant, text
from .checks import Check, finding, fine, limit, untried

__all__ = ["REQUIREMENTS", "probe"]

_EARLY, _LATE = "2026-03-02T12:00:00Z", "2026-03-02T12:00:01Z"
_TEXT = "probe"
_NEWER = "use a release of the server that speaks SPARQL 1.1, or another store"
_LET_IN = {
    "virtuoso": (
        'run GRANT SPARQL_UPDATE TO "SPARQL" in isql, or use /sparql-auth with TG_PROV_USER, '
        "TG_PROV_PASSWORD and TG_PROV_AUTH=digest"
    ),
    "fuseki": "start it with --update, or set TG_PROV_USER and TG_PROV_PASSWORD",
    "sparql": (
        "name the address that takes updates with --update-url, or the kind of server, as in "
        "fuseki+http://…, which knows it; or set TG_PROV_USER and TG_PROV_PASSWORD"
    ),
}
_OWN = "let whoever asks write, or set TG_PROV_USER and TG_PROV_PASSWORD"
"""How a store is made to take updates; by kind of server, where there is more to say."""

_ELSEWHERE = (
    "name the address that takes updates, with --update-url; a login page or a proxy may answer in "
    "its place"
)

Ask: TypeAlias = "Callable[[Store, str], str | None]"
"""Looks at a probe; what is wrong with it, or None."""


def probe(store: Store, text_bytes: int) -> list[Check]:
    """Find out whether a store can be written, and what it answers.

    Args:
        store: open for writing.
        text_bytes: length of the longest text that is written.

    Returns:
        A check of writing, then one for each requirement.
    """
    node = f"{GRAPH_PROBE}:{uuid.uuid4()}"
    if unwritten := _write(store, node):
        names = (*REQUIREMENTS, "long texts")
        return [unwritten, *(untried(name, "once the store can be written") for name in names)]
    try:
        found = [_requirement(store, name, node) for name in REQUIREMENTS]
        found.append(_long_text(store, node, text_bytes))
    finally:
        left = _remove(store, node)
    written = fine("write", "a probe was written, and removed again")
    return [left or written, *found]


def _write(store: Store, node: str) -> Check | None:
    try:
        store.insert(_quads(node))
    except StoreError as error:
        way_out = _LET_IN.get(traits_of(store).kind or "", _OWN)
        return finding("write", error.why, way_out)
    if _arrived(store, node):
        return None
    with suppress(ProvError):
        store.update(_removal(node))
    return finding("write", "a probe was taken, and is not there", _ELSEWHERE)


def _arrived(store: Store, node: str) -> bool:
    """Whether a probe is found in any of two ways; one that fails says nothing of writing."""
    ways: tuple[Callable[[], bool], ...] = (
        lambda: any(quad.subject == NamedNode(node) for quad in store.quads(GRAPH_PROBE)),
        lambda: any(ask_rows(store, "audit/probe-values", probe=node)),
    )
    for found in ways:
        try:
            if found():
                return True
        except ProvError:  # noqa: PERF203 - of two
            return True
    return False


def _paths(store: Store, node: str) -> str | None:
    rows = {row[0].value for row in ask_rows(store, "audit/probe-paths", probe=node)}
    return None if rows == set(_nodes(node)) else f"{len(rows)} of 3 nodes were found by a path"


def _values(store: Store, node: str) -> str | None:
    for wanted in (None, _TEXT):
        rows = [
            row[1].value for row in ask_rows(store, "audit/probe-values", probe=node, text=wanted)
        ]
        if rows != [_TEXT]:
            return f"{len(rows)} rows where 1 is right, with {'a value' if wanted else 'UNDEF'}"
    return None


def _graphs(store: Store, node: str) -> str | None:
    rows = [row[0].value for row in ask_rows(store, "audit/probe-graphs", probe=node)]
    return None if rows == [GRAPH_PROBE] else f"a triple is in {len(rows)} of its 1 graphs"


def _dates(store: Store, node: str) -> str | None:
    every = [
        [row[1] for row in ask_rows(store, "audit/probe-dates", probe=node, until=until)]
        for until in (_LATE, _EARLY)
    ]
    if [[instant(one.value) for one in dates] for dates in every] != [
        [instant(_LATE), instant(_EARLY)],
        [instant(_EARLY)],
    ]:
        return "xsd:dateTime is not compared as a moment"
    if any(one.datatype.value != XSD_DATE_TIME for dates in every for one in dates):
        return "xsd:dateTime comes back without its type"
    return None


REQUIREMENTS: dict[str, tuple[Ask, str, str]] = {
    "property paths": (_paths, "followed", f"listing by links needs them: {_NEWER}"),
    "VALUES": (_values, "taken, UNDEF too", f"every stored query binds with them: {_NEWER}"),
    "GRAPH": (_graphs, "graphs are kept apart", "open a dataset that holds named graphs"),
    "typed dates": (_dates, "compared as moments", f"lists are ordered by them: {_NEWER}"),
}
"""What stored queries need: how it is tried, what is said where it works, and the way out."""


def _requirement(store: Store, name: str, node: str) -> Check:
    ask, works, way_out = REQUIREMENTS[name]
    try:
        wrong = ask(store, node)
    except ProvError as error:
        wrong = error.why
    return finding(name, wrong, way_out) if wrong else fine(name, works)


def _long_text(store: Store, node: str, text_bytes: int) -> Check:
    name, most = "long texts", traits_of(store).text_limit
    size = text_bytes if most is None else min(text_bytes, most)
    whole = "observed " * (size // 9)
    way_out = (
        "set TG_PROV_MAX_TEXT to what the store takes; longer texts are cut then, and record with "
        "--outbox keeps the whole of them"
    )
    graph = NamedNode(GRAPH_PROBE)
    subject = NamedNode(_nodes(node)[1])
    try:
        store.insert([Quad(subject, NamedNode(TG_OBSERVATION), text(whole), graph)])
        rows = [row[1].value for row in ask_rows(store, "audit/probe-text", probe=node)]
    except ProvError as error:
        return finding(name, f"{len(whole):,} bytes: {error.why}", way_out)
    if rows != [whole]:
        got = len(rows[0]) if rows else 0
        return finding(name, f"{got:,} of {len(whole):,} bytes came back", way_out)
    if most is not None:
        return limit(
            name,
            f"up to {most:,} bytes",
            "longer texts are cut before they are sent; record with --outbox keeps the whole",
        )
    return fine(name, f"{len(whole):,} bytes came back whole")


def _remove(store: Store, node: str) -> Check | None:
    try:
        store.update(_removal(node))
        if not list(ask_rows(store, "audit/probe-values", probe=node)):
            return None
        why = "the probe is still there"
    except ProvError as error:
        why = error.why
    return finding(
        "write",
        f"a probe was written and not removed: {why}",
        f"allow DELETE, and clear the graph <{GRAPH_PROBE}>",
    )


def _removal(node: str) -> str:
    return stored_query("update/remove-probe").bind(node=_nodes(node), graph=GRAPH_PROBE)


def _nodes(node: str) -> tuple[str, str, str]:
    return node, f"{node}/i1", f"{node}/i2"


def _quads(node: str) -> list[Quad]:
    first, second, third = map(NamedNode, _nodes(node))
    graph = NamedNode(GRAPH_PROBE)
    derived, started = NamedNode(PROV_WAS_DERIVED_FROM), NamedNode(TGP_STARTED_AT)
    triples: list[tuple[NamedNode, NamedNode, NamedNode | Literal]] = [
        (first, NamedNode(TG_QUERY), text(_TEXT)),
        (first, started, date_time(_EARLY)),
        (second, derived, first),
        (third, derived, second),
        (third, started, date_time(_LATE)),
    ]
    return [Quad(*triple, graph) for triple in triples]
