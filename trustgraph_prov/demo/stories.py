"""The demo's runs: what people asked about an invented power plant, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..recorder import Recorder
from ..uris import agent_session_uri, docrag_question_uri, question_uri
from .sources import CLEARING, EDGES, KG, OUTAGE, SCREENS, VOLUME

__all__ = ["STORIES", "Story"]

MODEL = "lumen-70b"
CALLED = "5b0f6b5e-0d5c-4c57-8a3c-1f4c9d2e7a02"
"""Session of the run that an agent calls."""


@dataclass(frozen=True)
class Story:
    """A run that is recorded always the same.

    Attributes:
        tell: records it, given the recorder and the session.
        mint: makes the IRI of the run, given the session.
        session: its id.
        start: when, in UTC.
        called: IRIs of the runs that it calls.
        strict: whether it is linked as PROV-O allows it.
    """

    tell: Callable[[Recorder, str], None]
    mint: Callable[[str], str]
    session: str
    start: str
    called: tuple[str, ...] = ()
    strict: bool = False

    def runs(self) -> tuple[str, ...]:
        """IRIs of the run and of those that it calls."""
        return self.mint(self.session), *self.called


def agent_calls_graph_rag(recorder: Recorder, session_id: str) -> None:
    """An agent whose first step asks the knowledge graph."""
    with recorder.agent(
        "Why did the Quarrow plant deliver less power in October 2025, and is it back to normal?",
        session_id=session_id,
    ) as run:
        asked = "Why was unit 2 of the Quarrow plant out of service in October 2025?"
        step = run.begin(
            "The cause of the outage should be in the knowledge graph.",
            "knowledge-query",
            {"question": asked},
            tool_candidates=["knowledge-query", "document-search", "plant-status"],
            llm_duration_ms=940,
            model=MODEL,
            in_token=812,
            out_token=64,
        )
        with step.graph_rag(asked, session_id=CALLED) as called:
            called.grounding(
                ["Quarrow unit 2", "outage", "October 2025"],
                model=MODEL,
                in_token=388,
                out_token=21,
            )
            called.exploration(9, [KG + "quarrow-unit-2", KG + "quarrow-intake-screens"])
            called.focus(
                [
                    {
                        "edge": EDGES[OUTAGE][1],
                        "reasoning": "Names the cause of the outage.",
                        "score": 0.96,
                        "concept": "outage",
                    },
                    {
                        "edge": EDGES[OUTAGE][0],
                        "reasoning": "Dates the trip to October 2025.",
                        "score": 0.91,
                        "concept": "October 2025",
                    },
                    {
                        "edge": EDGES[OUTAGE][2],
                        "reasoning": "Says where the silt came from.",
                        "score": 0.74,
                        "concept": "outage",
                    },
                ],
                model=MODEL,
                in_token=1204,
                out_token=132,
            )
            found = (
                "Unit 2 tripped on 3 October 2025 because silt from the intake screens had got "
                "into the cooling water of its lower guide bearing."
            )
            called.synthesis(found, model=MODEL, in_token=655, out_token=48)
        step.observe(found)
        run.analysis(
            "Whether it is back to normal is a question for the control room.",
            "plant-status",
            {"plant": "quarrow", "units": [1, 2]},
            "unit 1: 142.1 MW; unit 2: 141.8 MW, in service since 2025-11-14",
            tool_candidates=["knowledge-query", "document-search", "plant-status"],
            llm_duration_ms=1105,
            tool_duration_ms=87,
            model=MODEL,
            in_token=1037,
            out_token=52,
        )
        run.conclusion(
            "Unit 2 stood still from 3 October 2025, after silt had reached its bearing through "
            "the intake screens. It has been back in service since 14 November and delivers "
            "141.8 of its rated 142.5 MW.",
            model=MODEL,
            in_token=1290,
            out_token=71,
        )


def graph_rag(recorder: Recorder, session_id: str) -> None:
    """A question to the knowledge graph."""
    with recorder.graph_rag(
        "How much water can Lake Quarrow store today?",
        session_id=session_id,
    ) as run:
        run.grounding(["Lake Quarrow", "usable volume"], model=MODEL, in_token=351, out_token=14)
        run.exploration(6, [KG + "lake-quarrow"])
        run.focus(
            [
                {
                    "edge": EDGES[VOLUME][0],
                    "reasoning": "Gives the usable volume of the latest survey.",
                    "score": 0.98,
                    "concept": "usable volume",
                },
                {
                    "edge": EDGES[VOLUME][1],
                    "reasoning": "Tells how the volume has changed.",
                    "score": 0.63,
                    "concept": "usable volume",
                },
            ],
            model=MODEL,
            in_token=917,
            out_token=95,
        )
        run.synthesis(
            "41.8 million cubic metres can be used, 6.4 % less than in 2009.",
            model=MODEL,
            in_token=540,
            out_token=29,
        )


def doc_rag(recorder: Recorder, session_id: str) -> None:
    """A question to the documents."""
    with recorder.doc_rag(
        "What did the divers find at the intake screens of Lake Quarrow?",
        session_id=session_id,
    ) as run:
        run.grounding(["divers", "intake screens"], model=MODEL, in_token=347, out_token=11)
        run.exploration([SCREENS, CLEARING, OUTAGE])
        run.focus([{"chunk_id": SCREENS, "score": 0.97}, {"chunk_id": CLEARING, "score": 0.82}])
        run.synthesis(
            "Three of the eight screens were covered with silt, and screen 5 was bent and lacked "
            "two bars. Screens 4 to 6 have been cleared; screen 5 awaits a replacement.",
            model=MODEL,
            in_token=702,
            out_token=55,
        )


def failed(recorder: Recorder, session_id: str) -> None:
    """An agent whose tool is out of reach, and who gives up."""
    try:
        with recorder.agent(
            "How much rain must fall for Lake Quarrow to be full by April?",
            session_id=session_id,
        ) as run:
            run.analysis(
                "First, how full the lake is now.",
                "plant-status",
                {"plant": "quarrow", "value": "lake level"},
                "lake level 611.40 m, 31.2 of 41.8 million cubic metres",
                llm_duration_ms=880,
                tool_duration_ms=93,
                model=MODEL,
                in_token=640,
                out_token=38,
            )
            step = run.begin(
                "Next, what the catchment yields for each millimetre of rain.",
                "rain-gauge",
                {"catchment": "Upper Tarle", "years": 10},
                llm_duration_ms=912,
                model=MODEL,
                in_token=733,
                out_token=44,
            )
            step.fail(ConnectionError("rain-gauge.example.org:443: connection refused"))
            raise RuntimeError("no rainfall record for Upper Tarle; the estimate is not possible")
    except RuntimeError:
        return  # the story ends here; the run has its mark


def agent(recorder: Recorder, session_id: str) -> None:
    """An agent that asks two tools at a time and rests its third step on both."""
    with recorder.agent(
        "Which intake screen at Quarrow needs new parts, and who has worked for the plant before?",
        session_id=session_id,
    ) as run:
        log = run.begin(
            "The diving log lists the damage.",
            "document-search",
            {"text": "damaged intake screens", "limit": 3},
            llm_duration_ms=870,
            model=MODEL,
            in_token=701,
            out_token=88,
        )
        firms = run.begin(
            "At the same time, the graph can name the firms that have repaired there.",
            "knowledge-query",
            {"question": "Who has repaired parts of the Quarrow plant?"},
        )
        log.observe("Screen 5 was bent, and two of its bars were missing.")
        firms.observe("Pellworth Works replaced the bearing shells of unit 2.")
        run.analysis(
            "Check that the part can still be ordered from them.",
            "parts-register",
            {"part": "intake screen 5", "maker": "Pellworth Works"},
            "QR-IS-5, 16 bars, made to order, 9 weeks",
            llm_duration_ms=1012,
            tool_duration_ms=141,
            model=MODEL,
            in_token=948,
            out_token=41,
        )
        run.conclusion(
            "Screen 5: it is bent and lacks two bars. Pellworth Works, who repaired unit 2, can "
            "make it in nine weeks.",
            model=MODEL,
            in_token=1102,
            out_token=37,
        )


STORIES: dict[str, Story] = {
    "agent": Story(
        agent, agent_session_uri, "6e2d9b1c-4f70-4c8a-b5d3-0a1e7f9c2b07", "2026-02-18T11:20:09"
    ),
    "agent-calls-graph-rag": Story(
        agent_calls_graph_rag,
        agent_session_uri,
        "0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01",
        "2026-02-18T09:14:05",
        called=(question_uri(CALLED),),
    ),
    "agent-strict": Story(
        agent,
        agent_session_uri,
        "3a9c5e71-2d84-4b6f-a0e3-5f7d8c1b9a06",
        "2026-02-18T11:20:09",
        strict=True,
    ),
    "doc-rag": Story(
        doc_rag, docrag_question_uri, "e1a7c9d0-3b52-4f86-9d14-7c8b5a2f6e04", "2026-02-17T15:05:12"
    ),
    "failed": Story(
        failed, agent_session_uri, "f4b8d2e6-7c19-4a3d-8e50-9b6a1c4d7f05", "2026-02-18T10:02:47"
    ),
    "graph-rag": Story(
        graph_rag, question_uri, "8d3f2c44-6a1b-4e0f-b7c5-2e9a4d6f8b03", "2026-02-18T08:40:31"
    ),
}
"""Stories by the name of their example file."""
