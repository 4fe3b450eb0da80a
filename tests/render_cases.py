"""A run whose every text is hostile, and one with something of everything."""

from __future__ import annotations

from explain_cases import QUESTION, Story
from narrowing import subject
from pyoxigraph import NamedNode

from trustgraph_prov import terms
from trustgraph_prov.explain import Source, Trace
from trustgraph_prov.explain.assemble import assemble
from trustgraph_prov.namespaces import (
    PROV_ENDED_AT_TIME,
    PROV_STARTED_AT_TIME,
    RDF_TYPE,
    RDFS_LABEL,
    TG,
    TG_CHUNK_SELECTION,
    TG_CONCEPT,
    TG_DOCUMENT,
    TG_EDGE,
    TG_EDGE_SELECTION,
    TG_ERROR_TYPE,
    TG_FOCUS,
    TG_LLM_MODEL,
    TG_REASONING,
    TG_SCORE,
    TG_SELECTED_CHUNK,
    TG_SELECTED_EDGE,
    TG_TOOL_ERROR,
    TGP_COLLECTION,
    TGP_USER,
)
from trustgraph_prov.statement import statement_triples

HOSTILE = (
    "\x1b[31mred",
    "[red]x[/red]",
    "<script>alert(1)</script>",
    'a"] --> b["x',
    "javascript:alert(1)",
    "'\"><img src=x onerror=alert(1)>",
    "%%{init: {'securityLevel': 'loose'}}%%\nclick n0 call f()",
    "1. list\n- item\n`code`\nend",
    "\u202egnp.exe\u2066\u200b\ufeff\u00ad",
    "\x9b31m\x07\x00\x7f\r\nover",
    "]8;;https://example.org/\x07here",
    '\\"; } digraph x { \\N &lt;b&gt; &#60;',
    "--></style></title><!--",
    "tail\u3164\U000e0041",
)
EDGE = ("https://example.org/kg/gate-seal-g7", "https://example.org/kg/p/suppliedBy")


def hostile(text: str) -> Trace:
    """A run in which everything that can be text is this text, and IRIs are scripts."""
    story = Story()
    story.rows = [row for row in story.rows if not row[1].endswith("query")]
    value = terms.text(text)
    story.add(
        QUESTION,
        {TG + "query": value, TGP_USER: value, TGP_COLLECTION: value, "urn:unknown": value},
    )
    step = story.step("i1", kind="https://example.org/%3Cb%3E")
    local = ("thought", "action", "arguments", "observation", "toolCandidate", "stepNumber")
    for property in (*(TG + name for name in local), TG_TOOL_ERROR, TG_LLM_MODEL, RDFS_LABEL):
        story.add(step, {property: value})
    story.add(step, {"urn:x:link": NamedNode("javascript:alert(1)")})
    focus = story.step("focus", step, kind=TG_FOCUS)
    selection = "urn:trustgraph:prov:edge:1:0"
    story.add(focus, {TG_SELECTED_EDGE: selection})
    story.add(
        selection,
        {RDF_TYPE: NamedNode(TG_EDGE_SELECTION), TG_REASONING: value, TG_SCORE: value},
    )
    story.add(selection, {TG_CONCEPT: value})
    for triple in statement_triples(
        NamedNode("javascript:alert(1)"), NamedNode("data:text/html,x"), value
    ):
        story.add(selection, {TG_EDGE: triple.subject})
        story.add(subject(triple), {triple.predicate.value: triple.object})
    statement = subject(triple)
    story.add(story.answer(focus, text=None), {TG + "answer": value})
    source = Source(statement, "", "", (Source("javascript:alert(1)", text, text),))
    return assemble(QUESTION, story.nodes, (), {statement: source})


def everything() -> Trace:
    """An agent that called a graph-RAG run, failed once, and answered."""
    below = Story("urn:trustgraph:question:2", TG + "GraphRagQuestion")
    below.rows[-1] = (below.uri, TG + "query", terms.text("Who supplied the seal?"))
    found = below.step("exploration", kind=TG + "Exploration", edgeCount=2)
    focus = below.step("focus", found, kind=TG_FOCUS)
    sources: dict[str, Source] = {}
    for index, end in enumerate((terms.text("Orvik"), terms.integer(42))):
        selection = f"urn:trustgraph:prov:edge:2:{index}"
        triples = statement_triples(NamedNode(EDGE[0]), NamedNode(EDGE[1]), end)
        below.add(focus, {TG_SELECTED_EDGE: selection})
        below.add(selection, {RDF_TYPE: NamedNode(TG_EDGE_SELECTION), TG_EDGE: triples[0].subject})
        below.add(selection, {TG_REASONING: f"reason {index}", TG_SCORE: f"0.{9 - index}"})
        for triple in triples:
            below.add(subject(triple), {triple.predicate.value: triple.object})
        document = Source("https://example.org/doc/1", "Document", "Inspection report")
        page = Source("urn:page:4", "Page", "page 4", (document,))
        chunk = Source("urn:chunk:1", "Chunk", "chunk 1", (page,))
        statement = subject(triples[0])
        sources[statement] = Source(statement, "", "", (chunk,))
    chunk_selection = "urn:trustgraph:prov:chunk:2:0"
    below.add(focus, {TG_SELECTED_CHUNK: chunk_selection})
    below.add(
        chunk_selection,
        {RDF_TYPE: NamedNode(TG_CHUNK_SELECTION), TG_DOCUMENT: "urn:chunk:9", TG_SCORE: "0.5"},
    )
    below.answer(focus, text="Orvik did.")
    called = assemble(below.uri, below.nodes, (), sources)

    story = Story()
    story.add(
        QUESTION,
        {
            TGP_USER: "ada",
            TGP_COLLECTION: "tides",
            PROV_STARTED_AT_TIME: terms.date_time("2026-03-02T08:15:00Z"),
            PROV_ENDED_AT_TIME: terms.date_time("2026-03-02T08:15:02.5Z"),
        },
    )
    first = story.step(
        "i1", number=1, thought="Ask.", action="knowledge-query", arguments='{"q": "seal"}'
    )
    story.add(first, {TG_LLM_MODEL: "mock-8b", TG + "inToken": 1893, TG + "outToken": 201})
    second = story.step("i2", first, number=2, action="calculator", observation="42")
    story.add(second, {RDF_TYPE: NamedNode(TG_ERROR_TYPE), TG_TOOL_ERROR: "timed out"})
    check = story.step("check", first, second, kind="https://example.org/FactCheck")
    story.add(check, {"https://example.org/verdict": ["plausible", "checked\nby hand, at length"]})
    story.answer(check, text="Because the seal was late. " + "x" * 100)
    return story.trace((first, called))
