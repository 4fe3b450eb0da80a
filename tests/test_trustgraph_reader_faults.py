"""What TrustGraph 2.11's own reader gets wrong or leaves out, one test each, and is right here."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator

import pytest
from rich.console import Console
from trustgraph import provenance as tg
from trustgraph.schema import Triple as WireTriple
from trustgraph_cases import (
    START,
    agent,
    edge,
    explained,
    extracted,
    graph_rag,
    i,
    listed,
    only,
    shown,
    step,
    take,
    text,
)

from trustgraph_prov import (
    Store,
    TraceNotFoundError,
    open_store,
    render,
    stored_query,
    terms,
    trace,
)
from trustgraph_prov.namespaces import (
    GRAPH_SOURCE,
    RDFS_LABEL,
    TG_CONCEPT,
    TG_ENTITY,
    TG_PLAN_STEP,
    TG_SELECTED_CHUNK,
    TG_TOOL_CANDIDATE,
)
from trustgraph_prov.statement import statement_iri
from trustgraph_prov.trustgraph import ingest

XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.fixture
def here() -> Iterator[Store]:
    with open_store("memory:") as store:
        yield store


def on_screen(store: Store, uri: str, provenance: bool = False) -> str:
    console = Console(file=io.StringIO(), width=200)
    render.text(trace(store, uri, provenance=provenance), console, show_provenance=provenance)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_newest_first_by_instant_and_not_by_text(here: Store) -> None:
    starts = {
        "newest": "2026-03-02T01:00:00-09:00",
        "second": "2026-03-02T09:00:00.5Z",
        "third": "2026-03-02T09:00:00.123456Z",
        "fourth": "2026-03-02T09:00:00Z",
        "fifth": "2026-03-02T10:59:59+02:00",
    }
    take(here, *(agent(name, start=start) for name, start in sorted(starts.items())))
    assert listed(here) == [tg.agent_session_uri(name) for name in starts]


def test_the_limit_applies_after_sorting_and_after_hiding_sub_runs(here: Store) -> None:
    parts = []
    for number in range(12):
        session, start = f"a{number:02}", f"2026-03-02T08:{number:02}:00Z"
        parts += [agent(session, start=start), step(session, 1)]
        for sub in range(3):
            inner, at = f"{session}-{sub}", f"2026-03-02T08:{number:02}:{sub + 1:02}Z"
            under = tg.agent_iteration_uri(session, 1)
            parts.append(tg.question_triples(tg.question_uri(inner), "Which?", at, under))
    take(here, *parts)
    newest = [tg.agent_session_uri(f"a{number:02}") for number in range(11, 6, -1)]
    assert listed(here, limit=5) == newest


def test_runs_with_no_subtype_are_listed(here: Store) -> None:
    question = agent("a1")
    bare = [one for one in question if one.o.iri != tg.TG_AGENT_QUESTION]
    nameless = [WireTriple(s=i("urn:example:run"), p=one.p, o=one.o) for one in bare]
    take(here, bare, nameless)
    assert set(listed(here)) == {tg.agent_session_uri("a1"), "urn:example:run"}


@pytest.mark.parametrize("of", ["question", "answer"])
def test_a_follow_up_question_is_listed(here: Store, of: str) -> None:
    end = tg.agent_final_triples(
        tg.agent_final_uri("a1"), previous_uri=tg.agent_iteration_uri("a1", 1)
    )
    parent = tg.agent_session_uri("a1") if of == "question" else tg.agent_final_uri("a1")
    later = "2026-03-02T09:00:00Z"
    take(here, agent("a1"), step("a1", 1), end, agent("a2", "And then?", later, parent))
    assert listed(here) == [tg.agent_session_uri("a2"), tg.agent_session_uri("a1")]
    assert trace(here, tg.agent_session_uri("a1")).called == ()


@pytest.mark.parametrize("kind", ["analysis", "decomposition", "plan"])
def test_a_sub_run_of_a_step_is_not_listed_and_stands_inside_it(here: Store, kind: str) -> None:
    session = tg.agent_session_uri("a1")
    steps = {
        "analysis": step("a1", 1),
        "decomposition": tg.agent_decomposition_triples("urn:d", session, ["one"]),
        "plan": tg.agent_plan_triples("urn:p", session, ["one"]),
    }
    under = steps[kind][0].s.iri
    take(here, agent("a1"), steps[kind], agent("a2", "Which?", START, under))
    assert listed(here) == [session]
    assert [run.uri for run in only(trace(here, session), under).called] == [
        tg.agent_session_uri("a2")
    ]


def test_doc_rag_with_reranking_keeps_focus_and_answer(here: Store) -> None:
    question, exploration = tg.docrag_question_uri("d1"), tg.docrag_exploration_uri("d1")
    focus, answer = tg.docrag_focus_uri("d1"), tg.docrag_synthesis_uri("d1")
    scores = [{"chunk_id": f"urn:chunk:{n}", "score": 0.9 - n / 10} for n in range(2)]
    parts = [
        tg.docrag_question_triples(question, "Where?", START),
        tg.grounding_triples(tg.docrag_grounding_uri("d1"), question, ["lake"]),
        tg.docrag_exploration_triples(exploration, tg.docrag_grounding_uri("d1"), 2),
        tg.docrag_chunk_selection_triples(focus, exploration, scores, "d1"),
        tg.docrag_synthesis_triples(answer, focus, "urn:answer:d1"),
    ]
    take(here, *parts, documents={"urn:answer:d1": "In the lake."})
    run = trace(here, question)
    assert [node.label for node in run.steps] == ["Grounding", "Exploration", "Focus", "Synthesis"]
    assert [part.score for part in only(run, "focus").parts] == [0.9, 0.8]
    assert (run.answer, run.status) == ("In the lake.", "finished")


def test_a_pattern_decision_or_a_plan_in_the_chain_loses_nothing(here: Store) -> None:
    session, decision, plan = tg.agent_session_uri("a1"), "urn:decision", tg.agent_plan_uri("a1")
    result = tg.agent_step_result_uri("a1", 0)
    take(
        here,
        agent("a1"),
        tg.agent_pattern_decision_triples(decision, session, "plan-then-execute", "research"),
        tg.agent_plan_triples(plan, decision, ["count"]),
        tg.agent_step_result_triples(result, plan, "count", "urn:doc:0"),
        step("a1", 1, result),
        tg.agent_synthesis_triples(
            tg.agent_synthesis_uri("a1"), tg.agent_iteration_uri("a1", 1), "urn:answer:a1"
        ),
    )
    assert shown(here, session) == [
        decision,
        plan,
        result,
        tg.agent_iteration_uri("a1", 1),
        tg.agent_synthesis_uri("a1"),
    ]


@pytest.mark.parametrize("number", [1, None])
def test_a_pattern_decision_comes_before_the_steps_beside_it(here: Store, number: int) -> None:
    session, decision = tg.agent_session_uri("a1"), tg.agent_pattern_decision_uri("a1")
    first = tg.agent_iteration_uri("a1", 1)
    end = tg.agent_final_triples(tg.agent_final_uri("a1"), previous_uri=first)
    decided = tg.agent_pattern_decision_triples(decision, session, "react", "research")
    take(here, agent("a1"), step("a1", 1, step_number=number), decided, end)
    assert shown(here, session) == [decision, first, tg.agent_final_uri("a1")]


def supervised(count: int) -> list[list[WireTriple]]:
    decomposition = tg.agent_decomposition_uri("a1")
    goals = [f"goal {number}" for number in range(count)]
    parts = [
        agent("a1"),
        tg.agent_decomposition_triples(decomposition, tg.agent_session_uri("a1"), goals),
    ]
    for number, goal in enumerate(goals):
        inner = f"sub{number}"
        parts.append(agent(inner, goal, START, decomposition))
        parts.append(step(inner, 1))
        end = tg.agent_final_uri(inner)
        parts.append(tg.agent_final_triples(end, previous_uri=tg.agent_iteration_uri(inner, 1)))
        finding = tg.agent_finding_uri("a1", number)
        parts.append(
            tg.agent_finding_triples(finding, decomposition, goal, f"urn:finding:{number}")
        )
    findings = [tg.agent_finding_uri("a1", number) for number in range(count)]
    parts.append(tg.agent_synthesis_triples(tg.agent_synthesis_uri("a1"), findings, "urn:answer"))
    return parts


def test_findings_sub_agents_and_the_synthesis_of_a_supervisor(here: Store) -> None:
    take(here, *supervised(3), documents={"urn:answer": "All three."})
    run = trace(here, tg.agent_session_uri("a1"))
    assert [node.label for node in run.steps] == [
        "Decomposition",
        *["Finding"] * 3,
        "Synthesis",
    ]
    assert [one.uri for one in only(run, "decompose").called] == [
        tg.agent_session_uri(f"sub{number}") for number in range(3)
    ]
    assert run.answer == "All three."


def test_the_one_synthesis_of_many_findings_is_shown_once(here: Store) -> None:
    take(here, *supervised(4))
    uri = tg.agent_session_uri("a1")
    assert shown(here, uri).count(tg.agent_synthesis_uri("a1")) == 1
    assert (
        json.dumps(render.to_dict(trace(here, uri))).count(
            f'"uri": "{tg.agent_synthesis_uri("a1")}", "kind"'
        )
        == 1
    )


def test_80_iterations_are_whole(here: Store) -> None:
    parts, after = [agent("a1")], None
    for number in range(1, 81):
        parts.append(step("a1", number, after))
        after = tg.agent_observation_uri("a1", number)
        parts.append(tg.agent_observation_triples(after, tg.agent_iteration_uri("a1", number)))
    parts.append(tg.agent_final_triples(tg.agent_final_uri("a1"), previous_uri=after))
    take(here, *parts)
    assert shown(here, tg.agent_session_uri("a1")) == [
        *(tg.agent_iteration_uri("a1", number) for number in range(1, 81)),
        tg.agent_final_uri("a1"),
    ]


def planned(goals: list[str]) -> list[list[WireTriple]]:
    plan, session = tg.agent_plan_uri("a1"), tg.agent_session_uri("a1")
    parts = [agent("a1"), tg.agent_plan_triples(plan, session, goals)]
    results = [tg.agent_step_result_uri("a1", number) for number in range(len(goals))]
    for result, goal in zip(results, goals, strict=True):
        parts.append(tg.agent_step_result_triples(result, plan, goal, f"{result}/doc"))
    return [*parts, tg.agent_synthesis_triples(tg.agent_synthesis_uri("a1"), results, "urn:a")]


def test_30_step_plans_are_whole_and_in_order(here: Store) -> None:
    take(here, *planned([f"step {number}" for number in range(30)]))
    uri = tg.agent_session_uri("a1")
    assert shown(here, uri) == [
        tg.agent_plan_uri("a1"),
        *(tg.agent_step_result_uri("a1", number) for number in range(30)),
        tg.agent_synthesis_uri("a1"),
    ]
    plan = only(trace(here, uri), "plan")
    assert plan.values(TG_PLAN_STEP) == tuple(f"step {number}" for number in range(30))


def test_equal_plan_steps_are_kept_apart_where_the_data_allows(here: Store) -> None:
    take(here, *planned(["count", "count", "compare"]))
    run = trace(here, tg.agent_session_uri("a1"))
    results = [node for node in run.steps if node.label == "Step result"]
    assert [node.value(TG_PLAN_STEP) for node in results] == ["count", "count", "compare"]
    # a plan's own steps are a set of literals; how many there were is left in its label alone
    assert only(run, "plan").value(RDFS_LABEL) == "Plan with 3 steps"


def test_150_chunks_are_whole(here: Store) -> None:
    question, exploration = tg.docrag_question_uri("d1"), tg.docrag_exploration_uri("d1")
    chunks = [f"urn:chunk:{number}" for number in range(150)]
    scores = [{"chunk_id": one, "score": 0.5} for one in reversed(chunks)]
    take(
        here,
        tg.docrag_question_triples(question, "Where?", START),
        tg.docrag_exploration_triples(exploration, question, 150, chunks),
        tg.docrag_chunk_selection_triples(tg.docrag_focus_uri("d1"), exploration, scores, "d1"),
    )
    run = trace(here, question)
    assert only(run, "exploration").values(TG_SELECTED_CHUNK) == tuple(chunks)
    parts = only(run, "focus").parts
    assert [part.uri for part in parts] == [
        tg.chunk_selection_uri("d1", number) for number in range(150)
    ]


def test_120_edges_are_whole_and_in_the_order_of_their_index(here: Store) -> None:
    edges = [{"edge": edge("urn:s", "urn:p", f"urn:o{n % 7}:{n}")} for n in range(120)]
    take(here, *graph_rag("g1", edges))
    focus = only(trace(here, tg.question_uri("g1")), tg.focus_uri("g1"))
    assert len(focus.parts) == 120
    assert [part.uri.rpartition(":")[2] for part in focus.parts] == [str(n) for n in range(120)]
    assert [part.parts[0].uri for part in focus.parts] == [
        statement_iri(*(terms.iri(one.iri) for one in row["edge"])).value for row in edges
    ]


def test_values_without_an_order_are_sorted(here: Store) -> None:
    question, grounding = tg.question_uri("g1"), tg.grounding_uri("g1")
    take(
        here,
        tg.question_triples(question, "Which?", START),
        tg.grounding_triples(grounding, question, ["reeds", "b10", "b9", "moths"]),
        tg.exploration_triples(tg.exploration_uri("g1"), grounding, 2, ["urn:e:10", "urn:e:9"]),
    )
    run = trace(here, question)
    assert run.steps[0].values(TG_CONCEPT) == ("b9", "b10", "moths", "reeds")
    assert run.steps[1].values(TG_ENTITY) == ("urn:e:9", "urn:e:10")


def test_edge_objects_keep_datatype_language_and_kind(here: Store) -> None:
    objects = [
        text("42"),
        text("42", XSD + "integer"),
        text("gnistmott", language="nb-no"),
        text("2026-03-02", XSD + "date"),
        i("urn:42"),
    ]
    take(here, *graph_rag("g1", [{"edge": edge("urn:s", "urn:p", one)} for one in objects]))
    (focus,) = (
        node
        for node in render.to_dict(trace(here, tg.question_uri("g1")))["steps"]
        if node["label"] == "Focus"
    )
    kept = [
        part["parts"][0]["properties"]["http://www.w3.org/1999/02/22-rdf-syntax-ns#object"]
        for part in focus["parts"]
    ]
    assert kept == [
        [{"type": "literal", "value": "42"}],
        [{"type": "literal", "value": "42", "datatype": XSD + "integer"}],
        [{"type": "literal", "value": "gnistmott", "xml:lang": "nb-no"}],
        [{"type": "literal", "value": "2026-03-02", "datatype": XSD + "date"}],
        [{"type": "uri", "value": "urn:42"}],
    ]


def test_provenance_finds_the_source_of_42_the_number_and_of_42_the_text(here: Store) -> None:
    both = {"number": text("42", XSD + "integer"), "text": text("42")}
    source: list[list[WireTriple]] = []
    for name, object in both.items():
        page, chunk = f"urn:page:{name}", f"urn:chunk:{name}"
        source += [
            tg.document_triples(f"urn:doc:{name}", f"Book of {name}"),
            tg.derived_entity_triples(page, f"urn:doc:{name}", "pdf", "1", page_number=3),
            tg.derived_entity_triples(chunk, page, "chunker", "1", chunk_index=7),
            tg.subgraph_provenance_triples(
                tg.subgraph_uri(name), [extracted("urn:s", "urn:p", object)], chunk, "kg", "1"
            ),
        ]
    take(here, *graph_rag("g1", [{"edge": edge("urn:s", "urn:p", one)} for one in both.values()]))
    ingest(explained(*source, graph=GRAPH_SOURCE), here)
    uri = tg.question_uri("g1")
    run = trace(here, uri, provenance=True)
    focus = only(run, tg.focus_uri("g1"))
    found = []
    for part in focus.parts:
        (chunk,) = run.sources[part.parts[0].uri].origins
        found.append((chunk.title, chunk.origins[0].title, chunk.origins[0].origins[0].title))
    assert found == [("chunk 7", "page 3", "Book of number"), ("chunk 7", "page 3", "Book of text")]
    lines = on_screen(here, uri, provenance=True).splitlines()
    sources = [line for line in lines if "Book of" in line]
    assert [("Book of number" in line, "page 3" in line) for line in sources] == [
        (True, True),
        (False, True),
    ]


def test_a_tool_call_that_failed_midway(here: Store) -> None:
    error, first = "timed out after 30 s", tg.agent_observation_uri("a1", 1)
    take(
        here,
        agent("a1"),
        step("a1", 1),
        tg.agent_observation_triples(first, tg.agent_iteration_uri("a1", 1), None, 30000, error),
        step("a1", 2, first),
    )
    run = trace(here, tg.agent_session_uri("a1"))
    failed, going = run.steps
    assert (failed.error, failed.tool_duration_ms) == (error, 30000)
    assert (going.error, going.parts) == (None, ())
    assert error in on_screen(here, run.uri)
    (row,) = here.query(stored_query("audit/failed-steps").bind())
    assert row["trace"].value == run.uri


def test_a_run_that_died_is_marked(here: Store) -> None:
    take(here, agent("a1"), step("a1", 1))
    died = explained(agent("a2"), step("a2", 1))
    ingest([*died, {"error": {"type": "agent-error", "message": "LLM is gone"}}], here)
    assert trace(here, tg.agent_session_uri("a1")).status == "unfinished"
    assert "unfinished" in on_screen(here, tg.agent_session_uri("a1"))
    run = trace(here, tg.agent_session_uri("a2"))
    assert (run.status, run.error) == ("failed", "LLM is gone")
    assert "LLM is gone" in on_screen(here, run.uri)


def test_a_second_synthesis_or_grounding_is_shown(here: Store) -> None:
    question, first, second = tg.question_uri("g1"), tg.synthesis_uri("g1"), "urn:synthesis:2"
    take(
        here,
        *graph_rag("g1"),
        tg.grounding_triples("urn:grounding:2", question, ["lake"]),
        tg.synthesis_triples(second, tg.focus_uri("g1"), "urn:answer:2"),
        documents={"urn:answer:g1": "One.", "urn:answer:2": "Two."},
    )
    run = trace(here, question)
    assert {first, second, "urn:grounding:2", tg.grounding_uri("g1")} <= set(shown(here, question))
    assert {answer.text for answer in run.answers} == {"One.", "Two."}
    screen = on_screen(here, question)
    assert "One." in screen
    assert "Two." in screen


def test_an_answer_hanging_directly_on_the_exploration(here: Store) -> None:
    question, exploration = tg.docrag_question_uri("d1"), tg.docrag_exploration_uri("d1")
    take(
        here,
        tg.docrag_question_triples(question, "Where?", START),
        tg.docrag_exploration_triples(exploration, question, 0),
        tg.docrag_synthesis_triples(tg.docrag_synthesis_uri("d1"), exploration, "urn:answer"),
        documents={"urn:answer": "Nowhere."},
    )
    assert trace(here, question).answer == "Nowhere."


def test_an_unknown_uri_is_an_error(here: Store) -> None:
    take(here, agent("a1"))
    with pytest.raises(TraceNotFoundError, match=r"agent:a2: no such run; nearest: .*agent:a1"):
        trace(here, tg.agent_session_uri("a2"))


def test_errors_durations_tokens_model_and_candidates_are_shown(here: Store) -> None:
    observation = tg.agent_observation_uri("a1", 1)
    take(
        here,
        agent("a1"),
        step(
            "a1",
            1,
            tool_candidates=["search", "graph-rag"],
            llm_duration_ms=833,
            in_token=1893,
            out_token=201,
            model="lumen-70b",
        ),
        tg.agent_observation_triples(
            observation, tg.agent_iteration_uri("a1", 1), None, 2450, "no such index"
        ),
    )
    uri = tg.agent_session_uri("a1")
    (node,) = trace(here, uri).steps
    assert (node.llm_duration_ms, node.tool_duration_ms) == (833, 2450)
    assert (node.in_token, node.out_token, node.model) == (1893, 201, "lumen-70b")
    assert node.values(TG_TOOL_CANDIDATE) == ("graph-rag", "search")
    screen = on_screen(here, uri)
    for said in (
        "no such index",
        "833 ms",
        "2.5 s",
        "1,893 → 201 tokens",
        "lumen-70b",
        "graph-rag",
    ):
        assert said in screen


def asking() -> list[list[WireTriple]]:
    """An agent whose observations derive from the answers of the runs that its steps called."""
    parts, after = [agent("a1")], None
    for number in (1, 2):
        parts.append(step("a1", number, after))
        name = f"g{number}"
        parts += graph_rag(name, parent=tg.agent_iteration_uri("a1", number))
        after = tg.agent_observation_uri("a1", number)
        parts.append(tg.agent_observation_triples(after, tg.synthesis_uri(name), after))
    return [*parts, tg.agent_final_triples(tg.agent_final_uri("a1"), previous_uri=after)]


@pytest.mark.parametrize("indexed", [True, False])
def test_what_comes_after_a_called_run_stays_with_the_caller(here: Store, indexed: bool) -> None:
    if indexed:
        take(here, *asking())
    else:
        here.insert(ingest(explained(*asking())).quads)
    run = trace(here, tg.agent_session_uri("a1"))
    assert [node.uri.rpartition("/")[2] for node in run.steps] == ["i1", "i2", "final"]
    assert [[part.label for part in node.parts] for node in run.steps] == [
        ["Observation"],
        ["Observation"],
        [],
    ]
    assert [[one.uri for one in node.called] for node in run.steps] == [
        [tg.question_uri("g1")],
        [tg.question_uri("g2")],
        [],
    ]
    assert run.status == "finished"


@pytest.mark.parametrize("seed", range(5))
def test_called_runs_are_tied_whatever_comes_first(here: Store, seed: int) -> None:
    messages = explained(*asking())
    ingest(messages, here)
    random.Random(seed).shuffle(messages)
    with open_store("memory:") as other:
        for message in messages:
            ingest([message], other)
        assert set(other.quads()) == set(here.quads())


def test_the_json_form_contains_sub_runs_inside_sub_runs(here: Store) -> None:
    inner = tg.agent_iteration_uri("a2", 1)
    take(
        here,
        agent("a1"),
        step("a1", 1),
        agent("a2", "Who?", START, tg.agent_iteration_uri("a1", 1)),
        step("a2", 1),
        *graph_rag("g1", parent=inner),
    )
    (first,) = json.loads(render.json(trace(here, tg.agent_session_uri("a1"))))["steps"]
    (second,) = first["called"]
    (third,) = second["steps"][0]["called"]
    assert third["uri"] == tg.question_uri("g1")
    assert [node["label"] for node in third["steps"]][-1] == "Synthesis"
