"""Whatever an argument of an emitter is given, the answer is triples or an error of ours."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from wrong_values import HELPERS, WRONG, refusal

from trustgraph_prov import ProvError, emitters
from trustgraph_prov.emitters import focus_triples, grounding_triples
from trustgraph_prov.errors import InvalidValueError

EMITTERS = {name: getattr(emitters, name) for name in emitters.__all__ if name != "set_graph"}
IRI = "urn:trustgraph:agent:7"
GIVEN: dict[str, Any] = {
    "timestamp": "2026-03-02T08:15:00Z",
    "moment": "2026-03-02T08:15:00Z",
    "started_at": "2026-03-02T08:15:00Z",
    "edge_count": 3,
    "chunk_count": 3,
    "edge": ("urn:s", "urn:p", "o"),
    "concepts": ["lake"],
    "selected_edges_with_reasoning": [{"edge": ("urn:s", "urn:p", "o")}],
    "selected_chunks_with_scores": ["urn:chunk:1"],
    "extracted_triples": [("urn:s", "urn:p", "o")],
}


def arguments(emitter: Callable[..., Any]) -> dict[str, Any]:
    return {
        name: GIVEN.get(name, IRI)
        for name, one in inspect.signature(emitter).parameters.items()
        if one.default is inspect.Parameter.empty
    }


CASES = [
    pytest.param(emitter, argument, id=f"{name}-{argument}")
    for name, emitter in EMITTERS.items()
    for argument in inspect.signature(emitter).parameters
]


@pytest.mark.parametrize(("emitter", "argument"), CASES)
def test_any_argument(emitter: Callable[..., Any], argument: str) -> None:
    assert emitter(**arguments(emitter)) is not None
    for wrong in WRONG:
        given = {**arguments(emitter), argument: wrong}
        error = refusal(partial(emitter, **given))
        assert getattr(error, "name", "") not in HELPERS


@pytest.mark.parametrize(
    ("emitter", "argument", "name"),
    [
        (emitters.agent_iteration_triples, "step_number", "stepNumber"),
        (emitters.agent_iteration_triples, "generated_at", "generatedAtTime"),
        (emitters.agent_session_triples, "timestamp", "startedAtTime"),
        (emitters.ended_triples, "timestamp", "endedAtTime"),
        (emitters.derived_entity_triples, "chunk_index", "chunkIndex"),
        (emitters.derived_entity_triples, "component_name", "component_name"),
        (emitters.document_triples, "source", "source"),
        (emitters.docrag_chunk_selection_triples, "selected_chunks_with_scores", "chunk_id"),
        (emitters.docrag_exploration_triples, "chunk_ids", "selectedChunk"),
        (emitters.index_triples, "user", "user"),
        (emitters.index_triples, "started_at", "started_at"),
        (emitters.period_triples, "collection", "collection"),
        (emitters.period_triples, "moment", "moment"),
        (emitters.model_triples, "model", "model"),
        (emitters.user_triples, "user", "user"),
    ],
)
def test_an_error_names_what_was_wrong(
    emitter: Callable[..., Any], argument: str, name: str
) -> None:
    wrong = [b"x"] if argument in ("chunk_ids", "selected_chunks_with_scores") else b"x"
    with pytest.raises(InvalidValueError, match=f"^{name} is "):
        emitter(**{**arguments(emitter), argument: wrong})


@pytest.mark.parametrize("source", [5, b"https://example.org/", object()])
def test_the_source_of_a_document(source: Any) -> None:
    with pytest.raises(ProvError, match=r"source is .*; expected a str"):
        emitters.document_triples("urn:d", source=source)


def test_one_text_is_not_several() -> None:
    with pytest.raises(ProvError, match="concept is 'lake'; expected several texts"):
        grounding_triples("urn:g", IRI, "lake")
    edges: Any = 5
    with pytest.raises(ProvError, match="edge is 5; expected several"):
        focus_triples("urn:f", IRI, edges)


def test_a_mapping_is_not_several() -> None:
    edges: Any = {"edge": ("urn:s", "urn:p", "o")}
    with pytest.raises(ProvError, match="expected several choices"):
        focus_triples("urn:f", IRI, edges)
