"""The rules that every stored query keeps; the design says what each costs when it is broken."""

from __future__ import annotations

import re

import pyoxigraph as ox
import pytest

from trustgraph_prov import namespaces as ns
from trustgraph_prov import resources
from trustgraph_prov.queries import StoredQuery, stored_queries, stored_query

NAMES = list(stored_queries())
GRAPHS = {ns.GRAPH_RETRIEVAL, ns.GRAPH_SOURCE, ns.GRAPH_ONTOLOGY, ns.GRAPH_PROBE}
MARK = re.compile(r"^ *VALUES \?\w+ \{.*\}   # param$")
NOT_EXISTS_ALLOWED = {"trace/list", "trace/list-all", "trace/list-plain", "trace/list-undated"}
KNOWLEDGE = {"knowledge/edges", "knowledge/entities"}
"""They look at the default graph, and leave out what a store that unites all graphs shows there."""
ANY_GRAPH = {
    "trace/quads",
    "usage/graphs",
    "audit/probe-graphs",
    *(f"{name}-in-graph" for name in KNOWLEDGE),
}
"""They look at every graph, or at any, and say so."""


def body(query: StoredQuery) -> str:
    """The query without comments, and without what stands in quotes or angle brackets."""
    lines = [line for line in query.text.split("\n") if not line.startswith("#")]
    text = re.sub(r"#[^\n>]*$", "", "\n".join(lines), flags=re.M)
    return re.sub(r'"(?:[^"\\]|\\.)*"|<[^<>\s]*>', "0", text)


@pytest.fixture(params=NAMES)
def query(request: pytest.FixtureRequest) -> StoredQuery:
    return stored_query(request.param)


def test_there_are_queries() -> None:
    assert len(NAMES) > 30
    assert {name.split("/")[0] for name in NAMES} == {
        "audit",
        "knowledge",
        "lineage",
        "trace",
        "update",
        "usage",
    }


def test_the_header_says_what_it_is(query: StoredQuery) -> None:
    assert query.tags == (query.name.split("/")[0],)
    assert query.summary[0].isupper()
    assert not query.summary.endswith(".")
    assert query.description
    assert all(parameter.description for parameter in query.params.values())
    assert (query.form == "SELECT") == bool(query.returns)
    assert (query.form == "UPDATE") == (query.path.suffix == ".ru")


def test_it_returns_what_its_header_says(query: StoredQuery) -> None:
    if query.form == "SELECT":
        solutions = ox.Store().query(query.text)
        assert isinstance(solutions, ox.QuerySolutions)
        assert tuple(variable.value for variable in solutions.variables) == query.returns


def test_a_select_is_ordered_and_ties_are_broken(query: StoredQuery) -> None:
    if query.form == "SELECT":
        tail = body(query)[body(query).rindex("}") :]
        assert "ORDER BY" in tail
        keys = re.findall(r"\?(\w+)", tail.partition("ORDER BY")[2])
        assert set(keys) <= set(query.returns)
    for limit in re.finditer(r"\bLIMIT\b", body(query)):
        assert re.search(r"ORDER BY [^{}]*$", body(query)[: limit.start()])


def test_no_offset_no_from_no_service(query: StoredQuery) -> None:
    assert not re.search(r"\b(OFFSET|FROM|SERVICE|LOAD|CLEAR|DROP|USING)\b", body(query))


def test_every_pattern_names_its_graph(query: StoredQuery) -> None:
    graphs = set(re.findall(r"GRAPH (\S+)", query.text))
    assert graphs
    named = {graph[1:-1] for graph in graphs if graph.startswith("<")}
    assert named <= GRAPHS
    if query.form != "UPDATE" and query.name not in ANY_GRAPH:
        assert graphs == {f"<{graph}>" for graph in named}


def test_marks_come_first_in_their_where(query: StoredQuery) -> None:
    before = ""
    for line in query.text.split("\n"):
        if "# param" in line and "LIMIT" not in line:
            assert MARK.match(line), line
            assert MARK.match(before) or before.rstrip().endswith("{"), line
        before = line


def test_a_limit_is_a_parameter(query: StoredQuery) -> None:
    for line in query.text.split("\n"):
        if re.match(r" *LIMIT\b", line):
            assert re.search(r"LIMIT \d+   # param: \w+$", line), line


def test_a_default_is_no_type_of_its_own(query: StoredQuery) -> None:
    for name, parameter in query.params.items():
        defaults = set(re.findall(rf"VALUES \?{name} \{{ (.*) \}}   # param", query.text))
        assert len(defaults) <= 1, f"{name} has several defaults: {defaults}"
        if parameter.required:
            assert defaults != {"UNDEF"}, f"{name} needs an example"


def test_values_beside_those_of_a_parameter_are_a_filter(query: StoredQuery) -> None:
    """From five values on, Oxigraph joins two lists with everything in the store."""
    lists = [line for line in query.text.splitlines() if re.match(r"[^#]*\bVALUES\b", line)]
    if query.params and query.name != "audit/probe-graphs":  # which is asked of one probe
        assert all("# param" in line for line in lists)


def test_not_exists_is_for_lists(query: StoredQuery) -> None:
    if query.name not in NOT_EXISTS_ALLOWED | KNOWLEDGE:
        assert "EXISTS" not in body(query)


def test_prefixes_are_used_and_declared(query: StoredQuery) -> None:
    declared = dict(re.findall(r"^PREFIX (\w+): <([^>]*)>$", query.text, re.M))
    rest = re.sub(r"PREFIX \w+: 0", "", body(query))
    used = set(re.findall(r"(?<![\w?])([a-z]+):[A-Za-z]", rest))
    assert used == set(declared)
    for prefix, iri in declared.items():
        assert ns.PREFIXES[prefix] == iri
    assert list(declared) == sorted(declared)


def test_terms_are_declared_in_the_ontology(query: StoredQuery) -> None:
    folder = resources.folder("ontology")
    declared = {
        triple.subject.value
        for name in ("trustgraph.ttl", "extension.ttl")
        for triple in ox.parse(path=str(folder / name))
        if isinstance(triple.subject, ox.NamedNode) and triple.predicate.value == ns.RDF_TYPE
    }
    used = {
        ns.PREFIXES[prefix] + name
        for prefix, name in re.findall(r"(?<![\w?])(tgp?):(\w+)", body(query))
    }
    assert used <= declared


def test_no_blank_node(query: StoredQuery) -> None:
    assert not re.search(r"_:|\[ *\]|\[ *[a-z?]", body(query))


def test_an_unrestricted_path_ends_at_the_anchored_node(query: StoredQuery) -> None:
    """Virtuoso 7 ignores a binding at the start of a recursive path."""
    marked = set(query.params)
    for start in re.findall(r"\?(\w+) \([^()]*(?:\([^()]*\)[^()]*)*\)[*+] ", body(query)):
        assert start not in marked or query.name == "trace/of-node-by-links"


def test_a_parameter_at_the_end_of_a_path_is_anchored_before_it(query: StoredQuery) -> None:
    """Virtuoso 7 forgets it now and then otherwise, and loses rows."""
    text = body(query)
    for found in re.finditer(r"[*+] \?(\w+)\b", text):
        name = found[1]
        if name in query.params:
            before = text[: found.start()].rpartition(f"VALUES ?{name} ")[2]
            assert re.search(rf"\?{name} \w+:\w+ \?\w+ [.;]", before), found[0]
