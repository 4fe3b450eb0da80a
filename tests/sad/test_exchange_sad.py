"""A file with a fault leaves the store as it was, and says where the fault is."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pyoxigraph as ox
import pytest

from trustgraph_prov import (
    InputSyntaxError,
    InvalidTermError,
    InvalidValueError,
    Store,
    StoreError,
    TraceNotFoundError,
    export_quads,
    import_quads,
    open_store,
)
from trustgraph_prov.exchange.formats import keep
from trustgraph_prov.stores.oxigraph import OxigraphStore

GOOD = "<urn:s> <urn:p> <urn:o> .\n"
LONG, CUT = "z" * 1_000_000, "z" * 100
CUT_GZIP = gzip.compress(GOOD.encode() * 9999, mtime=0)[:-9]


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        ("nquads", GOOD * 3 + "<urn:s> oops .\n", r"^stdin:4: .+"),
        ("turtle", GOOD + "@prefix : <urn:x:> .\n:a :b .\n", r"^stdin:3: .+"),
        ("trig", "<urn:g> {\n" + GOOD, r"^stdin:\d: .+"),
        ("jsonld", '{"@id": "urn:s",\n "urn:p": }', r"^stdin:2: .+"),
        ("jsonld", '{"@context": "https://schema.org/", "name": 3}', r"^stdin: .*remote contexts"),
        ("turtle", "<a> <b> <c> .", r"^stdin:1: No scheme found"),
        ("turtle", "<urn:a> <urn:b> not .", r"^stdin:1: 'not' is not a valid RDF object"),
        ("turtle", f"<urn:a> <urn:b> {LONG} .", rf"^stdin:1: '{CUT}…' is not a valid RDF object$"),
        ("trig", f"GRAPH {LONG} {{", rf"^stdin:1: '{CUT}…' is not a valid graph name$"),
        ("turtle", f"{LONG}:a <urn:b> 1 .", rf"^stdin:1: The prefix {CUT}… has not been declared$"),
        ("jsonld", r'"\q"', r"^stdin:1: '\\q' is not a valid escape sequence$"),
        ("turtle", b"\xff\xfe", r"^stdin:1: Invalid UTF-8"),
        ("nquads", f"{GOOD}<< {GOOD[:-3]} >> <urn:p> 1 .", r"^stdin:2: .+; << >> is read in"),
        ("ntriples", f"<urn:s> <urn:p> << {GOOD[:-3]} >> .", r"^stdin:1: .+; << >> is read in"),
        ("nquads", CUT_GZIP, r"^stdin: damaged gzip file: "),
        (
            "ntriples",
            "<urn:s> <urn:p> " + "<<( <urn:s> <urn:p> " * 200 + "<urn:o>"
            + " )>>" * 200 + " .",
            r"^stdin: triple terms are nested more than 100 deep",
        ),
        (
            "ntriples",
            "".join(
                f"_:b{n} <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>"
                f" <<( _:b{n + 1} <urn:p> <urn:o> )>> .\n"
                for n in range(300)
            ),
            r"^stdin: triple terms are nested more than 100 deep",
        ),
    ],
)  # fmt: skip
def test_nothing_of_a_bad_file_is_written(
    format: str, text: str | bytes, message: str, store: Store
) -> None:
    stream = io.BytesIO(text.encode() if isinstance(text, str) else text)
    stream.name = "<stdin>"
    with pytest.raises(InputSyntaxError, match=message):
        import_quads(store, stream, format=format)
    assert list(store.quads()) == []


def test_the_fault_names_the_file(tmp_path: Path, store: Store) -> None:
    file = tmp_path / "runs.nq"
    file.write_text(GOOD + "oops\n")
    with pytest.raises(InputSyntaxError, match=r"runs\.nq:2: ") as caught:
        import_quads(store, file)
    assert (caught.value.source, caught.value.line) == (str(file), 2)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path, store: Store) -> None:
    with pytest.raises(FileNotFoundError, match=r"nope\.nq"):
        import_quads(store, tmp_path / "nope.nq")


def test_a_format_is_known_or_named() -> None:
    store = open_store("memory:")
    with pytest.raises(InvalidValueError, match=r"'runs\.xyz'; .* one of nquads, trig"):
        import_quads(store, "runs.xyz")
    with pytest.raises(InvalidValueError, match="format is 'xml'; expected one of nquads"):
        import_quads(store, io.BytesIO(b""), format="xml")


def test_a_graph_is_an_iri() -> None:
    with pytest.raises(InvalidTermError, match="not an absolute IRI"):
        import_quads(open_store("memory:"), io.BytesIO(b""), format="nq", graph="my graph")


def test_a_store_that_fails_says_how_far_it_came() -> None:
    class Full(OxigraphStore):
        calls = 0

        def insert(self, quads: Iterable[ox.Quad]) -> None:
            self.calls += 1
            if self.calls == 2:
                raise StoreError(self.name, "no space left")
            super().insert(quads)

    lines = "".join(f"<urn:s> <urn:p> <urn:{n}> .\n" for n in range(15_000))
    stream = io.BytesIO(lines.encode())
    stream.name = "many.nt"
    store = Full()
    why = r"no space left; 10000 of 15000 quads of many\.nt are written, and importing it again is"
    with pytest.raises(StoreError, match=f"^memory: {why}"):  # the store is named once
        import_quads(store, stream)
    assert len(list(store.quads())) == 10_000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "turtle"}, "format is 'turtle'; expected nquads, trig or jsonld, or else one"),
        ({"format": "jsonld", "triple_terms": True}, "JSON-LD lacks them"),
        ({"trace": "urn:r", "graph": "urn:g"}, "graph is 'urn:g'; expected urn:graph:retrieval"),
        ({"format": "xml"}, "format is 'xml'; expected one of"),
    ],
)
def test_an_export_that_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        export_quads(open_store("memory:"), io.BytesIO(), **options)


def test_a_run_that_is_not_there_is_not_exported() -> None:
    with pytest.raises(TraceNotFoundError, match=r"^urn:r: no such run"):
        export_quads(open_store("memory:"), io.BytesIO(), trace="urn:r")


@pytest.mark.parametrize("line", ["#", '<urn:s> <urn:p> "'])
@pytest.mark.parametrize("format", ["trig", "turtle"])
def test_a_value_that_the_parser_cannot_hold_is_one_line(line: str, format: str) -> None:
    store = open_store("memory:")
    file = io.BytesIO(line.encode() + b"x" * 17 * 1024 * 1024 + b'" .')
    with pytest.raises(InputSyntaxError, match=r"^input: one value or comment in it is over 16 Mi"):
        import_quads(store, file, format=format)
    assert not list(store.quads())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_is_named_by_the_folder_of_temporary_files() -> None:
    with (
        Path("/dev/full").open("wb", buffering=0) as full,
        pytest.raises(OSError, match="No space left") as caught,
    ):
        keep(full, b"x")
    assert caught.value.filename == gettempdir()
