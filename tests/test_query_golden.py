"""Every stored query against known rows, on every engine; and as it stands, on the examples."""

from __future__ import annotations

import pytest
from listing_cases import question
from query_cases import Case, cases, rows, term, values

from trustgraph_prov.queries import stored_queries, stored_query
from trustgraph_prov.stores import Store
from trustgraph_prov.terms import instant

CASES = cases()
QUERIES = [name for name in stored_queries() if stored_query(name).form != "UPDATE"]
EMPTY_ON_EXAMPLES = {
    *(name for name in QUERIES if name.startswith("audit/probe-")),
    "audit/ontology",
    "audit/orphans",
    "audit/placeable-texts",
    "audit/unfinished",
    "audit/unindexed",
    "audit/unlinked-answers",
    "audit/untraced",
    "audit/waiting-texts",
}
"""The examples have no fault, hold no probe and lack nothing; the ontology is not beside them."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.query}-{case.path.stem}")
@pytest.mark.usefixtures("engine")
def test_rows(request: pytest.FixtureRequest, case: Case) -> None:
    if case.data == ("examples",):
        store = request.getfixturevalue("loaded_once")
    else:
        store = request.getfixturevalue("store")
        store.insert(case.quads)
    expected = [tuple(map(term, row)) for row in case.rows]
    assert values(rows(store, case.text)) == values(expected)


@pytest.mark.parametrize("name", QUERIES)
def test_each_query_has_a_case_with_rows_and_one_without(name: str) -> None:
    found = [bool(case.rows) for case in CASES if case.query == name]
    assert set(found) == {True, False}


@pytest.mark.parametrize("name", QUERIES)
def test_as_it_stands_on_the_examples(loaded_once: Store, name: str) -> None:
    found = rows(loaded_once, stored_query(name).text)
    assert bool(found) == (name not in EMPTY_ON_EXAMPLES)
    assert found or name.startswith("audit/")


@pytest.mark.parametrize("name", ["trace/iris", "trace/list-undated"])
def test_rows_come_in_order_of_their_iri(store: Store, name: str) -> None:
    for run in "bca":
        store.insert(question(f"urn:{run}", index=False))
    every = {"contains": ""} if name == "trace/iris" else {}
    found = [row[0].value for row in rows(store, stored_query(name).bind(**every))]
    assert found == ["urn:a", "urn:b", "urn:c"]


def test_newest_first(loaded_once: Store) -> None:
    query = stored_query("trace/list").bind(days=1000, hours=1000)
    found = [(instant(row[1].value), row[0].value) for row in rows(loaded_once, query)]
    assert len(found) == 6
    assert found == sorted(found, key=lambda run: (-run[0].timestamp(), run[1]))
