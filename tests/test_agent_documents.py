"""`document-query` answers from passages of text files, and records which."""

from __future__ import annotations

import os
from pathlib import Path

import pyoxigraph as ox
import pytest
from agent_cases import Scripted, asked, call, final
from hypothesis import given
from hypothesis import strategies as st
from narrowing import value

from trustgraph_prov.agent import DocumentQuery, built_in_tools
from trustgraph_prov.agent.documents import chunks_of
from trustgraph_prov.errors import ToolError
from trustgraph_prov.explain import trace
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.namespaces import TG_SELECTED_CHUNK
from trustgraph_prov.stores import Store, open_store
from trustgraph_prov.validate import validate

ASKED = "How deep is the lake?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "docs" / "lakes"
    inner.mkdir(parents=True)
    (inner / "sereth.md").write_text("# Lake Sereth\n\nThe lake is 41 m deep.\n", "utf-8")
    (tmp_path / "docs" / "dam.txt").write_bytes(b"The dam is 12 m high. \xff\n")
    (tmp_path / "docs" / "lake.bin").write_text("The lake is a secret.", "utf-8")
    (tmp_path / "outside.txt").write_text("The lake outside is deep.", "utf-8")
    (tmp_path / "docs" / "link.txt").symlink_to(tmp_path / "outside.txt")
    return tmp_path / "docs"


@pytest.mark.usefixtures("engine")
def test_a_run_is_recorded_and_its_passages_have_sources(store: Store, folder: Path) -> None:
    model = Scripted(
        call("document-query", f'{{"question": "{ASKED}"}}'), "It is 41 m deep.", final("41 m")
    )
    outcome, _ = asked(store, model, built_in_tools(store, model, documents=folder))
    assert outcome.answer == "41 m"
    run = trace(store, outcome.uri, provenance=True)
    (called,) = run.steps[0].called
    assert (called.question.query, called.answer) == (ASKED, "It is 41 m deep.")
    exploration, synthesis = called.steps
    assert exploration.kind.endswith("/Exploration")
    assert synthesis.kind.endswith("/Synthesis")
    (chunk,) = exploration.values(TG_SELECTED_CHUNK)
    titles = {value(q.object) for q in store.quads() if q.predicate.value.endswith("/title")}
    assert chunk.startswith("urn:chunk:")
    assert titles == {"lakes/sereth.md"}
    assert "The lake is 41 m deep." in model.chats[1][1]["content"]
    assert validate(store).conforms


def test_the_same_passage_has_the_same_name_in_every_run(folder: Path) -> None:
    found: list[set[str]] = []
    for _ in range(2):
        quads: list[ox.Quad] = []
        DocumentQuery(folder, Scripted("41 m")).query(ASKED, quads.extend)
        found.append({value(q.object) for q in quads if q.predicate.value == TG_SELECTED_CHUNK})
    assert found[0] == found[1] != set()


def test_the_best_passage_comes_first_and_changes_are_seen(folder: Path) -> None:
    model = Scripted("41 m", "43 m")
    tool = DocumentQuery(folder, model, passages=1, size=30)
    tool.query(ASKED)
    assert "[lakes/sereth.md]\nThe lake is 41 m deep." in model.chats[0][1]["content"]
    path = folder / "lakes" / "sereth.md"
    path.write_text("The lake is 43 m deep.", "utf-8")
    os.utime(path, ns=(1, 1))
    tool.query(ASKED)
    assert "43 m deep" in model.chats[1][1]["content"]


@pytest.mark.parametrize("question", ["Where is Zzyzx?", "???", ""])
def test_nothing_is_found(folder: Path, question: str) -> None:
    quads: list[ox.Quad] = []
    tool = DocumentQuery(folder, Scripted())
    text = tool.query(question, quads.extend, session_id="7", user="ana", collection="c")
    with open_store("memory:") as store:
        store.insert(quads)
        run = trace(store, "urn:trustgraph:docrag:7")
        assert list_traces(store, user="ana", collection="c").traces
    assert text == run.answer == "The documents hold nothing on this question."


@pytest.mark.parametrize("question", ["東京", "日本の首都はどこですか", "都", "京は"])
def test_text_without_spaces_is_searched(folder: Path, question: str) -> None:
    (folder / "japan.txt").write_text("東京は日本の首都です", "utf-8")
    (folder / "cats.txt").write_text("ねこはかわいいです", "utf-8")
    model = Scripted("東京。")
    assert DocumentQuery(folder, model).query(question) == "東京。"
    assert "[japan.txt]" in model.chats[0][1]["content"]
    assert "[cats.txt]" not in model.chats[0][1]["content"]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("How old is C++?", "c.txt"),
        ("What is C?", "c.txt"),
        ("Who found vitamin K?", "k.txt"),
        ("What's a lake's R?", "r.txt"),
        ("ช่วยบอกฉันหน่อยว่าสถานที่ท่องเที่ยวที่สวยที่สุดในโลกคือทะเลสาบ", "thai.txt"),
    ],
)
def test_a_word_of_one_letter_is_found_and_a_thai_one_at_the_end(
    folder: Path, question: str, title: str
) -> None:
    (folder / "c.txt").write_text("C++ came after C.", "utf-8")
    (folder / "k.txt").write_text("K was found by Dam.", "utf-8")
    (folder / "r.txt").write_text("R has no lakes.", "utf-8")
    (folder / "thai.txt").write_text("ทะเลสาบ", "utf-8")
    model = Scripted("So.")
    assert DocumentQuery(folder, model).query(question) == "So."
    assert f"[{title}]" in model.chats[0][1]["content"]


@pytest.mark.parametrize("content", [None, "", " \n\n ", "the a of"])
def test_a_folder_that_says_nothing(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "a.txt").write_text(content, "utf-8")
    assert "nothing" in DocumentQuery(tmp_path, Scripted()).query(ASKED)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="nowhere is no folder of documents"):
        DocumentQuery(tmp_path / "nowhere", Scripted())


@given(st.text("ab \n", max_size=200), st.integers(1, 40))
def test_passages_hold_the_whole_text(text: str, size: int) -> None:
    chunks = list(chunks_of("a.txt", text, size))
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert "".join("".join(c.text.split()) for c in chunks) == "".join(text.split())
    for chunk in chunks:
        assert text[chunk.offset : chunk.offset + len(chunk.text)] == chunk.text
        assert len(chunk.text) <= size
    assert len({chunk.uri for chunk in chunks}) == len(chunks)
