"""Commands that bring data in, ask it, check it and take it out again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from cli_cases import AGENT, CALLED, DOC_RAG, FAILED, GRAPH_RAG, Shell
from trustgraph_prov_cli.options import TableFormat
from trustgraph_prov_cli.output import write_rows

from trustgraph_prov import GRAPH_ONTOLOGY, open_store, stored_queries
from trustgraph_prov.namespaces import XSD

EVERY = sorted((Path(__file__).parent / "data" / "trustgraph").glob("*.nq"))
(REAL,) = (file for file in EVERY if file.stem == "graphrag")


def held(tg: Shell) -> set[ox.Quad]:
    with open_store(tg.store, read_only=True) as store:
        return set(store.quads())


def test_import_reads_files_and_stdin(tg: Shell, tmp_path: Path) -> None:
    packed = tmp_path / "again.nq.gz"
    packed.write_bytes(gzip.compress(REAL.read_bytes()))
    got = tg("import", str(REAL), str(packed), "-U", "ann", "-C", "papers")
    assert got.code == 0
    assert [line.split(": ")[0] for line in got.lines] == [str(REAL), str(packed)]
    assert "223 quads" in got.lines[0]
    before = held(tg)
    assert tg("import", "-", "-f", "nquads", stdin=REAL.read_bytes()).code == 0
    assert held(tg) == before
    assert json.loads(tg("list", "-U", "ann", "-C", "papers").lines[0])["type"] == "GraphRAG"


def test_import_says_when_runs_miss_their_graph(tg: Shell) -> None:
    turtle = '<urn:trustgraph:agent:1> <https://trustgraph.ai/ns/query> "q" .'
    got = tg("import", "-", "-f", "turtle", stdin=turtle)
    assert got.code == 0
    assert "1 quad in the default graph, as knowledge; --graph urn:graph:retrieval puts" in got.err
    told = tg("import", "-", "-f", "turtle", "--graph", "urn:graph:retrieval", stdin=turtle)
    assert (told.code, told.err) == (0, "")
    assert len(tg("list").lines) == 1


@pytest.mark.parametrize("name", ["all.nq", "all.trig", "all.jsonld"])
def test_export_and_import_are_a_round_trip(demo: Shell, tmp_path: Path, name: str) -> None:
    file, other = tmp_path / name, str(tmp_path / "other")
    out = demo("export", "-o", str(file))
    assert (out.code, out.out) == (0, "")
    assert f"{len(held(demo))} quads" in out.err
    assert demo("import", str(file), "-s", other).code == 0
    with open_store(other, read_only=True) as store:
        assert set(store.quads()) == held(demo)


def test_export_of_one_run(demo: Shell) -> None:
    lines = demo("export", AGENT).lines
    assert any(line.startswith(f"<{CALLED}>") for line in lines)
    assert not any(line.startswith(f"<{DOC_RAG}>") for line in lines)
    terms = demo("export", GRAPH_RAG, "--triple-terms", "-f", "trig").out
    assert "rdf:reifies <<( " in terms
    turtle = demo("export", "--graph", "urn:graph:source", "-f", "turtle").out
    assert "@prefix tg:" in turtle


@pytest.mark.parametrize(
    ("format", "first"),
    [
        ("json", f'{{"question": "{AGENT}", "n": 1, "d": 1.5, "w": null}}'),
        ("csv", "question,n,d,w"),
        ("tsv", "?question\t?n\t?d\t?w"),
        ("table", f"{'question':57}  n  d    w"),
    ],
)
def test_query_writes_each_format(demo: Shell, format: str, first: str) -> None:
    query = (
        f"SELECT ?question (1 AS ?n) ('1.50'^^<http://www.w3.org/2001/XMLSchema#decimal> AS ?d) ?w"
        f" {{ VALUES ?question {{ <{AGENT}> }} }}"
    )
    assert demo("query", query, "--format", format).lines[0] == first


def test_query_results_are_exact_in_csv_and_tsv(tg: Shell) -> None:
    tg("init")
    query = r"""SELECT ("a\"b,\tc\n\u001B" AS ?x) ("é"@fr AS ?y) (<urn:i> AS ?z) { }"""
    assert tg("query", query, "-f", "csv").out == '\x78,y,z\r\n"a""b,\tc\n\x1b",é,urn:i\r\n'
    assert tg("query", query, "-f", "tsv").lines[1].split("\t")[1:] == ['"é"@fr', "<urn:i>"]
    assert json.loads(tg("query", query).out)["x"] == 'a"b,\tc\n\x1b'


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("1.50", "1.50"),
        ("-2e3", "-2e3"),
        ("INF", '"INF"'),
        ("-Infinity", '"-Infinity"'),
        ("NaN", '"NaN"'),
        ("1e999", '"1e999"'),
        ("true", '"true"'),
        ("05", '"05"'),
    ],
)
def test_a_number_is_a_json_number_where_json_has_it(
    capsys: pytest.CaptureFixture[str], value: str, written: str
) -> None:
    term = ox.Literal(value, datatype=ox.NamedNode(f"{XSD}double"))
    write_rows(["x"], [[term]], TableFormat.json)
    assert capsys.readouterr().out == f'{{"x": {written}}}\n'


def test_a_table_without_rows_is_a_note(demo: Shell) -> None:
    nothing = "SELECT ?s { ?s ?p 'nothing is called so' }"
    got = demo("query", nothing, "--format", "table")
    assert (got.code, got.out, got.err) == (0, "", "no rows\n")
    got = demo("query", nothing, "--format", "csv")
    assert (got.lines, got.err) == (["s"], "")


def test_query_takes_names_files_and_stdin(demo: Shell, tmp_path: Path) -> None:
    text = "# SELECT\nPREFIX a: <urn:a>\nASK { GRAPH ?g { ?s ?p ?o } }"
    file = tmp_path / "ask.rq"
    file.write_text(text)
    assert demo("query", str(file)).out == demo("query", "-", stdin=text).out
    assert json.loads(demo("query", str(file)).out) == {"boolean": True}
    shown = demo("query", "trace/show", "-p", f"trace={AGENT}")
    assert {json.loads(line)["node"] for line in shown.lines} >= {AGENT, f"{AGENT}/i1"}
    sources = demo("query", "lineage/sources", "--param", f"answer={AGENT}/final")
    assert sources.code == 0
    graph = demo("query", "trace/graph", "-p", f"trace={AGENT}", "-f", "tsv")
    assert graph.lines[0] == "?subject\t?predicate\t?object"


def test_a_parameter_may_have_several_values(demo: Shell) -> None:
    words = [f"--param=node={uri}" for uri in (f"{AGENT}/i1", f"{FAILED}/i1")]
    rows = [json.loads(line) for line in demo("query", "trace/of-node", *words).lines]
    assert {row["trace"] for row in rows} == {AGENT, FAILED}


def test_an_update_changes_the_store(demo: Shell) -> None:
    got = demo("query", "INSERT DATA { <urn:s> <urn:p> <urn:o> }")
    assert (got.code, got.err) == (0, "updated\n")
    assert ox.Quad(*map(ox.NamedNode, ("urn:s", "urn:p", "urn:o"))) in held(demo)
    assert demo("query", "update/delete-trace", "-p", f"trace={DOC_RAG}").code == 0
    assert DOC_RAG not in demo("list").out


def test_queries_lists_and_prints_them(tg: Shell) -> None:
    names = [json.loads(line)["name"] for line in tg("queries").lines]
    assert names == list(stored_queries())
    assert tg("queries", "trace/show").out.startswith("#+ summary:")


def test_record_reads_json_lines_of_any_run(tg: Shell, tmp_path: Path) -> None:
    lines = [
        {"run": "7", "type": "agent", "event": "question", "question": "Why?"},
        {"run": "7", "type": "agent", "event": "conclusion", "answer": "Because."},
    ]
    got = tg("record", "-U", "ann", stdin="".join(json.dumps(line) + "\n" for line in lines))
    assert (got.code, got.out) == (0, "")
    assert got.err == "2 lines recorded, 0 refused\n"
    again = tg("record", "-U", "ann", stdin=json.dumps(lines[0]))
    assert again.err == "0 lines recorded, 1 there already, 0 refused\n"
    latin = '{"run": "9", "type": "agent", "event": "question", "question": "caf\xe9"}'
    (tmp_path / "latin.jsonl").write_bytes(latin.encode("latin-1"))
    got = tg("record", str(tmp_path / "latin.jsonl"))
    assert got.code == 1
    assert "latin.jsonl:1: not JSON: not in UTF-8 at column 68\n0 lines recorded" in got.err
    run = json.loads(tg("list", "-U", "ann").out)
    assert run["question"] == "Why?"
    assert "Because." in tg("show", run["uri"]).out


def test_init_loads_the_ontology_once(tg: Shell) -> None:
    first = tg("init")
    assert first.code == 0
    assert GRAPH_ONTOLOGY in first.out
    before = held(tg)
    assert tg("init").out == first.out
    assert held(tg) == before
    assert {quad.graph_name for quad in before} == {ox.NamedNode(GRAPH_ONTOLOGY)}


def test_index_adds_what_is_missing(demo: Shell) -> None:
    before = held(demo)
    demo("query", "DELETE { GRAPH ?g { ?s <https://w3id.org/trustgraph-prov/trace> ?o } } "
         "WHERE { GRAPH ?g { ?s <https://w3id.org/trustgraph-prov/trace> ?o } }")  # fmt: skip
    stats = demo("stats")
    assert "`tg-prov index` adds the missing index" in stats.err
    assert held(demo) != before
    assert demo("index").code == 0
    assert held(demo) == before


def test_stats_counts(demo: Shell) -> None:
    got = {row["name"]: row["value"] for row in map(json.loads, demo("stats").lines)}
    assert got["AgentQuestion runs"] == 2
    assert got["store"] == demo.store
    assert got["unfinished runs"] == 0
    assert got["triples in urn:graph:retrieval"] > 300


def test_stats_writes_plain_values_in_tsv(demo: Shell) -> None:
    lines = demo("stats", "-f", "tsv").lines
    assert "AgentQuestion runs\t2" in lines
    assert "unfinished runs\t0" in lines


def test_validate_conforms_after_a_demo(demo: Shell) -> None:
    for words in ([], [AGENT]):
        table = demo("validate", *words, "--format", "table")
        told = "1 run conforms" if words else "5 runs conform"
        assert (table.code, table.out) == (0, f"{told}\n")
    assert demo("validate").out == ""


def test_validate_of_a_store_without_runs_says_so(tg: Shell) -> None:
    tg("init")
    got = tg("validate", "--format", "table")
    assert (got.code, got.out, got.err) == (0, "no runs to check\n", "")
    assert tg("validate").err == "no runs to check\n"


def test_validate_names_violations(demo: Shell) -> None:
    demo("query", "DELETE WHERE { GRAPH ?g { ?s <https://trustgraph.ai/ns/query> ?o } } ")
    got = demo("validate")
    assert got.code == 1
    first = json.loads(got.lines[0])
    assert first["severity"] == "Violation"
    assert "does not conform" in got.err
    assert "Violation" in demo("validate", "-f", "table").out


def test_delete_asks_nobody_in_a_pipe(demo: Shell) -> None:
    before = held(demo)
    refused = demo("delete", AGENT)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("nothing is deleted: --yes")
    counted = demo("delete", AGENT, "--called", "--dry-run")
    assert counted.code == 0
    assert AGENT in counted.out
    assert CALLED in counted.out
    assert held(demo) == before
    assert demo("delete", AGENT, "--called", "--yes").code == 0
    assert json.loads(demo("list", "-a", "--limit", "1").lines[0])["uri"] == FAILED
    assert CALLED not in demo("list", "--all").out


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.stem)
def test_every_value_of_real_data_is_shown(tg: Shell, file: Path) -> None:
    assert tg("import", str(file)).code == 0
    runs = [json.loads(line)["uri"] for line in tg("list", "--all").lines]
    assert runs
    shown: set[str] = set()
    for run in runs:
        shown |= set(texts(json.loads(tg("show", run, "--format", "json").out)))
    for quad in ox.parse(path=str(file)):
        terms = [quad.object]
        if isinstance(quad.object, ox.Triple):
            terms = [quad.object.subject, quad.object.predicate, quad.object.object]
        for term in terms:
            assert isinstance(term, (ox.NamedNode, ox.Literal))
            assert term.value in shown, f"{quad} is not shown"


def texts(value: object) -> Iterator[str]:
    """Every text in a JSON document, keys and numbers included."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from texts(member)
    else:
        yield str(value)
