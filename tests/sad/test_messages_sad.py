"""Messages that cannot be read."""

from __future__ import annotations

import pytest

from trustgraph_prov.errors import InvalidTermError, InvalidValueError
from trustgraph_prov.messages import AgentRequestTranslator, Term, Triple, to_quads


@pytest.mark.parametrize("question", [None, "", "  ", 7])
def test_a_request_that_asks_nothing(question: object) -> None:
    with pytest.raises(InvalidValueError, match=r"question is .*; expected a text"):
        AgentRequestTranslator().to_pulsar({"question": question})


@pytest.mark.parametrize("history", ["step", ["step"], {"thought": "x"}])
def test_a_history_that_is_none(history: object) -> None:
    with pytest.raises(InvalidValueError, match=r"history is .*; expected a list of steps"):
        AgentRequestTranslator().to_pulsar({"question": "Why?", "history": history})


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
