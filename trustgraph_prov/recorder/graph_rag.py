"""Record a graph-RAG run: what was retrieved, which edges were selected, the answer."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from pyoxigraph import NamedNode

from ..emitters import exploration_triples, focus_triples, question_triples
from ..emitters.node import several
from ..uris import exploration_uri, focus_uri, grounding_uri, question_uri, synthesis_uri
from .masking import given
from .rag import RagRun

__all__ = ["GraphRagRun"]


class GraphRagRun(RagRun):
    """A run that answers from a knowledge graph.

    Example:
        >>> from trustgraph_prov.recorder import Recorder
        >>> from trustgraph_prov.stores import open_store
        >>> recorder = Recorder(open_store("memory:"))
        >>> with recorder.graph_rag("How deep is the lake?", session_id="7") as run:
        ...     part = run.exploration(12, ["http://e/lake"])
        ...     part = run.focus([{"edge": ("http://e/lake", "http://e/depth", "41 m"),
        ...                        "reasoning": "Says it."}])
        ...     answer = run.synthesis("41 m")
        >>> answer
        'urn:trustgraph:prov:synthesis:7'
    """

    kind = "graph-rag"
    mint = staticmethod(question_uri)
    emit = staticmethod(question_triples)

    _minters: ClassVar = {
        "grounding": grounding_uri,
        "exploration": exploration_uri,
        "focus": focus_uri,
        "synthesis": synthesis_uri,
    }

    def exploration(
        self,
        edge_count: int | None,
        entities: Iterable[str | NamedNode] | None = None,
        *,
        at: datetime | str | None = None,
    ) -> str:
        """Record what was retrieved.

        Args:
            edge_count: how many edges.
            entities: IRIs the search started from.
            at: when, if not now.

        Returns:
            IRI of the exploration.

        Raises:
            RunFinishedError, AlreadyRecordedError, StoreError: as for `grounding`.
        """
        masking = self.writer.masking
        every = several("entities", entities, "IRIs")
        return self._part(
            "exploration",
            at,
            lambda uri, parent, moment: exploration_triples(
                uri,
                parent,
                edge_count,
                [masking.iri(entity) for entity in every],
                generated_at=moment,
                trace=self.uri,
            ),
        )

    def focus(
        self,
        edges: Iterable[Any],
        *,
        model: str | None = None,
        in_token: int | None = None,
        out_token: int | None = None,
        llm_duration_ms: float | None = None,
        at: datetime | str | None = None,
    ) -> str:
        """Record the edges that were selected, best first.

        Args:
            edges: mappings with `edge` (subject, predicate, object) and optionally `reasoning`,
                `score`, `concept`; or the edges alone.
            model, in_token, out_token, llm_duration_ms: the call that selected.
            at: when, if not now.

        Returns:
            IRI of the focus.

        Raises:
            InvalidTermError: an edge with a blank node, or that is not RDF.
            RunFinishedError, AlreadyRecordedError, StoreError: as for `grounding`.
        """
        masking = self.writer.masking
        every = given("edges", edges, "edges")
        return self._part(
            "focus",
            at,
            lambda uri, parent, moment: focus_triples(
                uri,
                parent,
                [masking.edge(edge) for edge in every],
                self.session_id,
                in_token,
                out_token,
                masking.text("model", model),
                llm_duration_ms=llm_duration_ms,
                generated_at=moment,
                trace=self.uri,
            ),
        )
