"""A bad line is reported with its number, writes nothing, and the rest goes on."""

from __future__ import annotations

from typing import Any

import pytest
from pyoxigraph import Quad

from trustgraph_prov.errors import StoreError
from trustgraph_prov.recorder import LinesReport, Recorder, record_lines
from trustgraph_prov.recorder.batch import Batch
from trustgraph_prov.recorder.schema import line_faults

ASK = '{"run": "7", "type": "agent", "event": "question", "question": "q"}'
GRAPH = '{"run": "7", "type": "graph-rag", "event": "question", "question": "q"}'
STEP = '{"run": "7", "type": "agent", "event": "analysis", "step": 1, "thought": "t"}'
END = '{"run": "7", "type": "agent", "event": "conclusion", "answer": "z"}'


def line(event: str, more: str = "", kind: str = "agent") -> str:
    return f'{{"run": "7", "type": "{kind}", "event": "{event}"{more}}}'


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes at column 2"),
        ('{"run": NaN}', "not JSON: NaN is not a number at column 9"),
        (b"\xff\xfe", "not JSON: not in UTF-8 at column 1"),
        ("[" * 100_000, "not JSON: nested too deep at column 1"),
        ("7", "expected an object"),
        (line("dream"), "event: expected one of analysis, begin, "),
        (line("focus", ', "edges": []'), "event: 'focus' is not an event of type 'agent'"),
        (line("observation"), "step: missing"),
        (line("begin", ', "step": "1"'), "step: expected a whole number"),
        (line("begin", ', "step": 0'), "step: expected 1 or more"),
        (line("begin", ', "thoughts": "t"'), "thoughts: no such field"),
        (line("begin", ', "tool_candidates": [1]'), "tool_candidates[0]: expected a string"),
        (line("begin", ', "thought": 1, "model": 2'), "thought: expected a string; model: exp"),
        (line("begin", ', "time": "noon"'), "time is 'noon'; expected a datetime"),
        (line("analysis", ', "step": 1, "thought": "t", "time": "noon"'), "time is 'noon'"),
        (line("begin", ', "llm_duration_ms": 1e999'), "not JSON: a number too large at column "),
        (line("begin", ', "parents": [9]'), "step is 9; expected the number of a step of"),
        (line("observation", ', "step": 9'), "step is 9; expected the number of a step of"),
        (line("conclusion", ', "document": "no iri"'), "'no iri' is not valid"),
        (line("end", ', "reason": "tired"'), "reason: expected one of ended, error, cancelled"),
        (line("question", ', "question": "another"'), "already has a run"),
        (line("analysis", ', "step": 1, "thought": "another"'), "step 1 is recorded already"),
        (line("grounding", ', "concepts": []', "doc-rag"), "docrag:7: no such run"),
        (
            line("focus", ', "edges": [{"edge": ["urn:a", "urn:b"]}]', "graph-rag"),
            "edges[0].edge: expected 3 items",
        ),
        (
            line("focus", ', "edges": [{"edge": ["urn:a", "urn:b", {}]}]', "graph-rag"),
            "edges[0].edge[2].value: missing",
        ),
        (
            line("focus", ', "edges": [{"edge": ["_:b1", "urn:b", "c"]}]', "graph-rag"),
            "'_:b1' is not valid: a blank node",
        ),
        (
            line(
                "focus",
                ', "edges": [{"edge": ["urn:a", "urn:b", {"value": "1", "datatype": "x y"}]}]',
                "graph-rag",
            ),
            "'x y' is not valid",
        ),
        (
            line(
                "focus",
                ', "edges": [{"edge": ["urn:a", "urn:b", {"value": "1", "language": "?"}]}]',
                "graph-rag",
            ),
            '{"value": "1", "language": "?"}\' is not valid',
        ),
        (
            '{"run": "8", "type": "doc-rag", "event": "question", "question": "q", '
            '"called_from": {"run": "9", "step": 1}}',
            "agent:9: no such run",
        ),
    ],
)
def test_a_bad_line(bad: str | bytes, message: str) -> None:
    batch, good = Batch(), Batch()
    record_lines(Recorder(good, clock=_noon), [ASK, GRAPH, STEP, END])
    report = record_lines(Recorder(batch, clock=_noon), [ASK, GRAPH, STEP, bad, "", END])
    assert report.recorded == 4
    assert [number for number, _ in report.faults] == [4]
    assert message in report.faults[0][1]
    assert set(batch.quads()) == set(good.quads())


def _noon() -> Any:
    from datetime import datetime

    return datetime(2026, 3, 2, 12)


@pytest.mark.parametrize(
    "late",
    [
        line("conclusion", ', "answer": "another"'),
        line("end", ', "error": "no"'),
        line("end", ', "reason": "cancelled"'),
        line("analysis", ', "step": 2, "thought": "late"'),
        line("analysis", ', "thought": "late"'),
    ],
)
def test_nothing_comes_after_the_answer(late: str) -> None:
    batch = Batch()
    report = record_lines(Recorder(batch), [ASK, STEP, END, late])
    assert report.faults == [
        (4, "urn:trustgraph:agent:7 has ended; start another run, or resume this one")
    ]


def test_the_question_comes_first() -> None:
    report = record_lines(Recorder(Batch()), [STEP, ASK, STEP])
    assert (report.recorded, report.faults[0][0]) == (2, 1)
    assert "urn:trustgraph:agent:7: no such run" in report.faults[0][1]


def test_a_store_that_is_full_ends_it() -> None:
    class Full(Batch):
        def insert(self, quads: Any) -> None:
            raise StoreError("full", "no space left")

    with pytest.raises(StoreError, match="full: no space left"):
        record_lines(Recorder(Full()), [ASK])


def test_no_lines() -> None:
    assert record_lines(Recorder(Batch()), []) == LinesReport()


def test_a_schema_with_unknown_keywords_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from trustgraph_prov.recorder import schema

    changed = schema.schema() | {"oneOf": [{"not": {}}]}
    monkeypatch.setattr(schema, "schema", lambda: changed)
    with pytest.raises(NotImplementedError, match=r"record.schema.json uses \['not'\]"):
        line_faults({"run": "7", "type": "agent", "event": "begin"})


def test_quads_are_what_a_batch_holds() -> None:
    batch = Batch()
    record_lines(Recorder(batch), [ASK])
    assert all(isinstance(quad, Quad) for quad in batch.quads())
