"""What only the RDFLib store does: datasets of one's own, and files."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyoxigraph as ox
import pytest
import rdflib
from narrowing import value
from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov.errors import (
    InputSyntaxError,
    InvalidTermError,
    InvalidValueError,
    StoreError,
    StoreRefusedError,
)
from trustgraph_prov.namespaces import XSD
from trustgraph_prov.stores import open_store
from trustgraph_prov.stores.rdflib_ import RdflibStore

A, P, G = NamedNode("urn:a"), NamedNode("urn:p"), NamedNode("urn:g")
DATE = Literal("2026-03-02T10:15:00Z", datatype=NamedNode(XSD + "dateTime"))
SEVEN = Literal("007", datatype=NamedNode(XSD + "integer"))


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_dataset_of_ones_own() -> None:
    dataset = rdflib.Dataset()
    dataset.graph(rdflib.URIRef("urn:g")).add(
        (rdflib.URIRef("urn:a"), rdflib.URIRef("urn:p"), rdflib.Literal("theirs"))
    )
    with open_store(dataset) as store:
        store.insert([Quad(A, P, Literal("ours"), G)])
        store.update("INSERT DATA { <urn:a> <urn:p> 'default' }")
        assert {value(quad.object) for quad in store.quads()} == {
            "theirs",
            "ours",
            "default",
        }
        assert repr(store) == "RdflibStore('rdflib:')"
    assert len(dataset.graph(rdflib.URIRef("urn:g"))) == 2
    assert all(graph.store is dataset.store for graph in dataset.graphs())


def test_dataset_that_unites_its_graphs_is_read_without_union() -> None:
    dataset = rdflib.Dataset(default_union=True)
    with open_store(dataset) as store:
        store.insert([Quad(A, P, Literal("x"), G)])
        assert not store.query("ASK { ?s ?p ?o }")
    assert dataset.default_union


def test_lexical_forms_stay_and_rdflibs_settings_too() -> None:
    before = rdflib.NORMALIZE_LITERALS
    with open_store("rdflib:") as store:
        store.insert([Quad(A, P, SEVEN, G), Quad(A, P, DATE, G)])
        store.update(
            "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> INSERT DATA { GRAPH <urn:g> "
            "{ <urn:a> <urn:q> '008'^^xsd:integer } }"
        )
        assert {value(quad.object) for quad in store.quads()} == {
            "007",
            "2026-03-02T10:15:00Z",
            "008",
        }
        asked = store.query(
            "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
            "ASK { GRAPH ?g { ?s ?p '2026-03-02T10:15:00Z'^^xsd:dateTime } }"
        )
        assert asked
    assert rdflib.NORMALIZE_LITERALS is before


def test_update_that_fails_is_undone_to_the_last_triple() -> None:
    dataset = rdflib.Dataset()
    with open_store(dataset) as store:
        store.insert([Quad(A, P, Literal(str(n)), G) for n in range(5)] + [Quad(A, P, SEVEN)])
        before = set(store.quads())
        with pytest.raises(StoreError, match="RDFLib could not do it"):
            store.update(
                "INSERT DATA { GRAPH <urn:h> { <urn:a> <urn:p> 1 } } ; DROP GRAPH <urn:g> ; "
                "MOVE <urn:h> TO <urn:i> ; CLEAR ALL ; "
                "DELETE { ?s ?p ?o } WHERE { SERVICE <http://127.0.0.1:9/none> { ?s ?p ?o } }"
            )
        assert set(store.quads()) == before


@pytest.mark.parametrize("ending", ["trig", "nq"])
def test_file_is_read_and_written_back(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"runs.{ending}"
    name = f"rdflib:{file}"
    with open_store(name) as store:
        store.insert([Quad(A, P, SEVEN, G), Quad(A, P, DATE)])
        assert not file.exists()
        store.flush()
        assert set(ox.parse(path=str(file))) == {Quad(A, P, SEVEN, G), Quad(A, P, DATE)}
        store.insert([Quad(A, P, A, G)])
    with open_store(name, read_only=True) as reader:
        assert len(list(reader.quads())) == 3
        with open_store(name) as store:
            store.update("CLEAR DEFAULT")
        assert len(list(reader.quads())) == 3
        reader.reopen()
        assert len(list(reader.quads())) == 2
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


def test_file_keeps_its_permissions_and_its_link(tmp_path: Path) -> None:
    file, link = tmp_path / "runs.nq", tmp_path / "link.nq"
    file.write_text("")
    file.chmod(0o640)
    link.symlink_to(file)
    with open_store(f"rdflib:{link}") as store:
        store.insert([Quad(A, P, A, G)])
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert len(list(ox.parse(path=str(file)))) == 1


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_new_file_has_the_permissions_of_new_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mask: int
) -> None:
    """The umask was 0 for a moment, for every thread."""

    def refused(_: int) -> int:
        raise AssertionError("the umask is the whole process's")

    before = os.umask(mask)
    try:
        monkeypatch.setattr(os, "umask", refused)
        with open_store(f"rdflib:{tmp_path / 'runs.nq'}") as store:
            store.insert([Quad(A, P, A, G)])
            assert mode(tmp_path / "runs.nq.journal") == 0o666 & ~mask
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert mode(tmp_path / "runs.nq") == 0o666 & ~mask


def test_private_file_is_never_open_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its draft, nor what is written once it is gone."""

    def serialize(quads: Iterable[Quad], out: BinaryIO, **options: Any) -> None:
        if not isinstance(out, io.BytesIO):  # of the journal
            modes.add(stat.S_IMODE(os.fstat(out.fileno()).st_mode))
        real(quads, out, **options)

    real, modes, file = ox.serialize, set[int](), tmp_path / "runs.trig"
    monkeypatch.setattr("trustgraph_prov.stores.rdflib_file.ox.serialize", serialize)
    file.write_text("")
    file.chmod(0o600)
    with open_store(f"rdflib:{file}") as store:
        store.insert([Quad(A, P, A, G)])
        store.flush()
        assert mode(file) == 0o600
        file.unlink()
        store.insert([Quad(A, P, P, G)])
    assert mode(file) == 0o600
    assert modes == {0o600}


