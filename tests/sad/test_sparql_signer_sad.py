"""Signers that fail, and what they add: no message and no log shows it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from sparql_cases import ASK, ONE, Handler, Seen, impatient, server

from trustgraph_prov import BasicAuth, OutboxStore, StoreError, StorePendingError

NOWHERE = "http://127.0.0.1:9/ds"
KEY = "hunter2hunter2"


def failing(*_: object) -> Mapping[str, str]:
    raise RuntimeError(f"cannot sign with key {KEY}")


def test_error_of_a_signer_is_an_error_of_the_store_without_what_it_says() -> None:
    store = impatient(NOWHERE, signer=failing)
    for call in (lambda: store.query(ASK), lambda: store.insert([ONE])):
        with pytest.raises(StoreError) as caught:
            call()
        assert caught.value.why == (
            "the signer failed with RuntimeError; call it by itself to see why"
        )
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__


class OwnAuth(BasicAuth):
    """A way of the user's own to tell who asks.

    Args:
        give: returns header fields.
    """

    def __init__(self, give: Callable[[], Any]) -> None:
        super().__init__("ann", "x")
        self._give = give

    def headers(self) -> Mapping[str, str]:
        found: Mapping[str, str] = self._give()
        return found


@pytest.mark.parametrize("give", [failing, lambda: {"X-Key": f"{KEY}\r\nx"}])
def test_error_of_auth_is_an_error_of_the_store_without_what_it_says(
    give: Callable[[], Any],
) -> None:
    store = impatient(NOWHERE, auth=OwnAuth(give))
    with pytest.raises(StoreError, match=r"9/ds: auth (failed|returned) ") as caught:
        store.query(ASK)
    assert "hunter2" not in str(caught.value)


def test_what_auth_adds_is_hidden_where_the_server_repeats_it() -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.say(400, f"no {seen.headers['x-key']} known".encode(), "text/plain")

    with server(answer) as running:
        store = impatient(running.url, auth=OwnAuth(lambda: {"X-Key": KEY}))
        with pytest.raises(StoreError, match=r"answered 400: no … known$"):
            store.query(ASK)


def test_error_of_a_signer_is_one_line_in_the_log_of_an_outbox(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    store = impatient(NOWHERE, signer=failing)
    with OutboxStore(store, tmp_path / "outbox", linger=0) as box:
        box.insert([ONE])
        with pytest.raises(StorePendingError, match="the signer failed with RuntimeError"):
            box.flush(0.5)
    assert "the signer failed with RuntimeError" in caplog.text
    assert "Traceback" not in caplog.text
    assert "hunter2" not in caplog.text


@pytest.mark.parametrize(
    "added",
    [
        {"X-Key": f"{KEY}\r\nx"},
        {"X-Key": f"{KEY}\n"},
        {"X-Key": f"{KEY}\N{GRINNING FACE}"},
        {f"{KEY}:": "x"},
        {"X-Key": KEY.encode()},
        {"X-Key": None},
        [KEY],
        None,
    ],
)
def test_what_no_header_may_hold_is_refused_without_being_shown(added: Any) -> None:
    store = impatient(NOWHERE, signer=lambda *_: added)
    with pytest.raises(StoreError, match="the signer ") as caught:
        store.query(ASK)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (KEY, lambda value: value),
        (f"Signature key={KEY}", lambda value: value.rpartition("=")[2]),
        (f"Bearer {KEY}", lambda value: value.split()[1]),
    ],
)
def test_what_a_signer_adds_is_hidden_where_the_server_repeats_it(
    value: str, told: Callable[[str], str]
) -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.say(400, f"no {told(seen.headers['x-key'])} known".encode(), "text/plain")

    with server(answer) as running:
        store = impatient(running.url, signer=lambda *_: {"X-Key": value})
        with pytest.raises(StoreError, match=r"answered 400: no … known$"):
            store.query(ASK)


def test_what_a_signer_passes_on_is_no_secret() -> None:
    def answer(handler: Handler, seen: Seen) -> None:
        handler.say(406, seen.headers["accept"].encode(), "text/plain")

    def signer(method: str, url: str, fields: Mapping[str, str], body: bytes) -> dict[str, str]:
        return {**fields, "X-Key": KEY}

    with server(answer) as running:
        store = impatient(running.url, signer=signer)
        with pytest.raises(StoreError, match=r"answered 406: application/sparql-results"):
            store.query(ASK)
