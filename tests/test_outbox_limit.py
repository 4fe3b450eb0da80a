"""A text that is too long for a store arrives cut, and is kept whole."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from outbox_cases import PATIENCE, Endpoint, HttpStore
from pyoxigraph import BaseDirection, Literal, NamedNode, Quad

from trustgraph_prov import ProvWarning, Recorder
from trustgraph_prov.errors import InvalidValueError, StoreError
from trustgraph_prov.namespaces import (
    RDF,
    TG_OBSERVATION,
    TGP_OMITTED_BYTES,
    TGP_SHA256,
    XSD_DATE_TIME,
    XSD_INTEGER,
)
from trustgraph_prov.outbox import OutboxStore, cut_texts, outbox_status
from trustgraph_prov.stores import open_store

STEP = NamedNode("urn:trustgraph:agent:7/i1")
SAYS = NamedNode("urn:says")
GRAPH = NamedNode("urn:graph:retrieval")


def say(value: Literal | str) -> Quad:
    return Quad(STEP, SAYS, value if isinstance(value, Literal) else Literal(value), GRAPH)


def cut(value: Literal | str, limit: int, folder: Path) -> dict[str, list[Literal]]:
    """The literals that a store gets, by property; every one of them is of the step."""
    with pytest.warns(ProvWarning, match="was cut by"):
        quads, _ = cut_texts([say(value)], limit, folder)
    found: dict[str, list[Literal]] = {}
    for quad in quads:
        assert (quad.subject, quad.graph_name) == (STEP, GRAPH)
        assert isinstance(quad.object, Literal)
        found.setdefault(quad.predicate.value, []).append(quad.object)
    return found


def test_a_short_text_stays_as_it_is(tmp_path: Path) -> None:
    quads = [say("x" * 100), say("ä" * 50), Quad(STEP, SAYS, STEP, GRAPH)]
    assert cut_texts(quads, 100, tmp_path / "letters") == (quads, [])
    assert not (tmp_path / "letters").exists()


def test_a_long_text_is_cut_counted_hashed_and_kept(tmp_path: Path) -> None:
    whole = "0123456789" * 20
    found = cut(whole, 150, tmp_path)
    sha256 = hashlib.sha256(whole.encode()).hexdigest()
    assert found == {
        SAYS.value: [Literal(whole[:150])],
        TGP_OMITTED_BYTES: [Literal("50", datatype=NamedNode(XSD_INTEGER))],
        TGP_SHA256: [Literal(sha256)],
    }
    assert (tmp_path / f"{sha256}.txt").read_text() == whole
    (line,) = [json.loads(file.read_text()) for file in tmp_path.glob("*.jsonl")]
    assert line.pop("time").endswith("Z")
    assert line == {
        "store": "outbox",
        "reason": "longer than 150 bytes",
        "subject": str(STEP),
        "predicate": str(SAYS),
        "bytes": 200,
        "omittedBytes": 50,
        "sha256": sha256,
        "file": f"{sha256}.txt",
    }


@pytest.mark.parametrize("limit", [69, 70, 71, 72])
def test_no_character_is_cut_in_two(limit: int, tmp_path: Path) -> None:
    whole = "aé€😀" * 9  # 1, 2, 3 and 4 bytes
    found = cut(whole, limit, tmp_path)
    (first,) = found[SAYS.value]
    (omitted,) = found[TGP_OMITTED_BYTES]
    assert whole.startswith(first.value)
    assert limit - 4 < len(first.value.encode()) <= limit
    assert int(omitted.value) == len(whole.encode()) - len(first.value.encode())


def test_a_language_and_its_direction_stay(tmp_path: Path) -> None:
    (first,) = cut(Literal("ja " * 50, language="de"), 64, tmp_path)[SAYS.value]
    assert first == Literal("ja " * 21 + "j", language="de")
    arabic = Literal("نعم" * 50, language="ar", direction=BaseDirection.RTL)
    (first,) = cut(arabic, 64, tmp_path)[SAYS.value]
    assert (first.language, first.direction) == ("ar", BaseDirection.RTL)


@pytest.mark.parametrize("datatype", [XSD_INTEGER, XSD_DATE_TIME, RDF + "JSON", "urn:type"])
def test_no_number_time_or_json_is_cut(datatype: str, tmp_path: Path) -> None:
    """Half a time was sent as a text, and the shapes and the queries knew it for no time."""
    quads = [say(Literal("1" * 500, datatype=NamedNode(datatype)))]
    assert cut_texts(quads, 64, tmp_path / "letters") == (quads, [])


def test_what_is_cut_fits_in_the_least_limit_with_its_sha256(tmp_path: Path) -> None:
    """Below it, the SHA-256 of what was cut was refused in its turn."""
    found = cut("x" * 99, 64, tmp_path)
    assert max(len(one.value.encode()) for values in found.values() for one in values) == 64


def test_texts_of_one_call_give_one_warning(tmp_path: Path) -> None:
    with pytest.warns(ProvWarning) as seen:
        quads, cuts = cut_texts([say("x" * 99), say("y" * 99), say("z")], 64, tmp_path)
    (warning,) = seen
    assert str(warning.message) == (
        f"outbox takes texts up to 64 bytes: {SAYS} of {STEP} and 1 more were cut by 70 bytes; "
        f"the whole is in {cuts[0].file}"
    )
    assert warning.filename == __file__
    assert [one.file.read_text() for one in cuts] == ["x" * 99, "y" * 99]
    assert len(quads) == 7


def test_the_same_text_again_changes_nothing_but_a_time(tmp_path: Path) -> None:
    first, second = cut("x" * 99, 64, tmp_path), cut("x" * 99, 64, tmp_path)
    assert first == second
    assert len(list(tmp_path.iterdir())) == 2


def test_a_text_whose_line_cannot_be_written_is_not_kept(tmp_path: Path) -> None:
    cut("x" * 99, 64, tmp_path)
    (line,) = tmp_path.glob("*.jsonl")
    (text,) = tmp_path.glob("*.txt")
    text.unlink()
    line.unlink()
    line.mkdir()
    with pytest.raises(StoreError, match=r"outbox: cannot write .*\.jsonl .*directory"):
        cut_texts([say("x" * 99)], 64, tmp_path)
    assert list(tmp_path.iterdir()) == [line]


@pytest.mark.parametrize("limit", [-1, 0, 20, 63, "a", 99.5, True])
def test_a_limit_that_a_sha256_does_not_fit_in_is_refused(limit: Any, tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match=r"max_text_bytes is .* 64 bytes or more"):
        cut_texts([], limit, tmp_path)
    with pytest.raises(InvalidValueError, match="max_text_bytes"):
        OutboxStore(open_store("memory:"), tmp_path / "outbox", max_text_bytes=limit)


def test_an_observation_of_5_mb_arrives_whole_without_a_limit(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    observation = "fünf " * 1_000_000
    with OutboxStore(HttpStore(endpoint.port), tmp_path / "outbox") as store:
        run = Recorder(store).agent("How much?")
        run.analysis("Look.", "read", {}, observation)
        store.flush(PATIENCE)
    assert [
        quad.object.value
        for quad in endpoint.quads()
        if quad.predicate.value == TG_OBSERVATION and isinstance(quad.object, Literal)
    ] == [observation]


def test_an_observation_of_5_mb_arrives_cut_with_a_limit(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    observation = "fünf " * 900_000
    outbox = tmp_path / "outbox"
    with OutboxStore(HttpStore(endpoint.port), outbox, max_text_bytes=2_000_000) as store:
        run = Recorder(store).agent("How much?")
        with pytest.warns(ProvWarning, match="takes texts up to 2000000 bytes.*observation"):
            step = run.analysis("Look.", "read", {}, observation)
        store.flush(PATIENCE)
    values = {
        quad.predicate.value: quad.object.value
        for quad in endpoint.quads()
        if str(quad.subject) == f"<{step.uri}>" and isinstance(quad.object, Literal)
    }
    first = values[TG_OBSERVATION]
    assert observation.startswith(first)
    assert len(first.encode()) == 1_999_999  # the next character has two bytes
    assert values[TGP_OMITTED_BYTES] == str(len(observation.encode()) - 1_999_999)
    assert values[TGP_SHA256] == hashlib.sha256(observation.encode()).hexdigest()
    (kept,) = outbox_status(outbox).kept_texts
    assert kept.name == f"{values[TGP_SHA256]}.txt"
    assert kept.read_text() == observation