def test_file_that_was_not_changed_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "runs.trig"
    text = "# a comment of the user\n<urn:a> <urn:p> <urn:a> .\n"
    file.write_text(text)
    with open_store(f"rdflib:{file}") as store:
        assert len(list(store.quads())) == 1
    assert file.read_text() == text


def test_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    file = folder / "runs.trig"
    folder.mkdir()
    file.write_text("<urn:a> <urn:p> <urn:a> .\n")
    store = open_store(f"rdflib:{file}")
    store.insert([Quad(A, P, SEVEN, G)])
    folder.rename(tmp_path / "moved")
    folder.write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot be written \(.*\); the file is as it was"):
        store.flush()
    folder.unlink()
    store.close()
    assert len(list(ox.parse(path=str(file)))) == 2


def test_file_that_does_not_parse(tmp_path: Path) -> None:
    file = tmp_path / "runs.trig"
    file.write_text("<urn:a> <urn:p> <urn:a> .\n<urn:a> nonsense\n")
    with pytest.raises(InputSyntaxError, match=r"runs\.trig:2: ") as caught:
        open_store(f"rdflib:{file}")
    assert caught.value.line == 2


def test_file_with_a_value_that_its_parser_cannot_hold(tmp_path: Path) -> None:
    (tmp_path / "runs.trig").write_bytes(b"#" * 17 * 1024 * 1024)
    with pytest.raises(
        InputSyntaxError, match=r"runs\.trig: one value or comment in it is over 16"
    ):
        open_store(f"rdflib:{tmp_path / 'runs.trig'}")


@pytest.mark.parametrize(
    "name",
    ["runs.ttl", "runs.jsonld", "runs.JSONLD", "runs.json", "runs.rdf", "runs", "runs.txt", ".nq"],
)
def test_file_that_holds_no_dataset(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidValueError, match=r"expected a file that ends in \.trig or \.nq"):
        open_store(f"rdflib:{tmp_path / name}")


