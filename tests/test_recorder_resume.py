"""A session that goes on: numbering continues, and the first question stays."""

from __future__ import annotations

from recorder_cases import ASKED, DOCS, RUN, facts

from trustgraph_prov.emitters import (
    agent_iteration_triples,
    agent_session_triples,
    set_graph,
)
from trustgraph_prov.recorder import AgentRun, Recorder
from trustgraph_prov.stores import Store

I1, I2, I3, FINAL = (f"{RUN}/{name}" for name in ("i1", "i2", "i3", "final"))


def test_a_new_id_is_no_hindrance(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7", resume=True)
    assert facts(store, run.uri)["tg:query"] == {"q"}


def test_one_request_a_step(store: Store) -> None:
    for number in (1, 2, 3):
        with Recorder(store).agent(f"q{number}", session_id="7", resume=True) as run:
            assert run.analysis(f"t{number}").number == number
    with Recorder(store).agent("q", session_id="7", resume=True) as run:
        run.conclusion("z")
    links = [facts(store, node)["prov:wasDerivedFrom"] for node in (I1, I2, I3, FINAL)]
    assert links == [{RUN}, {I1}, {I2}, {I3}]
    assert facts(store, RUN)["tg:query"] == {"q1"}
    assert len(facts(store, RUN)["prov:startedAtTime"]) == 1
    assert len(facts(store, RUN)["prov:endedAtTime"]) == 1


def test_branches_are_found_again(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7")
    run.begin("a")
    run.begin("b")
    again = Recorder(store).agent("q", session_id="7", resume=True)
    again.step(1).observe("1")
    again.step(2).observe("2")
    again.analysis("c")
    assert facts(store, I1)["tg:observation"] == {"1"}
    assert facts(store, I3)["prov:wasDerivedFrom"] == {I1, I2}


def test_the_owner_stays_the_first(store: Store) -> None:
    Recorder(store, user="ana", collection="lake").agent("q", session_id="7")
    run = Recorder(store).agent("q", session_id="7", resume=True)
    assert (run.user, run.collection) == ("ana", "lake")
    called = run.begin("t").graph_rag("q", session_id="7")
    assert facts(store, called.uri)["tgp:user"] == {"ana"}


def test_a_called_run_is_not_the_callers(store: Store) -> None:
    step = Recorder(store).agent("q", session_id="7").begin("t")
    with step.agent("q", session_id="8") as called:
        called.analysis("x")
        called.analysis("y")
        called.conclusion("z")
    run = Recorder(store).agent("q", session_id="7", resume=True)
    assert run.analysis("t").number == 2
    assert facts(store, I2)["prov:wasDerivedFrom"] == {I1}


def test_steps_that_follow_from_another_run_are_not_its_own(store: Store) -> None:
    with Recorder(store).agent("q", session_id="7") as run:
        run.analysis("t")
    Recorder(store).agent("follow-up", session_id="8").analysis("t", parents=I1)
    again = Recorder(store).agent("q", session_id="7", resume=True)
    assert again.analysis("t").number == 2
    again.end()
    assert facts(store, I2)["prov:wasDerivedFrom"] == {I1}


def test_a_retrieval_goes_on_after_its_last_part(store: Store) -> None:
    first = Recorder(store).graph_rag("q", session_id="7")
    focus = (first.exploration(1), first.focus([("urn:a", "urn:b", "urn:c")]))[1]
    answer = Recorder(store).graph_rag("q", session_id="7", resume=True).synthesis("z")
    assert facts(store, answer)["prov:wasDerivedFrom"] == {focus}
    with Recorder(store).doc_rag("q", session_id="7") as docs:
        docs.exploration(["urn:chunk:1"])
    answer = Recorder(store).doc_rag("q", session_id="7", resume=True).synthesis("z")
    assert facts(store, answer)["prov:wasDerivedFrom"] == {f"{DOCS}/exploration"}
    assert len(facts(store, DOCS)["prov:endedAtTime"]) == 1


def test_a_run_written_without_an_index_goes_on(store: Store) -> None:
    """Steps are found by their links where nothing points at the question."""
    triples = agent_session_triples(RUN, "q", "2026-03-02T08:15:00Z")
    triples += agent_iteration_triples(I1, RUN, "t", "a", {}, "o")
    triples += agent_iteration_triples(I2, I1, "t", "a", {}, "o")
    store.insert(set_graph(triples, "urn:graph:retrieval"))
    run = Recorder(store).agent("q", session_id="7", resume=True)
    assert run.analysis("t").uri == I3
    assert facts(store, I3)["prov:wasDerivedFrom"] == {I2}


def test_a_run_can_be_found_without_asking_again(store: Store) -> None:
    Recorder(store).agent("q", session_id="7").analysis("t")
    run = Recorder(store).find(AgentRun, "7")
    assert run.analysis("t").number == 2
    run.conclusion("z")
    assert Recorder(store).find(AgentRun, "7").ended


def test_numbers_by_name(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7")
    assert run.analysis("t", number=5).uri == f"{RUN}/i5"
    assert run.begin("t").number == 6
    assert ASKED not in facts(store, RUN).get("tgp:trace", set())
