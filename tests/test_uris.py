"""IRIs of runs: minted, recognised, and never two of one name."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest
from hypothesis import given
from pyoxigraph import NamedNode
from strategies import sessions
from trustgraph.provenance import uris as theirs

from trustgraph_prov import uris
from trustgraph_prov.uris import Name, recognise

THEIRS = [name for name in dir(theirs) if name.endswith("_uri")]
assert THEIRS, "TrustGraph has no such functions, so nothing would be compared"
PLAIN: dict[str, tuple[Callable[[str], str], str, str]] = {
    "agent": (uris.agent_session_uri, "urn:trustgraph:agent:7", "AgentQuestion"),
    "final": (uris.agent_final_uri, "urn:trustgraph:agent:7/final", "Conclusion"),
    "decompose": (
        uris.agent_decomposition_uri,
        "urn:trustgraph:agent:7/decompose",
        "Decomposition",
    ),
    "plan": (uris.agent_plan_uri, "urn:trustgraph:agent:7/plan", "Plan"),
    "agent synthesis": (
        uris.agent_synthesis_uri,
        "urn:trustgraph:agent:7/synthesis",
        "Synthesis",
    ),
    "pattern": (
        uris.agent_pattern_decision_uri,
        "urn:trustgraph:agent:7/pattern-decision",
        "PatternDecision",
    ),
    "question": (uris.question_uri, "urn:trustgraph:question:7", "GraphRagQuestion"),
    "grounding": (uris.grounding_uri, "urn:trustgraph:prov:grounding:7", "Grounding"),
    "exploration": (uris.exploration_uri, "urn:trustgraph:prov:exploration:7", "Exploration"),
    "focus": (uris.focus_uri, "urn:trustgraph:prov:focus:7", "Focus"),
    "synthesis": (uris.synthesis_uri, "urn:trustgraph:prov:synthesis:7", "Synthesis"),
    "docrag": (uris.docrag_question_uri, "urn:trustgraph:docrag:7", "DocRagQuestion"),
    "docrag grounding": (
        uris.docrag_grounding_uri,
        "urn:trustgraph:docrag:7/grounding",
        "Grounding",
    ),
    "docrag exploration": (
        uris.docrag_exploration_uri,
        "urn:trustgraph:docrag:7/exploration",
        "Exploration",
    ),
    "docrag focus": (uris.docrag_focus_uri, "urn:trustgraph:docrag:7/focus", "Focus"),
    "docrag synthesis": (
        uris.docrag_synthesis_uri,
        "urn:trustgraph:docrag:7/synthesis",
        "Synthesis",
    ),
}
NUMBERED: dict[str, tuple[Callable[[str, int], str], str, str]] = {
    "step": (uris.agent_iteration_uri, "urn:trustgraph:agent:7/i3", "Analysis"),
    "thought": (uris.agent_thought_uri, "urn:trustgraph:agent:7/i3/thought", "Thought"),
    "observation": (
        uris.agent_observation_uri,
        "urn:trustgraph:agent:7/i3/observation",
        "Observation",
    ),
    "finding": (uris.agent_finding_uri, "urn:trustgraph:agent:7/finding/3", "Finding"),
    "result": (uris.agent_step_result_uri, "urn:trustgraph:agent:7/step/3", "StepResult"),
    "edge": (uris.edge_selection_uri, "urn:trustgraph:prov:edge:7:3", "EdgeSelection"),
    "chunk": (uris.chunk_selection_uri, "urn:trustgraph:prov:chunk:7:3", "ChunkSelection"),
}


@pytest.mark.parametrize("case", PLAIN)
def test_plain(case: str) -> None:
    mint, uri, kind = PLAIN[case]
    assert mint("7") == uri
    assert recognise(uri) == Name(kind, "7")


@pytest.mark.parametrize("case", NUMBERED)
def test_numbered(case: str) -> None:
    mint, uri, kind = NUMBERED[case]
    assert mint("7", 3) == uri
    assert recognise(uri) == Name(kind, "7", 3)


@given(sessions)
def test_any_session_id_makes_an_iri_that_tells_it(session: str) -> None:
    for mint, _, kind in PLAIN.values():
        assert recognise(NamedNode(mint(session)).value) == Name(kind, session)
    for numbered, _, kind in NUMBERED.values():
        assert recognise(NamedNode(numbered(session, 12)).value) == Name(kind, session, 12)


@given(sessions, sessions, sessions)
def test_a_collection_has_one_owner(user: str, middle: str, name: str) -> None:
    one = uris.collection_uri(f"{user}:{middle}", name)
    assert one != uris.collection_uri(user, f"{middle}:{name}")
    NamedNode(one)


@pytest.mark.parametrize(
    "mint",
    [
        uris.agent_session_uri,
        uris.question_uri,
        uris.docrag_question_uri,
        uris.page_uri,
        uris.section_uri,
        uris.chunk_uri,
        uris.image_uri,
        uris.activity_uri,
        uris.subgraph_uri,
    ],
)
def test_a_new_iri_each_time(mint: Callable[[], str]) -> None:
    assert mint() != mint()


@pytest.mark.parametrize(
    ("uri", "kind"),
    [
        ("urn:trustgraph:session:7", "GraphRagQuestion"),
        ("urn:trustgraph:prov:retrieval:7", "Exploration"),
        ("urn:trustgraph:prov:selection:7", "Focus"),
        ("urn:trustgraph:prov:answer:7", "Synthesis"),
    ],
)
def test_names_of_earlier_releases(uri: str, kind: str) -> None:
    assert recognise(uri) == Name(kind, "7")


@pytest.mark.parametrize(
    "uri",
    ["", "urn:trustgraph:agent:", "urn:trustgraph:agent:7/i", "urn:trustgraph:agent:7/i1/x", "x"],
)
def test_other_iris_are_not_recognised(uri: str) -> None:
    assert recognise(uri) is None


@pytest.mark.parametrize("digits", [18, 19, 5_000])
def test_number_that_no_step_has_is_no_number(digits: int) -> None:
    """Python reads 4,300 digits and raises at more."""
    name = recognise(f"urn:trustgraph:agent:7/i{'9' * digits}")
    assert (name is not None) == (digits == 18)


def test_sources_and_agents() -> None:
    assert uris.document_uri("https://e/doc") == "https://e/doc"
    assert uris.agent_uri("pdf/1") == "https://trustgraph.ai/agent/pdf%2F1"
    assert uris.user_uri("a:b") == "urn:trustgraph-prov:user:a%3Ab"
    assert uris.model_uri("m") == "urn:trustgraph-prov:model:m"


@pytest.mark.parametrize("name", THEIRS)
def test_each_function_of_trustgraph_is_here_with_its_arguments(name: str) -> None:
    assert name in uris.__all__
    expected = list(inspect.signature(getattr(theirs, name)).parameters)
    assert list(inspect.signature(getattr(uris, name)).parameters) == expected
