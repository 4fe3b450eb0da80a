"""The tools that come with the agent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..stores.base import Store
from .documents import DocumentQuery
from .knowledge import KnowledgeQuery
from .model import Model
from .sparql import SparqlQuery
from .tools import Tools

__all__ = ["built_in_tools"]


def built_in_tools(
    store: Store, model: Model, *, graph: str = "", documents: str | Path | None = None
) -> Tools:
    """Make a registry of `knowledge-query`, `sparql-query` and, with documents, `document-query`.

    Args:
        store: whose knowledge they search.
        model: answers for those that answer in words.
        graph: IRI of the graph that holds the knowledge, `""` for the default graph.
        documents: folder of text files.

    Raises:
        InvalidValueError: the graph holds runs, sources or the ontology.
        ToolError: there is no such folder.

    Example:
        >>> from trustgraph_prov.stores import open_store
        >>> built_in_tools(open_store("memory:"), model=None).names
        ['knowledge-query', 'sparql-query']
    """
    tools = Tools()
    _add(tools, KnowledgeQuery(store, model, graph=graph))
    _add(tools, SparqlQuery(store, graph=graph))
    if documents is not None:
        _add(tools, DocumentQuery(documents, model))
    return tools


def _add(tools: Tools, function: Callable[..., Any]) -> None:
    name, description = getattr(function, "name", ""), getattr(function, "description", "")
    tools.add(function, name=name, description=description)
