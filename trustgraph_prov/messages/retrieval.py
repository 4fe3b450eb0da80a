"""What document RAG answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from .terms import Error, Triple

__all__ = ["DocumentRagResponse"]


@dataclass
class DocumentRagResponse:
    """One message of an answer.

    Attributes:
        error: why there is no answer.
        response: the answer, or a piece of it.
        end_of_stream: the answer ends here.
        explain_id: IRI of the node that an explain message is about.
        explain_graph: IRI of the graph of its triples.
        explain_triples: what is recorded about the node.
        message_type: `chunk` or `explain`.
        end_of_session: nothing follows.
        in_token, out_token, model: tokens read and written by the model, and its name.
    """

    error: Error | None = None
    response: str | None = ""
    end_of_stream: bool = False
    explain_id: str | None = None
    explain_graph: str | None = None
    explain_triples: list[Triple] = field(default_factory=list)
    message_type: str = ""
    end_of_session: bool = False
    in_token: int | None = None
    out_token: int | None = None
    model: str | None = None
