"""Translate messages from and to plain JSON objects.

`to_pulsar` reads an object as a client sends it, `from_pulsar` writes one. Names that a request or
a term lacks get their defaults, so that a client of an earlier release goes on working.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InvalidValueError
from .agent import AgentRequest, AgentResponse, AgentStep
from .retrieval import DocumentRagResponse
from .terms import BLANK, IRI, LITERAL, TRIPLE, Error, Part, Term, Triple

__all__ = [
    "AgentRequestTranslator",
    "AgentResponseTranslator",
    "DocumentRagResponseTranslator",
    "TripleTranslator",
]

_KINDS = {"iri": IRI, "blank": BLANK, "literal": LITERAL, "triple": TRIPLE}
_STEP = ("thought", "action", "arguments", "observation")


class TripleTranslator:
    """Terms have short keys on the wire (`t i d v dt ln tr`); long ones are read too."""

    def to_pulsar(self, data: Mapping[str, Any]) -> Triple:
        """Read a triple.

        Raises:
            InvalidValueError: it is no object.

        Example:
            >>> wire = {"s": {"t": "i", "i": "urn:a"}, "p": "urn:b", "o": {"t": "l", "v": "c"}}
            >>> TripleTranslator().to_pulsar(wire).o.value
            'c'
        """
        _check("triple", data)
        return Triple(
            s=_term(_pick(data, "s", "subject")),
            p=_term(_pick(data, "p", "predicate")),
            o=_term(_pick(data, "o", "object")),
            g=_pick(data, "g", "graph"),
        )

    def from_pulsar(self, obj: Triple) -> dict[str, Any]:
        """Write a triple."""
        wire = {key: _wire(getattr(obj, key)) for key in "spo" if getattr(obj, key)}
        return {**wire, "g": obj.g} if obj.g else wire


class AgentRequestTranslator:
    """Requests of the agent service."""

    def to_pulsar(self, data: Mapping[str, Any]) -> AgentRequest:
        """Read a request.

        Raises:
            InvalidValueError: it is no object, asks nothing, or its history is no list of steps.

        Example:
            >>> request = AgentRequestTranslator().to_pulsar({"question": "Why?"})
            >>> request.collection, request.session_id
            ('default', '')
        """
        _check("request", data)
        question = data.get("question")
        if not isinstance(question, str) or not question.strip():
            raise InvalidValueError("question", question, "a text")
        history = data.get("history") or []
        if not isinstance(history, list):
            raise InvalidValueError("history", history, "a list of steps")
        return AgentRequest(
            question=question,
            state=data.get("state") or "",
            group=data.get("group"),
            history=[_step(each) for each in history],
            user=data.get("user") or "",
            collection=data.get("collection") or "default",
            streaming=bool(data.get("streaming", False)),
            session_id=data.get("session_id") or "",
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
        triples = data.get("explain_triples") or []
        if not isinstance(triples, list):
            raise InvalidValueError("explain_triples", triples, "a list of triples")
        return {
            "message_type": data.get("message_type") or "",
            "explain_id": data.get("explain_id"),
            "explain_graph": data.get("explain_graph"),
            "explain_triples": [self._triples.to_pulsar(each) for each in triples],
            "error": _error(data.get("error")),
            **{name: data.get(name) for name in ("in_token", "out_token", "model")},
        }


class AgentResponseTranslator(_Responses):
    """Responses of the agent service."""

    def to_pulsar(self, data: Mapping[str, Any]) -> AgentResponse:
        """Read a response.

        Raises:
            InvalidValueError: it is no object, or its triples are no list of objects.
        """
        _check("response", data)
        return AgentResponse(
            content=data.get("content") or "",
            end_of_message=bool(data.get("end_of_message", False)),
            end_of_dialog=bool(data.get("end_of_dialog", False)),
            message_id=data.get("message_id") or "",
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
            InvalidValueError: it is no object, or its triples are no list of objects.
        """
        _check("response", data)
        return DocumentRagResponse(
            response=data.get("response"),
            end_of_stream=bool(data.get("end_of_stream", False)),
            end_of_session=bool(data.get("end_of_session", False)),
            **self._read(data),
        )

    def from_pulsar(self, obj: DocumentRagResponse) -> dict[str, Any]:
        """Write a response."""
        wire = self._explained(obj)
        if obj.response is not None:
            wire["response"] = obj.response
        return {**wire, "end_of_stream": obj.end_of_stream, "end_of_session": obj.end_of_session}


def _check(name: str, data: object) -> None:
    if not isinstance(data, Mapping):
        raise InvalidValueError(name, data, "a JSON object")


def _step(step: object) -> AgentStep:
    if isinstance(step, AgentStep):
        return step
    if not isinstance(step, Mapping):
        raise InvalidValueError("history", step, "a list of steps")
    arguments = step.get("arguments")
    return AgentStep(
        thought=step.get("thought") or "",
        action=step.get("action") or "",
        arguments=dict(arguments) if isinstance(arguments, Mapping) else {},
        observation=step.get("observation") or "",
    )


def _error(data: object) -> Error | None:
    if isinstance(data, Mapping):
        return Error(data.get("type") or data.get("code") or "", data.get("message") or "")
    return Error(message=data) if isinstance(data, str) else None


def _term(data: object) -> Part:
    if not isinstance(data, Mapping):
        return data if isinstance(data, str) else None
    named = str(_pick(data, "t", "type") or "")
    kind = _KINDS.get(named, named)
    if kind == LITERAL:  # `d` and `l` are what an earlier release called `dt` and `ln`
        value = _pick(data, "v", "value")
        return Term(
            LITERAL,
            value="" if value is None else str(value),
            datatype=_pick(data, "dt", "datatype", "d") or "",
            language=_pick(data, "ln", "language", "l") or "",
        )
    quoted = _pick(data, "tr", "triple")
    return Term(
        kind,
        iri=_pick(data, "i", "iri") or "",
        id=_pick(data, "d", "id") or "",
        triple=TripleTranslator().to_pulsar(quoted) if isinstance(quoted, Mapping) else None,
    )


def _wire(part: Term | str) -> dict[str, Any] | str:
    if isinstance(part, str):
        return part
    if part.type == IRI:
        return {"t": IRI, "i": part.iri}
    if part.type == BLANK:
        return {"t": BLANK, "d": part.id}
    if part.type == TRIPLE and part.triple is not None:
        return {"t": TRIPLE, "tr": TripleTranslator().from_pulsar(part.triple)}
    wire = {"t": part.type, "v": part.value}
    if part.language:
        return {**wire, "ln": part.language}
    return {**wire, "dt": part.datatype} if part.datatype else wire


def _pick(data: Mapping[str, Any], *keys: str) -> Any:
    return next((data[key] for key in keys if data.get(key) is not None), None)
