"""What no triple can hold is refused before anything is emitted."""

from __future__ import annotations

from typing import Any

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Triple
from rdflib import BNode

from trustgraph_prov.emitters import (
    agent_iteration_triples,
    agent_session_triples,
    docrag_chunk_selection_triples,
    focus_triples,
    subgraph_provenance_triples,
)
from trustgraph_prov.errors import InvalidTermError, InvalidValueError

FOCUS, BEFORE = "urn:trustgraph:prov:focus:7", "urn:trustgraph:prov:exploration:7"


@pytest.mark.parametrize(
    "edge",
    [
        (BlankNode("b1"), "urn:p", "o"),
        ("_:b1", "urn:p", "o"),
        ("urn:s", "urn:p", BlankNode("b1")),
        Triple(NamedNode("urn:s"), NamedNode("urn:p"), BlankNode("b1")),
        ("urn:s", "urn:p", BNode("b1")),
    ],
)
def test_a_blank_node_is_named(edge: Any) -> None:
    with pytest.raises(InvalidTermError, match="'_:b1' is not valid: a blank node has no name"):
        focus_triples(FOCUS, BEFORE, [edge])
    with pytest.raises(InvalidTermError, match="'_:b1'"):
        subgraph_provenance_triples("urn:sub", [edge], "urn:chunk:1", "kg", "1")


@pytest.mark.parametrize("edge", [("urn:s", "urn:p"), "urn:s urn:p o", ["a"] * 4])
def test_an_edge_has_three_terms(edge: Any) -> None:
    with pytest.raises(InvalidValueError, match="expected a subject, a predicate and an object"):
        focus_triples(FOCUS, BEFORE, [edge])


def test_an_edge_starts_with_an_iri() -> None:
    with pytest.raises(InvalidTermError, match="'the lake' is not valid: not an absolute IRI"):
        focus_triples(FOCUS, BEFORE, [("the lake", "urn:p", "o")])
    term: Any = Literal("the lake")
    with pytest.raises(InvalidTermError, match="an IRI is a str"):
        focus_triples(FOCUS, BEFORE, [(term, "urn:p", "o")])


def test_an_edge_ends_in_a_term() -> None:
    with pytest.raises(InvalidTermError, match="'41' is not valid: an edge ends in an IRI"):
        focus_triples(FOCUS, BEFORE, [("urn:s", "urn:p", 41)])


@pytest.mark.parametrize("score", [float("nan"), "high"])
def test_a_score_is_a_number(score: Any) -> None:
    with pytest.raises(InvalidValueError, match="score is"):
        focus_triples(FOCUS, BEFORE, [{"edge": ("urn:s", "urn:p", "o"), "score": score}])


def test_a_selection_needs_a_session() -> None:
    with pytest.raises(InvalidValueError, match="session_id is ''"):
        docrag_chunk_selection_triples("urn:focus", BEFORE, ["urn:chunk:1"])


def test_a_text_is_a_text() -> None:
    number: Any = 41
    with pytest.raises(InvalidValueError, match="observation is 41; expected a text"):
        agent_iteration_triples("urn:a", "urn:b", None, None, None, number)


def test_a_time_is_a_time() -> None:
    with pytest.raises(InvalidValueError, match="startedAtTime is 'now'"):
        agent_session_triples("urn:trustgraph:agent:7", "q", "now")


def test_a_session_is_an_iri() -> None:
    with pytest.raises(InvalidTermError, match="'session 7' is not valid"):
        agent_session_triples("session 7", "q", None)


@pytest.mark.parametrize("name", ["in_token", "out_token", "llm_duration_ms", "tool_duration_ms"])
def test_a_count_or_a_duration_below_zero(name: str) -> None:
    below: dict[str, Any] = {name: -1}
    with pytest.raises(InvalidValueError, match=r" is -1; expected a .*, 0 or more"):
        agent_iteration_triples("urn:step", "urn:before", "thought", "action", **below)


@pytest.mark.parametrize("number", [10**5000, -(10**5000), True, "x" * 3_000], ids=type)
@pytest.mark.parametrize("name", ["llm_duration_ms", "in_token"])
def test_a_number_that_is_none_is_named_in_one_short_line(name: str, number: Any) -> None:
    with pytest.raises(InvalidValueError) as caught:
        agent_iteration_triples("urn:i", "urn:q", "t", "a", {}, "o", **{name: number})
    assert len(str(caught.value)) < 700
