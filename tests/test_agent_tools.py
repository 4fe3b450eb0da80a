"""Tools are plain callables with a schema; what does not fit it never reaches them."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from trustgraph_prov.agent import ToolContext, Tools
from trustgraph_prov.errors import InvalidValueError, ToolError
from trustgraph_prov.recorder import Recorder
from trustgraph_prov.recorder.batch import Batch


@pytest.fixture
def context() -> ToolContext:
    return ToolContext(Recorder(Batch()).agent("Why?").begin("t", "a"))


def call(tools: Tools, name: str, context: ToolContext, **arguments: Any) -> Any:
    return asyncio.run(tools[name].call(arguments, context))


def test_the_schema_is_read_from_the_signature() -> None:
    tools = Tools()

    @tools.add
    def find_all(text: str, most: int = 5, near: float = 0.5, exact: bool = False, *_: str) -> str:
        """Find things.

        In all places.
        """
        return f"{text} {most} {near} {exact}"

    tool = tools["find-all"]
    assert tool.description == "Find things."
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "most": {"type": "integer"},
            "near": {"type": "number"},
            "exact": {"type": "boolean"},
        },
        "required": ["text"],
    }
    assert (tools.names, len(tools)) == (["find-all"], 1)


def test_a_schema_of_ones_own() -> None:
    tools = Tools()
    schema = {"type": "object", "properties": {"unit": {"type": "string", "enum": ["m", "ft"]}}}
    tools.add(lambda unit: unit, name="depth", description="How deep.", parameters=schema)
    assert tools["depth"].parameters == schema
    tools["depth"].check({"unit": "m"})
    with pytest.raises(ToolError, match=r"depth: 'unit' is one of \['m', 'ft'\]"):
        tools["depth"].check({"unit": "mile"})


def test_kinds_of_callables(context: ToolContext) -> None:
    class Counter:
        async def __call__(self, context: ToolContext, by: int = 1) -> str:
            return f"{context.step.number + by}"

    async def late(text: str) -> str:
        return text.upper()

    tools = Tools()
    tools.add(Counter(), name="count")
    tools.add(late)
    tools.add(lambda any_thing: any_thing, name="echo")
    assert call(tools, "count", context, by=2) == "3"
    assert call(tools, "late", context, text="a") == "A"
    assert call(tools, "echo", context, any_thing=[1]) == [1]
    assert tools["count"].parameters["properties"] == {"by": {"type": "integer"}}


@pytest.mark.parametrize("error", [ValueError("no"), StopIteration("no")])
def test_what_a_tool_raises_comes_out(context: ToolContext, error: Exception) -> None:
    def fail() -> None:
        raise error

    tools = Tools()
    tools.add(fail)
    with pytest.raises((ValueError, RuntimeError), match="no"):
        call(tools, "fail", context)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({}, "needs the argument 'text'"),
        ({"text": "a", "all": 1}, "has no argument 'all', but text, most"),
        ({"text": 7}, "the argument 'text' is to be of type string"),
        ({"text": "a", "most": True}, "the argument 'most' is to be of type integer"),
        ({"text": "a", "most": "7"}, "the argument 'most' is to be of type integer"),
        ({"text": "a", "context": "mine"}, "has no argument 'context'"),
    ],
)
def test_arguments_that_do_not_fit(
    context: ToolContext, arguments: dict[str, Any], why: str
) -> None:
    tools = Tools()

    def search(text: str, context: ToolContext, most: int = 1) -> str:
        raise AssertionError("never reached")

    tools.add(search)
    with pytest.raises(ToolError, match=f"search: {why}"):
        asyncio.run(tools["search"].call(arguments, context))


def test_names_are_given_once() -> None:
    tools = Tools()
    tools.add(print, name="a", description="A.", parameters={})
    for name in ("a", ""):
        with pytest.raises(InvalidValueError, match="expected the name of a tool, once"):
            tools.add(cast(Any, object()), name=name)  # no name to be made out
    with pytest.raises(ToolError, match="b: there is no such tool; there are: a"):
        tools["b"]
    with pytest.raises(ToolError, match="there are: none"):
        Tools()["b"]
