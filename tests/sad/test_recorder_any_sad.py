"""Any argument of a recorder is recorded, or refused and nothing is written."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from wrong_values import HELPERS, WRONG, refusal

from trustgraph_prov import ProvError
from trustgraph_prov.errors import InvalidValueError
from trustgraph_prov.recorder import AgentRun, DocRagRun, GraphRagRun, Recorder, Step
from trustgraph_prov.recorder.batch import Batch

GIVEN: dict[str, Any] = {
    "question": "Why?",
    "session_id": "7",
    "kind": AgentRun,
    "number": 1,
    "edge_count": 3,
    "concepts": ["lake"],
    "edges": [("urn:s", "urn:p", "o")],
    "chunks": ["urn:chunk:1"],
    "index": 0,
    "offset": 0,
    "length": 3,
    "uri": "urn:chunk:1",
    "document": "urn:document:1",
}
NOT_ASKED = {"store", "resume"}
"""Arguments that are no value to record: any object may be a store, and any is true or not."""


def recorder() -> Recorder:
    return Recorder(Batch())


def agent() -> AgentRun:
    run = recorder().agent("Why?", session_id="7")
    run.analysis("t")
    return run


def recorded(made: Recorder) -> Recorder:
    """A recorder over a store that has the run that `find` is asked for."""
    made.agent("Why?", session_id="7")
    return made


MADE: dict[type, Callable[[], Any]] = {
    Recorder: recorder,
    AgentRun: agent,
    Step: lambda: agent().begin("t"),
    GraphRagRun: lambda: recorder().graph_rag("Why?", session_id="7"),
    DocRagRun: lambda: recorder().doc_rag("Why?", session_id="7"),
}
INTERNAL = {"restore", "completed", "complete", "outcome", "mint", "emit"}


def methods(kind: type) -> list[str]:
    return [
        name
        for name, one in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
        and name not in INTERNAL
        and len(inspect.signature(one).parameters) > 1
    ]


CASES = [
    pytest.param(kind, method, argument, id=f"{kind.__name__}-{method}-{argument}")
    for kind in MADE
    for method in methods(kind)
    for argument in list(inspect.signature(getattr(kind, method)).parameters)[1:]
    if argument not in NOT_ASKED
]


def arguments(method: Callable[..., Any]) -> dict[str, Any]:
    return {
        name: GIVEN.get(name, "urn:text")
        for name, one in inspect.signature(method).parameters.items()
        if one.default is inspect.Parameter.empty
    }


def written(made: Any) -> set[str]:
    store = made.store if isinstance(made, Recorder) else getattr(made, "run", made).writer.store
    assert isinstance(store, Batch)
    return set(map(str, store.quads()))


@pytest.mark.parametrize(("kind", "method", "argument"), CASES)
def test_any_argument(kind: type, method: str, argument: str) -> None:
    for wrong in WRONG:
        made = MADE[kind]()
        if method == "find":
            recorded(made)
        before = written(made)
        call = getattr(made, method)
        given = {**arguments(call), argument: wrong}
        error = refusal(partial(call, **given))
        assert error is None or written(made) == before
        assert getattr(error, "name", "") not in HELPERS
    made = MADE[kind]()
    if method == "find":
        recorded(made)
    call = getattr(made, method)
    call(**arguments(call))


SEVERAL = [
    pytest.param(kind, method, argument, id=f"{kind.__name__}-{method}-{argument}")
    for kind, method, argument in [
        (AgentRun, "analysis", "tool_candidates"),
        (AgentRun, "begin", "tool_candidates"),
        (AgentRun, "analysis", "parents"),
        (AgentRun, "conclusion", "parents"),
        (GraphRagRun, "grounding", "concepts"),
        (GraphRagRun, "exploration", "entities"),
        (GraphRagRun, "focus", "edges"),
        (DocRagRun, "grounding", "concepts"),
        (DocRagRun, "exploration", "chunks"),
        (DocRagRun, "focus", "chunks"),
    ]
]


@pytest.mark.parametrize(("kind", "method", "argument"), SEVERAL)
def test_one_value_is_not_several(kind: type, method: str, argument: str) -> None:
    wrong: list[Any] = [5, b"abc", {"chunk_id": "urn:c:1"}, [None], [{"chunk": "urn:c:1"}]]
    if argument != "parents":
        wrong.append("abc")
    if argument in ("concepts", "edges", "chunks"):
        wrong.append(None)
    made = MADE[kind]()
    call, before = getattr(made, method), written(made)
    for one in wrong:
        with pytest.raises(ProvError):
            call(**{**arguments(call), argument: one})
    assert written(made) == before


def test_a_focus_on_nothing_names_the_choice() -> None:
    run = recorder().doc_rag("Why?")
    with pytest.raises(InvalidValueError, match="chunk_id is None; expected what was selected"):
        run.focus([None])
    with pytest.raises(InvalidValueError, match="chunks is 'abc'; expected several chunks"):
        run.focus("abc")
    run.focus([])
