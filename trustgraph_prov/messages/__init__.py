"""The messages of TrustGraph's agent, document-RAG and triples services, by their names and fields.

`to_triples` and `to_quads` lead from what the emitters return to these messages and back; the
translators lead from there to plain JSON objects and back.
"""

from __future__ import annotations

from .adapter import to_quads, to_triples
from .agent import Action, AgentRequest, AgentResponse, AgentStep, Final
from .flow import Flow, ProducerSpec, Sender, Service, Spec, settle
from .retrieval import DocumentRagResponse
from .terms import BLANK, IRI, LITERAL, TRIPLE, Error, Metadata, Term, Triple, Triples
from .translators import (
    AgentRequestTranslator,
    AgentResponseTranslator,
    DocumentRagResponseTranslator,
)
from .wire import TripleTranslator

__all__ = [
    "BLANK",
    "IRI",
    "LITERAL",
    "TRIPLE",
    "Action",
    "AgentRequest",
    "AgentRequestTranslator",
    "AgentResponse",
    "AgentResponseTranslator",
    "AgentStep",
    "DocumentRagResponse",
    "DocumentRagResponseTranslator",
    "Error",
    "Final",
    "Flow",
    "Metadata",
    "ProducerSpec",
    "Sender",
    "Service",
    "Spec",
    "Term",
    "Triple",
    "TripleTranslator",
    "Triples",
    "settle",
    "to_quads",
    "to_triples",
]
