"""Mermaid and DOT draw the same boxes and arrows, which real tools accept."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable

import pytest
from explain_cases import Story, long_run
from pyoxigraph import NamedNode
from render_cases import HOSTILE, everything, hostile

from trustgraph_prov import Trace
from trustgraph_prov.namespaces import RDF_TYPE, TG_EDGE_SELECTION, TG_FOCUS, TG_SELECTED_EDGE
from trustgraph_prov.render import dot, mermaid
from trustgraph_prov.render.flow import flow


def test_steps_are_boxes_and_links_are_arrows() -> None:
    top = flow(everything())
    assert [box.shape for box in top.boxes] == ["question", "step", "error", "step", "answer"]
    arrows = {(arrow.start, arrow.end, arrow.calls) for arrow in top.arrows}
    assert {("n0", "n1", False), ("n1", "n2", False), ("n1", "n3", False)} <= arrows
    assert {("n2", "n3", False), ("n3", "n4", False), ("n1", "n5", True)} <= arrows
    (inner,) = top.groups
    assert (inner.label, inner.boxes[0].label) == ("GraphRAG, finished", "Who supplied the seal?")
    assert 'gate-seal-g7 — suppliedBy → "Orvik"' in inner.boxes[2].label
    assert "1 more selection" in inner.boxes[2].label


def test_mermaid_of_a_called_run_is_a_subgraph() -> None:
    lines = [line.strip() for line in mermaid(everything()).splitlines()]
    assert lines[0] == "flowchart TD"
    assert 'subgraph runn5["GraphRAG, finished"]' in lines
    assert '-. "calls" .->' in mermaid(everything())
    assert lines.count("end") == 1


def test_dot_of_a_called_run_is_a_cluster() -> None:
    drawn = dot(everything())
    assert "subgraph cluster_runn5 {" in drawn
    assert '[style=dashed, label="calls"]' in drawn
    assert drawn.count("{") == drawn.count("}")


def test_many_edges_are_counted_and_an_edge_without_statement_is_named() -> None:
    story = Story()
    focus = story.step("focus", kind=TG_FOCUS)
    for index in range(8):
        selection = f"urn:trustgraph:prov:edge:1:{index}"
        story.add(focus, {TG_SELECTED_EDGE: selection})
        story.add(selection, {RDF_TYPE: NamedNode(TG_EDGE_SELECTION)})
    label = flow(story.trace()).boxes[1].label
    assert "trustgraph:prov:edge:1:0" in label
    assert "3 more selections" in label


def test_step_whose_parent_is_not_in_the_drawing_hangs_on_the_question() -> None:
    story = Story()
    story.step("i1", "urn:elsewhere")
    assert [(a.start, a.end) for a in flow(story.trace()).arrows] == [("n0", "n1")]


@pytest.mark.skipif(not shutil.which("dot"), reason="needs Graphviz's `dot`")
@pytest.mark.parametrize("run", ["everything", "long", *range(len(HOSTILE))], ids=str)
def test_graphviz_accepts_it(run: str | int) -> None:
    known: dict[str, Callable[[], Trace]] = {
        "everything": everything,
        "long": lambda: long_run(80).trace(),
    }
    trace = known[run]() if isinstance(run, str) else hostile(HOSTILE[run])
    result = subprocess.run(
        ["dot", "-Tsvg"],  # noqa: S607 - found on the PATH, as a user's is
        input=dot(trace).encode(),
        capture_output=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"<script" not in result.stdout
