"""Record a few runs about an invented power plant, always the same.

Ids and times are fixed, so recording them again changes nothing. The files in `ontology/examples`
are what the recorder writes for each story; `python -m trustgraph_prov.demo FOLDER` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone

import pyoxigraph
from pyoxigraph import Quad, RdfFormat

from ..defaults import DEFAULT_COLLECTION, DEFAULT_USER
from ..emitters import agent_final_triples, agent_session_triples
from ..graphs import graph_name, set_graph
from ..namespaces import GRAPH_DEFAULT, GRAPH_RETRIEVAL, GRAPH_SOURCE, PREFIXES
from ..recorder import Recorder
from ..recorder.batch import Batch
from ..recorder.writer import Target
from ..uris import agent_final_uri, agent_session_uri
from .sources import KG, KNOWLEDGE, P, knowledge_triples, source_triples
from .stories import STORIES

__all__ = ["DEMO_RUNS", "example", "examples", "record_demo", "trig"]

_DEMO = ("agent-calls-graph-rag", "graph-rag", "doc-rag", "failed")

DEMO_RUNS = tuple(run for name in _DEMO for run in STORIES[name].runs())
"""The runs of the demo. The first calls the second, which lists hide."""

_UNDATED = "b7e0d3a2-58c6-4f19-9e24-1c6d8a5f3b08"


def record_demo(store: Target) -> list[Quad]:
    """Record the demo's runs and the sources they rest on, in one insert.

    Args:
        store: where; what is there already stays.

    Returns:
        What was written, or was there from an earlier demo.

    Raises:
        StoreError: it could not be written; nothing was.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> store = open_store("memory:")
        >>> before = len(record_demo(store))
        >>> len(record_demo(store)) == before == len(list(store.quads()))
        True
    """
    quads = list({quad: None for name in (*_DEMO, "source") for quad in example(name)})
    store.insert(quads)
    return quads


def example(name: str) -> list[Quad]:
    """Record one story by itself.

    Args:
        name: a story, or one of `source`, the documents; `knowledge`, what was extracted from them;
            `undated`, a run that came in without its start.

    Returns:
        Its quads, sorted.

    Raises:
        KeyError: no such story.

    Example:
        >>> example("undated")[0].graph_name
        <NamedNode value=urn:graph:retrieval>
    """
    if name in _PLAIN:
        return sorted(set(_PLAIN[name]()), key=_order)
    batch, story = Batch(), STORIES[name]
    story.tell(Recorder(batch, clock=_Clock(story.start), strict=story.strict), story.session)
    return sorted(batch.quads(), key=_order)


def examples() -> dict[str, list[Quad]]:
    """Record each story by itself.

    Returns:
        Quads by the name of the example file, the runs first.

    Example:
        >>> [*examples()][-3:]
        ['source', 'knowledge', 'undated']
    """
    return {name: example(name) for name in (*STORIES, *_PLAIN)}


def trig(quads: Iterable[Quad]) -> str:
    """Write quads as TriG for people: prefixed, and grouped by subject.

    Args:
        quads: in the order in which they are to stand.

    Returns:
        The text, with the prefixes that it uses alone.

    Example:
        >>> trig(example("undated")).splitlines()[0]
        '@prefix prov: <http://www.w3.org/ns/prov#> .'
    """
    prefixes = PREFIXES | {"kg": KG, "p": P}
    written = pyoxigraph.serialize(quads, format=RdfFormat.TRIG, prefixes=prefixes) or b""
    head, body = re.split(r"^(?!@prefix)", written.decode(), maxsplit=1, flags=re.M)
    used = [n for n in head.splitlines() if re.search(rf"(?<![\w:-]){n.split()[1]}", body)]
    return "\n".join([*sorted(used), "", body.replace("\t", "    ")])


def _source() -> list[Quad]:
    return set_graph(source_triples(), GRAPH_SOURCE)


def _knowledge() -> list[Quad]:
    """In the default graph, and in one of its own as stores without a default graph keep it."""
    triples = knowledge_triples()
    return [*set_graph(triples, GRAPH_DEFAULT), *set_graph(triples, KNOWLEDGE)]


def _undated() -> list[Quad]:
    run = agent_session_uri(_UNDATED)
    asked = agent_session_triples(
        run,
        "Which gates of the Quarrow spillway are inspected first?",
        user=DEFAULT_USER,
        collection=DEFAULT_COLLECTION,
        trace=run,
    )
    answered = agent_final_triples(agent_final_uri(_UNDATED), run, "Gates 2 and 3.", trace=run)
    return set_graph([*asked, *answered], GRAPH_RETRIEVAL)


_PLAIN = {"source": _source, "knowledge": _knowledge, "undated": _undated}


class _Clock:
    """Goes on by 1.3 seconds each time it is read."""

    def __init__(self, start: str) -> None:
        self._now = datetime.fromisoformat(start).replace(tzinfo=timezone.utc)

    def __call__(self) -> datetime:
        now, self._now = self._now, self._now + timedelta(seconds=1.3)
        return now


def _order(quad: Quad) -> tuple[str, ...]:
    predicate = quad.predicate.value
    rank = "0" if predicate.endswith("#type") else "1"
    return graph_name(quad), str(quad.subject), rank + predicate, str(quad.object)
