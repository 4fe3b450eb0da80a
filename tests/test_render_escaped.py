"""Where a value has to stay, what `visible` replaces is escaped, and nothing else is."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyoxigraph import (
    BlankNode,
    CanonicalizationAlgorithm,
    Dataset,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    parse,
    serialize,
)
from render_cases import HOSTILE

from trustgraph_prov import escaped, visible
from trustgraph_prov.namespaces import PREFIXES
from trustgraph_prov.render.escape import _RDF_PIECE
from trustgraph_prov.terms import absolute

ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=60)
RDF_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize("as_json", [True, False])
def test_each_character_that_is_not_shown_is_escaped(as_json: bool) -> None:
    for one in map(chr, (*range(0x10000), *range(0xE0000, 0xE0200), 0x1F600, sys.maxunicode)):
        harmless = visible(one) == one or unicodedata.category(one) == "Zs"
        assert (escaped(one, json=as_json) == one) is harmless, f"U+{ord(one):04X}"


@given(ANY_TEXT)
@example("".join(HOSTILE))
def test_json_reads_back_the_same(text: str) -> None:
    written = json.dumps({"a": text}, ensure_ascii=False, indent=2)
    assert json.loads(escaped(written, json=True)) == {"a": text}


IRIS = st.builds(
    str.__add__,
    st.sampled_from(["urn:", *PREFIXES.values()]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters='<>"{}|^`\\ ')),
).filter(absolute)
LABELS = st.sampled_from(["b0", "a\u200db", "x61", "\u3164"])


@given(RDF_TEXT, IRIS, LABELS)
@example("".join(HOSTILE).encode(errors="ignore").decode(), PREFIXES["tg"] + "a\u200db", "b0")
@example("<urn:a> tg:a\u200db '", PREFIXES["tg"] + "a'b(c),\u3164.", "a\u200db")
@example("#\\", PREFIXES["tg"] + "\ufeff#a/b", "\u3164")
@pytest.mark.parametrize(
    "format", [RdfFormat.N_QUADS, RdfFormat.TRIG, RdfFormat.TURTLE, RdfFormat.JSON_LD]
)
def test_rdf_reads_back_the_same(format: RdfFormat, text: str, iri: str, label: str) -> None:
    node = NamedNode(iri)
    graph = DefaultGraph() if format == RdfFormat.TURTLE else node
    quads = [
        Quad(node, node, Literal(text), graph),
        Quad(NamedNode("urn:a"), node, Literal(text, datatype=node), graph),
        Quad(BlankNode(label), node, node, graph),
    ]
    prefixes = None if format in (RdfFormat.N_QUADS, RdfFormat.JSON_LD) else PREFIXES
    written = serialize(quads, format=format, prefixes=prefixes)
    assert written is not None
    shown = escaped(written.decode(), json=format == RdfFormat.JSON_LD)
    assert _canonical(parse(shown, format=format)) == _canonical(quads)


def _canonical(quads: Iterable[Quad]) -> Dataset:
    found = Dataset(quads)
    found.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return found


@pytest.mark.parametrize("hidden", ["\u200d", "\u3164", "\ufeff"])
@pytest.mark.parametrize("end", [" .", ";", ",", ". "])
def test_a_name_with_something_to_escape_becomes_an_iri(hidden: str, end: str) -> None:
    code = f"\\u{ord(hidden):04x}"
    before = r"tg:a tg:é_b tg:c\,d"
    shown = escaped(rf"{before} tg:e\,{hidden}.f{end}", json=False)
    assert shown == f"{before} <https://trustgraph.ai/ns/e,{code}.f>{end}"


@pytest.mark.parametrize(
    "text",
    ['"tg:a\u200db"', "'tg:a\u200db'", '"""" tg:a\u200db"""', "# tg:a\u200db", "<tg:a\u200db>"],
)
def test_what_is_no_name_is_only_escaped(text: str) -> None:
    assert escaped(text, json=False) == text.replace("\u200d", "\\u200d")


HARD_PIECES = ("a", "a.", "a:", "tg:", "_", '"', '"a', '\\"', '"""a', '"""\\"', "'", "<", "<a", "#")


@given(st.sampled_from(["a", "_", '"', "'", '"""', "#"]), st.text("aé_.:-\"'\\<> \n#"))
def test_a_piece_that_begins_ends_so_that_nothing_is_read_twice(start: str, text: str) -> None:
    """What was given up at its end was read again from the next character on."""
    assert _RDF_PIECE.match(start + text)


def test_time_to_escape_grows_with_the_length_of_the_text() -> None:
    """A word of 20,000 letters took seconds, an unclosed quote of 200,000 minutes."""
    escape = (
        "from trustgraph_prov import escaped\n"
        f"for piece in {HARD_PIECES}:\n"
        "    escaped(chr(0x200b) + piece * 50_000, json=False)\n"
        "    escaped(chr(0x200b) + piece + 'a' * 150_000, json=False)\n"
    )
    subprocess.run([sys.executable, "-c", escape], check=True, timeout=60)  # takes two or three


@pytest.mark.parametrize(
    "text", ['"tg:a\u200db', "'tg:a\u200db", '"""a" tg:a\u200db', '"tg:a\u200db\\']
)
def test_a_text_without_end_is_only_escaped(text: str) -> None:
    assert escaped(text, json=False) == text.replace("\u200d", "\\u200d")


@pytest.mark.parametrize(
    ("text", "in_json", "in_rdf"),
    [
        ("\x1b[31mred", "\\u001b[31mred", "\\u001b[31mred"),
        ("x\U000e0041", "x\\udb40\\udc41", "x\\U000E0041"),
        ("\u3164", "\\u3164", "\\u3164"),
        ("10\u00a0km", "10\u00a0km", "10\u00a0km"),
        ("👩\u200d🔬 نمی\u200cشود", "👩\u200d🔬 نمی\u200cشود", "👩\u200d🔬 نمی\u200cشود"),
    ],
)
def test_escaped(text: str, in_json: str, in_rdf: str) -> None:
    assert (escaped(text, json=True), escaped(text, json=False)) == (in_json, in_rdf)
