"""Loading stored queries and binding their parameters."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from narrowing import rows

from trustgraph_prov.queries import StoredQuery, load, stored_queries, stored_query

HEAD = """#+ summary: Echo
#+ params:
#+   sh: {type: string}
#+   show: {type: string}
#+   at: {type: dateTime}
#+   count: {type: integer}
#+   node: {type: iri}
#+   any: {type: term}
#+   rows: {type: limit}
"""
BODY = """SELECT ?sh ?show ?at ?count ?node ?any WHERE {
  VALUES ?sh { "{ } # as it stands" }   # param
  VALUES ?show { UNDEF }   # param
  VALUES ?at { UNDEF }   # param
  VALUES ?count { UNDEF }   # param
  VALUES ?node { UNDEF }   # param
  VALUES ?any { UNDEF }   # param
} ORDER BY ?sh ?show
  LIMIT 9   # param: rows
"""


@pytest.fixture
def echo(tmp_path: Path) -> StoredQuery:
    path = tmp_path / "echo.rq"
    path.write_text(HEAD + BODY, encoding="utf-8")
    return load(path, "echo")


def one(query: str) -> ox.QuerySolution:
    return rows(ox.Store().query(query))[0]


def values(query: str, name: str) -> list[str]:
    return [solution[name].value for solution in rows(ox.Store().query(query))]


def test_a_query_runs_as_it_stands(echo: StoredQuery) -> None:
    assert echo.bind() == echo.text
    assert one(echo.text)["sh"].value == "{ } # as it stands"
    assert one(echo.text)["show"] is None


@pytest.mark.parametrize(
    "text",
    [
        'a "quoted" text',
        "two\nlines\r\nand a tab\t",
        "braces } { }}",
        "back\\slash \\n",
        '" } # param',
        "x }   # param",
        "LIMIT 5   # param: rows",
        '" }\n  LIMIT 0   # param: rows\n',
        "VALUES ?sh { UNDEF }   # param",
        '" } UNION { ?s ?p ?o } #',
        "\u2028\u2029\x0b\x0c\x00\x1f\x7f",
        "\\u0022 } INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "?node $show",
        "",
    ],
)
def test_a_value_is_never_read_as_sparql(echo: StoredQuery, text: str) -> None:
    solution = one(echo.bind(sh=text, show=text, rows=3))
    assert solution["sh"].value == text
    assert solution["show"].value == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back(text: str) -> None:
    query = stored_query("trace/search").bind(text=text)
    line = next(line for line in query.split("\n") if "VALUES ?text" in line)
    assert one(f"SELECT ?text WHERE {{ {line} }}")["text"].value == text


def test_a_name_that_another_begins_with_is_left_alone(echo: StoredQuery) -> None:
    solution = one(echo.bind(sh="a"))
    assert (solution["sh"].value, solution["show"]) == ("a", None)
    solution = one(echo.bind(show="b"))
    assert (solution["sh"].value, solution["show"].value) == ("{ } # as it stands", "b")


def test_values_are_typed(echo: StoredQuery) -> None:
    moment = datetime(2026, 3, 2, 10, 15, tzinfo=timezone(timedelta(hours=2)))
    solution = one(echo.bind(at=moment, count="7", node="urn:a", any="urn:b"))
    assert str(solution["at"]).startswith('"2026-03-02T08:15:00Z"^^')
    assert str(solution["count"]).startswith('"7"^^')
    assert solution["node"] == ox.NamedNode("urn:a")
    assert solution["any"] == ox.NamedNode("urn:b")
    assert one(echo.bind(any="no IRI"))["any"] == ox.Literal("no IRI")
    assert one(echo.bind(at="2026-03-02"))["at"].value == "2026-03-02T00:00:00Z"
    assert one(echo.bind(count=ox.Literal(7)))["count"] == ox.Literal(7)
    typed = ox.Literal("2026-03-02T08:15:00+00:00")
    assert one(echo.bind(at=typed))["at"].value == "2026-03-02T08:15:00Z"
    assert one(echo.bind(sh=ox.Literal("hei", language="no")))["sh"].language == "no"


def test_several_values(echo: StoredQuery) -> None:
    assert values(echo.bind(sh=["a", "b", "c"]), "sh") == ["a", "b", "c"]
    assert values(echo.bind(sh=(text for text in "ab"), rows=1), "sh") == ["a"]


def test_none_leaves_the_default(echo: StoredQuery) -> None:
    assert echo.bind(show=None, rows=None) == echo.text


def test_a_limit(echo: StoredQuery) -> None:
    assert "LIMIT 3\n" in echo.bind(rows=3)
    assert "LIMIT 3\n" in echo.bind(rows="3")
    assert values(echo.bind(rows=0), "sh") == []


def test_one_parameter_in_several_sub_selects() -> None:
    bound = stored_query("lineage/sources").bind(answer="urn:a")
    assert bound.count("VALUES ?answer { <urn:a> }\n") == 4
    assert "# param" not in bound


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("trace/show", "SELECT"),
        ("trace/graph", "CONSTRUCT"),
        ("update/delete-trace", "UPDATE"),
        ("update/index-hours", "UPDATE"),
    ],
)
def test_the_form_of_a_query(name: str, form: str) -> None:
    assert stored_query(name).form == form


def test_a_query_tells_what_it_is() -> None:
    show = stored_query("trace/show")
    assert show.params["trace"].required
    assert show.params["trace"].type == "iri"
    assert show.returns == ("node", "property", "value")
    assert show.tags == ("trace",)
    assert list(stored_queries()) == sorted(stored_queries())
