"""Runs recorded from JSON lines, and the schema that describes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from recorder_cases import ASKED, DOCS, RUN, Clock, facts
from strategies import from_schema, json_values

from trustgraph_prov.recorder import LinesReport, Recorder, lines, record_lines
from trustgraph_prov.recorder.batch import Batch
from trustgraph_prov.recorder.schema import line_faults, schema
from trustgraph_prov.stores import Store

AGENT: list[dict[str, Any]] = [
    {"event": "question", "question": "q", "user": "ana", "collection": "lake"},
    {
        "event": "begin",
        "step": 1,
        "thought": "t",
        "action": "a",
        "arguments": {"x": [1]},
        "tool_candidates": ["a", "b"],
        "llm_duration_ms": 9.5,
        "model": "m",
        "in_token": 3,
        "out_token": 2.0,
    },
    {"event": "observation", "step": 1, "observation": "o", "tool_duration_ms": 4},
    {"event": "analysis", "step": 2, "thought": "t", "observation": {"n": 1}, "parents": [1]},
    {"event": "analysis", "step": 3, "thought": "t", "error": "no"},
    {"event": "conclusion", "answer": "z", "parents": [2], "termination_reason": "done"},
]
GRAPH: list[dict[str, Any]] = [
    {"event": "question", "question": "q", "called_from": {"run": "7", "step": 1}},
    {"event": "grounding", "concepts": ["lake"], "model": "m"},
    {"event": "exploration", "edge_count": 3, "entities": ["http://e/lake"]},
    {
        "event": "focus",
        "edges": [
            {"edge": ["http://e/s", "http://e/p", "o"], "score": 1, "reasoning": "r"},
            {"edge": ["http://e/s", "http://e/p", {"value": "o", "language": "en"}]},
            {
                "edge": [
                    "http://e/s",
                    "http://e/p",
                    {"value": "1", "datatype": "http://www.w3.org/2001/XMLSchema#integer"},
                ],
                "concept": "c",
            },
        ],
    },
    {"event": "synthesis", "content": "z"},
]
CHUNKS: list[dict[str, Any]] = [
    {"event": "question", "question": "q"},
    {"event": "exploration", "chunks": ["urn:chunk:1", "text"], "chunk_count": 9},
    {"event": "focus", "chunks": [{"chunk": "urn:chunk:1", "score": 0.9, "reasoning": "r"}]},
    {"event": "synthesis", "document": "urn:doc:1", "termination_reason": "done"},
]


def dated(kind: str, events: list[dict[str, Any]], run: str = "7") -> list[str]:
    return [
        json.dumps({"run": run, "type": kind, "time": f"2026-03-02T08:15:0{n}Z"} | event)
        for n, event in enumerate(events)
    ]


def bare(kind: str, events: list[dict[str, Any]], run: str = "7") -> list[str]:
    return [json.dumps({"run": run, "type": kind} | event) for event in events]


EVERY = [
    *dated("agent", AGENT),
    *dated("graph-rag", GRAPH),
    *dated("doc-rag", CHUNKS),
    *bare("agent", [AGENT[0], {"event": "end", "reason": "error", "error": "no"}], "8"),
    *bare("doc-rag", [CHUNKS[0], {"event": "end", "reason": "cancelled"}], "8"),
    *bare("graph-rag", [{"event": "question", "question": "q"}, {"event": "end"}], "8"),
]


def test_every_event(store: Store) -> None:
    report = record_lines(Recorder(store), EVERY)
    assert report == LinesReport(recorded=len(EVERY))
    assert facts(store, RUN)["tgp:user"] == {"ana"}
    first = facts(store, f"{RUN}/i1")
    assert first["tg:observation"] == {"o"}
    assert first["tg:arguments"] == {'{"x": [1]}'}
    assert first["tg:outToken"] == {"2^^xsd:integer"}
    assert first["prov:generatedAtTime"] == {"2026-03-02T08:15:02Z^^xsd:dateTime"}
    assert facts(store, f"{RUN}/i3")["tg:toolError"] == {"no"}
    assert facts(store, f"{RUN}/final")["prov:wasDerivedFrom"] == {f"{RUN}/i2"}
    assert facts(store, ASKED)["tgp:calledFrom"] == {f"{RUN}/i1"}
    assert facts(store, ASKED)["tgp:user"] == {"ana"}
    answer = "urn:trustgraph:prov:synthesis:7"
    assert first["prov:wasDerivedFrom"] == {RUN, answer}
    assert len(facts(store, "urn:trustgraph:prov:focus:7")["tg:selectedEdge"]) == 3
    assert facts(store, f"{DOCS}/synthesis")["tg:document"] == {"urn:doc:1"}
    assert facts(store, "urn:trustgraph:agent:8/final")["tgp:errorMessage"] == {"no"}
    cancelled = facts(store, "urn:trustgraph:docrag:8/synthesis")
    assert cancelled["tg:terminationReason"] == {"cancelled"}
    assert "prov:endedAtTime" in facts(store, "urn:trustgraph:question:8")


@pytest.mark.parametrize("form", [dated, bare])
def test_lines_sent_twice_change_nothing(store: Store, form: Any) -> None:
    lines = [*form("agent", AGENT), *form("graph-rag", GRAPH), *form("doc-rag", CHUNKS)]
    recorder = Recorder(store, clock=Clock())
    record_lines(recorder, lines)
    before = set(store.quads())
    assert record_lines(recorder, lines) == LinesReport(repeated=len(lines))
    assert set(store.quads()) == before
    doubled = [line for line in form("agent", AGENT, "9") for _ in range(2)]
    assert record_lines(recorder, doubled) == LinesReport(recorded=len(AGENT), repeated=len(AGENT))


def test_an_end_sent_twice(store: Store) -> None:
    for end in ({}, {"reason": "cancelled"}, {"error": "no"}):
        lines = bare("agent", [AGENT[0], {"event": "end", **end}], json.dumps(end))
        assert record_lines(Recorder(store), lines * 2) == LinesReport(recorded=2, repeated=2)


def test_runs_may_be_mixed_and_go_on_in_another_call(store: Store) -> None:
    first, second = bare("agent", AGENT), bare("agent", AGENT, "8")
    mixed = [line for pair in zip(first, second, strict=True) for line in pair]
    for line in mixed:
        assert record_lines(Recorder(store), [line]) == LinesReport(recorded=1)
    for run in (RUN, "urn:trustgraph:agent:8"):
        assert facts(store, f"{run}/i1")["tg:observation"] == {"o"}
        assert facts(store, f"{run}/i3")["prov:wasDerivedFrom"] == {f"{run}/i2"}
        assert facts(store, f"{run}/final")["tg:answer"] == {"z"}


def test_steps_without_a_number_are_numbered(store: Store) -> None:
    step = {"event": "analysis", "thought": "t"}
    record_lines(Recorder(store), bare("agent", [AGENT[0], step, step]))
    assert facts(store, f"{RUN}/i2")["prov:wasDerivedFrom"] == {f"{RUN}/i1"}


def test_bytes_blank_lines_and_a_byte_order_mark(store: Store) -> None:
    (line,) = bare("agent", AGENT[:1])
    report = record_lines(Recorder(store), [b"\xef\xbb\xbf" + line.encode() + b"\r\n", "", "  \n"])
    assert report == LinesReport(recorded=1)


def test_the_mask_holds(store: Store) -> None:
    recorder = Recorder(store, mask=lambda text: text.replace("secret", "[x]"))
    lines = bare(
        "agent", [{"event": "question", "question": "a secret"}, AGENT[5] | {"parents": []}]
    )
    report = record_lines(recorder, [*lines, *lines])
    assert report == LinesReport(recorded=2, repeated=2)
    assert facts(store, RUN)["tg:query"] == {"a [x]"}


def test_a_called_run_that_goes_on_in_another_call_still_ties_its_caller(store: Store) -> None:
    for line in [*bare("agent", AGENT[:2]), *bare("graph-rag", GRAPH)]:
        assert record_lines(Recorder(store), [line]) == LinesReport(recorded=1)
    answer = "urn:trustgraph:prov:synthesis:7"
    assert facts(store, f"{RUN}/i1")["prov:wasDerivedFrom"] == {RUN, answer}
    assert facts(store, ASKED)["tgp:user"] == {"ana"}


def test_more_runs_than_are_kept_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "_HELD", 2)
    batch = Batch()
    mixed = [bare("agent", [event], str(run)) for event in AGENT for run in range(5)]
    report = record_lines(Recorder(batch), [line for each in mixed for line in each])
    assert report == LinesReport(recorded=5 * len(AGENT))


EVENTS = st.sampled_from([part["$ref"].rsplit("/")[-1] for part in schema()["oneOf"]]).flatmap(
    lambda name: from_schema(schema()["$defs"][name], schema()["$defs"])
)


@given(st.lists(EVENTS, max_size=4))
def test_any_lines_are_recorded_or_reported(events: list[dict[str, Any]]) -> None:
    opened = [
        {"event": "question", "question": "q", "type": kind}
        for kind in ("agent", "graph-rag", "doc-rag")
    ]
    every = [json.dumps(event | {"run": "7"}) for event in [*opened, *events]]
    batch = Batch()
    report = record_lines(Recorder(batch), every)
    assert report.recorded + report.repeated + len(report.faults) == len(every)
    before = set(batch.quads())
    numbered = [line for line in every if "step" in line or "begin" not in line]
    again = record_lines(Recorder(batch), [line for line in numbered if "analysis" not in line])
    assert again.recorded == 0
    assert set(batch.quads()) == before


@given(EVENTS, st.sampled_from(["run", "type", "event", "step", "edges", "chunks"]), json_values)
def test_checks_agree_on_any_line(event: dict[str, Any], name: str, value: Any) -> None:
    for line in (event, event | {name: value}, value):
        assert Draft202012Validator(schema()).is_valid(line) == (line_faults(line) == [])


VALID = [json.loads(line) for line in EVERY]
INVALID: list[Any] = [
    7,
    [],
    None,
    {},
    {"run": "7", "type": "agent"},
    {"run": "", "type": "agent", "event": "question", "question": "q"},
    {"run": 7, "type": "agent", "event": "question", "question": "q"},
    {"run": "7", "type": "robot", "event": "question", "question": "q"},
    {"run": "7", "type": "agent", "event": "question"},
    {"run": "7", "type": "agent", "event": "question", "question": None},
    {"run": "7", "type": "agent", "event": "question", "question": "q", "extra": 1},
    {
        "run": "7",
        "type": "agent",
        "event": "question",
        "question": "q",
        "called_from": {"run": "1"},
    },
    {"run": "7", "type": "agent", "event": "dream"},
    {"run": "7", "type": "agent", "event": ["question"]},
    {"run": "7", "type": "agent", "event": "focus", "edges": []},
    {"run": "7", "type": "agent", "event": "begin", "step": 0},
    {"run": "7", "type": "agent", "event": "begin", "step": 1.5},
    {"run": "7", "type": "agent", "event": "begin", "step": True},
    {"run": "7", "type": "agent", "event": "begin", "step": "1"},
    {"run": "7", "type": "agent", "event": "begin", "llm_duration_ms": -1},
    {"run": "7", "type": "agent", "event": "begin", "tool_candidates": "abc"},
    {"run": "7", "type": "agent", "event": "begin", "tool_candidates": ["a", 1]},
    {"run": "7", "type": "agent", "event": "observation", "observation": "o"},
    {"run": "7", "type": "agent", "event": "conclusion", "parents": [0]},
    {"run": "7", "type": "graph-rag", "event": "focus", "edges": [{"edge": ["a", "b"]}]},
    {"run": "7", "type": "graph-rag", "event": "focus", "edges": [{"edge": ["a", "b", 1]}]},
    {"run": "7", "type": "graph-rag", "event": "focus", "edges": [{"edge": ["a", "b", {}]}]},
    {"run": "7", "type": "graph-rag", "event": "focus", "edges": [{"score": 1}]},
    {"run": "7", "type": "doc-rag", "event": "focus", "chunks": [{"chunk": ""}]},
    {"run": "7", "type": "doc-rag", "event": "focus", "chunks": [{"chunk": "c", "score": "9"}]},
    {"run": "7", "type": "doc-rag", "event": "exploration", "edge_count": 1},
    {"run": "7", "type": "agent", "event": "end", "reason": "tired"},
]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("line", VALID, ids=lambda line: f"{line['type']}-{line['event']}")
def test_checks_agree_on_what_is_right(line: dict[str, Any]) -> None:
    Draft202012Validator(schema()).validate(line)
    assert line_faults(line) == []


@pytest.mark.parametrize("line", INVALID, ids=json.dumps)
def test_checks_agree_on_what_is_wrong(line: Any) -> None:
    assert not Draft202012Validator(schema()).is_valid(line)
    assert line_faults(line)


def test_every_event_of_the_schema_has_an_example() -> None:
    described = {
        (kind, part["properties"]["event"]["const"])
        for part in schema()["$defs"].values()
        if "event" in part.get("properties", {})
        for kind in part["properties"]["type"].get(
            "enum", [part["properties"]["type"].get("const")]
        )
    }
    assert described - {(line["type"], line["event"]) for line in VALID} == {
        ("doc-rag", "grounding")
    }
