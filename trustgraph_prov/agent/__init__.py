"""An agent that answers questions with tools, and records each thing it does."""

from __future__ import annotations

from .built_in import built_in_tools
from .conversation import Outcome, ask, converse
from .documents import DocumentQuery
from .events import Event, EventReader
from .knowledge import KnowledgeQuery
from .model import Message, Model, OpenAiModel, Reply
from .outlet import StoreProducer
from .react import ReplyError, parse, prompt
from .service import MAX_ITERATIONS, AgentService
from .sparql import SparqlQuery
from .tools import Tool, ToolContext, Tools

__all__ = [
    "MAX_ITERATIONS",
    "AgentService",
    "DocumentQuery",
    "Event",
    "EventReader",
    "KnowledgeQuery",
    "Message",
    "Model",
    "OpenAiModel",
    "Outcome",
    "Reply",
    "ReplyError",
    "SparqlQuery",
    "StoreProducer",
    "Tool",
    "ToolContext",
    "Tools",
    "ask",
    "built_in_tools",
    "converse",
    "parse",
    "prompt",
]
