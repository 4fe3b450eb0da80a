"""What TrustGraph 2.11's own reader leaves out of what a step holds is shown."""

from __future__ import annotations

from narrowing import rows
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
    on_screen,
    only,
    step,
    take,
    text,
)

from trustgraph_prov import (
    Store,
    render,
    stored_query,
    terms,
    trace,
)
from trustgraph_prov.namespaces import (
    GRAPH_SOURCE,
    TG_CONCEPT,
    TG_ENTITY,
    TG_SELECTED_CHUNK,
    TG_TOOL_CANDIDATE,
)
from trustgraph_prov.statement import statement_iri
from trustgraph_prov.trustgraph import ingest

XSD = "http://www.w3.org/2001/XMLSchema#"


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
        (of,) = run.sources[part.parts[0].uri].origins
        found.append((of.title, of.origins[0].title, of.origins[0].origins[0].title))
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
    (row,) = rows(here.query(stored_query("audit/failed-steps").bind()))
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
