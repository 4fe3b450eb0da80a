"""A run as JSON: complete, with stable keys.

Keys of a run:
    uri, type, status, error, query, started_at, ended_at, user, collection, called_from: the head
    answer: the last text that answered; answers: every one, as uri, text, document, error
    question: the question as a node; steps: nodes, in order
    sources: what edges and chunks came from, where it was asked for
Keys of a node:
    uri, kind (IRI of a class, or ""), label, types, parents (IRIs)
    texts: what it says, its own text or that of the document it points to
    properties: by IRI of the property, a list of terms; dates and numbers that were recorded as
        text are dates and numbers here
    parts: nodes inside it; called: runs that it called
    a run that is more than 50 calls deep has only uri, type, status, query, and the command that
    shows it: show
Keys of a term (SPARQL 1.1 Query Results JSON Format, section 3.2.2):
    type (uri, literal, bnode or triple), value; a literal's datatype, xml:lang and its:dir
"""

from __future__ import annotations

import json as _json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode

from ..explain.model import Node, Source, Trace
from ..explain.typed import typed
from ..lexical import utc_form
from ..namespaces import XSD_STRING
from ..terms import Term
from .view import DEEPEST, command

__all__ = ["json", "properties_of", "term", "to_dict"]


def json(trace: Trace) -> str:
    """Write a run, with the runs it called, as one JSON object with indentation.

    Example:
        >>> from trustgraph_prov.explain.assemble import assemble
        >>> from trustgraph_prov.namespaces import TG_QUERY
        >>> from trustgraph_prov.terms import text
        >>> run = assemble("urn:q", {"urn:q": {TG_QUERY: [text("Why?")]}})
        >>> _json.loads(json(run))["query"]
        'Why?'
    """
    return _json.dumps(to_dict(trace), ensure_ascii=False, indent=2, allow_nan=False)


def to_dict(trace: Trace) -> dict[str, Any]:
    """Make the JSON value of a run; the module says what each key holds."""
    return _run(trace, 0)


def _run(trace: Trace, depth: int) -> dict[str, Any]:
    question = trace.question
    if depth > DEEPEST:
        return {
            "uri": trace.uri,
            "type": trace.type,
            "status": trace.status,
            "query": question.query,
            "show": command(trace),
        }
    return {
        "uri": trace.uri,
        "type": trace.type,
        "status": trace.status,
        "error": trace.error,
        "query": question.query,
        "started_at": _time(question.started_at),
        "ended_at": _time(question.ended_at),
        "user": question.user,
        "collection": question.collection,
        "called_from": question.called_from,
        "answer": trace.answer,
        "answers": [
            {"uri": one.uri, "text": one.text, "document": one.document, "error": one.error}
            for one in trace.answers
        ],
        "question": _node(question, depth),
        "steps": [_node(step, depth) for step in trace.steps],
        "sources": {uri: _source(source) for uri, source in sorted(trace.sources.items())},
    }


def _node(node: Node, depth: int) -> dict[str, Any]:
    return {
        "uri": node.uri,
        "kind": node.kind,
        "label": node.label,
        "types": list(node.types),
        "parents": list(node.parents),
        "texts": list(node.texts),
        "properties": properties_of(node.properties),
        "parts": [_node(part, depth) for part in node.parts],
        "called": [_run(run, depth + 1) for run in node.called],
    }


def properties_of(recorded: Mapping[str, Iterable[Term]]) -> dict[str, list[dict[str, Any]]]:
    """Make the JSON value of what is recorded about a node, by property.

    Example:
        >>> properties_of({"urn:p": [NamedNode("urn:a")]})
        {'urn:p': [{'type': 'uri', 'value': 'urn:a'}]}
    """
    return {
        property: [term(one) for one in dict.fromkeys(typed(property, value) for value in values)]
        for property, values in recorded.items()
    }


def term(value: Term) -> dict[str, Any]:
    """Make the JSON value of a term.

    Example:
        >>> term(NamedNode("urn:a")), term(Literal("Foss", language="nb"))["xml:lang"]
        ({'type': 'uri', 'value': 'urn:a'}, 'nb')
    """
    if isinstance(value, NamedNode):
        return {"type": "uri", "value": value.value}
    if isinstance(value, BlankNode):
        return {"type": "bnode", "value": value.value}
    if isinstance(value, Literal):
        found = {"type": "literal", "value": value.value}
        if value.language is not None:
            found["xml:lang"] = value.language
            if value.direction is not None:
                found["its:dir"] = value.direction.value
        elif value.datatype.value != XSD_STRING:
            found["datatype"] = value.datatype.value
        return found
    return {
        "type": "triple",
        "value": {
            "subject": term(value.subject),
            "predicate": term(value.predicate),
            "object": term(value.object),
        },
    }


def _source(source: Source) -> dict[str, Any]:
    return {
        "uri": source.uri,
        "kind": source.kind,
        "title": source.title,
        "origins": [_source(origin) for origin in source.origins],
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else utc_form(moment)
