"""What RDFLib parsed once is not parsed again, and nobody uses it twice at the same time."""

from __future__ import annotations

from typing import Any

import pytest
from narrowing import rows
from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov.errors import InputSyntaxError, StoreError
from trustgraph_prov.stores import open_store, rdflib_, rdflib_sparql
from trustgraph_prov.stores.rdflib_sparql import parsed_query, parsed_update


def failing(*_: object) -> Any:
    raise MemoryError("no memory")


ASK = "SELECT ?o (STRLEN(?o) AS ?length) WHERE { <urn:a> <urn:p> ?o FILTER(?o != 'x') }"


@pytest.fixture(autouse=True)
def none_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdflib_sparql, "_KEPT", rdflib_sparql._Kept())


def test_a_query_that_comes_again_is_the_one_that_was_parsed() -> None:
    with parsed_query("rdflib:", ASK) as first, parsed_query("rdflib:", ASK) as meanwhile:
        assert meanwhile is not first
    with parsed_query("rdflib:", ASK) as again, parsed_query("rdflib:", ASK) as meanwhile:
        assert again is first or meanwhile is first
        assert again is not meanwhile
    with parsed_update("rdflib:", "DELETE WHERE { ?s ?p ?o }") as update:
        pass
    with parsed_update("rdflib:", "DELETE WHERE { ?s ?p ?o }") as again_updated:
        assert again_updated is update


def test_what_failed_and_what_is_long_is_parsed_anew() -> None:
    with pytest.raises(RuntimeError), parsed_query("rdflib:", ASK) as failed:
        raise RuntimeError
    with parsed_query("rdflib:", ASK) as again:
        assert again is not failed
    text = f"{ASK} # {'long ' * 2_000}"
    with parsed_query("rdflib:", text) as first:
        pass
    with parsed_query("rdflib:", text) as again:
        assert again is not first


def test_what_was_not_asked_for_longest_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdflib_sparql, "_MOST", 2)
    trees = {}
    for text in ("ASK { ?a ?b 1 }", "ASK { ?a ?b 2 }", "ASK { ?a ?b 1 }", "ASK { ?a ?b 3 }"):
        with parsed_query("rdflib:", text) as trees[text]:
            pass
    for text, kept in (("ASK { ?a ?b 1 }", True), ("ASK { ?a ?b 2 }", False)):
        with parsed_query("rdflib:", text) as again:
            assert (again is trees[text]) == kept


def test_each_store_answers_from_its_own_quads_and_as_they_are() -> None:
    with open_store("rdflib:") as one, open_store("rdflib:") as other:
        for store, text in ((one, "first"), (other, "second"), (one, "x")):
            store.insert([Quad(NamedNode("urn:a"), NamedNode("urn:p"), Literal(text))])
        for store, text in ((one, "first"), (other, "second"), (one, "first")):
            found = [(row["o"].value, row["length"].value) for row in rows(store.query(ASK))]
            assert found == [(text, str(len(text)))]
        move = "DELETE { ?s ?p ?o } INSERT { ?s ?p 'y' } WHERE { ?s ?p ?o FILTER(?o != 'x') }"
        for store, left in ((one, {"x", "y"}), (other, {"y"})):
            store.update(move)
            assert {quad.object for quad in store.quads()} == set(map(Literal, left))


def test_a_query_that_failed_is_answered_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store("rdflib:") as store:
        store.insert([Quad(NamedNode("urn:a"), NamedNode("urn:p"), Literal("x1"))])
        with monkeypatch.context() as broken:
            broken.setattr(rdflib_, "_answer", failing)
            with pytest.raises(StoreError, match="no memory"):
                store.query(ASK)
        for _ in range(2):
            assert len(rows(store.query(ASK))) == 1


def test_blank_nodes_of_inserted_data_are_new_each_time() -> None:
    with open_store("rdflib:") as store:
        for count in (1, 2):
            store.update("INSERT DATA { [] <urn:p> 1 }")
            assert len(list(store.quads())) == count
        for count in (4, 8):
            store.update("INSERT { [] <urn:p> ?o } WHERE { ?s <urn:p> ?o }")
            assert len(list(store.quads())) == count


def test_a_text_is_told_by_what_it_is() -> None:
    with parsed_query("rdflib:", "ASK {}"):
        pass
    with pytest.raises(InputSyntaxError), parsed_update("rdflib:", "ASK {}"):
        pass
