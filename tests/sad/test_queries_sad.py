"""Stored queries that are wrong, and values that do not fit."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode

from trustgraph_prov.answers import rows, triples
from trustgraph_prov.errors import InputSyntaxError, QueryError
from trustgraph_prov.queries import load, stored_query
from trustgraph_prov.stores import Store

GOOD = "#+ summary: S\n#+ params: {a: {type: string}}\n"
WHERE = "SELECT ?a WHERE {\n  VALUES ?a { UNDEF }   # param\n} ORDER BY ?a\n"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (WHERE, 1, "needs a `#+ summary:` header"),
        ("#+ description: D\n" + WHERE, 1, "needs a `#+ summary:` header"),
        ("#+ a list\n" + WHERE, 1, "needs a `#+ summary:` header"),
        ("#+ summary: S\n#+ params: {a: \n" + WHERE, 2, "header is not YAML"),
        ("#+ summary: S\n#+ bad: 'open\n" + WHERE, 2, "header is not YAML"),
        ("#+ summary: S\x01\n" + WHERE, 1, "header is not YAML"),
        ("#+ summary: S\n#+ author: me\n" + WHERE, 2, "unknown header key 'author'"),
        ("#+ summary: S\n" + WHERE, 3, "parameter 'a' is used and not declared"),
        (GOOD + "SELECT ?a WHERE {}\n", 2, "parameter 'a' is declared and not used"),
        (GOOD + WHERE.replace("UNDEF }", "UNDEF"), 4, "a mark stands behind"),
        (GOOD + WHERE + "LIMIT ten   # param: n\n", 6, "a mark stands behind"),
        (GOOD + WHERE + "# param a is a text\n", 6, "a mark stands behind"),
        (GOOD + WHERE + "LIMIT 3   # param: a\n", 6, "a value and a limit at once"),
        ("#+ summary: S\n#+ params: [a]\n" + WHERE, 2, "`params` is a mapping"),
        ("#+ summary: S\n#+ params:\n#+   a: iri\n" + WHERE, 3, "'a' is a mapping"),
        (GOOD.replace("string", "text") + WHERE, 2, "its type is one of"),
        (GOOD.replace("string", "limit") + WHERE, 2, "its type is one of"),
        (GOOD.replace("type: string", "kind: string") + WHERE, 2, "unknown ['kind']"),
        (GOOD.replace("string", "[string]") + WHERE, 2, "its type is one of"),
        (GOOD.replace("type", "required: maybe, type") + WHERE, 2, "`required` is true or false"),
        (GOOD.replace("type", "required: , type") + WHERE, 2, "`required` is true or false"),
        (GOOD.replace("type", "description: [D], type") + WHERE, 2, "its description is a text"),
        (GOOD + "#+ tags: 5\n" + WHERE, 3, "`tags` is a list of texts"),
        (GOOD + "#+ tags: foo\n" + WHERE, 3, "`tags` is a list of texts"),
        (GOOD + "#+ tags: [[foo]]\n" + WHERE, 3, "`tags` is a list of texts"),
        (GOOD + "#+ tags: {foo: 1}\n" + WHERE, 3, "`tags` is a list of texts"),
        (GOOD + "#+ returns: node\n" + WHERE, 3, "`returns` is a list of texts"),
        (GOOD + "#+ returns:\n" + WHERE, 3, "`returns` is a list of texts"),
        (GOOD + "#+ description: [D]\n" + WHERE, 3, "`description` is a text"),
        ("#+ summary: [S]\n" + WHERE, 1, "`summary` is a text"),
        ("#+ summary: S\n#+ params: 5\n" + WHERE, 2, "`params` is a mapping"),
        ("#+ summary: S\n#+ params: []\n" + WHERE, 2, "`params` is a mapping"),
        ("#+ [S]: 5\n" + WHERE, 1, "header is not YAML"),
        ("#+ summary: " + "[" * 5000 + "\n" + WHERE, 1, "header is not YAML: nested too deep"),
    ],
)
def test_a_faulty_file_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, why: str
) -> None:
    path = tmp_path / "faulty.rq"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputSyntaxError, match=re.escape(why)) as caught:
        load(path, "faulty")
    assert (caught.value.source, caught.value.line) == (str(path), line)
    assert f"faulty.rq:{line}: " in str(caught.value)


@pytest.mark.parametrize("word", ["5", "2026-13-45", "9" * 5000, "!!bool x", "yes", "1_0", "~"])
def test_a_word_of_a_header_is_a_text(tmp_path: Path, word: str) -> None:
    """YAML reads others as numbers, dates and truths, and fails over some of them."""
    path = tmp_path / "words.rq"
    text = f"#+ summary: {word}\n#+ tags: [{word}]\n{WHERE.replace('   # param', '')}"
    path.write_text(text, encoding="utf-8")
    found = load(path, "words")
    assert (found.summary,) == found.tags == (word.removeprefix("!!bool "),)


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("trace/show", {}, "needs trace"),
        ("trace/show", {"trace": None}, "needs trace"),
        ("trace/show", {"trace": "urn:a", "node": 1}, "no parameter 'node'; it has: trace"),
        ("trace/collections", {"user": "a"}, "no parameter 'user'; it has: none"),
        ("trace/show", {"trace": "not an iri"}, "trace: 'not an iri' is not valid"),
        ("trace/show", {"trace": "urn:a> <urn:b"}, "is not valid"),
        ("trace/show", {"trace": "urn:a}"}, "is not valid"),
        ("trace/show", {"trace": []}, "trace: no value"),
        ("trace/show", {"trace": 7}, "trace: 7 is not valid"),
        ("trace/list", {"since": "yesterday"}, "since: time is 'yesterday'"),
        ("trace/list", {"since": 5}, "since: time is 5"),
        ("trace/list", {"user": NamedNode("urn:a")}, "user: 'urn:a' is not valid"),
        ("trace/list", {"limit": "ten"}, "limit is 'ten'"),
        ("trace/list", {"limit": -1}, "limit is -1"),
        ("trace/list", {"limit": True}, "limit is True"),
        ("trace/list", {"limit": 5.7}, "limit is 5.7"),
        ("trace/list", {"limit": "1_0"}, "limit is '1_0'; expected a whole number in ASCII digits"),
        ("trace/list", {"limit": "\u0663"}, "expected a whole number in ASCII digits, from 0 to"),
        ("trace/list", {"limit": 2**31}, "limit is 2147483648; expected a whole number"),
        ("trace/list", {"limit": "5; DROP"}, "limit is '5; DROP'"),
        ("trace/list", {"limit": 10**5000}, "limit is an object of type int without a repr(); exp"),
        ("trace/list", {"limit": "9" * 5000}, "9…; expected a whole number in ASCII digits"),
        ("trace/list", {"limit": Literal("9" * 5000)}, "9…; expected a whole number"),
        ("trace/list", {"limit": [1]}, "limit is [1]; expected a whole number"),
        ("trace/list", {"limit": object()}, "limit is <object object at"),
        ("trace/list", {"since": 10**5000}, "since: time is an object of type int"),
        ("trace/list", {"user": 10**5000}, "user: "),
        ("trace/show", {"trace": 10**5000}, "trace: an object of type int without a repr() is not"),
    ],
)
def test_a_value_that_does_not_fit(name: str, values: dict[str, Any], why: str) -> None:
    with pytest.raises(QueryError, match=re.escape(why)):
        stored_query(name).bind(**values)


def test_an_integer_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "n.rq"
    path.write_text(GOOD.replace("string", "integer") + WHERE, encoding="utf-8")
    query = load(path, "n")
    for value in ("x", "1_0", "\u0663", 1.5, True, 10**5000, "9" * 5000):
        with pytest.raises(QueryError, match=r"a: .*(wanted|expected)"):
            query.bind(a=value)


def test_a_query_that_is_not_there() -> None:
    with pytest.raises(QueryError, match=r"no stored query .* nearest: trace/show"):
        stored_query("trace/shwo")
    with pytest.raises(QueryError, match="`tg-prov queries` lists all"):
        stored_query("zzz")


@pytest.mark.parametrize(
    ("read", "name", "why"),
    [
        (rows, "update/index-hours", "UPDATE and no SELECT; .* the store's update"),
        (rows, "trace/graph", "CONSTRUCT and no SELECT; .* the store's query"),
        (triples, "trace/show", "SELECT and no CONSTRUCT; .* the store's query"),
        (triples, "update/index-hours", "UPDATE and no CONSTRUCT; .* the store's update"),
    ],
)
def test_a_query_of_another_form_is_not_asked(
    here: Store, read: Callable[[Store, str], object], name: str, why: str
) -> None:
    with pytest.raises(QueryError, match=rf"{name}: {why}\(\)"):
        read(here, name)
