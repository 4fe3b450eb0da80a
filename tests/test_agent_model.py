"""A model is asked over real HTTP, in one piece and in many."""

from __future__ import annotations

import json
import re

import pytest
from agent_server import MODEL, Answer, Endpoint, Raw, Refusal, serve

from trustgraph_prov.agent import OpenAiModel
from trustgraph_prov.agent.model import Message
from trustgraph_prov.errors import InvalidValueError, ModelError

CHAT: list[Message] = [{"role": "user", "content": "Capital of France?"}]
SOON = (("retry-after-ms", "1"),)


def model(endpoint: Endpoint, retries: int = 1) -> OpenAiModel:
    return OpenAiModel("asked-for", "secret-key", endpoint.base_url, retries=retries, timeout=20)


def test_whole() -> None:
    with serve(["Paris"]) as endpoint, model(endpoint) as asked:
        reply = asked.complete(CHAT)
    assert (reply.text, reply.model, reply.in_token, reply.out_token) == ("Paris", MODEL, 11, 7)
    assert reply.duration_ms is not None
    assert reply.duration_ms > 0
    assert endpoint.requests[0]["messages"] == CHAT
    assert endpoint.requests[0]["model"] == "asked-for"
    assert reply.usage.keys() == {"model", "in_token", "out_token", "llm_duration_ms"}


def test_in_pieces() -> None:
    pieces: list[str] = []
    with serve(["Paris, on the Seine"]) as endpoint, model(endpoint) as asked:
        reply = asked.complete(CHAT, pieces.append)
    assert len(pieces) > 2
    assert "".join(pieces) == reply.text == "Paris, on the Seine"
    assert (reply.model, reply.in_token, reply.out_token) == (MODEL, 11, 7)
    assert endpoint.requests[0]["stream"] is True


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_endpoint_is_asked_again(status: int) -> None:
    with serve([Refusal(status, headers=SOON), "Paris"]) as endpoint, model(endpoint) as asked:
        assert asked.complete(CHAT).text == "Paris"
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (
            Refusal(429, "slow down", SOON),
            r"asked-for: http://127\.0\.0\.1:\d+/v1 answered 429 \(.*slow down",
        ),
        (Refusal(500, "broken", SOON), r"asked-for: http://127\.0\.0\.1:\d+/v1 answered 500 \("),
        (Refusal(401, "who are you"), r"/v1 answered 401 \(.*who are you"),
        (Raw(b"<html>Welcome</html>", "text/html"), "asked-for: (the endpoint|http://127)"),
        (Raw(b"\xff\xfe\x00{", "application/json"), "asked-for: (the endpoint|http://127)"),
        (Raw(b'{"choices": []}'), "asked-for: (the endpoint|http://127)"),
        (
            Raw(b'{"choices": [{"message": {"content": [5]}}]}'),
            "asked-for: (the endpoint|http://127)",
        ),
        (Raw(b"data: {broken\n\n", "text/event-stream"), "asked-for: (the endpoint|http://127)"),
        (Raw(b"data: [1]\n\n", "text/event-stream"), "asked-for: (the endpoint|http://127)"),
        (Raw(b"", "text/event-stream"), "asked-for: (the endpoint|http://127)"),
    ],
    ids=lambda value: None if isinstance(value, str) else repr(value)[:24],
)
def test_an_endpoint_that_answers_badly(answer: Answer, why: str, streaming: bool) -> None:
    on_text = (lambda piece: None) if streaming else None
    with serve([answer], again=True) as endpoint, model(endpoint) as asked:
        with pytest.raises(ModelError, match=why) as caught:
            asked.complete(CHAT, on_text)
        assert caught.value.model == "asked-for"
        assert "\n" not in str(caught.value)
        assert "secret-key" not in str(caught.value)


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_reply_without_a_word_is_a_reply(text: str, streaming: bool) -> None:
    pieces: list[str] = []
    with serve([text]) as endpoint, model(endpoint) as asked:
        reply = asked.complete(CHAT, pieces.append if streaming else None)
    assert (reply.text, reply.in_token) == (text, 11)
    assert "".join(pieces) == (text if streaming else "")


def test_a_reply_of_nothing_is_one_without_a_word() -> None:
    null = Raw(b'{"choices": [{"message": {"content": null}}]}')
    with serve([null]) as endpoint, model(endpoint) as asked:
        assert asked.complete(CHAT).text == ""


