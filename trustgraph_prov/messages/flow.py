"""How a service says what it sends, and finds the producers it sends with."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Protocol

__all__ = ["Flow", "ProducerSpec", "Sender", "Service", "Spec", "settle"]


class Sender(Protocol):
    """Anything that takes messages: a producer of Pulsar's, a store's, or an object of yours."""

    def send(self, message: Any) -> Any:
        """Take a message; a coroutine is awaited."""


async def settle(value: Any) -> Any:
    """Await what a function of somebody else returned, where that is called for."""
    return await value if inspect.isawaitable(value) else value


class Spec:
    """Something a service needs of its flow.

    Attributes:
        name: by which the flow hands it out.
    """

    name: str


class ProducerSpec(Spec):
    """A producer that a service needs.

    Args:
        name: by which the flow hands it out.
        schema: class of the messages.

    Example:
        >>> from trustgraph_prov.messages import Triples
        >>> ProducerSpec(name="explainability", schema=Triples).name
        'explainability'
    """

    def __init__(self, name: str, schema: type[Any]) -> None:
        self.name = name
        self.schema = schema


class Service:
    """A service with its specifications.

    Attributes:
        specifications: what it needs of a flow, in the order registered.
    """

    def __init__(self) -> None:
        self.specifications: list[Spec] = []

    def register_specification(self, spec: Spec) -> None:
        """Say that the service needs something of its flow."""
        self.specifications.append(spec)


class Flow:
    """Producers by their names.

    Args:
        producers: where messages go. A flow of TrustGraph's own serves as well: all that is asked
            of one is `flow("explainability")`.

    Example:
        >>> flow = Flow(explainability=print)
        >>> flow("explainability") is print, flow("metrics")
        (True, None)
    """

    def __init__(self, producers: Mapping[str, Any] | None = None, **more: Any) -> None:
        self._producers = {**(producers or {}), **more}

    def __call__(self, name: str) -> Any:
        return self._producers.get(name)
