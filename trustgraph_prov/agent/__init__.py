"""An agent that answers questions with tools, and records each thing it does."""

from __future__ import annotations

from .conversation import Outcome, ask, converse
from .model import Message, Model, OpenAiModel, Reply
from .outlet import StoreProducer
from .react import ReplyError, parse, prompt
from .service import AgentService
from .tools import Tool, ToolContext, Tools

__all__ = [
    "AgentService",
    "Message",
    "Model",
    "OpenAiModel",
    "Outcome",
    "Reply",
    "ReplyError",
    "StoreProducer",
    "Tool",
    "ToolContext",
    "Tools",
    "ask",
    "converse",
    "parse",
    "prompt",
]
