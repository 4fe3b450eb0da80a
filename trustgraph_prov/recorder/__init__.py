"""Record runs as they happen: `with recorder.agent(question) as run: …`."""

from __future__ import annotations

from .agent import AgentRun
from .doc_rag import DocRagRun
from .graph_rag import GraphRagRun
from .lines import LinesReport, record_lines
from .recorder import Recorder
from .run import Run
from .step import Step

__all__ = [
    "AgentRun",
    "DocRagRun",
    "GraphRagRun",
    "LinesReport",
    "Recorder",
    "Run",
    "Step",
    "record_lines",
]
