"""Where a value has to stay, what `visible` replaces is escaped, and nothing else is."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse, serialize
from render_cases import HOSTILE

from trustgraph_prov import escaped, visible

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


@given(RDF_TEXT)
@example("".join(HOSTILE).encode(errors="ignore").decode())
@pytest.mark.parametrize("format", [RdfFormat.N_QUADS, RdfFormat.TRIG, RdfFormat.JSON_LD])
def test_rdf_reads_back_the_same(format: RdfFormat, text: str) -> None:
    quad = Quad(NamedNode("urn:a"), NamedNode("urn:b"), Literal(text), NamedNode("urn:g"))
    written = serialize([quad], format=format)
    assert written is not None
    shown = escaped(written.decode(), json=format == RdfFormat.JSON_LD)
    assert list(parse(shown, format=format)) == [quad]


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
