"""`tg-prov import --from trustgraph` and `tg-prov sources`, as an operator types them."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from cli_cases import DOC_RAG, Shell
from trustgraph import provenance as tgb
from trustgraph_cases import DATA, agent, explained

from trustgraph_prov.namespaces import GRAPH_SOURCE
from trustgraph_prov.stores import open_store
from trustgraph_prov.trustgraph import ingest

PLAN = DATA / "agent_plan.jsonl"
TEXTS = DATA / "agent_plan.docs.json"
ROOTS = json.loads((DATA / "roots.json").read_text(encoding="utf-8"))["agent_plan"]
DOCUMENT = "https://example.org/doc/quarrow-outage-report-2025"


@pytest.fixture
def tg(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    monkeypatch.delenv("TRUSTGRAPH_WORKSPACE", raising=False)
    return Shell(str(tmp_path / "store"), monkeypatch, capsys)


def test_import_list_and_show(tg: Shell) -> None:
    got = tg("import", "--from", "trustgraph", str(PLAN))
    assert (got.code, got.err) == (0, "")
    assert got.out == f"{PLAN}: 33 messages, 307 quads, 0 texts, 5 runs indexed\n"
    listed = tg(command="tg-list-explain-traces")
    assert [line.split()[0] for line in listed.lines[1:]] == ROOTS[::-1]
    shown = tg(ROOTS[0], command="tg-show-explain-trace")
    assert shown.code == 0
    assert "Why was the Halvorsund tidal barrier reopened two months late?" in shown.out


def test_documents_are_put_where_they_belong_whatever_the_format(tg: Shell) -> None:
    quads = str(PLAN.with_suffix(".nq"))
    assert tg("import", quads).code == 0
    got = tg("import", quads, "--documents", str(TEXTS))
    assert (got.code, got.err) == (0, "")
    assert got.lines[-1] == f"{TEXTS}: 18 texts"
    assert "The barrier reopened late" in tg("show", ROOTS[0]).out


def test_texts_that_belong_nowhere_are_counted(tg: Shell, tmp_path: Path) -> None:
    messages = [
        {"message_type": "explain", "explain_id": "urn:run", "explain_graph": ""},
        {"message_type": "thought", "content": "Hm.", "message_id": "nobody"},
        {"message_type": "thought", "content": "Hm.", "message_id": "urn:later"},
    ]
    texts = tmp_path / "texts.json"
    texts.write_text('{"urn:nothing": "?", "no iri": "?", "urn:empty": ""}', encoding="utf-8")
    lines = "\n".join(map(json.dumps, messages))
    got = tg("import", "--from", "trustgraph", "-", "--documents", str(texts), stdin=lines)
    assert got.code == 0
    assert got.out == f"-: 3 messages, 1 quad, 0 texts, 0 runs indexed\n{texts}: 0 texts\n"
    assert ["waiting texts", 2] in [
        [row["name"], row["value"]] for row in map(json.loads, tg("stats").lines)
    ]
    assert got.err.splitlines() == [
        "1 explain message without triples: import those of the nodes that they name as well",
        "1 text kept, in case the steps or answers are imported",
        "1 text of no step or answer in these messages or in the store",
        f"{texts}: 1 text kept, in case a run that points at the documents is imported",
        f"{texts}: 1 text under a name that is no IRI, not written",
    ]


@pytest.mark.parametrize("words", [(), ("--from", "trustgraph")])
def test_documents_may_come_before_their_run(tg: Shell, words: tuple[str, ...]) -> None:
    got = tg("import", *words, "--documents", str(TEXTS))
    assert (got.code, got.out) == (0, f"{TEXTS}: 0 texts\n")
    assert (
        got.err
        == f"{TEXTS}: 18 texts kept, in case a run that points at the documents is imported\n"
    )
    got = tg("import", "--from", "trustgraph", str(PLAN))
    assert got.out == f"{PLAN}: 33 messages, 307 quads, 18 texts, 5 runs indexed\n"
    assert "The barrier reopened late" in tg("show", ROOTS[0]).out


def test_an_import_of_nothing_says_what_it_takes(tg: Shell) -> None:
    got = tg("import", "--from", "trustgraph")
    assert (got.code, got.out) == (2, "")
    assert got.err == "name a file to import, or - for stdin; --documents alone adds texts\n"


@pytest.mark.parametrize(
    ("words", "workspace", "user"),
    [
        ((), None, "trustgraph"),
        (("-w", "acme"), None, "acme"),
        (("--workspace", "acme", "-U", "ann"), "env", "ann"),
        ((), "env", "env"),
        (("-w", "acme"), "env", "acme"),
    ],
)
def test_a_workspace_stands_for_the_user(
    tg: Shell,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    workspace: str | None,
    user: str,
) -> None:
    if workspace:
        monkeypatch.setenv("TRUSTGRAPH_WORKSPACE", workspace)
    stdin = PLAN.read_bytes()
    assert tg("import", "--from", "trustgraph", "-", "-C", "papers", *words, stdin=stdin).code == 0
    assert len(tg("list", "-U", user, "-C", "papers").lines) == 3


@pytest.mark.parametrize(
    ("words", "workspace", "users"),
    [
        ((), None, {"acme", "ann"}),
        (("-w", "acme"), None, {"acme"}),
        ((), "acme", {"acme"}),
        (("-w", "acme"), "env", {"acme"}),
        (("-U", "ann"), "acme", {"ann"}),
        (("-w", "acme", "-U", "nobody"), "acme", set()),
        ((), "", {"acme", "ann"}),
    ],
)
def test_runs_are_listed_by_their_workspace(
    tg: Shell,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    workspace: str | None,
    users: set[str],
) -> None:
    for file, owner in (("graphrag", "acme"), ("docrag", "ann")):
        assert tg("import", str(DATA / f"{file}.nq"), "-w", owner).code == 0
    if workspace is not None:
        monkeypatch.setenv("TRUSTGRAPH_WORKSPACE", workspace)
    got = tg(*words, "--format", "json", command="tg-list-explain-traces")
    assert got.code == 0
    assert {json.loads(line)["user"] for line in got.lines} == users


def test_the_flags_of_trustgraphs_scripts_change_nothing_where_an_iri_says_all(tg: Shell) -> None:
    assert tg("import", "--from", "trustgraph", str(PLAN)).code == 0
    flags = (
        *(("-U", "someone"), ("-w", "somewhere"), ("-C", "other")),
        *(("--user", "someone"), ("--workspace", "somewhere"), ("--collection", "other")),
    )
    for command, words in (("tg-show-explain-trace", (ROOTS[0],)), ("tg-query-graph", ())):
        plain = tg(*words, command=command)
        assert (plain.code, plain.err) == (0, "")
        for flag in flags:
            assert tg(*words, *flag, command=command) == plain


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["import", "--from", "elsewhere", "x"], "'elsewhere' is not"),
        (["import", "--from", "trustgraph", "nope.jsonl"], "nope.jsonl: No such file"),
        (["import", "x.nq", "--documents", "nope.json"], "nope.json: No such file"),
        (["import", "--from", "trustgraph", "."], ".: Is a directory"),
        (["import", "--from", "trustgraph", str(PLAN), "nope.jsonl"], "nope.jsonl: No such file"),
        (["import", "--from", "trustgraph", str(PLAN), "."], ".: Is a directory"),
        (["import", "--from", "trustgraph", "-", "-"], "stdin can be read once"),
        (["import", "--from", "trustgraph", "-f", "nq", "x"], "--format is of RDF files"),
        (["import", "x.jsonl.gz"], "x.jsonl.gz: no RDF file ends like this; --from trustgraph"),
        (["sources", "urn:nope"], "urn:nope: no such document, page or chunk"),
        (["sources", "a document"], "not an absolute IRI"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_word_is_one_line_and_exit_2(tg: Shell, words: list[str], message: str) -> None:
    assert tg("init").code == 0
    got = tg(*words)
    assert (got.code, got.out) == (2, "")
    assert message in got.err
    assert got.err.count("\n") == 1


def test_a_bad_line_is_named_and_nothing_is_written(tg: Shell) -> None:
    good = PLAN.read_text(encoding="utf-8").splitlines()[0]
    got = tg("import", "--from", "trustgraph", "-", stdin=f"{good}\n{{oops\n")
    assert got.code == 2
    assert got.err.startswith("stdin:2: not JSON: ")
    assert tg("list").lines == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_read(tg: Shell, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(PLAN.read_bytes(),))
    writer.start()
    got = tg("import", "--from", "trustgraph", str(pipe))
    writer.join()
    assert (got.code, got.err) == (0, "")
    assert got.out.startswith(f"{pipe}: 33 messages")


def test_sources_as_a_tree(tg: Shell) -> None:
    assert tg("demo").code == 0
    got = tg("sources", DOCUMENT)
    assert got.code == 0
    assert [line[:17] for line in got.lines[:4]] == [
        "Document: Quarrow",
        "├── Page 1  urn:p",
        "│   └── Chunk 0  ",
        "│       └── Subgr",
    ]
    assert "3 edges, by lumen-70b  https://trustgraph.ai/subgraph/" in got.lines[3]
    assert got.lines[-1].strip() == "└── quarrow-unit-2 — returnedToService → 2025-11-14"
    drawn = tg("sources", DOCUMENT, "-f", "mermaid")
    assert drawn.lines[:2] == [
        "flowchart LR",
        '  n0["Document: Quarrow pumped-storage plant: outage report, autumn 2025"]',
    ]
    tree = json.loads(tg("sources", DOCUMENT, "--format", "json").out)
    (chunk,) = tree["parts"][0]["parts"]
    (subgraph,) = chunk["parts"]
    assert len(subgraph["edges"]) == 3
    assert subgraph["made_by"][0]["kind"]


def test_the_query_that_is_named_for_a_wrong_document_names_the_right_ones(tg: Shell) -> None:
    """`show --show-provenance` was named, and its text holds titles, no IRI to go on with."""
    assert tg("demo").code == 0
    wrong = tg("sources", "urn:nope").err
    query = wrong.split("`")[1].removeprefix("tg-prov ").replace("IRI", DOC_RAG)
    documents = {json.loads(line)["document"] for line in tg(*query.split()).lines}
    assert len(documents) == 1
    assert tg("sources", *documents).code == 0


def test_sources_of_imported_messages_and_of_one_page(tg: Shell) -> None:
    parts = [
        tgb.document_triples("urn:doc:1", "\x1b[31mReeds"),
        *(
            tgb.derived_entity_triples(f"urn:page:{n}", "urn:doc:1", "pdf", "1", page_number=n)
            for n in (10, 9)
        ),
        tgb.derived_entity_triples("urn:chunk:1", "urn:page:9", "chunker", "1", chunk_index=0),
        tgb.derived_entity_triples("urn:chunk:1", "urn:page:10", "chunker", "1", chunk_index=0),
        tgb.derived_entity_triples("urn:doc:1", "urn:chunk:1", "loop", "1"),
    ]
    lines = "\n".join(map(json.dumps, explained(*parts, graph=GRAPH_SOURCE)))
    assert tg("import", "--from", "trustgraph", "-", stdin=lines).code == 0
    whole = tg("sources", "urn:doc:1")
    assert whole.lines == [
        "Document: ␛[31mReeds  urn:doc:1",
        "├── Page 9  urn:page:9",
        "└── Page 10  urn:page:10",
        "    └── Chunk 0  urn:chunk:1",
    ]
    assert tg("sources", "urn:page:9").lines[0] == "Page 9  urn:page:9"


def test_index_puts_texts_in_place_that_came_before_their_node(tg: Shell) -> None:
    end = tgb.agent_final_uri("7")
    text = {"message_type": "answer", "content": "Paris", "message_id": end}
    assert tg("import", "--from", "trustgraph", "-", stdin=json.dumps(text)).code == 0
    triples = [*agent("7"), *tgb.agent_final_triples(end, tgb.agent_session_uri("7"))]
    with open_store(tg.store) as store:
        store.insert(ingest(explained(triples)).quads)
    got = tg("index")
    assert got.lines == [
        "1 run indexed, 2 nodes, 0 calls",
        "1 text put in place",
    ]
    assert "Paris" in tg("show", tgb.agent_session_uri("7")).out
    assert tg("index").lines == ["0 runs indexed, 0 nodes, 0 calls"]
