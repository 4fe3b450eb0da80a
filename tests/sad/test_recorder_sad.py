"""What a recorder refuses, and what it does when it cannot write."""

from __future__ import annotations

import asyncio
import sys
import warnings
from collections.abc import Iterable
from typing import Any

import pytest
from pyoxigraph import BlankNode, Quad
from recorder_cases import ASKED, DOCS, RUN, facts

from trustgraph_prov.errors import (
    AlreadyRecordedError,
    InvalidTermError,
    InvalidValueError,
    ProvWarning,
    RunExistsError,
    RunFinishedError,
    StoreError,
    TraceNotFoundError,
)
from trustgraph_prov.recorder import AgentRun, Recorder
from trustgraph_prov.recorder.batch import Batch
from trustgraph_prov.stores import Store, open_store


class Full(Batch):
    """A store that takes so many inserts and is full then."""

    def __init__(self, inserts: int) -> None:
        super().__init__()
        self.left = inserts

    def insert(self, quads: Iterable[Quad]) -> None:
        if not self.left:
            raise StoreError("full", "no space left; free some")
        self.left -= 1
        super().insert(quads)


@pytest.mark.parametrize(("kind", "uri"), [("agent", RUN), ("graph_rag", ASKED), ("doc_rag", DOCS)])
def test_an_id_has_one_run(store: Store, kind: str, uri: str) -> None:
    recorder = Recorder(store)
    getattr(recorder, kind)("first", session_id="7")
    with pytest.raises(RunExistsError, match="already has a run; use another id") as caught:
        getattr(recorder, kind)("second", session_id="7")
    assert caught.value.uri == uri
    assert facts(store, uri)["tg:query"] == {"first"}


def test_a_factory_that_repeats_itself_is_found_out(store: Store) -> None:
    recorder = Recorder(store, new_id=lambda: "7")
    recorder.agent("first")
    with pytest.raises(RunExistsError, match=RUN):
        recorder.agent("second")


@pytest.mark.parametrize("end", ["conclusion", "fail"])
def test_a_run_with_its_answer_does_not_go_on(store: Store, end: str) -> None:
    run = Recorder(store).agent("q", session_id="7")
    getattr(run, end)("z")
    with pytest.raises(RunFinishedError, match="has ended") as caught:
        Recorder(store).agent("q", session_id="7", resume=True)
    assert caught.value.uri == RUN


