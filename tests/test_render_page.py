"""The web page: whole, by itself, and well-formed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from explain_cases import Story
from narrowing import narrow
from render_cases import everything

from trustgraph_prov import render
from trustgraph_prov.explain import Source
from trustgraph_prov.explain.model import Status
from trustgraph_prov.namespaces import TG_DOCUMENT, TG_TERMINATION_REASON, TGP_ERROR_MESSAGE
from trustgraph_prov.render import html

VOID = {"meta", "br"}
STYLE, SOURCE = (
    (Path(render.__file__).parent / name).read_text(encoding="utf-8")
    for name in ("page.css", "html.py")
)


class Page(HTMLParser):
    """Checks nesting, and collects headings, text and addresses."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.text = ""
        self.addresses: list[str | None] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href", "action")]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append((int(tag[1]), ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.text += data
        if any(re.fullmatch("h[1-6]", tag) for tag in self.open):
            level, text = self.headings[-1]
            self.headings[-1] = (level, text + data)


def test_page_is_nested_well_and_asks_for_nothing() -> None:
    page = html(everything())
    read = Page(page)
    assert "url(" not in page
    assert "@import" not in page
    assert all(one and one.startswith("https://example.org/") for one in read.addresses)


def test_headings_lead_through_the_page() -> None:
    headings = Page(html(everything())).headings
    assert headings[0] == (1, "Why?")
    assert headings[-1] == (2, "Answer")
    assert (3, "Who supplied the seal?") in headings
    levels = [level for level, _ in headings]
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_page_says_all_of_the_run() -> None:
    text = Page(html(everything())).text
    for said in (
        "user ada",
        "took 2.5 s",
        "Ask.",
        "timed out",
        "Fact check",
        "plausible",
        "Orvik did.",
        "suppliedBy",
        "score 0.9",
        "reason 1",
        "From chunk 1 > page 4 > document Inspection report",
        "Because the seal was late.",
        "urn:trustgraph:agent:1",
    ):
        assert said in text, said


def test_unfinished_and_failed_runs_say_so() -> None:
    assert "still running, or died" in Page(html(Story().trace())).text
    story = Story()
    story.add(story.answer(text=None), {TGP_ERROR_MESSAGE: "ValueError: no"})
    assert "Failed: ValueError: no" in Page(html(story.trace())).text


def test_answer_elsewhere_or_nowhere() -> None:
    story = Story()
    end = story.answer(text=None)
    assert "No text of an answer was recorded." in Page(html(story.trace())).text
    story.add(end, {TG_DOCUMENT: "urn:doc:1"})
    assert "it is in urn:doc:1" in Page(html(story.trace())).text


def test_run_without_a_question_and_called_by_no_step() -> None:
    low = Story("urn:trustgraph:agent:low").trace()
    page = Page(html(Story().trace(("urn:gone", low))))
    assert page.text.count("Why?") >= 2
    empty = Story()
    empty.rows = empty.rows[:1]
    assert "(no question was recorded)" in Page(html(empty.trace())).text


def test_source_without_origin_is_named_by_its_iri() -> None:
    trace = everything()
    (called,) = trace.called
    sources = narrow(called.sources, dict)
    edge = next(iter(sources))
    sources[edge] = Source(edge, "Chunk", "", ())
    assert "From chunk" in Page(html(trace)).text


def test_the_style_has_no_rule_for_what_no_page_holds() -> None:
    classes = set(re.findall(r"\.([a-z]+)(?=[^{}]*\{)", STYLE))
    assert len(classes) > 30
    assert classes <= {*re.findall(r"[a-z]+", SOURCE), *get_args(Status)}


@pytest.mark.parametrize("place", ["said", "head", "facts", "title", "notes", "from", "iri"])
def test_a_name_longer_than_a_phone_is_wide_is_broken(place: str) -> None:
    (rule,) = re.findall(rf"^\.{place} (\{{.*)", STYLE, re.M)
    assert "overflow-wrap: anywhere" in rule


def test_a_run_that_was_cancelled_says_so_once() -> None:
    story = Story()
    story.add(story.answer(text=None), {TG_TERMINATION_REASON: "cancelled"})
    trace = story.trace()
    assert trace.status == "cancelled"
    assert 'class="why' not in html(trace)
