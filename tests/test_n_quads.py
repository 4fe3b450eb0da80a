"""N-Quads and N-Triples, however long a text is."""

from __future__ import annotations

import io
import random

import pytest
from pyoxigraph import (
    BaseDirection,
    BlankNode,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    Triple,
)

from trustgraph_prov import n_quads
from trustgraph_prov.n_quads import decode, encode

A, P, G = NamedNode("urn:a"), NamedNode("urn:p"), NamedNode("urn:g")
EVERY = "".join(map(chr, [*range(0x3000), 0xFFFE, 0xFFFF, 0x1F600]))
LONG = 17 * 1024 * 1024


def test_a_text_over_16_mib_is_read_again() -> None:
    """pyoxigraph's parser ends at 16 MiB with a MemoryError."""
    long = "line\n" * (LONG // 5)
    quads = [Quad(A, P, Literal("before"), G), Quad(A, P, Literal(long), G), Quad(A, P, A)]
    assert list(decode(encode(quads))) == quads
    assert list(decode(io.BytesIO(encode(quads)))) == quads


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is longer than a few bytes is long."""
    monkeypatch.setattr(n_quads, "LONG_LINE", 30)
    monkeypatch.setattr(n_quads, "LONG_VALUE", 3)
    monkeypatch.setattr(n_quads, "_CHUNK", 20)


@pytest.mark.usefixtures("small")
def test_every_term_and_character_is_read_in_the_long_way_as_in_the_short() -> None:
    texts = [EVERY, 'quotes " \\" \\\\" and \\', "\\" * 99, "# no comment", "<no:iri>", "", '"']
    objects: list[NamedNode | BlankNode | Literal | Triple] = [
        *map(Literal, texts),
        Literal(EVERY, language="en-gb"),
        Literal(EVERY, language="ar", direction=BaseDirection.RTL),
        Literal(EVERY, datatype=NamedNode("urn:datatype:" + "x" * 50)),
        Literal("007", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#integer")),
        NamedNode("urn:é:" + "x" * 50),
        BlankNode("b" * 50),
        Triple(A, P, Triple(BlankNode("c"), P, Literal(EVERY, language="en"))),
    ]
    quads = [
        Quad(subject, P, term, graph)
        for subject in (A, NamedNode("urn:subject:" + "y" * 50), BlankNode("s"))
        for graph in (G, DefaultGraph(), NamedNode("urn:graph:" + "z" * 50))
        for term in objects
    ]
    random.Random(7).shuffle(quads)
    assert list(decode(encode(quads))) == quads


@pytest.mark.usefixtures("small")
def test_escapes_comments_and_line_ends() -> None:
    text = (
        rb'<urn:a> <urn:p> "\t\b\n\r\f\"\'\\\u0041\U0001F600" . # a "comment' + b"\r\n"
        b"#" * 50 + b"\r"
        b'<urn:a>\t<urn:p>"long enough"@en<urn:g>.#"\r\n\n'
        b"<urn:\\u0061> <urn:p> <<(<urn:a> <urn:p> <urn:long:enough>)>> ."
    )
    assert list(decode(text)) == [
        Quad(A, P, Literal("\t\b\n\r\f\"'\\A\U0001f600")),
        Quad(A, P, Literal("long enough", language="en"), G),
        Quad(A, P, Triple(A, P, NamedNode("urn:long:enough"))),
    ]


def test_n_triples_have_no_graph() -> None:
    (found,) = decode(b'<urn:a> <urn:p> "c" .', RdfFormat.N_TRIPLES)
    assert found == Quad(A, P, Literal("c"))
    with pytest.raises(SyntaxError):
        list(decode(b'<urn:a> <urn:p> "c" <urn:g> .', RdfFormat.N_TRIPLES))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        (rb'"what stands \x for"', "stands for no character"),
        (rb'"half a pair, \uD83D, alone"', "no Unicode"),
        (rb'"beyond \UFFFFFFFF everything"', "no Unicode"),
        (b'"not \xff\xfe UTF-8"', "no Unicode"),
        (b'"an end\rof a line"', "a line ends in the middle"),
        (rb'"cut \u00 short"', "stands for no character"),
        (b'"a text without an end', "line 2"),
        (b'"a text" "and another"', "line 2"),
        (b"<urn:no iri>", "Invalid IRI code point ' '"),
        (b"<relative>", "No scheme found"),
        (b'"a text"^^<urn:no datatype>', "Invalid IRI code point ' '"),
        (b"<<(<urn:a> <urn:p> <urn:no iri>)>>", "Invalid IRI code point ' '"),
    ],
)
def test_what_is_no_n_quads_is_refused_with_its_line(text: bytes, why: str) -> None:
    with pytest.raises(SyntaxError, match=why) as caught:
        list(decode(b'<urn:a> <urn:p> "b" .\n<urn:a> <urn:p> ' + text + b" .\n"))
    assert caught.value.lineno == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b'<urn:a> <urn:p> "' + b"x" * LONG, "has no end in its line"),
        (b"<urn:" + b"x" * LONG + b" y> <urn:p> <urn:a> .", "Invalid IRI code point ' '"),
        (b'<urn:a> <urn:p> "1"^^<urn:' + b"x" * LONG + b" y> .", "Invalid IRI code point ' '"),
    ],
    ids=["no end", "IRI", "datatype"],
)
def test_a_value_over_16_mib_that_is_none_is_refused_with_its_line(text: bytes, why: str) -> None:
    """What is no IRI ended in a ValueError; a text without an end was called too long."""
    with pytest.raises(SyntaxError, match=why) as caught:
        list(decode(b"# one\n\n" + text))
    assert caught.value.lineno == 3
