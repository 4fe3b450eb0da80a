"""Any run that is recorded is read back equal, on every engine."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from conftest import ENGINES
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from narrowing import rows
from pyoxigraph import Literal, NamedNode
from recorder_cases import RUN, shown
from strategies import Story, any_text, broken_text, edges, sessions, stories

from trustgraph_prov.errors import ProvWarning, StoreRefusedError
from trustgraph_prov.queries import stored_query
from trustgraph_prov.recorder import Recorder
from trustgraph_prov.statement import canonical, statement_iri
from trustgraph_prov.stores import Store, open_store

MEGABYTE = 'a"\\\n\tü🛶' * (1_000_000 // 11)

shared_store = settings(max_examples=40)


def _equal(store: Store, story: Story, uri: str) -> None:
    nodes = shown(store, uri)
    assert nodes[uri]["tg:query"] == {story.question}
    assert nodes[f"{uri}/final"]["tg:answer"] == {story.answer}
    assert len(nodes) == len(story.steps) + 2
    for number, step in enumerate(story.steps, 1):
        node = nodes[f"{uri}/i{number}"]
        assert node["tg:stepNumber"] == {str(number)}
        assert node["tg:thought"] == {step.thought}
        assert node["tg:action"] == {step.action}
        assert json.loads(node["tg:arguments"].pop()) == step.arguments
        assert node.get("tg:observation", set()) == _once(step.observation)
        assert node.get("tg:toolError", set()) == _once(step.error)


def _once(text: str | None) -> set[str]:
    return set() if text is None else {text}


def test_any_agent_run(engine: str, tmp_path: Path) -> None:
    ids = iter(range(10**6))
    with open_store(ENGINES[engine](tmp_path)) as store:

        @shared_store
        @given(stories)
        def check(story: Story) -> None:
            session = f"{next(ids)} {story.session}"
            with Recorder(store).agent(story.question, session_id=session) as run:
                for step in story.steps:
                    run.analysis(
                        step.thought,
                        step.action,
                        step.arguments,
                        step.observation,
                        error=step.error,
                    )
                run.conclusion(story.answer)
            _equal(store, story, run.uri)

        check()


def test_any_edges(engine: str, tmp_path: Path) -> None:
    ids = iter(range(10**6))
    with open_store(ENGINES[engine](tmp_path)) as store:

        @shared_store
        @given(st.lists(edges, max_size=3), sessions)
        def check(chosen: list[tuple[str, str, NamedNode | Literal]], session: str) -> None:
            with Recorder(store).graph_rag("q", session_id=f"{next(ids)} {session}") as run:
                try:
                    run.focus(chosen)
                except StoreRefusedError as refusal:
                    assume("has more than the 64 bits" not in str(refusal))
                    raise
                run.synthesis("z")
            found = rows(store.query(stored_query("trace/show").bind(trace=run.uri)))
            objects = {
                row["node"]: row["value"]
                for row in found
                if row["property"].value.endswith("#object")
            }
            for subject, predicate, value in chosen:
                node = statement_iri(NamedNode(subject), NamedNode(predicate), value)
                expected: Any = canonical(value) if isinstance(value, Literal) else value
                assert objects[node] == expected

        check()


def test_any_document_rag_run(engine: str, tmp_path: Path) -> None:
    ids = iter(range(10**6))
    with open_store(ENGINES[engine](tmp_path)) as store:

        @shared_store
        @given(any_text, st.sets(any_text.filter(str.strip), max_size=4), any_text, sessions)
        def check(question: str, chunks: set[str], answer: str, session: str) -> None:
            recorder = Recorder(store)
            with recorder.doc_rag(question, session_id=f"{next(ids)} {session}") as run:
                run.exploration([Literal(chunk) for chunk in sorted(chunks)])
                run.synthesis(answer)
            nodes = shown(store, run.uri)
            assert nodes[run.uri]["tg:query"] == {question}
            exploration = nodes[f"{run.uri}/exploration"]
            assert exploration["tg:chunkCount"] == {str(len(chunks))}
            assert exploration.get("tg:selectedChunk", set()) == chunks
            assert nodes[f"{run.uri}/synthesis"]["tg:content"] == {answer}

        check()


def test_lone_surrogates_are_replaced_and_counted(engine: str, tmp_path: Path) -> None:
    ids = iter(range(10**6))
    with open_store(ENGINES[engine](tmp_path)) as store:

        @shared_store
        @given(broken_text)
        def check(text: str) -> None:
            clean = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                run = Recorder(store).agent(text, session_id=str(next(ids)))
                run.analysis(text, arguments={text: text})
            told = [str(each.message) for each in caught if each.category is ProvWarning]
            lost = sum(a != b for a, b in zip(text, clean, strict=True))
            counts = sorted(int(message.split()[0]) for message in told)
            assert counts == ([lost, lost, 2 * lost] if lost else [])
            nodes = shown(store, run.uri)
            assert nodes[run.uri]["tg:query"] == {clean}
            assert nodes[f"{run.uri}/i1"]["tg:thought"] == {clean}
            assert json.loads(nodes[f"{run.uri}/i1"]["tg:arguments"].pop()) == {clean: clean}

        check()


def test_a_megabyte(store: Store) -> None:
    text = MEGABYTE + "\r\n"
    with Recorder(store).agent(text, session_id="7") as run:
        run.analysis(text, "t", {"text": text}, text)
        run.conclusion(text)
    nodes = shown(store, RUN)
    assert nodes[RUN]["tg:query"] == {text}
    assert nodes[f"{RUN}/i1"]["tg:observation"] == {text}
    assert json.loads(nodes[f"{RUN}/i1"]["tg:arguments"].pop()) == {"text": text}
    assert nodes[f"{RUN}/final"]["tg:answer"] == {text}
