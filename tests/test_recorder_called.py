"""Runs that a step calls: questions of their own, tied to the step on both sides."""

from __future__ import annotations

import pytest
from recorder_cases import RUN, facts, shown

from trustgraph_prov.recorder import Recorder
from trustgraph_prov.stores import Store

I1 = f"{RUN}/i1"


@pytest.mark.parametrize("kind", ["agent", "graph_rag", "doc_rag"])
def test_a_called_run(store: Store, kind: str) -> None:
    with Recorder(store, user="ana", collection="lake").agent("q", session_id="7") as run:
        step = run.begin("Ask.", "query")
        with getattr(step, kind)("called", session_id="8") as called:
            assert facts(store, I1)["prov:wasDerivedFrom"] == {RUN}
            answer = (called.conclusion if kind == "agent" else called.synthesis)("41 m")
        step.observe("41 m")
        run.conclusion("z")
    asked = facts(store, called.uri)
    assert asked["prov:wasInformedBy"] == {RUN}
    assert asked["tgp:calledFrom"] == {I1}
    assert asked["tgp:trace"] == {called.uri}
    assert (asked["tgp:user"], asked["tgp:collection"]) == ({"ana"}, {"lake"})
    assert facts(store, I1)["prov:wasDerivedFrom"] == {RUN, answer}
    assert answer not in shown(store, RUN)


def test_a_called_run_may_belong_to_another_collection(store: Store) -> None:
    step = Recorder(store, user="ana").agent("q", session_id="7").begin("t")
    called = step.doc_rag("called", user="bo", collection="docs")
    assert (called.user, called.collection) == ("bo", "docs")


def test_runs_call_runs_that_call_runs(store: Store) -> None:
    with Recorder(store).agent("q", session_id="7") as run:
        outer = run.begin("t")
        with outer.agent("inner", session_id="8") as inner:
            step = inner.begin("t")
            with step.doc_rag("innermost", session_id="9") as innermost:
                innermost.synthesis("deep")
            step.observe("deep")
            inner.conclusion("deeper")
        outer.observe("deeper")
        run.conclusion("z")
    assert facts(store, innermost.uri)["prov:wasInformedBy"] == {inner.uri}
    assert facts(store, inner.uri)["prov:wasInformedBy"] == {RUN}
    assert facts(store, I1)["prov:wasDerivedFrom"] == {RUN, f"{inner.uri}/final"}


def test_a_called_run_that_fails_is_the_callers_to_handle(store: Store) -> None:
    with Recorder(store).agent("q", session_id="7") as run:
        step = run.begin("t")
        try:
            with step.graph_rag("called", session_id="8"):
                raise ConnectionError("no graph")
        except ConnectionError as error:
            step.fail(error)
        run.conclusion("I could not look it up.")
    failed = facts(store, "urn:trustgraph:prov:synthesis:8")
    assert failed["tgp:errorMessage"] == {"ConnectionError: no graph"}
    assert facts(store, I1)["tg:toolError"] == {"ConnectionError: no graph"}
    assert facts(store, I1)["prov:wasDerivedFrom"] == {RUN}, "an error is no answer to rest on"
    assert facts(store, f"{RUN}/final")["tg:terminationReason"] == {"final-answer"}


def test_a_step_over_may_still_tie_a_run(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7")
    step = run.analysis("t", observation="41 m")
    with step.graph_rag("called", session_id="8") as called:
        answer = called.synthesis("41 m")
    assert facts(store, I1)["prov:wasDerivedFrom"] == {RUN, answer}


def test_a_step_block_records_the_tools_exception(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7")
    with pytest.raises(OSError, match="no disk"), run.begin("t"):
        raise OSError("no disk")
    with pytest.raises(KeyboardInterrupt), run.begin("t"):
        raise KeyboardInterrupt
    with run.begin("t") as step:
        step.observe("o")
    assert facts(store, I1)["tg:toolError"] == {"OSError: no disk"}
    assert "tg:toolError" not in facts(store, f"{RUN}/i2")
    assert facts(store, f"{RUN}/i3")["tg:observation"] == {"o"}
