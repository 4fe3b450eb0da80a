"""Text from a run does nothing, in any output."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from html.parser import HTMLParser

import pytest
from explain_cases import Story
from hypothesis import example, given, settings
from hypothesis import strategies as st
from render_cases import HOSTILE, hostile
from rich.console import Console

from trustgraph_prov import render
from trustgraph_prov.characters import one_line, visible
from trustgraph_prov.render.escape import dot_string, link, markup, mermaid_label

ANY_TEXT = st.text(st.characters(blacklist_categories=[]), max_size=60)


@given(ANY_TEXT)
@example("".join(HOSTILE))
def test_what_is_visible_acts_on_no_terminal_and_reorders_nothing(text: str) -> None:
    shown = visible(text)
    for character in shown.replace("\u200c", "").replace("\u200d", ""):
        acts = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        assert character in "\n\t" or not acts, f"{character!r} is left"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("a\r\nb\rc\u0085d\u2028e", "a\nb\nc\nd\ne"),
        ("\x9b31m", "<U+009B>31m"),
        ("\u202eabc", "<U+202E>abc"),
        ("pay\u200bpal", "pay<U+200B>pal"),
        ("pay\u200dpal", "pay<U+200D>pal"),
        ("a\ufe0fb", "a<U+FE0F>b"),
        ("x\U000e0041", "x<U+E0041>"),
        ("\u3164", "<U+3164>"),
        ("\ud800", "<U+D800>"),
        ("10\u00a0km", "10 km"),
        ("Ærlig talt: 日本語, العربية, हिन्दी", "Ærlig talt: 日本語, العربية, हिन्दी"),
        ("👩\u200d🔬 ❤\ufe0f #\ufe0f", "👩\u200d🔬 ❤\ufe0f #\ufe0f"),
        ("نمی\u200cشود क्\u200dष", "نمی\u200cشود क्\u200dष"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("iri", ["https://example.org/a?b=c&d", "http://example.org:8080/#x"])
def test_web_addresses_are_links(iri: str) -> None:
    assert link(iri) == iri


@pytest.mark.parametrize(
    "iri",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,<script>",
        "urn:chunk:1",
        "https:",
        "https://[",
        "https://example.org/\u202e",
        "https://example.org/ x",
        "https://example.org/'onclick='x",
        "file:///etc/passwd",
        "",
    ],
)
def test_nothing_else_is_a_link(iri: str) -> None:
    assert link(iri) is None


@given(ANY_TEXT)
@example("".join(HOSTILE))
def test_html_text_has_no_markup(text: str) -> None:
    assert not re.search("[<>\"']", markup(text))


@given(ANY_TEXT)
@example("\n".join(HOSTILE))
def test_mermaid_label_has_nothing_that_could_end_it(text: str) -> None:
    label = mermaid_label(text)
    inside = label[1:-1].replace("<br/>", "")
    assert label[0] == label[-1] == '"'
    assert not set(inside) & set('"`[]{}<>|&%\n\\*_~$')
    assert all(match[1] for match in re.finditer(r"#(\d+;)?", inside))


@given(ANY_TEXT)
@example("\n".join(HOSTILE))
def test_dot_string_ends_where_it_ends(text: str) -> None:
    assert re.fullmatch(r'"(?:[^"\\\n]|\\[\\"l])*"', dot_string(text))


def test_one_line_is_one_line() -> None:
    assert one_line("a\n\tb\x00 c") == "a b␀ c"
    assert one_line("abcdef", 4) == "abc…"


class Tags(HTMLParser):
    """Collects what a browser would act on."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(attrs)


@pytest.mark.parametrize("text", HOSTILE)
def test_page_has_no_element_and_no_link_of_a_text(text: str) -> None:
    page, plain = Tags(), Tags()
    page.feed(render.html(hostile(text)))
    plain.feed(render.html(hostile("harmless")))
    assert page.tags == plain.tags
    assert not page.tags & {"script", "img", "iframe", "object", "form", "link", "base"}
    assert {name for name, _ in page.attributes} == {name for name, _ in plain.attributes}
    assert {v for name, v in page.attributes if name in ("href", "src")} == set()


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("width", [20, 80])
def test_terminal_gets_no_control_of_a_text(text: str, width: int) -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=width, force_terminal=True, color_system="truecolor")
    render.text(hostile(text), console, show_provenance=True)
    written = screen.getvalue()
    assert set(re.findall("\x1b[^m]*m?", written)) <= set(re.findall(r"\x1b\[[0-9;]*m", written))
    left = re.sub(r"\x1b\[[0-9;]*m", "", written)
    assert all(character == "\n" or character.isprintable() for character in left)
    harmless = Console(file=io.StringIO(), width=width, force_terminal=True)
    render.text(hostile("harmless"), harmless, show_provenance=True)


def test_rich_markup_of_a_text_is_shown_as_it_is() -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=200)
    render.text(hostile("[red]x[/red] :smile: [link=x]y[/link]"), console)
    assert "[red]x[/red] :smile: [link=x]y[/link]" in screen.getvalue()


@pytest.mark.parametrize("text", HOSTILE)
def test_drawings_have_the_boxes_and_arrows_of_a_harmless_run(text: str) -> None:
    for draw in (render.mermaid, render.dot):
        lines, plain = draw(hostile(text)).splitlines(), draw(hostile("harmless")).splitlines()
        assert len(lines) == len(plain)
        outside = re.compile(r'"(?:[^"\\]|\\.)*"')
        assert [outside.sub("", line) for line in lines] == [outside.sub("", one) for one in plain]


@given(ANY_TEXT)
@settings(max_examples=40)
def test_json_holds_any_text_as_it_was(text: str) -> None:
    clean = re.sub("[\ud800-\udfff]", "\ufffd", text)
    story = Story()
    story.step("i1", thought=[])
    story.answer(text=None)
    story.add(f"{story.uri}/final", {"https://trustgraph.ai/ns/answer": literal(clean)})
    assert json.loads(render.json(story.trace()))["answer"] == clean


def literal(text: str) -> object:
    from pyoxigraph import Literal

    return Literal(text)