def test_an_ended_run_takes_nothing_more(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7")
    run.end()
    before = sorted(map(str, store.quads()))
    for call in (run.analysis, run.begin, run.conclusion, run.fail, run.cancel):
        arguments = () if call == run.cancel else ("x",)
        with pytest.raises(RunFinishedError, match=f"{RUN} has ended"):
            call(*arguments)
    docs = Recorder(store).doc_rag("q", session_id="7")
    docs.synthesis("z")
    for part in (docs.grounding, docs.exploration, docs.focus):
        with pytest.raises(RunFinishedError, match=f"{DOCS} has ended"):
            part(["x"])
    assert set(before) <= set(map(str, store.quads()))
    assert facts(store, f"{RUN}/final") == {}


def test_a_step_has_one_outcome(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7")
    step = run.begin("t")
    assert repr(step) == f"<Step {RUN}/i1>"
    step.observe("once")
    with pytest.raises(AlreadyRecordedError, match="i1: what came back from its tool") as caught:
        step.fail("twice")
    with pytest.raises(AlreadyRecordedError, match="is recorded already"):
        run.analysis("t", observation="o").observe("again")
    assert caught.value.uri == f"{RUN}/i1"
    assert facts(store, f"{RUN}/i1")["tg:observation"] == {"once"}


def test_a_part_is_recorded_once(store: Store) -> None:
    run = Recorder(store).graph_rag("q", session_id="7")
    run.exploration(1)
    with pytest.raises(AlreadyRecordedError, match=r"exploration:7: this part of the run is"):
        run.exploration(2)
    agent = Recorder(store).agent("q", session_id="7")
    agent.analysis("t")
    with pytest.raises(AlreadyRecordedError, match="step 1 is recorded already"):
        agent.analysis("t", number=1)


@pytest.mark.parametrize("number", [0, -1, True, 1.5, "1"])
def test_a_number_counts_from_one(number: Any) -> None:
    run = Recorder(Batch()).agent("q")
    with pytest.raises(InvalidValueError, match="expected a whole number from 1"):
        run.analysis("t", number=number)


def test_a_refused_step_takes_no_number() -> None:
    run = Recorder(Batch()).agent("q")
    text: Any = 41
    with pytest.raises(InvalidValueError, match="thought is 41; expected a text"):
        run.analysis(text)
    with pytest.raises(InvalidTermError, match="'no iri' is not valid"):
        run.analysis("t", parents="no iri")
    assert run.analysis("t").number == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: r.agent(7), "question is 7; expected a text"),
        (lambda r: r.agent("q", session_id=7), "session_id is 7; expected a text"),
        (lambda r: r.agent("q", user=7), "user is 7; expected a text"),
        (lambda r: r.agent("q", at="noon"), "at is 'noon'"),
        (lambda r: r.agent("q").end(at="noon"), "at is 'noon'"),
        (lambda r: r.doc_rag("q").exploration([5]), "chunk is 5"),
        (lambda r: r.agent("q").analysis("t", number=1, in_token=True), "inToken is True"),
        (lambda r: r.agent("q").conclusion(7), "answer is 7; expected a text"),
        (lambda r: r.agent("q").analysis("t", tool_candidates="abc"), "expected several texts"),
        (lambda r: r.agent("q").step(1), "step is 1; expected the number of a step"),
        (lambda r: r.graph_rag("q").grounding("abc"), "concepts is 'abc'; expected several texts"),
        (lambda r: r.graph_rag("q").exploration(1, "urn:a"), "expected several IRIs"),
        (lambda r: r.graph_rag("q").focus([{"edge": ("a",)}]), "edge is"),
        (lambda r: r.doc_rag("q").exploration("urn:a"), "expected several chunks"),
        (lambda r: r.doc_rag("q").focus([{"chunk_id": "c", "score": "high"}]), "score is 'high'"),
    ],
)
def test_what_is_not_fit_to_record(call: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        call(Recorder(Batch()))


def test_a_clock_that_tells_no_time_is_named() -> None:
    def clock() -> Any:
        return "noon"

    with pytest.raises(InvalidValueError, match="clock is 'noon'; expected a datetime"):
        Recorder(Batch(), clock=clock).agent("q")


def test_a_blank_node_is_refused_by_name() -> None:
    run = Recorder(Batch()).graph_rag("q")
    with pytest.raises(InvalidTermError, match="'_:b7' is not valid: a blank node has no name"):
        run.focus([("urn:s", "urn:p", BlankNode("b7"))])


def test_a_run_that_is_not_there_is_not_found(store: Store) -> None:
    with pytest.raises(TraceNotFoundError, match=f"{RUN}: no such run"):
        Recorder(store).find(AgentRun, "7")


def test_a_step_that_cannot_be_written_can_be_tried_again() -> None:
    full = Full(1)
    run = Recorder(full).agent("q", session_id="7")
    with pytest.raises(StoreError, match="full: no space left"):
        run.analysis("t")
    with pytest.raises(StoreError, match="full: no space left"):
        run.conclusion("z")
    assert not run.ended
    full.left = 2
    assert run.analysis("t").number == 1
    run.conclusion("z")
    assert run.ended


def _no_fault_of_the_recorder(store: Any) -> None:
    with Recorder(store).agent("q", session_id="7"):
        raise LookupError("the user's own")


def test_an_exception_is_never_hidden_by_a_full_store() -> None:
    with (
        pytest.warns(ProvWarning, match="could not record this: StoreError: full: no space left"),
        pytest.raises(LookupError, match="the user's own") as caught,
    ):
        _no_fault_of_the_recorder(Full(1))
    if sys.version_info >= (3, 11):
        assert "StoreError: full: no space left" in caught.value.__notes__[0]


def test_nor_where_warnings_are_errors() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(LookupError, match="the user's own"):
            _no_fault_of_the_recorder(Full(1))


def test_nor_by_a_step() -> None:
    run = Recorder(Full(2)).agent("q")
    with (
        pytest.warns(ProvWarning, match="could not record this"),
        pytest.raises(LookupError, match="the tool's own"),
        run.begin("t"),
    ):
        raise LookupError("the tool's own")


async def _no_fault_of_the_recorder_either(store: Any) -> None:
    async with Recorder(store).agent("q", session_id="7"):
        raise LookupError("the user's own")


@pytest.mark.parametrize(
    "block", [_no_fault_of_the_recorder, _no_fault_of_the_recorder_either], ids=["with", "async"]
)
def test_the_warning_points_at_the_block(block: Any) -> None:
    with pytest.warns(ProvWarning) as warned, pytest.raises(LookupError):
        asyncio.run(block(Full(1)))
    first = block.__code__.co_firstlineno
    assert warned[0].filename == __file__
    assert first < warned[0].lineno <= first + 2


def test_a_block_left_in_peace_says_that_it_could_not_be_ended() -> None:
    run = Recorder(Full(1)).agent("q")
    with pytest.raises(StoreError, match="full: no space left"), run:
        pass


def test_a_closed_store_is_named() -> None:
    store = open_store("memory:")
    run = Recorder(store).agent("q")
    store.close()
    with pytest.raises(StoreError, match="memory:"):
        run.analysis("t")
