"""Names and texts with control characters: errors, warnings and logs show them on one line."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from sparql_cases import ONE, fixed, impatient, server

from trustgraph_prov import OutboxStore, ProvError, ProvWarning, open_store
from trustgraph_prov.errors import InputSyntaxError, InvalidValueError, StoreError, ToolError
from trustgraph_prov.stores.faults import one_line

RAW = "\x1b[31mred\nline\u202e\u2028\x9b\x07"
SHOWN = "␛[31mred line<U+202E> <U+009B>␇"


@pytest.mark.parametrize(
    "error",
    [
        StoreError(RAW, RAW, RAW),
        InputSyntaxError(RAW, 1, RAW),
        InvalidValueError(RAW, RAW, RAW),
        ToolError(RAW, RAW),
        ProvError(RAW),
        ProvWarning(RAW),
    ],
    ids=lambda error: type(error).__name__,
)
def test_message_is_one_line_without_control_characters(error: ProvError | ProvWarning) -> None:
    assert str(error).isprintable()
    assert SHOWN in str(error)
    if isinstance(error, ProvError):
        assert error.why.isprintable()


def test_error_keeps_what_it_was_given_as_it_was() -> None:
    error = StoreError(RAW, "no  answer")
    assert error.store == RAW
    assert error.why == "no  answer"


def test_text_of_an_engine_is_one_line_without_control_characters() -> None:
    assert one_line(RAW) == SHOWN
    assert one_line(SyntaxError(RAW)) == SHOWN


def folder_that_is_missing(folder: Path) -> None:
    open_store(str(folder / RAW), read_only=True)


def file_that_is_missing(folder: Path) -> None:
    open_store(f"rdflib:{folder / RAW}.nq", read_only=True)


def file_with_another_ending(folder: Path) -> None:
    open_store(f"rdflib:{folder / RAW}.xx")


def file_that_does_not_parse(folder: Path) -> None:
    (folder / f"{RAW}.nq").write_text("garbage", "utf-8")
    open_store(f"rdflib:{folder / RAW}.nq")


def text_that_does_not_parse(folder: Path) -> None:
    (folder / "c.nq").write_text("<urn:a> <urn:b> <ur\x1b[31mn:\x07 x> .\n", "utf-8")
    open_store(f"rdflib:{folder / 'c.nq'}")


def journal_of_another(folder: Path) -> None:
    (folder / f"{RAW}.nq.journal").write_text("hello", "utf-8")
    open_store(f"rdflib:{folder / RAW}.nq")


def outbox_that_is_a_file(folder: Path) -> None:
    (folder / RAW).write_text("", "utf-8")
    OutboxStore(open_store("memory:"), folder / RAW)


@pytest.mark.parametrize(
    "call",
    [
        folder_that_is_missing,
        file_that_is_missing,
        file_with_another_ending,
        file_that_does_not_parse,
        text_that_does_not_parse,
        journal_of_another,
        outbox_that_is_a_file,
    ],
)
def test_names_and_texts_of_files_are_shown_on_one_line_without_control_characters(
    call: Callable[[Path], None], tmp_path: Path
) -> None:
    with pytest.raises(ProvError) as caught:
        call(tmp_path)
    assert str(caught.value).isprintable()


def test_outbox_logs_lines_without_control_characters(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with server(fixed(500, RAW.encode(), "text/plain")) as running:
        store = impatient(running.url, retries=0)
        with OutboxStore(store, tmp_path / RAW, linger=0) as box, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            box.insert([ONE])
            with pytest.raises(ProvError, match="answered 500") as caught:
                box.flush(0.5)
    assert str(caught.value).isprintable()
    assert any("what is recorded waits in" in one.getMessage() for one in caplog.records)
    assert all(one.getMessage().isprintable() for one in caplog.records)
