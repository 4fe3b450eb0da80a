"""`demo`, `list`, `show` and TrustGraph's own names for them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from cli_cases import AGENT, CALLED, DOC_RAG, FAILED, GRAPH_RAG, NEWEST_FIRST, Outcome, Shell
from pyoxigraph import DefaultGraph, NamedNode, Quad, RdfFormat, parse
from trustgraph_prov_cli.graph import match

from trustgraph_prov import Recorder, Store, open_store
from trustgraph_prov.namespaces import TG, XSD


def uris(outcome: Outcome) -> list[str]:
    return [json.loads(line)["uri"] for line in outcome.lines]


def test_the_demo_lists_four_runs_and_explains_one(tg: Shell) -> None:
    got = tg("demo")
    assert got.code == 0
    table, _, explained = got.out.partition("\n\n")
    assert table.split()[:5] == ["Session", "ID", "Type", "Question", "Time"]
    assert [line.split()[0] for line in table.splitlines()[1:]] == NEWEST_FIRST
    assert AGENT in explained
    assert "Answer" in explained


def test_a_second_demo_changes_nothing(demo: Shell) -> None:
    with open_store(demo.store, read_only=True) as store:
        before = set(store.quads())
    again = demo("demo")
    assert again.code == 0
    with open_store(demo.store, read_only=True) as store:
        assert set(store.quads()) == before


def test_a_demo_beside_other_runs_wants_force(tg: Shell) -> None:
    with open_store(tg.store) as store, Recorder(store).agent("Mine?", session_id="7") as run:
        run.conclusion("Yes.")
    refused = tg("demo")
    assert (refused.code, refused.out) == (2, "")
    assert "holds other runs; --force adds the demo's beside them" in refused.err
    forced = tg("demo", "--force")
    assert forced.code == 0
    assert "Mine?" in forced.out


def test_list_is_json_lines_in_a_pipe(demo: Shell) -> None:
    got = demo("list")
    assert uris(got) == NEWEST_FIRST
    assert json.loads(got.lines[1]) == {
        "uri": AGENT,
        "type": "Agent",
        "question": "Why did the Quarrow plant deliver less power in October 2025, and is it back"
        " to normal?",
        "started_at": "2026-02-18T09:14:05Z",
        "user": "trustgraph",
        "collection": "default",
        "called_from": None,
    }


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--all"], [FAILED, CALLED, AGENT, GRAPH_RAG, DOC_RAG]),
        (["-U", "trustgraph", "-C", "default"], NEWEST_FIRST),
        (["--user", "nobody"], []),
        (["--collection", "other"], []),
        (["--type", "DocRAG"], [DOC_RAG]),
        (["--since", "2026-02-18T09:00"], [FAILED, AGENT]),
        (["--since", "2026-02-18T10:00+01:00"], [FAILED, AGENT]),
        (["--until", "2026-02-17"], [DOC_RAG]),
        (["--until", "2026-02-18T09:00:00Z"], [GRAPH_RAG, DOC_RAG]),
        (["--text", "silt"], [AGENT, DOC_RAG]),
        (["--limit", "1"], [FAILED]),
    ],
)
def test_list_filters(demo: Shell, options: list[str], expected: list[str]) -> None:
    assert uris(demo("list", *options)) == expected


def test_list_pages_with_the_cursor_it_names(demo: Shell) -> None:
    pages: list[str] = []
    before: list[str] = []
    for _ in range(9):
        got = demo("list", "--limit", "1", *before)
        pages += uris(got)
        if not got.err:
            break
        hint = "there are more: --before "
        assert got.err.startswith(hint)
        before = ["--before", got.err.removeprefix(hint).strip()]
    assert pages == NEWEST_FIRST


def test_pages_go_on_among_undated_runs(tg: Shell) -> None:
    lines = "".join(
        f'<urn:trustgraph:agent:{n}> <https://trustgraph.ai/ns/query> "q" <urn:graph:retrieval> .\n'
        for n in range(3)
    )
    tg("import", "-", "--format", "nq", stdin=lines)
    first = tg("list", "--limit", "2")
    before = first.err.split("--before ")[1].strip()
    assert before.startswith("undated,")
    rest = tg("list", "--before", before)
    assert len(uris(first) + uris(rest)) == 3


def test_list_writes_csv_and_tsv(demo: Shell) -> None:
    rows = list(csv.DictReader(io.StringIO(demo("list", "--format", "csv").out)))
    assert [row["uri"] for row in rows] == NEWEST_FIRST
    assert rows[1]["started_at"] == "2026-02-18T09:14:05Z"
    head, first, *_ = demo("list", "--format", "tsv").lines
    assert head.split("\t")[:4] == ["uri", "type", "question", "started_at"]
    assert first.split("\t")[0] == FAILED


def test_an_empty_list_says_so(tg: Shell) -> None:
    assert tg("init").code == 0
    got = tg("list", "--format", "table")
    assert (got.code, got.out, got.err) == (0, "", "no runs\n")
    assert tg("list").out == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-U", "bob"], "no runs of user bob"),
        (["-t", "agent", "-C", "b"], "no runs of collection b of type agent"),
        (["--since", "2026-12-01", "--text", "zz"], "no runs since 2026-12-01 with the text zz"),
    ],
)
def test_a_list_without_runs_names_its_filter(demo: Shell, words: list[str], told: str) -> None:
    got = demo("list", *words, "--format", "table")
    assert (got.code, got.out, got.err) == (0, "", f"{told}\n")


def test_a_type_is_taken_in_letters_of_any_case(demo: Shell) -> None:
    assert uris(demo("list", "--type", "graphrag")) == [GRAPH_RAG]
    assert uris(demo("list", "--type", "AGENT")) == [FAILED, AGENT]


def test_the_seeds_commands_work_word_for_word(demo: Shell) -> None:
    listed = demo("-U", "trustgraph", "-C", "default", command="tg-list-explain-traces")
    assert listed.lines[0].split("  ")[0] == "Session ID"
    assert [line.split()[0] for line in listed.lines[1:]] == NEWEST_FIRST
    shown = demo(GRAPH_RAG, command="tg-show-explain-trace")
    assert "How much water can Lake Quarrow store today?" in shown.out
    found = demo(
        "-p", "https://trustgraph.ai/ns/query", "-g", "urn:graph:retrieval",
        command="tg-query-graph",
    )  # fmt: skip
    assert [line.split()[0] for line in found.lines] == [
        "subject", AGENT, FAILED, DOC_RAG, CALLED, GRAPH_RAG,
    ]  # fmt: skip


def test_the_aliases_take_their_formats(demo: Shell) -> None:
    listed = demo("--format", "json", "--limit", "1", command="tg-list-explain-traces")
    assert uris(listed) == [FAILED]
    shown = demo(DOC_RAG, "--format", "json", "-U", "a", "-C", "b", command="tg-show-explain-trace")
    assert json.loads(shown.out)["uri"] == DOC_RAG


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        (["-s", AGENT, "-p", "tg:query"], 1),
        (["-o", "How much water can Lake Quarrow store today?"], 1),
        (["-o", "tg:DocRagQuestion"], 1),
        (["-p", "tg:query", "-g", ""], 0),
        (["-g", ""], 0),
        (["-p", "tg:query", "--limit", "2"], 2),
        (["--limit", "3"], 3),
        (["-p", "tg:query", "--limit", "9" * 20], 5),
        (["-g", "", "--limit", "9" * 20], 0),
        (["-g", "urn:graph:source", "-p", "tg:query"], 0),
    ],
)
def test_query_graph_fits_patterns(demo: Shell, pattern: list[str], count: int) -> None:
    got = demo(*pattern, "--format", "json", command="tg-query-graph")
    assert len(got.lines) == count


def test_query_graph_takes_a_word_for_text_though_a_prefix_is_called_so(tg: Shell) -> None:
    tg("import", "-", "--format", "turtle", stdin='<urn:s> <urn:p> "tg" .')
    assert len(tg("-o", "tg", "--format", "json", command="tg-query-graph").lines) == 1


@pytest.mark.parametrize("graph", ["", "urn:g"], ids=["default", "named"])
@pytest.mark.parametrize("text", ["tg: hello there", "dcterms:comics", "urn:a", "tg:", "say: <hi>"])
def test_query_graph_finds_a_text_that_looks_like_an_iri(tg: Shell, text: str, graph: str) -> None:
    where = ["--graph", graph] if graph else []
    tg("import", "-", "--format", "turtle", *where, stdin=f'<urn:s> <urn:p> "{text}" .')
    got = tg("-o", text, "--format", "json", command="tg-query-graph")
    assert [json.loads(line)["object"] for line in got.lines] == [text]


@pytest.mark.parametrize("graph", ["", "urn:g"], ids=["default", "named"])
@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("42", {'"42"', f'"42"^^<{XSD}integer>'}),
        ("hi", {'"hi"@en', '"hi"@fr'}),
        ("urn:x", {"<urn:x>", '"urn:x"', f'"urn:x"^^<{XSD}anyURI>'}),
        ("tg:b", {f"<{TG}b>", '"tg:b"'}),
        ("b", set()),
        ("4", set()),
    ],
)
def test_query_graph_finds_the_same_in_every_graph(
    here: Store, word: str, found: set[str], graph: str
) -> None:
    texts = '"42", 42, "hi"@en, "hi"@fr, "hi there", "urn:x", <urn:x>, "tg:b", _:b'
    more = f'"urn:x"^^<{XSD}anyURI>, <{TG}b>, <<( <urn:s> <urn:p> "hi" )>>'
    place = NamedNode(graph) if graph else DefaultGraph()
    for triple in parse(f"<urn:s> <urn:p> {texts}, {more} .", format=RdfFormat.TURTLE):
        here.insert([Quad(triple.subject, triple.predicate, triple.object, place)])
    for where in (None, graph):
        for subject in (None, "urn:s"):
            rows = list(match(here, subject, None, word, where, 20))
            assert {str(row[2]) for row in rows} == found
            assert len(rows) == len(found)
            assert {row[3] for row in rows} <= {place if graph else None}


def test_query_graph_without_rows_says_so(demo: Shell) -> None:
    got = demo("-o", "nothing is called so", command="tg-query-graph")
    assert (got.code, got.out, got.err) == (0, "", "no rows\n")


def test_query_graph_reads_the_default_graph(tg: Shell) -> None:
    tg("import", "-", "--format", "turtle", stdin='<urn:s> <urn:p> "x", <urn:o> .')
    for pattern in (["-p", "urn:p"], ["-g", ""], ["-o", "x"]):
        got = tg(*pattern, "--format", "json", command="tg-query-graph")
        row = json.loads(got.lines[0])
        assert (row["subject"], row["graph"]) == ("urn:s", None)


def test_show_writes_each_format(demo: Shell) -> None:
    assert "✓ finished" in demo("show", AGENT).out
    assert json.loads(demo("show", AGENT, "--format", "json").out)["uri"] == AGENT
    assert demo("show", AGENT, "-f", "html").out.startswith("<!doctype html>")
    assert demo("show", AGENT, "-f", "mermaid").out.startswith("flowchart")
    assert demo("show", AGENT, "-f", "dot").out.startswith("digraph")


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("run.html", "<!doctype html>"),
        ("run.json", "{"),
        ("run.mmd", "flowchart"),
        ("run.dot", "digraph"),
        ("run.txt", "What did the divers find"),
        ("run", "What did the divers find"),
    ],
)
def test_show_writes_a_file_by_its_name(demo: Shell, tmp_path: Path, name: str, start: str) -> None:
    got = demo("show", DOC_RAG, "-o", str(tmp_path / name))
    assert (got.code, got.out) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([name, "store"])


def test_show_cuts_the_answer_and_adds_provenance(demo: Shell) -> None:
    whole = demo("show", GRAPH_RAG).out
    assert len(demo("show", GRAPH_RAG, "--max-answer", "10").out) < len(whole)
    assert len(demo("show", GRAPH_RAG, "--show-provenance").out) > len(whole)


def test_recorded_text_reaches_no_terminal(tg: Shell) -> None:
    nasty = "\x1b[31mred [red]x[/red] \u202e\x9b"
    with open_store(tg.store) as store, Recorder(store).agent(nasty, session_id="7") as run:
        run.conclusion(nasty)
    for words in (
        ["list"],
        ["list", "-f", "table"],
        ["show", run.uri],
        ["show", run.uri, "-f", "json"],
    ):
        out = tg(*words).out
        assert not {"\x1b", "\u202e", "\x9b"} & set(out)
        assert "[red]x[/red]" in out
    assert json.loads(tg("list").out)["question"] == nasty
