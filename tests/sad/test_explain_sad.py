"""Asking for a run that is not there: what the message says."""

from __future__ import annotations

import re

import pytest
from explain_cases import REAL, Story, load

from trustgraph_prov.errors import TraceNotFoundError
from trustgraph_prov.explain import trace
from trustgraph_prov.stores import Store

RUN = "urn:trustgraph:agent:0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01"
FAILED = "urn:trustgraph:agent:f4b8d2e6-7c19-4a3d-8e50-9b6a1c4d7f05"


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (RUN[:-1], RUN),
        (RUN[:-1] + "2", RUN),
        (RUN.replace("agent", "agemt"), RUN),
        ("0c6e1f1a", RUN),
        ("0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01", RUN),
        (f" {RUN}", RUN),
        ("urn:trustgraph:agent:f4b8d2e6 ", FAILED),
    ],
)
def test_nearest_comes_first(loaded: Store, asked: str, meant: str) -> None:
    with pytest.raises(TraceNotFoundError, match=r"no such run; nearest: ") as caught:
        trace(loaded, asked)
    assert caught.value.nearest[0] == meant
    assert caught.value.uri == asked
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("asked", ["", "!", "urn:x", "https://example.org/nothing/like/it"])
def test_nothing_like_it(loaded: Store, asked: str) -> None:
    with pytest.raises(TraceNotFoundError, match=r"no such run; `tg-prov list` shows all"):
        trace(loaded, asked)


def test_empty_store(store: Store) -> None:
    with pytest.raises(TraceNotFoundError, match=r"no such run; `tg-prov list` shows all"):
        trace(store, RUN)


def test_step_is_named_with_its_run(loaded: Store) -> None:
    with pytest.raises(
        TraceNotFoundError,
        match=re.escape(f"{RUN}/i1: is a step of {RUN}, and no run itself") + "$",
    ) as caught:
        trace(loaded, f"{RUN}/i1")
    assert caught.value.nearest == (RUN,)


def test_step_of_a_run_without_index_is_named_with_its_run(store: Store) -> None:
    (file,) = (file for file in REAL if file.stem == "agent_react")
    load(store, file)
    step = "urn:trustgraph:agent:9bf1bba3-5e4f-45d5-8db9-d0df470e82e8/i3/observation"
    run = step.removesuffix("/i3/observation")
    with pytest.raises(TraceNotFoundError, match=re.escape(f"is a step of {run},")):
        trace(store, step)


def test_question_without_text_is_found_by_its_index(store: Store) -> None:
    story = Story()
    story.rows = [row for row in story.rows if not row[1].endswith("query")]
    store.insert(story.quads())
    assert trace(store, story.uri).question.query == ""