@pytest.mark.parametrize("name", ["runs.NQ", "runs.TriG"])
def test_ending_of_a_file_may_be_in_capitals(tmp_path: Path, name: str) -> None:
    with open_store(f"rdflib:{tmp_path / name}") as store:
        store.insert([Quad(A, P, A, G)])
    format_ = ox.RdfFormat.N_QUADS if name == "runs.NQ" else ox.RdfFormat.TRIG
    assert list(ox.parse(path=str(tmp_path / name), format=format_)) == [Quad(A, P, A, G)]


def test_folder_in_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "runs.trig").mkdir()
    with pytest.raises(StoreError, match="is a folder; name a file, or leave `rdflib:` out"):
        open_store(f"rdflib:{tmp_path / 'runs.trig'}")


def test_something_that_is_no_dataset() -> None:
    with pytest.raises(StoreError, match=r"is a Graph; expected an rdflib\.Dataset"):
        open_store(cast(Any, rdflib.Graph()))


@pytest.mark.parametrize("update", ["LOAD <urn:x>", "CREATE GRAPH <urn:x>"])
def test_update_rdflib_lacks_is_named(update: str) -> None:
    with (
        open_store("rdflib:") as store,
        pytest.raises(StoreError, match=f"RDFLib has no {update.split()[0]}; insert the quads"),
    ):
        store.update(update)


def test_base_direction_is_refused() -> None:
    literal = Literal("x", language="ar", direction=ox.BaseDirection.RTL)
    with open_store("rdflib:") as store, pytest.raises(InvalidTermError, match="base direction"):
        store.insert([Quad(A, P, literal, G)])


def test_blank_nodes_keep_their_names() -> None:
    node, graph = ox.BlankNode("b1"), ox.BlankNode("g1")
    with open_store("rdflib:") as store:
        store.insert([Quad(node, P, node, graph)])
        assert list(store.quads()) == [Quad(node, P, node, graph)]


def test_term_of_rdflib_that_is_none_of_rdf() -> None:
    dataset = rdflib.Dataset()
    graph = dataset.graph(rdflib.URIRef("urn:g"))
    graph.add((rdflib.URIRef("relative"), rdflib.URIRef("urn:p"), rdflib.Literal("x")))
    with open_store(dataset) as store, pytest.raises(InvalidTermError, match="relative"):
        list(store.quads())


def test_dataset_of_ones_own_may_be_read_only() -> None:
    assert RdflibStore(rdflib.Dataset(), read_only=True).read_only


def test_oxigraph_does_not_import_rdflib() -> None:
    code = (
        "import sys; from trustgraph_prov.stores import open_store; open_store('memory:').close(); "
        "sys.exit('rdflib' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_file_of_n_quads_keeps_a_text_over_16_mib(tmp_path: Path) -> None:
    quad = Quad(A, P, Literal("a word\n" * 2_500_000), G)
    with open_store(f"rdflib:{tmp_path / 'runs.nq'}") as store:
        store.insert([quad])
    with open_store(f"rdflib:{tmp_path / 'runs.nq'}", read_only=True) as store:
        assert set(store.quads()) == {quad}


def test_a_text_with_which_trig_could_not_be_read_again_is_refused(tmp_path: Path) -> None:
    """It was written, and then the file could not be opened at all."""
    file = tmp_path / "runs.trig"
    refused = (
        r"a value of \d\d,\d{3},\d{3} bytes on <urn:a>; a \.trig file with .*; use an \.nq file"
    )
    with open_store(f"rdflib:{file}") as store:
        store.insert([Quad(A, P, Literal("x" * 15_999_000), G)])
        with pytest.raises(StoreRefusedError, match=refused):
            store.insert([Quad(A, P, A, G), Quad(A, P, Literal("\n" * 9_000_000), G)])
        with pytest.raises(StoreRefusedError, match=refused):
            store.update(
                "INSERT { ?s ?p ?twice } "
                "WHERE { GRAPH ?g { ?s ?p ?long BIND(CONCAT(?long, ?long) AS ?twice) } }"
            )
        assert len(list(store.quads())) == 1
    with open_store(f"rdflib:{file}", read_only=True) as store:
        assert len(list(store.quads())) == 1
