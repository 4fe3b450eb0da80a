"""What an engine cannot do: cases that fail on it, each with the engine's own fault.

A case that begins to pass fails the suite, so the list stays true.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["FAULTS", "Fault", "fault_of"]


class Fault(NamedTuple):
    """A fault of an engine.

    Attributes:
        engine: by its name in `ENGINES`.
        cases: matches the whole of a test's name with its parameters, without the engine's.
        why: the fault.
    """

    engine: str
    cases: str
    why: str


_NO_DEFAULT = "Virtuoso has no default graph: a query without GRAPH sees every graph there is, "
_UPDATES = "and an update without GRAPH is refused (SP031) or done elsewhere"

FAULTS = (
    Fault("virtuoso", r"test_default_graph_is_no_union", _NO_DEFAULT + _UPDATES),
    Fault(
        "virtuoso",
        r"test_update_touches_no_other_graph\[("
        r"(INSERT|DELETE) DATA .*|DELETE WHERE \{ \?s.*|(CLEAR|DROP) DEFAULT-.*|"
        r"(COPY|MOVE|ADD) .*DEFAULT.*|INSERT \{ \?s \?p \?o \} USING.*)\]",
        _NO_DEFAULT + _UPDATES,
    ),
    Fault(
        "virtuoso",
        r"test_update_touches_no_other_graph\[CLEAR (NAMED|ALL)-.*\]",
        "Virtuoso answers CLEAR ALL and CLEAR NAMED with 200 and clears nothing",
    ),
    Fault(
        "virtuoso",
        r"test_update_touches_no_other_graph\[DROP GRAPH .*\]",
        "Virtuoso drops only graphs that CREATE GRAPH made; CLEAR GRAPH works",
    ),
    Fault(
        "virtuoso",
        r"test_query_within_its_time|test_rows\[(trace/quads|usage/graphs)-(rows|none)\]",
        "Virtuoso has graphs of its own, which GRAPH ?g finds beside ours",
    ),
    Fault(
        "fuseki",
        r"test_function_the_engine_lacks_is_named",
        "Fuseki answers a query with a function it does not know, and leaves the column empty",
    ),
    *(
        Fault(
            name,
            r"test_rows\[knowledge/edges-rows\]",
            "a server is sent an IRI for a blank node, which it would make anew at each repeat",
        )
        for name in ("fuseki", "virtuoso", "rdf4j", "oxigraph-server")
    ),
    *(
        Fault(
            name,
            r"test_as_it_stands_on_the_examples\[audit/probe-merged\]",
            "the default graph is the union of all graphs, as the query finds out",
        )
        for name in ("virtuoso", "rdf4j")
    ),
    Fault(
        "rdf4j",
        r"test_default_graph_is_no_union|"
        r"test_update_touches_no_other_graph\[DELETE WHERE \{ \?s.*\]",
        "RDF4J's default graph is the union of all graphs, in queries and in DELETE WHERE",
    ),
)


def fault_of(engine: str, name: str) -> Fault | None:
    """The fault that makes a case impossible on an engine, or None.

    Args:
        engine: by its name in `ENGINES`.
        name: of the test, with its parameters.
    """
    bare = re.sub(rf"\[{engine}(?:-|(?=\]))", "[", name, count=1).replace("[]", "")
    return next(
        (f for f in FAULTS if f.engine == engine and re.fullmatch(f.cases, bare, re.S)), None
    )
