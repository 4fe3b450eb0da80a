"""The tools of an agent: plain callables, each with a JSON Schema of its arguments."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from ..errors import InvalidValueError, ToolError
from ..recorder import Step
from ..recorder.block import describe
from .threads import in_thread

__all__ = ["Tool", "ToolContext", "Tools"]

_TYPES: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_TYPES |= {list: "array", dict: "object"}
_CHECKS: dict[str, tuple[type[Any], ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


@dataclass(frozen=True)
class ToolContext:
    """What a tool may know of the step that calls it, in an argument named `context`.

    Attributes:
        step: the step; `step.graph_rag(question)` and its like record a called run.
    """

    step: Step


@dataclass(frozen=True)
class Tool:
    """One tool.

    Attributes:
        name: by which the model calls it.
        description: tells the model what it is good for.
        parameters: JSON Schema of its arguments, an object.
        function: takes them by name; a coroutine function is awaited, any other gets a thread.
        groups: names of the groups it belongs to; in none, it is in all.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    function: Callable[..., Any] = field(repr=False)
    groups: frozenset[str] = frozenset()

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Hold arguments against the schema: names, plain types and enumerations.

        Raises:
            ToolError: they do not fit; the message is for the model to read.
        """
        known = self.parameters.get("properties", {})
        missing = [name for name in self.parameters.get("required", ()) if name not in arguments]
        if missing:
            raise ToolError(self.name, f"needs the argument {missing[0]!r}")
        for name, value in arguments.items():
            if name not in known:
                raise ToolError(
                    self.name, f"has no argument {name!r}, but {', '.join(known) or 'none'}"
                )
            kind = known[name].get("type")
            right = _CHECKS.get(kind, (object,)) if isinstance(kind, str) else (object,)
            if not isinstance(value, right) or (kind != "boolean" and isinstance(value, bool)):
                raise ToolError(self.name, f"the argument {name!r} is to be of type {kind}")
            if "enum" in known[name] and value not in known[name]["enum"]:
                raise ToolError(self.name, f"{name!r} is one of {known[name]['enum']}")

    async def call(
        self, arguments: Mapping[str, Any], context: ToolContext, *, timeout: float | None = None
    ) -> Any:
        """Call it, and raise what it raises.

        Args:
            arguments: by their names.
            context: what it may know of the step.
            timeout: seconds, or None to wait for as long as it takes. A thread cannot be ended: it
                goes on by itself.

        Raises:
            ToolError: the arguments do not fit, it takes too long, or it tries to end the program.
        """
        self.check(arguments)
        given = dict(arguments)
        if "context" in inspect.signature(self.function).parameters:
            given["context"] = context
        task = asyncio.ensure_future(self._run(given))
        try:
            await asyncio.wait({task}, timeout=timeout)
            if not task.done():
                raise ToolError(self.name, f"did not end within {timeout:g} s")
            if task.cancelled():
                raise ToolError(self.name, "was cancelled from within")
            return task.result()
        finally:
            task.cancel()

    async def _run(self, given: dict[str, Any]) -> Any:
        try:
            if _is_async(self.function):
                return await self.function(**given)
            result = await in_thread(lambda: self._in_thread(given))
            return await result if inspect.isawaitable(result) else result
        except SystemExit as error:  # an event loop would end with it, and so would the program
            raise ToolError(self.name, f"raised {describe(error)}") from error

    def _in_thread(self, given: dict[str, Any]) -> Any:
        """Call the function where no Ctrl-C arrives: what it raises is its own, whatever it is."""
        try:
            return self.function(**given)
        except Exception:
            raise
        except BaseException as error:
            raise ToolError(self.name, f"raised {describe(error)}") from error


class Tools:
    """A registry of tools.

    Args:
        tools: to begin with.

    Example:
        >>> tools = Tools()
        >>> @tools.add
        ... def add(a: int, b: int = 0) -> int:
        ...     '''Add two numbers.'''
        ...     return a + b
        >>> tools["add"].parameters["required"]
        ['a']
    """

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def add(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        groups: Iterable[str] = (),
    ) -> Callable[..., Any]:
        """Add a callable; what is not given is read from its name, docstring and signature.

        Args:
            function: what the tool does. An argument named `context` is not the model's to give:
                it gets a `ToolContext`.
            name, description, parameters, groups: as for `Tool`.

        Returns:
            The function, so that this serves as a decorator.

        Raises:
            InvalidValueError: there is a tool of that name, or none can be made out.
        """
        called = name or getattr(function, "__name__", "").replace("_", "-")
        if not called or called in self._tools:
            raise InvalidValueError("name", called, "the name of a tool, once")
        words = description or inspect.getdoc(function) or called
        self._tools[called] = Tool(
            called,
            words.split("\n\n")[0],
            _schema(function) if parameters is None else parameters,
            function,
            frozenset(groups),
        )
        return function

    def of(self, groups: Iterable[str] | None) -> Tools:
        """Pick the tools of some groups; None picks all."""
        if groups is None:
            return self
        wanted = set(groups)
        return Tools(tool for tool in self if not tool.groups or tool.groups & wanted)

    def __getitem__(self, name: str) -> Tool:
        if name not in self._tools:
            known = ", ".join(self._tools) or "none"
            raise ToolError(name, f"there is no such tool; there are: {known}")
        return self._tools[name]

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    @property
    def names(self) -> list[str]:
        """Names of the tools, in the order added."""
        return list(self._tools)


def _is_async(function: Callable[..., Any]) -> bool:
    call = type(function).__call__
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def _schema(function: Callable[..., Any]) -> dict[str, Any]:
    hints = get_type_hints(function if inspect.isroutine(function) else type(function).__call__)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "context" or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        kind = _TYPES.get(hints.get(name))
        properties[name] = {"type": kind} if kind else {}
        if parameter.default is parameter.empty:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required}
