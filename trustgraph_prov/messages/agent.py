"""What is asked of an agent, what it answers, and what it decides in between."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..defaults import DEFAULT_COLLECTION
from .terms import Error, Triple

__all__ = ["Action", "AgentRequest", "AgentResponse", "AgentStep", "Final"]


@dataclass
class AgentStep:
    """A step that is over, as the next iteration is told of it.

    Attributes:
        thought, action: what the agent thought, and the tool it called.
        arguments: what it called it with.
        observation: what came back.
    """

    thought: str = ""
    action: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    observation: str = ""


@dataclass
class AgentRequest:
    """A question, or the same question once more after some steps.

    Attributes:
        question: what is asked.
        state: carried along as it is.
        group: names of the groups of tools that may be used; None for all.
        history: the steps so far.
        user: who asks.
        collection: where the run is recorded.
        streaming: whether texts are sent in pieces.
        session_id: names the run; empty for a new one.
    """

    question: str = ""
    state: str = ""
    group: list[str] | None = None
    history: list[AgentStep] = field(default_factory=list)
    user: str = ""
    collection: str = DEFAULT_COLLECTION
    streaming: bool = False
    session_id: str = ""


@dataclass
class AgentResponse:
    """One message of an answer.

    Attributes:
        message_type: `thought`, `action`, `observation`, `answer`, `explain` or `error`.
        content: a text, or a piece of it.
        end_of_message: the text ends here.
        end_of_dialog: nothing follows.
        explain_id: IRI of the node that an explain message is about.
        explain_graph: IRI of the graph of its triples.
        explain_triples: what is recorded about the node.
        message_id: IRI of the node that says the text.
        error: why there is no answer.
        in_token, out_token: tokens read and written by the model.
        model: its name.
    """

    message_type: str = ""
    content: str = ""
    end_of_message: bool = False
    end_of_dialog: bool = False
    explain_id: str | None = None
    explain_graph: str | None = None
    explain_triples: list[Triple] = field(default_factory=list)
    message_id: str = ""
    error: Error | None = None
    in_token: int | None = None
    out_token: int | None = None
    model: str | None = None


@dataclass
class Action:
    """The decision to call a tool.

    Attributes:
        thought: why.
        name: the tool.
        arguments: what it is called with.
        observation: what came back.
    """

    thought: str = ""
    name: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    observation: str = ""


@dataclass
class Final:
    """The decision to answer.

    Attributes:
        thought: why.
        final: the answer.
    """

    thought: str = ""
    final: str = ""
