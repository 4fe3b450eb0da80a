"""Whatever the recorder writes conforms, and in the strict form is consistent with PROV-O too."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from narrowing import serialized
from ontology_cases import DATA
from test_ontology_reasoning import faults

from trustgraph_prov import Recorder, import_quads, open_store
from trustgraph_prov.namespaces import GRAPH_RETRIEVAL
from trustgraph_prov.stores import Store
from trustgraph_prov.validate import Report, validate

EDGE = {
    "edge": ("https://example.org/kg/dam", "https://example.org/kg/p/height", "41 m"),
    "reasoning": "It names the height.",
    "score": 0.5,
    "concept": "height",
}


def record_everything(store: Store, *, strict: bool) -> None:
    """Runs of each kind, called, failed, cancelled and unfinished."""
    recorder = Recorder(store, strict=strict)
    with recorder.agent("How high is the dam, and why?") as run:
        step = run.begin("Ask the graph.", "knowledge-query", {"question": "height"})
        with step.graph_rag("How high is the dam?") as called:
            called.grounding(["height"])
            called.exploration(3, ["https://example.org/kg/dam"])
            called.focus([EDGE])
            called.synthesis("41 m")
        step.observe("41 m", tool_duration_ms=1.5)
        run.begin("And the reason?", "web-lookup", {}).fail("TimeoutError: 30 s")
        run.conclusion("41 m", model="lumen-70b", in_token=1, out_token=2)
    with recorder.doc_rag("What holds the dam?") as documents:
        documents.grounding(["dam"])
        documents.exploration(["urn:chunk:1", "chunk-2"])
        documents.focus([{"chunk_id": "urn:chunk:1", "score": 0.9}, "chunk-2"])
        documents.synthesis("Its weight.")
    with pytest.raises(ValueError, match="no such dam"), recorder.agent("Which dam?"):
        raise ValueError("no such dam")
    with pytest.raises(KeyboardInterrupt), recorder.graph_rag("Which river?"):
        raise KeyboardInterrupt
    recorder.agent("Whose dam?").analysis("Look it up.", "web-lookup", {}, "The county's")


@pytest.mark.parametrize("strict", [False, True], ids=["default", "strict"])
def test_runs_of_every_kind_and_end_conform(strict: bool) -> None:
    with open_store("memory:") as store:
        record_everything(store, strict=strict)
        assert validate(store) == Report(True, ())


@pytest.mark.parametrize("strict", [False, True], ids=["default", "strict"])
def test_strict_runs_alone_are_consistent_with_prov(strict: bool) -> None:
    with open_store("memory:") as store:
        record_everything(store, strict=strict)
        triples = [quad.triple for quad in store.quads(GRAPH_RETRIEVAL)]
    turtle = serialized(triples, ox.RdfFormat.TURTLE).decode()
    assert (faults(turtle) == []) is strict


@pytest.mark.parametrize(
    "name", ["agent_react", "agent_direct", "agent_plan", "graphrag", "docrag_focus", "legacy"]
)
def test_what_trustgraph_writes_conforms_after_import(name: str) -> None:
    with open_store("memory:") as store:
        import_quads(store, DATA / "trustgraph" / f"{name}.nq", format="nq")
        found = validate(store)
    assert found.conforms
    assert found.results
