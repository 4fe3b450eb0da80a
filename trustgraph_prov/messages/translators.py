"""Translate messages from and to plain JSON objects.

`to_pulsar` reads an object as a client sends it, `from_pulsar` writes one. Names that a request
lacks get their defaults, so that a client of an earlier release goes on working.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from ..defaults import DEFAULT_COLLECTION
from ..errors import InvalidValueError
from .agent import AgentRequest, AgentResponse, AgentStep
from .fields import arguments, count, flag, items, names, object_of, text
from .retrieval import DocumentRagResponse
from .terms import Error
from .wire import TripleTranslator

__all__ = [
    "AgentRequestTranslator",
    "AgentResponseTranslator",
    "DocumentRagResponseTranslator",
]

_STEP = ("thought", "action", "arguments", "observation")


class AgentRequestTranslator:
    """Requests of the agent service."""

    def to_pulsar(self, data: Mapping[str, Any]) -> AgentRequest:
        """Read a request.

        Raises:
            InvalidValueError: it is no object, asks nothing, or a field is none of what it may be.

        Example:
            >>> request = AgentRequestTranslator().to_pulsar({"question": "Why?"})
            >>> request.collection, request.session_id
            ('default', '')
        """
        object_of("request", data)
        question = data.get("question")
        if not isinstance(question, str) or not question.strip():
            raise InvalidValueError("question", question, "a text")
        return AgentRequest(
            question=question,
            state=text(data, "state"),
            group=names(data, "group"),
            history=[_step(each) for each in items(data, "history", "steps")],
            user=text(data, "user"),
            collection=text(data, "collection", DEFAULT_COLLECTION),
            streaming=flag(data, "streaming"),
            session_id=text(data, "session_id"),
        )

    def from_pulsar(self, obj: AgentRequest) -> dict[str, Any]:
        """Write a request."""
        return {
            "question": obj.question,
            "state": obj.state,
            "group": obj.group,
            "history": [{key: getattr(step, key) for key in _STEP} for step in obj.history],
            "user": obj.user,
            "collection": obj.collection,
            "streaming": obj.streaming,
            "session_id": obj.session_id,
        }


class _Responses:
    """What the responses of all services have in common."""

    def __init__(self) -> None:
        self._triples = TripleTranslator()

    def _explained(self, obj: AgentResponse | DocumentRagResponse) -> dict[str, Any]:
        wire: dict[str, Any] = {"message_type": obj.message_type} if obj.message_type else {}
        if obj.explain_id:
            wire["explain_id"] = obj.explain_id
        if obj.explain_graph is not None:
            wire["explain_graph"] = obj.explain_graph
        if obj.explain_triples:
            wire["explain_triples"] = [self._triples.from_pulsar(t) for t in obj.explain_triples]
        if obj.error is not None:
            wire["error"] = {"type": obj.error.type, "message": obj.error.message}
        used = {name: getattr(obj, name) for name in ("in_token", "out_token", "model")}
        return {**wire, **{name: value for name, value in used.items() if value is not None}}

    def _read(self, data: Mapping[str, Any]) -> dict[str, Any]:
        triples = items(data, "explain_triples", "triples")
        graph = text(data, "explain_graph")
        return {
            "message_type": text(data, "message_type"),
            "explain_id": text(data, "explain_id") or None,
            "explain_graph": graph if data.get("explain_graph") is not None else None,
            "explain_triples": [self._triples.to_pulsar(each) for each in triples],
            "error": _error(data.get("error")),
            "in_token": count(data, "in_token"),
            "out_token": count(data, "out_token"),
            "model": text(data, "model") or None,
        }


class AgentResponseTranslator(_Responses):
    """Responses of the agent service."""

    def to_pulsar(self, data: Mapping[str, Any]) -> AgentResponse:
        """Read a response.

        Raises:
            InvalidValueError: it is no object, or a field is none of what it may be.
        """
        object_of("response", data)
        return AgentResponse(
            content=text(data, "content"),
            end_of_message=flag(data, "end_of_message"),
            end_of_dialog=flag(data, "end_of_dialog"),
            message_id=text(data, "message_id"),
            **self._read(data),
        )

    def from_pulsar(self, obj: AgentResponse) -> dict[str, Any]:
        """Write a response."""
        wire = self._explained(obj)
        if obj.content:
            wire["content"] = obj.content
        if obj.message_id:
            wire["message_id"] = obj.message_id
        return {**wire, "end_of_message": obj.end_of_message, "end_of_dialog": obj.end_of_dialog}


class DocumentRagResponseTranslator(_Responses):
    """Responses of the document-RAG service.

    Example:
        >>> translator = DocumentRagResponseTranslator()
        >>> wire = translator.from_pulsar(DocumentRagResponse(response=None, explain_id="urn:a"))
        >>> translator.to_pulsar(wire).explain_id
        'urn:a'
    """

    def to_pulsar(self, data: Mapping[str, Any]) -> DocumentRagResponse:
        """Read a response.

        Raises:
            InvalidValueError: it is no object, or a field is none of what it may be.
        """
        object_of("response", data)
        return DocumentRagResponse(
            response=None if data.get("response") is None else text(data, "response"),
            end_of_stream=flag(data, "end_of_stream"),
            end_of_session=flag(data, "end_of_session"),
            **self._read(data),
        )

    def from_pulsar(self, obj: DocumentRagResponse) -> dict[str, Any]:
        """Write a response."""
        wire = self._explained(obj)
        if obj.response is not None:
            wire["response"] = obj.response
        return {**wire, "end_of_stream": obj.end_of_stream, "end_of_session": obj.end_of_session}


def _step(step: object) -> AgentStep:
    if step is None:
        return AgentStep()
    if is_dataclass(step):
        step = vars(step)
    if not isinstance(step, Mapping):
        raise InvalidValueError("history", step, "a list of steps")
    return AgentStep(
        thought=text(step, "thought"),
        action=text(step, "action"),
        arguments=arguments(step, "arguments"),
        observation=text(step, "observation"),
    )


def _error(data: object) -> Error | None:
    if data is None or isinstance(data, str):
        return Error(message=data) if data else None
    found = object_of("error", data)
    return Error(text(found, "type") or text(found, "code"), text(found, "message"))
