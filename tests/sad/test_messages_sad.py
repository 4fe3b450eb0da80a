"""Messages that cannot be read."""

from __future__ import annotations

from typing import Any, cast

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
def test_a_message_that_is_no_object(translator: TripleTranslator, message: Any) -> None:
    with pytest.raises(InvalidValueError, match="expected a JSON object"):
        translator.to_pulsar(message)


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


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("session_id", 7, "session_id is 7; expected a text"),
        ("collection", ["a"], r"collection is \['a'\]; expected a text"),
        ("user", {"a": 1}, "user is .*; expected a text"),
        ("state", True, "state is True; expected a text"),
        ("group", "maths", "group is 'maths'; expected a list of names"),
        ("group", [1], r"group is \[1\]; expected a list of names"),
        ("streaming", "maybe", "streaming is 'maybe'; expected true or false"),
        ("streaming", 1, "streaming is 1; expected true or false"),
        ("history", 5, "history is 5; expected a list of steps"),
        ("history", [{"thought": 5}], "thought is 5; expected a text"),
        ("history", [{"arguments": "{broken"}], "arguments is '{broken'; expected a JSON object"),
        ("history", [{"arguments": "[1]"}], "expected a JSON object, or one as text"),
        ("history", [{"arguments": [1]}], "expected a JSON object, or one as text"),
        ("history", [{"arguments": 0}], "expected a JSON object, or one as text"),
    ],
)
def test_a_field_of_the_wrong_type_is_one_line(field: str, value: object, expected: str) -> None:
    with pytest.raises(InvalidValueError, match=expected) as caught:
        AgentRequestTranslator().to_pulsar({"question": "Why?", field: value})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", 5),
        ("message_type", []),
        ("explain_id", 5),
        ("in_token", "many"),
        ("out_token", -1),
        ("model", 5),
        ("end_of_dialog", "perhaps"),
        ("error", 5),
        ("error", {"message": 5}),
    ],
)
def test_a_response_with_a_field_of_the_wrong_type(field: str, value: object) -> None:
    with pytest.raises(InvalidValueError, match="; expected "):
        AgentResponseTranslator().to_pulsar({field: value})


@pytest.mark.parametrize(
    "part", [5, [], {"t": "i", "i": 5}, {"t": "l", "v": {}}, {"t": 5}, {"t": "t", "tr": 5}]
)
def test_a_term_of_the_wrong_type(part: object) -> None:
    with pytest.raises(InvalidValueError, match="; expected "):
        TripleTranslator().to_pulsar({"s": "urn:a", "p": "urn:b", "o": part})


def test_triples_within_triples_without_end() -> None:
    wire: dict[str, object] = {"s": "urn:a", "p": "urn:b", "o": "c"}
    for _ in range(5000):
        wire = {"s": {"t": "t", "tr": wire}, "p": "urn:b", "o": "c"}
    with pytest.raises(InvalidValueError, match="expected fewer triples within each other"):
        TripleTranslator().to_pulsar(wire)


def deep(depth: int) -> Triple:
    triple = Triple("urn:s", "urn:p", "o")
    for _ in range(depth):
        triple = Triple("urn:s", "urn:p", Term("t", triple=triple))
    return triple


@pytest.mark.parametrize(
    ("term", "why"),
    [
        (Term("b"), "no label of a blank node"),
        (Term("b", id="a b"), "no label of a blank node"),
        (Term("l", value=cast("str", None)), "the value of a literal is a str"),
        (Term("l", value="x", language="!!"), "no language tag"),
        (Term("l", value="x", datatype="no iri"), "not an absolute IRI"),
        (Term("i", iri="urn:\ud800"), "not an absolute IRI"),
        (Term("t", triple=deep(3_000)), "too many triples within each other"),
    ],
    ids=["bare", "space", "none", "language", "datatype", "surrogate", "deep"],
)
def test_a_term_that_no_rdf_can_hold(term: Term, why: str) -> None:
    with pytest.raises(InvalidTermError, match=why):
        to_quads([Triple("urn:s", "urn:p", term)])


def test_triples_within_each_other_that_nobody_can_write() -> None:
    with pytest.raises(InvalidValueError, match="fewer triples within each other"):
        TripleTranslator().from_pulsar(deep(3_000))


def test_a_number_of_too_many_digits() -> None:
    wire = {"s": "urn:a", "p": "urn:b", "o": {"t": "l", "v": 10**5_000}}
    with pytest.raises(InvalidValueError, match="a number of fewer digits"):
        TripleTranslator().to_pulsar(wire)
