"""Emit what the answers of all kinds of run have in common."""

from __future__ import annotations

from datetime import datetime

from pyoxigraph import Triple

from ..namespaces import (
    PROV_ENTITY,
    RDF_TYPE,
    TG_CONTENT,
    TG_DOCUMENT,
    TG_ERROR_TYPE,
    TG_SYNTHESIS,
    TG_TERMINATION_REASON,
    TGP_ERROR_MESSAGE,
)
from .node import Node, Parents, Uri

__all__ = ["close", "synthesise"]


def close(node: Node, termination_reason: str | None, error: str | None) -> None:
    """Say why a run stopped; an error makes its answer a tg:Error."""
    if error is not None:
        node.link(RDF_TYPE, TG_ERROR_TYPE)
        node.text(TGP_ERROR_MESSAGE, error)
    node.text(TG_TERMINATION_REASON, termination_reason)


def synthesise(
    uri: Uri,
    parents: Parents,
    document_id: Uri | None,
    *,
    in_token: int | None,
    out_token: int | None,
    model: str | None,
    content: str | None,
    termination_reason: str | None,
    error: str | None,
    llm_duration_ms: float | None,
    generated_at: datetime | str | None,
    question_uri: Uri | None,
    trace: Uri | None,
) -> list[Triple]:
    """Emit a tg:Synthesis; the public functions say what each argument is."""
    node = Node(uri, PROV_ENTITY, TG_SYNTHESIS, trace=trace)
    node.text(TG_CONTENT, content)
    node.link(TG_DOCUMENT, document_id)
    close(node, termination_reason, error)
    node.parents(parents, question_uri=question_uri)
    node.usage(
        model=model,
        in_token=in_token,
        out_token=out_token,
        llm_duration_ms=llm_duration_ms,
        generated_at=generated_at,
    )
    return node.triples
