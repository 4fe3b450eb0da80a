"""What every store refuses, on every engine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Triple

from trustgraph_prov.errors import (
    InputSyntaxError,
    InvalidValueError,
    QueryTimeoutError,
    StoreError,
    StoreMissingError,
)
from trustgraph_prov.stores import Store, open_store

A, P, G = (NamedNode(f"urn:test:{name}") for name in "apg")
ONE = Quad(A, P, Literal("one"), G)
SLOW = (
    "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z . "
    "FILTER(?x < ?y || ?y < ?z) } }"
)


@pytest.mark.parametrize(
    "work",
    [
        lambda store: store.insert([ONE]),
        lambda store: store.query("ASK {}"),
        lambda store: store.update("CLEAR ALL"),
        lambda store: store.quads(),
        lambda store: store.flush(),
        lambda store: store.reopen(),
    ],
    ids=["insert", "query", "update", "quads", "flush", "reopen"],
)
def test_closed_store_refuses(store: Store, work: object) -> None:
    store.close()
    assert callable(work)
    with pytest.raises(StoreError, match=r"is closed; open it again with open_store\(\)") as caught:
        work(store)
    assert caught.value.store == store.name
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT * {", r"^query:1: not SPARQL at column \d+: "),
        ("SELECT ?x {\n  ?s ?p \n}", r"^query:3: not SPARQL at column \d+: "),
        ("SELEKT * {}", r"^query:1: not SPARQL at column \d+: "),
        ("", r"^query:1: not SPARQL at column \d+: "),
        ("SELECT * { ?s none:p ?o }", r"^query:1: not SPARQL at column \d+: "),
        ("INSERT DATA { <urn:a> <urn:b> 1 }", r"^query:1: not SPARQL at column \d+: "),
    ],
)
def test_query_that_is_not_sparql(store: Store, query: str, message: str) -> None:
    with pytest.raises(InputSyntaxError, match=message) as caught:
        store.query(query)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_update_that_is_not_sparql(store: Store) -> None:
    with pytest.raises(InputSyntaxError, match=r"^update:2: not SPARQL at column \d+: ") as caught:
        store.update("INSERT DATA {\n <urn:a> <urn:b> }")
    assert caught.value.line == 2


def test_sparql_with_half_a_character(store: Store) -> None:
    with pytest.raises(InputSyntaxError, match=r"^query: not SPARQL: .*surrogates not allowed"):
        store.query('ASK { ?s ?p "\ud800" }')
    with pytest.raises(InputSyntaxError, match=r"^update: not SPARQL: .*surrogates not allowed"):
        store.update('INSERT DATA { <urn:s> <urn:p> "\ud800" }')


def test_update_that_fails_in_its_second_half_changes_nothing(store: Store) -> None:
    store.insert([ONE])
    with pytest.raises(StoreError):
        store.update("CLEAR ALL ; LOAD <http://127.0.0.1:9/none>")
    assert list(store.quads()) == [ONE]


def test_function_the_engine_lacks_is_named(store: Store) -> None:
    store.insert([ONE])
    with pytest.raises(StoreError, match="urn:test:function"):
        store.query("SELECT (<urn:test:function>(?o) AS ?x) { GRAPH ?g { ?s ?p ?o } }")


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "a", True])
def test_timeout_that_is_none(store: Store, timeout: Any) -> None:
    with pytest.raises(InvalidValueError, match=r"timeout is .*; expected seconds, more than 0"):
        store.query("ASK {}", timeout=timeout)


def test_query_that_takes_too_long(store: Store) -> None:
    store.insert([Quad(A, P, Literal(str(n)), G) for n in range(130)])
    with pytest.raises(QueryTimeoutError, match=r"did not end within 0\.2 s; narrow it") as caught:
        store.query(SLOW, timeout=0.2)
    assert caught.value.seconds == 0.2
    assert store.query("ASK { GRAPH ?g { ?s ?p ?o } }", timeout=30)


def test_quads_cut_off_by_close(store: Store) -> None:
    store.insert([Quad(A, P, Literal(str(n)), G) for n in range(10)])
    quads = store.quads()
    next(quads)
    store.close()
    with pytest.raises(StoreError, match="was closed while its quads were being read"):
        next(quads)


def test_quads_read_by_two_threads(store: Store) -> None:
    store.insert([Quad(A, P, Literal(str(n)), G) for n in range(10)])
    quads = store.quads()
    next(quads)
    outcome: list[object] = []

    def read() -> None:
        try:
            outcome.append(len(list(quads)))
        except StoreError as error:
            outcome.append(str(error))

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert outcome in (
        [9],
        [f"{store.name.rstrip(':')}: these quads are being read by another thread"],
    )


def test_read_only_refuses_to_write(store: Store, engine: str) -> None:
    store.insert([ONE])
    if engine == "folder":
        store.close()
    with open_store(store.name, read_only=True) as reader:
        writes: list[Callable[[], None]] = [
            lambda: reader.insert([ONE]),
            lambda: reader.update("CLEAR ALL"),
        ]
        for write in writes:
            with pytest.raises(StoreError, match="was opened read-only; open it without"):
                write()
        reader.flush()


@pytest.mark.parametrize("name", ["", "https:", "ftp://host/x", "sqlite:traces"])
def test_name_of_no_store(name: str) -> None:
    with pytest.raises((InvalidValueError, StoreError)):
        open_store(name)


@pytest.mark.parametrize("name", ["none", "rdflib:none.trig"])
def test_read_only_where_there_is_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreMissingError, match=r"no (store there|such file)"):
        open_store(name, read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_rdflib_refuses_what_it_cannot_hold() -> None:
    with open_store("rdflib:") as store, pytest.raises(Exception, match="has no triple terms"):
        store.insert([Quad(A, P, Triple(A, P, A), G)])


@pytest.mark.parametrize("graph", ["nope", "urn:a b", " "])
def test_a_graph_that_no_iri_names(graph: str, store: Store) -> None:
    store.insert([ONE])
    with pytest.raises(InvalidValueError, match=r"graph is '.*'; expected an absolute IRI"):
        list(store.quads(graph))
