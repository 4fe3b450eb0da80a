"""Runs left by an exception are marked, and the exception goes on."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncGenerator, Generator

import pytest
from recorder_cases import ASKED, DOCS, RUN, facts

from trustgraph_prov.recorder import Recorder
from trustgraph_prov.recorder.block import describe
from trustgraph_prov.stores import Store

FINAL = f"{RUN}/final"


@pytest.mark.parametrize(
    ("kind", "uri", "answer"),
    [
        ("agent", RUN, FINAL),
        ("graph_rag", ASKED, "urn:trustgraph:prov:synthesis:7"),
        ("doc_rag", DOCS, f"{DOCS}/synthesis"),
    ],
)
def test_an_exception_marks_the_run(store: Store, kind: str, uri: str, answer: str) -> None:
    with (
        pytest.raises(ValueError, match="too deep"),
        getattr(Recorder(store), kind)("q", session_id="7"),
    ):
        raise ValueError("too deep")
    found = facts(store, answer)
    assert found["rdf:type"] >= {"prov:Entity", "tg:Error"}
    assert found["tg:terminationReason"] == {"error"}
    assert found["tgp:errorMessage"] == {"ValueError: too deep"}
    assert found["tgp:trace"] == {uri}
    assert not found.keys() & {"tg:answer", "tg:content"}
    assert "prov:endedAtTime" in facts(store, uri)


@pytest.mark.parametrize("error", [GeneratorExit, KeyboardInterrupt, asyncio.CancelledError])
def test_a_cancellation_marks_the_run(store: Store, error: type[BaseException]) -> None:
    run = Recorder(store).agent("q", session_id="7")
    run.begin("t")
    with pytest.raises(error), run:
        raise error
    found = facts(store, FINAL)
    assert found["tg:terminationReason"] == {"cancelled"}
    assert found["rdf:type"] == {"prov:Entity", "tg:Conclusion"}
    assert found["prov:wasDerivedFrom"] == {f"{RUN}/i1"}
    assert "tgp:errorMessage" not in found
    assert "prov:endedAtTime" in facts(store, RUN)


def test_leaving_the_program_is_an_error(store: Store) -> None:
    with pytest.raises(SystemExit), Recorder(store).agent("q", session_id="7"):
        raise SystemExit(3)
    assert facts(store, FINAL)["tgp:errorMessage"] == {"SystemExit: 3"}


def _stream(store: Store) -> Generator[int]:
    with Recorder(store).agent("q", session_id="7") as run:
        for number in range(100):
            run.analysis(str(number))
            yield number


def test_a_consumer_that_stops_reading_cancels_the_run(store: Store) -> None:
    stream = _stream(store)
    assert next(stream) == 0
    stream.close()
    assert facts(store, FINAL)["tg:terminationReason"] == {"cancelled"}


def test_a_stream_that_is_forgotten_cancels_the_run(store: Store) -> None:
    stream = _stream(store)
    next(stream)
    del stream
    gc.collect()
    assert facts(store, FINAL)["tg:terminationReason"] == {"cancelled"}


def test_after_the_answer_nothing_is_cancelled(store: Store) -> None:
    run = Recorder(store).agent("q", session_id="7")
    run.conclusion("z")
    with pytest.raises(ValueError, match="after"), run:
        raise ValueError("after")
    assert facts(store, FINAL)["tg:terminationReason"] == {"final-answer"}
    assert facts(store, FINAL)["rdf:type"] == {"prov:Entity", "tg:Conclusion"}
    assert len(facts(store, RUN)["prov:endedAtTime"]) == 1


def test_a_tool_that_answers_late_is_still_recorded(store: Store) -> None:
    with Recorder(store).agent("q", session_id="7") as run:
        step = run.begin("t")
        run.conclusion("z")
    step.observe("late")
    assert facts(store, f"{RUN}/i1")["tg:observation"] == {"late"}


def test_by_hand(store: Store) -> None:
    recorder = Recorder(store)
    recorder.agent("q", session_id="7").fail("no budget left", at="2026-03-02T08:15:00Z")
    recorder.doc_rag("q", session_id="7").cancel()
    assert facts(store, FINAL)["tgp:errorMessage"] == {"no budget left"}
    assert facts(store, RUN)["prov:endedAtTime"] == {"2026-03-02T08:15:00Z^^xsd:dateTime"}
    assert facts(store, f"{DOCS}/synthesis")["tg:terminationReason"] == {"cancelled"}


def test_async_blocks(store: Store) -> None:
    async def main() -> None:
        async with Recorder(store).agent("q", session_id="7") as run:
            async with run.begin("t") as step:
                async with step.graph_rag("called", session_id="7") as called:
                    called.synthesis("41 m")
                step.observe("41 m")
            await asyncio.to_thread(run.analysis, "from a thread")
            run.conclusion("z")

    asyncio.run(main())
    assert facts(store, f"{RUN}/i1")["tg:observation"] == {"41 m"}
    assert facts(store, f"{RUN}/i2")["prov:wasDerivedFrom"] == {f"{RUN}/i1"}
    assert facts(store, FINAL)["tg:answer"] == {"z"}


def test_a_cancelled_task_cancels_its_run(store: Store) -> None:
    async def work() -> None:
        async with Recorder(store).agent("q", session_id="7") as run, run.begin("t"):
            await asyncio.sleep(60)

    async def main() -> None:
        task = asyncio.create_task(work())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert facts(store, FINAL)["tg:terminationReason"] == {"cancelled"}
    assert "tg:toolError" not in facts(store, f"{RUN}/i1")


def test_an_async_stream_that_is_closed_cancels_its_run(store: Store) -> None:
    async def stream() -> AsyncGenerator[int, None]:
        async with Recorder(store).agent("q", session_id="7") as run:
            for number in range(100):
                run.analysis(str(number))
                yield number

    async def main() -> None:
        source = stream()
        assert await anext(source) == 0
        await source.aclose()

    asyncio.run(main())
    assert facts(store, FINAL)["tg:terminationReason"] == {"cancelled"}


def test_concurrent_tasks_record_runs_of_their_own(store: Store) -> None:
    recorder = Recorder(store)

    async def work(number: int) -> str:
        async with recorder.agent(f"q{number}", session_id=str(number)) as run:
            await asyncio.sleep(0)
            run.analysis(f"t{number}")
            await asyncio.sleep(0)
            return run.conclusion(f"z{number}")

    async def main() -> list[str]:
        return await asyncio.gather(*map(work, range(10)))

    finals = asyncio.run(main())
    assert [facts(store, final)["tg:answer"] for final in finals] == [{f"z{n}"} for n in range(10)]


def test_an_exception_in_words() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise OSError

    assert describe(ValueError()) == "ValueError"
    assert describe(MuteError()) == "MuteError: (OSError in its str())"
    assert describe("as it is") == "as it is"
