"""The mask sees every text before it reaches the store."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode
from recorder_cases import RUN, facts, shown

from trustgraph_prov.errors import InvalidValueError, ProvWarning, RunFinishedError
from trustgraph_prov.namespaces import GRAPH_SOURCE, TG_DOCUMENT
from trustgraph_prov.recorder import Recorder
from trustgraph_prov.recorder.batch import Batch
from trustgraph_prov.recorder.masking import Masking
from trustgraph_prov.stores import Store, open_store

MAIL = "ana.secret@example.org"


def hide(text: str) -> str:
    return re.sub(r"[\w.]+@[\w.]+\w", "[email]", text)


def record_everything(store: Store) -> None:
    """Put the address into each place that takes a text."""
    recorder = Recorder(store, user=MAIL, collection=f"of {MAIL}", mask=hide)
    with recorder.agent(f"Who is {MAIL}?", session_id=MAIL) as run:
        step = run.begin(
            f"Ask {MAIL}.",
            f"mail {MAIL}",
            {"to": MAIL, MAIL: [{"cc": (MAIL,)}], "json": json.dumps({"bcc": MAIL})},
            tool_candidates=[MAIL],
            model=f"model of {MAIL}",
        )
        with step.graph_rag(f"{MAIL}?", user=MAIL, collection=MAIL) as graph:
            graph.grounding([MAIL], model=MAIL)
            graph.exploration(1, [f"mailto:{MAIL}", f"http://e/{MAIL}"])
            graph.focus(
                [
                    {
                        "edge": (f"mailto:{MAIL}", f"http://e/p#{MAIL}", f"mailto:{MAIL}"),
                        "reasoning": MAIL,
                        "concept": MAIL,
                    },
                    ("http://e/s", "http://e/p", MAIL),
                    ("http://e/s", "http://e/p", Literal(MAIL, language="en")),
                ],
                model=MAIL,
            )
            graph.synthesis(MAIL, document_id=f"mailto:{MAIL}", termination_reason=MAIL, model=MAIL)
        step.observe({"from": MAIL})
        run.analysis(MAIL, MAIL, MAIL, MAIL, error=ValueError(MAIL))
        run.begin("t", "a", f'{{"to": "{MAIL}"}}').fail(KeyError(MAIL))
        with run.analysis("t").doc_rag(MAIL, session_id=MAIL) as docs:
            docs.exploration([MAIL, f"mailto:{MAIL}"])
            docs.focus([MAIL, {"chunk_id": f"mailto:{MAIL}", "reasoning": MAIL}])
            docs.synthesis(MAIL)
        run.conclusion(MAIL, document_id=f"mailto:{MAIL}", termination_reason=MAIL, model=MAIL)
    with pytest.raises(ValueError, match=MAIL), recorder.doc_rag(MAIL):
        raise ValueError(f"cannot reach {MAIL}")
    recorder.graph_rag("q").fail(f"no answer from {MAIL}")


def test_no_text_escapes(store: Store) -> None:
    record_everything(store)
    for quad in store.quads():
        words = " ".join(map(str, quad))
        assert "secret" not in words
    masked = "urn:trustgraph:agent:%5Bemail%5D"
    assert facts(store, masked)["tg:query"] == {"Who is [email]?"}
    assert facts(store, masked)["tgp:user"] == {"[email]"}
    arguments = json.loads(facts(store, f"{masked}/i1")["tg:arguments"].pop())
    assert arguments == {
        "to": "[email]",
        "[email]": [{"cc": ["[email]"]}],
        "json": '{"bcc": "[email]"}',
    }
    assert facts(store, f"{masked}/i2")["tg:toolError"] == {"ValueError: [email]"}


def test_a_masked_address_is_in_no_file_of_the_store(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "store")) as store:
        record_everything(store)
        store.flush()
        assert_nowhere(tmp_path)
    assert_nowhere(tmp_path)


def test_nor_when_the_process_is_killed(tmp_path: Path) -> None:
    program = f"""
        import os, signal
        from test_recorder_mask import record_everything
        from trustgraph_prov.stores import open_store
        record_everything(open_store({str(tmp_path / "store")!r}))
        os.kill(os.getpid(), signal.SIGKILL)
    """
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    killed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    assert_nowhere(tmp_path)
    with open_store(str(tmp_path / "store")) as store:
        assert facts(store, "urn:trustgraph:agent:%5Bemail%5D/final")["tg:answer"] == {"[email]"}


def assert_nowhere(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files, "no file, so nothing would be tested"
    for path in files:
        assert b"secret" not in path.read_bytes(), path


def broken(text: str) -> Any:
    if "bad" in text:
        raise LookupError(f"cannot mask {text}")
    return None if "none" in text else text


def test_what_a_broken_mask_lets_through_is_masked(store: Store) -> None:
    recorder = Recorder(store, mask=broken)
    with pytest.warns(ProvWarning, match=r"the mask raised LookupError; stored \[masked\]") as told:
        run = recorder.agent("a bad question", session_id="7")
    assert not any("bad" in str(each.message) for each in told)
    with pytest.warns(ProvWarning, match="the mask returned NoneType, not str"):
        run.conclusion("none of it")
    assert facts(store, RUN)["tg:query"] == {"[masked]"}
    assert facts(store, f"{RUN}/final")["tg:answer"] == {"[masked]"}


def test_a_mask_that_changes_an_iri_into_an_iri() -> None:
    masking = Masking(lambda text: text.replace("ana", "x"))
    assert masking.iri("http://e/ana") == "http://e/x"
    assert masking.term("chunk", "mailto:ana@e") == NamedNode("mailto:x@e")


def test_a_number_that_is_masked_becomes_a_text() -> None:
    masking = Masking(lambda text: text.replace("5", "*"))
    assert masking.term("chunk", Literal(15)) == Literal("1*")
    assert masking.term("chunk", Literal(14)) == Literal(14)
    assert masking.term("chunk", Literal("5", language="en")) == Literal("*", language="en")


def test_a_selection_of_nothing_is_refused() -> None:
    masking = Masking(hide)
    with pytest.raises(InvalidValueError, match="expected what was selected"):
        masking.edge({"reasoning": f"by {MAIL}"})
    with pytest.raises(InvalidValueError, match="expected what was selected"):
        masking.chunk({"score": 1})


def test_a_passage_is_masked_like_the_chunk_that_is_selected() -> None:
    batch = Batch()
    run = Recorder(batch, mask=hide).doc_rag("q", session_id="7")
    place: Any = {"index": 0, "offset": 0, "length": 3, "component": MAIL, "version": MAIL}
    chunk = f"urn:chunk:{MAIL}"
    run.passage(chunk, f"file:///home/{MAIL}/a.txt", f"of {MAIL}", **place)
    run.focus([chunk])
    assert MAIL not in " ".join(map(str, batch.quads()))
    source = {quad.subject for quad in batch.quads() if quad.graph_name == NamedNode(GRAPH_SOURCE)}
    selected = [quad.object for quad in batch.quads() if quad.predicate.value == TG_DOCUMENT]
    assert len(selected) == 1
    assert source.issuperset(selected)
    run.synthesis("a")
    before = len(batch.quads())
    with pytest.raises(RunFinishedError):
        run.passage(chunk, "urn:document", "t", **place)
    assert len(batch.quads()) == before


def test_a_mask_is_asked_once_for_each_text(store: Store) -> None:
    seen: list[str] = []

    def note(text: str) -> str:
        seen.append(text)
        return text

    with Recorder(store, mask=note).agent("question", session_id="7") as run:
        run.analysis("thought", "action", {"key": "value"}, "observation")
        run.conclusion("answer")
    texts = ["question", "thought", "action", "key", "value", "observation", "answer"]
    assert [seen.count(text) for text in texts] == [1] * 7
    assert "thought" in shown(store, RUN)[f"{RUN}/i1"]["tg:thought"]