@pytest.mark.parametrize("streaming", [False, True])
def test_a_lone_surrogate_is_sent_as_a_replacement_character(streaming: bool) -> None:
    chat: list[Message] = [{"role": "user", "content": "caf\udce9?"}]
    with serve(["Paris"]) as endpoint, model(endpoint) as asked:
        asked.complete(chat, (lambda piece: None) if streaming else None)
    assert endpoint.prompts() == ["caf\ufffd?"]


def chunk(content: str, reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": content}, "finish_reason": reason}
    data = {"id": "1", "object": "chat.completion.chunk", "created": 1, "choices": [choice]}
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def test_a_reply_at_its_limit_is_cut() -> None:
    whole = b'{"choices": [{"message": {"content": "Par"}, "finish_reason": "length"}]}'
    pieces = chunk("Pa") + chunk("r", "length")
    answers: list[Answer] = [Raw(whole), Raw(pieces, "text/event-stream"), "Paris"]
    with serve(answers) as endpoint, model(endpoint) as asked:
        replies = [
            asked.complete(CHAT),
            asked.complete(CHAT, lambda piece: None),
            asked.complete(CHAT),
        ]
    assert [(reply.text, reply.cut) for reply in replies] == [
        ("Par", True),
        ("Par", True),
        ("Paris", False),
    ]


def test_a_stream_without_an_end_is_broken_off() -> None:
    with (
        serve([Raw(chunk("Pa"), "text/event-stream")]) as endpoint,
        model(endpoint) as asked,
        pytest.raises(ModelError, match="the endpoint broke off its reply"),
    ):
        asked.complete(CHAT, lambda piece: None)


@pytest.mark.parametrize("body", [b'{"choices": [{}]}', b'{"choices": [{"message": null}]}'])
def test_a_choice_without_a_message_is_no_completion(body: bytes) -> None:
    with (
        serve([Raw(body)]) as endpoint,
        model(endpoint) as asked,
        pytest.raises(ModelError, match="not with a chat completion"),
    ):
        asked.complete(CHAT)


@pytest.mark.parametrize("key", ["ké", "key\n"])
def test_a_key_that_no_header_can_carry_is_not_shown(key: str) -> None:
    with pytest.raises(InvalidValueError, match="api_key is '…'; expected printable ASCII"):
        OpenAiModel("m", key)


def test_a_status_is_told_once() -> None:
    with serve([Refusal(401, "bad key")]) as endpoint:
        with model(endpoint) as asked, pytest.raises(ModelError) as failed:
            asked.complete(CHAT)
        assert re.fullmatch(r"asked-for: \S+ answered 401 \(.*bad key.*\)", str(failed.value))
        words = str(failed.value).replace(endpoint.base_url, "")
        assert words.count("401") == 1


def test_counts_that_are_none_are_left_out() -> None:
    body = b'{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": -5}}'
    with serve([Raw(body)]) as endpoint, model(endpoint) as asked:
        reply = asked.complete(CHAT)
    assert (reply.in_token, reply.out_token) == (None, None)


@pytest.mark.parametrize("url", ["http://[", "http://host:port/v1", "ftp://host/v1", "no url"])
def test_an_endpoint_that_is_no_url(url: str) -> None:
    with pytest.raises(InvalidValueError, match=r"base_url is .*; expected a URL with http://"):
        OpenAiModel("asked-for", "k", url)


def test_what_is_secret_in_an_endpoint_is_not_shown() -> None:
    with pytest.raises(InvalidValueError) as refused:
        OpenAiModel("m", "k", "ftp://ann:secret@host/v1?key=secret")
    assert "secret" not in str(refused.value)
    with serve([]) as endpoint:
        url = endpoint.base_url.replace("//", "//ann:secret@") + "?key=secret"
    with OpenAiModel("m", "k", url, retries=0) as asked, pytest.raises(ModelError) as failed:
        asked.complete(CHAT)
    assert str(failed.value).startswith(f"m: {endpoint.base_url} cannot be used (")
    assert "secret" not in str(failed.value)


def test_an_endpoint_that_is_not_there() -> None:
    with serve([]) as endpoint:
        pass
    with (
        model(endpoint, retries=0) as asked,
        pytest.raises(
            ModelError,
            match=r"http://127\.0\.0\.1:\d+/v1 cannot be used \(.*\); see that the server runs$",
        ),
    ):
        asked.complete(CHAT)
