"""The JSON form: complete, with the keys that its documentation names."""

from __future__ import annotations

import json
import re

from explain_cases import QUESTION, Story
from pyoxigraph import BlankNode, Literal, NamedNode, Triple
from render_cases import everything

from trustgraph_prov.render import json as to_json
from trustgraph_prov.render import to_dict
from trustgraph_prov.render.json import __doc__ as documentation

E = "https://example.org/"


def test_keys_are_the_documented_ones() -> None:
    run = to_dict(everything())
    node = run["steps"][0]
    for key in {*run, *node, *run["answers"][0], *node["properties"].popitem()[1][0]}:
        assert re.search(rf"\b{re.escape(key)}\b", documentation or ""), key


def test_values_of_the_head() -> None:
    run = json.loads(to_json(everything()))
    assert {key: run[key] for key in ("type", "status", "query", "user", "collection")} == {
        "type": "Agent",
        "status": "finished",
        "query": "Why?",
        "user": "ada",
        "collection": "tides",
    }
    assert run["started_at"] == "2026-03-02T08:15:00Z"
    assert run["ended_at"] == "2026-03-02T08:15:02.500000Z"
    assert (run["called_from"], run["error"], run["sources"]) == (None, None, {})


def test_called_runs_stand_inside_their_step_with_their_sources() -> None:
    (called,) = to_dict(everything())["steps"][0]["called"]
    assert called["answer"] == "Orvik did."
    source = next(iter(called["sources"].values()))
    page = source["origins"][0]["origins"][0]
    assert (page["title"], page["origins"][0]["title"]) == ("page 4", "Inspection report")


def test_terms_of_every_kind() -> None:
    story = Story()
    edge = Triple(NamedNode(E + "s"), NamedNode(E + "p"), Literal("o"))
    values = [
        Literal("text"),
        Literal("3", datatype=NamedNode(E + "meter")),
        Literal("Tor", language="nb"),
        NamedNode(E + "iri"),
        edge,
    ]
    story.add(QUESTION, {E + "p": values})
    story.rows.append((QUESTION, E + "p", BlankNode("b")))
    told = to_dict(story.trace())["question"]["properties"][E + "p"]
    assert {"type": "literal", "value": "text"} in told
    assert {"type": "literal", "value": "3", "datatype": E + "meter"} in told
    assert {"type": "literal", "value": "Tor", "xml:lang": "nb"} in told
    assert {"type": "uri", "value": E + "iri"} in told
    assert {"type": "bnode", "value": "b"} in told
    (triple,) = (one["value"] for one in told if one["type"] == "triple")
    assert triple["predicate"] == {"type": "uri", "value": E + "p"}


def test_text_with_a_direction_keeps_it() -> None:
    from pyoxigraph import BaseDirection

    story = Story()
    story.add(QUESTION, {E + "p": Literal("שלום", language="he", direction=BaseDirection.RTL)})
    (term,) = to_dict(story.trace())["question"]["properties"][E + "p"]
    assert (term["xml:lang"], term["its:dir"]) == ("he", "rtl")


def test_same_run_is_the_same_text() -> None:
    assert to_json(everything()) == to_json(everything())
