"""Hypothesis strategies: any text, any JSON, any edge, any run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode

from trustgraph_prov.terms import integer

any_text = st.one_of(
    st.text(alphabet=st.characters(codec="utf-8"), max_size=40),
    st.sampled_from(
        [
            "",
            "\x00\x01\x1f\x7f",
            "\r\n\t\b\f",
            "say \"no\" \\ and 'yes'",
            "\\u0041 \\n {} <script>",
            "\x1b[31mred",
            "[red]x[/red]",
            "é, e\u0301, \u202e, \ufeff, \ufffe",
            "🛶",
        ]
    ),
)
"""Text of any Unicode scalar value, control characters and quotes among them."""

broken_text = st.text(alphabet=st.characters(categories=["Cs", "L"]), min_size=1, max_size=20)
"""Text with lone surrogates."""

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=8,
)
"""Anything JSON has."""

names = st.from_regex(r"[A-Za-z0-9_~%.-]{1,12}", fullmatch=True).map(
    lambda name: "http://e/" + name.replace("%", "%25")
)
"""Absolute IRIs."""

edges = st.tuples(
    names,
    names,
    st.one_of(
        names.map(NamedNode),
        any_text.map(Literal),
        st.tuples(any_text, st.sampled_from(["en", "pt-br"])).map(
            lambda pair: Literal(pair[0], language=pair[1])
        ),
        st.integers().map(integer),
    ),
)
"""Edges that end in an IRI, a text, a text in a language or a number."""


def from_schema(part: Any, definitions: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a JSON Schema allows, of the keywords that the schema of lines uses."""

    def inner(each: Any) -> st.SearchStrategy[Any]:
        return from_schema(each, definitions)

    if part is True:
        return json_values
    if "$ref" in part:
        return inner(definitions[part["$ref"].removeprefix("#/$defs/")])
    if "anyOf" in part:
        return st.one_of(*map(inner, part["anyOf"]))
    if "const" in part or "enum" in part:
        return st.sampled_from(part.get("enum", [part.get("const")]))
    if "prefixItems" in part:
        return st.tuples(*map(inner, part["prefixItems"])).map(list)
    if part["type"] == "array":
        return st.lists(inner(part["items"]), max_size=3)
    if part["type"] == "object":
        fields = {name: inner(each) for name, each in part["properties"].items()}
        required = {name: fields.pop(name) for name in part["required"]}
        return st.fixed_dictionaries(required, optional=fields)
    if part["type"] == "integer":
        return st.integers(min_value=part["minimum"], max_value=10**20)
    if part["type"] == "number":
        return st.floats(min_value=part.get("minimum"), allow_nan=False)
    texts = any_text | names | st.sampled_from(["2026-03-02T08:15:00Z", "urn:chunk:1"])
    return texts.filter(len) if part.get("minLength") else texts


sessions = st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=12)
"""Session ids; they need not be UUIDs."""


@dataclass
class Thought:
    """One step of a made-up run."""

    thought: str
    action: str
    arguments: Any
    observation: str | None
    error: str | None


@dataclass
class Story:
    """A made-up agent run."""

    session: str
    question: str
    steps: list[Thought] = field(default_factory=list)
    answer: str = ""


stories = st.builds(
    Story,
    session=sessions,
    question=any_text,
    steps=st.lists(
        st.builds(
            Thought,
            thought=any_text,
            action=any_text,
            arguments=st.dictionaries(any_text, json_values, max_size=3),
            observation=st.none() | any_text,
            error=st.none() | any_text,
        ),
        max_size=3,
    ),
    answer=any_text,
)
"""Agent runs of up to three steps."""
