"""Agent, graph-RAG and document-RAG runs, recorded and read back on every engine."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from recorder_cases import ASKED, DOCS, RUN, Clock, facts, shown

from trustgraph_prov.recorder import Recorder
from trustgraph_prov.stores import Store

I1, I2, I3, FINAL = (f"{RUN}/{name}" for name in ("i1", "i2", "i3", "final"))


def test_a_run_of_one_step(store: Store) -> None:
    with Recorder(store, clock=Clock()).agent("Capital of France?", session_id="7") as run:
        run.analysis(
            thought="Look it up.",
            action="knowledge-query",
            arguments={"question": "capital"},
            observation="Paris",
        )
        run.conclusion("Paris.")
    assert (run.uri, run.ended, repr(run)) == (RUN, True, f"<AgentRun {RUN}>")
    assert facts(store, RUN) == {
        "rdf:type": {"prov:Activity", "tg:Question", "tg:AgentQuestion"},
        "tg:query": {"Capital of France?"},
        "prov:startedAtTime": {"2026-03-02T08:15:00Z^^xsd:dateTime"},
        "prov:endedAtTime": {"2026-03-02T08:15:02Z^^xsd:dateTime"},
        "prov:wasAssociatedWith": {"urn:trustgraph-prov:user:trustgraph"},
        "tgp:user": {"trustgraph"},
        "tgp:collection": {"default"},
        "tgp:trace": {RUN},
        "tgp:inHour": {"urn:trustgraph-prov:hour:trustgraph:default:2026-03-02T08"},
        "tgp:startedAt": {"2026-03-02T08:15:00Z^^xsd:dateTime"},
    }
    assert facts(store, I1) == {
        "rdf:type": {"prov:Entity", "tg:Analysis"},
        "tg:stepNumber": {"1^^xsd:integer"},
        "tg:thought": {"Look it up."},
        "tg:action": {"knowledge-query"},
        "tg:arguments": {'{"question": "capital"}'},
        "tg:observation": {"Paris"},
        "prov:generatedAtTime": {"2026-03-02T08:15:01Z^^xsd:dateTime"},
        "prov:wasDerivedFrom": {RUN},
        "tgp:trace": {RUN},
    }
    assert facts(store, FINAL) == {
        "rdf:type": {"prov:Entity", "tg:Conclusion"},
        "tg:answer": {"Paris."},
        "tg:terminationReason": {"final-answer"},
        "prov:generatedAtTime": {"2026-03-02T08:15:02Z^^xsd:dateTime"},
        "prov:wasDerivedFrom": {I1},
        "tgp:trace": {RUN},
    }


def test_each_call_can_be_read_when_it_returns(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7")
    assert set(shown(store, RUN)) == {RUN}
    step = run.begin("t", "a", {"x": 1})
    assert "tg:observation" not in facts(store, I1)
    assert facts(store, I1)["tg:thought"] == {"t"}
    step.observe("o")
    assert facts(store, I1)["tg:observation"] == {"o"}
    run.conclusion("z")
    assert set(shown(store, RUN)) == {RUN, I1, FINAL}


def test_a_stream_can_be_read_while_it_flows(store: Store) -> None:
    def stream() -> Iterator[str]:
        with Recorder(store).agent("q", session_id="7") as run:
            for word in ("one", "two"):
                run.analysis(word)
                yield word
            run.conclusion("done")

    counts = [len(shown(store, RUN)) for _ in stream()]
    assert counts == [2, 3]
    assert facts(store, FINAL)["tg:answer"] == {"done"}


def test_the_duration_of_a_tool_is_what_lies_between(store: Store) -> None:
    run = Recorder(store, clock=Clock()).agent("q", session_id="7")
    run.begin("t").observe("o")
    run.begin("t").observe("o", 12.4)
    run.analysis("t", tool_duration_ms=7)
    durations = [facts(store, node)["tg:toolDurationMs"] for node in (I1, I2, I3)]
    assert durations == [{"1000^^xsd:integer"}, {"12^^xsd:integer"}, {"7^^xsd:integer"}]


def test_a_clock_that_is_set_back_makes_no_negative_duration(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7")
    run.begin("t", at="2026-03-02T09:00:00Z").observe("o", at="2026-03-02T08:00:00Z")
    assert facts(store, I1)["tg:toolDurationMs"] == {"0^^xsd:integer"}


def test_a_chain(store: Store) -> None:
    with Recorder(store).agent("q", session_id="7") as run:
        numbers = [run.analysis(f"t{n}").number for n in (1, 2, 3)]
        run.conclusion("z")
    assert numbers == [1, 2, 3]
    links = [facts(store, node)["prov:wasDerivedFrom"] for node in (I1, I2, I3, FINAL)]
    assert links == [{RUN}, {I1}, {I2}, {I3}]


def test_steps_open_at_a_time_are_siblings_and_the_next_rests_on_both(store: Store) -> None:
    with Recorder(store).agent("q", session_id="7") as run:
        first, second = run.begin("a"), run.begin("b")
        second.observe("2")
        first.fail("no")
        run.analysis("c")
        run.conclusion("z")
    links = [facts(store, node)["prov:wasDerivedFrom"] for node in (I1, I2, I3, FINAL)]
    assert links == [{RUN}, {RUN}, {I1, I2}, {I3}]


def test_parents_by_name(store: Store) -> None:
    with Recorder(store).agent("q", session_id="7") as run:
        first = run.analysis("a")
        second = run.analysis("b", parents=run)
        run.analysis("c", parents=[first.uri, second])
        run.analysis("d", parents=first)
        run.conclusion("z")
    links = [facts(store, node)["prov:wasDerivedFrom"] for node in (I1, I2, I3, f"{RUN}/i4", FINAL)]
    assert links == [{RUN}, {RUN}, {I1, I2}, {I1}, {I3, f"{RUN}/i4"}]


def test_a_conclusion_on_parents_by_name(store: Store) -> None:
    with Recorder(store).agent("q", session_id="7") as run:
        first = run.analysis("a")
        run.analysis("b")
        run.conclusion(None, parents=first, document_id="urn:doc:1", termination_reason="max-steps")
    found = facts(store, FINAL)
    assert found["prov:wasDerivedFrom"] == {I1}
    assert found["tg:document"] == {"urn:doc:1"}
    assert found["tg:terminationReason"] == {"max-steps"}
    assert "tg:answer" not in found


def test_strict_links(store: Store) -> None:
    recorder = Recorder(store, strict=True)
    with recorder.agent("q", session_id="7") as run:
        run.analysis("a")
        run.conclusion("z")
    with recorder.agent("q", session_id="8") as short_run:
        short_run.conclusion("z")
    assert facts(store, I1)["prov:wasGeneratedBy"] == {RUN}
    assert facts(store, FINAL)["prov:wasDerivedFrom"] == {I1}
    final = facts(store, "urn:trustgraph:agent:8/final")
    assert final["prov:wasGeneratedBy"] == {"urn:trustgraph:agent:8"}
    assert "prov:wasDerivedFrom" not in final


def test_model_and_tokens(store: Store) -> None:
    with Recorder(store).agent("q", session_id="7") as run:
        run.analysis(
            "a", tool_candidates=["x", "y"], model="m", in_token=3, out_token=2, llm_duration_ms=9.5
        )
    found = facts(store, I1)
    assert found["tg:llmModel"] == {"m"}
    assert found["prov:wasAttributedTo"] == {"urn:trustgraph-prov:model:m"}
    assert found["tg:inToken"] == {"3^^xsd:integer"}
    assert found["tg:outToken"] == {"2^^xsd:integer"}
    assert found["tg:llmDurationMs"] == {"10^^xsd:integer"}
    assert found["tg:toolCandidate"] == {"x", "y"}
    model = facts(store, "urn:trustgraph-prov:model:m")
    assert model == {"rdf:type": {"prov:SoftwareAgent"}, "rdfs:label": {"m"}}


def test_what_a_tool_returns_need_not_be_a_text(store: Store) -> None:
    with Recorder(store).agent("q", session_id="7") as run:
        run.analysis("a", "t", '{"given": "as text"}', {"found": [1, 2]})
        run.analysis("b", "t", "word", error=TimeoutError("30 s"))
    assert facts(store, I1)["tg:observation"] == {'{"found": [1, 2]}'}
    assert facts(store, I1)["tg:arguments"] == {'{"given": "as text"}'}
    assert facts(store, I2)["tg:arguments"] == {'"word"'}
    assert facts(store, I2)["tg:toolError"] == {"TimeoutError: 30 s"}
    assert "tg:Error" in facts(store, I2)["rdf:type"]


def test_a_graph_rag_run(store: Store) -> None:
    with Recorder(store, user="ana", collection="lake").graph_rag(
        "How deep?", session_id="7"
    ) as run:
        grounding = run.grounding(["lake"], model="m", in_token=1, out_token=2)
        exploration = run.exploration(12, ["http://e/lake"])
        focus = run.focus(
            [
                {"edge": ("http://e/lake", "http://e/depth", "41 m"), "score": 0.9},
                ("http://e/lake", "http://e/in", "http://e/tarle"),
            ]
        )
        answer = run.synthesis("41 m")
    assert facts(store, ASKED)["tgp:user"] == {"ana"}
    assert facts(store, grounding)["prov:wasGeneratedBy"] == {ASKED}
    assert facts(store, exploration)["prov:wasDerivedFrom"] == {grounding}
    assert facts(store, focus)["prov:wasDerivedFrom"] == {exploration}
    assert facts(store, answer)["prov:wasDerivedFrom"] == {focus}
    assert facts(store, answer)["tg:terminationReason"] == {"final-answer"}
    selections = facts(store, focus)["tg:selectedEdge"]
    assert selections == {f"urn:trustgraph:prov:edge:7:{n}" for n in (0, 1)}
    nodes = shown(store, ASKED)
    assert selections <= set(nodes)
    (statement,) = nodes["urn:trustgraph:prov:edge:7:0"]["tg:edge"]
    assert nodes[statement]["rdf:object"] == {"41 m"}


def test_a_graph_rag_run_without_parts(store: Store) -> None:
    with Recorder(store).graph_rag("q", session_id="7") as run:
        answer = run.synthesis("from memory")
    assert facts(store, answer)["prov:wasGeneratedBy"] == {ASKED}


def test_a_document_rag_run(store: Store) -> None:
    with Recorder(store).doc_rag("How deep?", session_id="7") as run:
        exploration = run.exploration(["urn:chunk:1", "chunk 2"], chunk_count=5)
        focus = run.focus([{"chunk_id": "urn:chunk:1", "score": 0.97}, "chunk 2"])
        answer = run.synthesis(None, document_id="urn:doc:9")
    assert exploration == f"{DOCS}/exploration"
    assert facts(store, exploration)["tg:chunkCount"] == {"5^^xsd:integer"}
    assert facts(store, exploration)["tg:selectedChunk"] == {"urn:chunk:1", "chunk 2"}
    assert facts(store, exploration)["prov:wasGeneratedBy"] == {DOCS}
    first, second = (f"urn:trustgraph:prov:chunk:7:{n}" for n in (0, 1))
    assert facts(store, focus)["tg:selectedChunk"] == {first, second}
    assert facts(store, first)["tg:document"] == {"urn:chunk:1"}
    assert facts(store, second)["tg:content"] == {"chunk 2"}
    assert facts(store, answer)["tg:document"] == {"urn:doc:9"}


def test_a_run_without_a_block_is_ended_by_hand(store: Store) -> None:
    run = Recorder(store, clock=Clock()).doc_rag("q", session_id="7")
    assert "prov:endedAtTime" not in facts(store, DOCS)
    run.end(at="2026-03-02T09:00:00Z")
    run.end()
    assert facts(store, DOCS)["prov:endedAtTime"] == {"2026-03-02T09:00:00Z^^xsd:dateTime"}
    assert facts(store, f"{DOCS}/synthesis") == {}


def test_times_can_be_given(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7", at="2026-03-02T08:15:00+02:00")
    run.analysis("t", at="2026-03-02T06:20:00Z")
    run.conclusion("z", at="2026-03-02T06:21:00Z")
    assert facts(store, RUN)["prov:startedAtTime"] == {"2026-03-02T06:15:00Z^^xsd:dateTime"}
    assert facts(store, I1)["prov:generatedAtTime"] == {"2026-03-02T06:20:00Z^^xsd:dateTime"}
    assert facts(store, RUN)["prov:endedAtTime"] == {"2026-03-02T06:21:00Z^^xsd:dateTime"}


def test_ids_are_made_by_the_factory(store: Store) -> None:
    ids = iter(["7", "8"])
    recorder = Recorder(store, new_id=lambda: next(ids))
    assert [recorder.agent("q").uri, recorder.graph_rag("q").uri] == [
        RUN,
        "urn:trustgraph:question:8",
    ]
    assert Recorder(store).agent("q").uri != Recorder(store).agent("q").uri


def test_threads_share_a_run(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7")
    with ThreadPoolExecutor(8) as pool:
        steps = list(pool.map(lambda n: run.analysis(f"thought {n}"), range(40)))
    run.conclusion("z")
    assert sorted(step.number for step in steps) == list(range(1, 41))
    nodes = shown(store, RUN)
    thoughts = {text for node in nodes.values() for text in node.get("tg:thought", ())}
    assert thoughts == {f"thought {n}" for n in range(40)}
    assert all(len(node["tg:stepNumber"]) == 1 for uri, node in nodes.items() if "/i" in uri)


def test_threads_share_a_recorder(store: Store) -> None:
    recorder = Recorder(store)

    def record(number: int) -> str:
        with recorder.agent("q", session_id=str(number)) as run:
            run.analysis("t")
            return run.conclusion("z")

    with ThreadPoolExecutor(8) as pool:
        finals = list(pool.map(record, range(20)))
    assert len(set(finals)) == 20
    assert all(facts(store, final)["tg:answer"] == {"z"} for final in finals)
