"""Messages that cannot be read."""

from __future__ import annotations

import pytest

from trustgraph_prov.errors import InvalidTermError, InvalidValueError
from trustgraph_prov.messages import (
    AgentRequestTranslator,
    AgentResponseTranslator,
    DocumentRagResponseTranslator,
    Term,
    Triple,
    TripleTranslator,
    to_quads,
)


@pytest.mark.parametrize("question", [None, "", "  ", 7])
def test_a_request_that_asks_nothing(question: object) -> None:
    with pytest.raises(InvalidValueError, match=r"question is .*; expected a text"):
        AgentRequestTranslator().to_pulsar({"question": question})


@pytest.mark.parametrize("history", ["step", ["step"], {"thought": "x"}])
def test_a_history_that_is_none(history: object) -> None:
    with pytest.raises(InvalidValueError, match=r"history is .*; expected a list of steps"):
        AgentRequestTranslator().to_pulsar({"question": "Why?", "history": history})


@pytest.mark.parametrize("message", [None, [], "x", 5])
@pytest.mark.parametrize(
    "translator",
    [
        AgentRequestTranslator(),
        AgentResponseTranslator(),
        DocumentRagResponseTranslator(),
        TripleTranslator(),
    ],
    ids=lambda translator: type(translator).__name__,
)
def test_a_message_that_is_no_object(translator: TripleTranslator, message: object) -> None:
    with pytest.raises(InvalidValueError, match="expected a JSON object"):
        translator.to_pulsar(message)  # type: ignore[arg-type]  # that is the fault


@pytest.mark.parametrize(
    ("triples", "why"),
    [
        (5, "explain_triples is 5; expected a list of triples"),
        ({"s": "urn:a"}, "expected a list of triples"),
        ([1], "triple is 1; expected a JSON object"),
    ],
)
@pytest.mark.parametrize("translator", [AgentResponseTranslator(), DocumentRagResponseTranslator()])
def test_explained_triples_that_are_none(
    translator: AgentResponseTranslator, triples: object, why: str
) -> None:
    with pytest.raises(InvalidValueError, match=why):
        translator.to_pulsar({"explain_triples": triples})


@pytest.mark.parametrize(
    ("triple", "why"),
    [
        (Triple(None, "urn:p", "o"), "a term is text, an IRI"),
        (Triple("urn:s", "urn:p", None), "a term is text, an IRI"),
        (Triple("no iri", "urn:p", "o"), "not an absolute IRI"),
        (Triple("urn:s", Term("b", id="x"), "o"), "a predicate is an IRI"),
        (Triple(Term("l", value="x"), "urn:p", "o"), "a subject is an IRI or a blank node"),
        (Triple("urn:s", "urn:p", Term("q")), "a term is text, an IRI"),
        (Triple("urn:s", "urn:p", Term("t")), "a term is text, an IRI"),
    ],
)
def test_a_triple_that_is_none(triple: Triple, why: str) -> None:
    with pytest.raises(InvalidTermError, match=why):
        to_quads([triple])
