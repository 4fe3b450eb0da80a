"""What an agent makes of models, listeners and requests that do their worst."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import Any, cast

import pytest
from agent_cases import QUESTION, Scripted, asked, call, final, one_tool, steps_of
from agent_server import serve

from trustgraph_prov.agent import (
    AgentService,
    OpenAiModel,
    Reply,
    StoreProducer,
    ask,
    converse,
)
from trustgraph_prov.explain import trace
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.messages import AgentRequest, AgentResponse, AgentStep, Flow
from trustgraph_prov.stores import Store, open_store
from trustgraph_prov.validate import validate


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "ReplyError: the reply is empty"),
        ("  \n", "ReplyError: the reply is empty"),
        ("x" * 1_000_000, "ReplyError: the reply has neither"),
        ("Thought: " + " " * 100_000, "ReplyError: the reply has neither"),
        ("\x00\x1b[2J\x07\ud800", "ReplyError: the reply has neither"),
        ("{" * 100_000, "ReplyError: the reply is no JSON object"),
        ("[" * 100_000, "ReplyError: the reply has neither"),
        (call("tool", '{"a":' * 2000 + "1" + "}" * 2000), "ReplyError: what follows `Args:`"),
        (call("tool", '{"a":' * 200 + "1" + "}" * 200), "more than 50 deep"),
        (call("tool", "[1, 2]"), "ReplyError: what follows `Args:` is no JSON object"),
        (call("tool", '"x"'), "ReplyError: what follows `Args:` is no JSON object"),
        (call("tool", '{"__class__": 1}'), "ToolError: tool: has no argument '__class__'"),
        (call("tool", '{"context": 1}'), "ToolError: tool: has no argument 'context'"),
        (call("__import__"), "ToolError: __import__: there is no such tool; there are: tool"),
        (call("\x1b[31mtool\x00"), "there is no such tool"),
        (call("t" * 100_000), "there is no such tool"),
    ],
    ids=lambda value: None,
)
@pytest.mark.filterwarnings("ignore:.*lone surrogate:trustgraph_prov.errors.ProvWarning")
def test_a_hostile_reply_is_a_step_and_the_agent_goes_on(
    reply: str, why: str, streaming: bool
) -> None:
    with open_store("memory:") as store:
        tools = one_tool(lambda: "fine")
        outcome, _ = asked(store, Scripted(reply, final()), tools, streaming=streaming)
        assert (outcome.answer, outcome.error) == ("Paris", None)
        (step,) = steps_of(store, outcome.uri)
        assert why in str(step.error)
        assert validate(store).conforms


@pytest.mark.parametrize("streaming", [False, True])
def test_an_empty_text_of_an_endpoint_is_a_step_and_the_agent_goes_on(streaming: bool) -> None:
    with (
        open_store("memory:") as store,
        serve(["", final()]) as endpoint,
        OpenAiModel("m", "k", endpoint.base_url) as model,
    ):
        outcome = ask(AgentService(model), QUESTION, store, streaming=streaming)
        assert outcome.answer == "Paris"
        (step,) = steps_of(store, outcome.uri)
        assert step.error == "ReplyError: the reply is empty"


def test_a_listener_that_fails_while_a_model_speaks_is_no_failure_of_the_model() -> None:
    def respond(response: AgentResponse) -> None:
        if response.message_type == "thought":
            raise ConnectionError("gone")

    with (
        open_store("memory:") as store,
        serve([final()]) as endpoint,
        OpenAiModel("m", "k", endpoint.base_url) as model,
    ):
        service = AgentService(model)
        with pytest.raises(ConnectionError, match="gone"):
            ask(service, QUESTION, store, session_id="7", streaming=True, respond=respond)
        run = trace(store, "urn:trustgraph:agent:7")
    assert (run.status, run.error) == ("failed", "ConnectionError: gone")


def test_a_model_that_goes_on_after_the_end_is_not_heard() -> None:
    class Late(Scripted):
        def complete(self, messages: Any, on_text: Any = None) -> Any:
            reached.set()
            go_on.wait(30)
            try:
                on_text("Thought: too late")
            except RuntimeError as error:
                refused.append(str(error))
            done.set()
            return super().complete(messages)

    reached, go_on, done = threading.Event(), threading.Event(), threading.Event()
    refused: list[str] = []
    heard: list[AgentResponse] = []

    async def main(store: Store) -> None:
        service = AgentService(Late(final()))
        request = AgentRequest(question=QUESTION, session_id="7", streaming=True)
        flow = Flow(explainability=StoreProducer(store))
        turn = service.agent_request(request, heard.append, lambda request: None, flow)
        task = asyncio.ensure_future(turn)
        while not reached.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()
        while not done.is_set():
            await asyncio.sleep(0.01)

    with open_store("memory:") as store:
        asyncio.run(main(store))
        assert trace(store, "urn:trustgraph:agent:7").status == "cancelled"
    assert refused == ["nobody waits for this reply any more"]
    assert {response.message_type for response in heard} == {"explain"}


def test_of_two_requests_at_once_with_one_session_one_is_refused() -> None:
    async def main(store: Store) -> list[Any]:
        service = AgentService(Scripted(final(), final()), store=store)
        flow = Flow(explainability=StoreProducer(store))
        requests = (AgentRequest(question=QUESTION, session_id="7") for _ in range(2))
        both = [converse(service, request, flow) for request in requests]
        return list(await asyncio.gather(*both))

    with open_store("memory:") as store:
        first, second = asyncio.run(main(store))
        assert (first.answer, first.error) == ("Paris", None)
        assert second.error.type == "RunExistsError"
        assert second.error.message.startswith("session 7 is at work on another request; ask with")
        assert len(list_traces(store).traces) == 1
        assert validate(store).conforms


def replay(store: Store, history: list[AgentStep]) -> Any:
    tools = one_tool(lambda: "fine")
    service = AgentService(Scripted(call("tool"), final()), tools, store=store)
    request = AgentRequest(question=QUESTION, session_id="7", history=history)
    return asyncio.run(converse(service, request, Flow(explainability=StoreProducer(store))))


STEP = AgentStep("Look.", "tool", {}, "fine")


def test_a_history_whose_session_the_store_does_not_know_gets_its_question() -> None:
    with open_store("memory:") as store:
        outcome = replay(store, [STEP])
        assert (outcome.answer, outcome.uri) == ("Paris", "urn:trustgraph:agent:7")
        (listed,) = list_traces(store).traces
        run = trace(store, listed.uri)
        assert (run.question.query, run.answer, run.status) == (QUESTION, "Paris", "finished")
        assert [step.observation for step in steps_of(store, listed.uri)] == ["fine"] * 2
        assert validate(store).conforms


@pytest.mark.parametrize("history", [[], [STEP], [STEP, STEP]])
def test_a_request_that_comes_again_is_refused_in_words_for_who_asked(
    history: list[AgentStep],
) -> None:
    with open_store("memory:") as store:
        replay(store, [STEP])
        before = set(store.quads())
        outcome = replay(store, history)
        assert outcome.error.message.startswith("urn:trustgraph:agent:7 already has ")
        assert outcome.error.message.endswith("another session id, or with none for a new run")
        assert "resume" not in outcome.error.message
        assert set(store.quads()) == before


def test_an_iteration_is_not_done_twice() -> None:
    async def main(store: Store) -> list[AgentResponse]:
        tools = one_tool(lambda: "fine")
        service = AgentService(Scripted(*[call("tool")] * 3), tools, store=store)
        flow = Flow(explainability=StoreProducer(store))
        following: list[AgentRequest] = []
        heard: list[AgentResponse] = []
        first = AgentRequest(question=QUESTION, session_id="7")
        await service.agent_request(first, heard.append, following.append, flow)
        for _ in range(2):
            heard.clear()
            await service.agent_request(following[0], heard.append, following.append, flow)
        return heard

    with open_store("memory:") as store:
        (refusal,) = asyncio.run(main(store))
        assert refusal.error is not None
        assert refusal.error.type == "RunExistsError"
        assert len(steps_of(store, "urn:trustgraph:agent:7")) == 2


def test_a_model_of_yours_that_breaks_is_heard_and_recorded() -> None:
    with open_store("memory:") as store:
        with pytest.raises(ZeroDivisionError):
            asked(store, Scripted(ZeroDivisionError("0")), session_id="7")
        assert trace(store, "urn:trustgraph:agent:7").error == "ZeroDivisionError: 0"


@pytest.mark.parametrize("question", ["", " \n"])
def test_an_empty_question_is_refused_before_a_model_is_asked(question: str) -> None:
    model = Scripted()
    with open_store("memory:") as store:
        outcome = ask(AgentService(model), question, store)
        assert outcome.error is not None
        assert outcome.error.message.startswith("question is ")
        assert (model.chats, list(store.quads())) == ([], [])


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"question": None}, "question is None; expected a text"),
        ({"question": 5}, "question is 5; expected a text"),
        ({"history": 5}, "history is 5; expected a list of steps"),
        ({"history": ["step"]}, "history is 'step'; expected a list of steps"),
        ({"history": [AgentStep(thought=cast("str", 5))]}, "thought is 5; expected a text"),
    ],
)
def test_a_request_that_is_none_is_answered_with_an_error(fields: dict[str, Any], why: str) -> None:
    with open_store("memory:") as store:
        request = AgentRequest(**{"question": "Why?", **fields})
        flow = Flow(explainability=StoreProducer(store))
        outcome = asyncio.run(converse(AgentService(Scripted()), request, flow))
        assert outcome.error is not None
        assert outcome.error.message.endswith(why)
        assert list(store.quads()) == []


@pytest.mark.parametrize("none", ["step", "fields", "history"])
def test_what_a_request_leaves_out_is_empty(none: str) -> None:
    nothing = cast("Any", None)
    step = nothing if none == "step" else AgentStep(nothing, nothing, nothing, nothing)
    request = AgentRequest(
        question="Why?",
        state=nothing,
        history=nothing if none == "history" else [step],
        user=nothing,
        collection=nothing,
        session_id=nothing,
    )
    with open_store("memory:") as store:
        service = AgentService(Scripted(final()), store=store)
        flow = Flow(explainability=StoreProducer(store))
        assert asyncio.run(converse(service, request, flow)).answer == "Paris"
        assert validate(store).conforms


class Cut(Scripted):
    """A model whose replies break off at its limit."""

    def complete(self, *chat: Any) -> Reply:
        return replace(super().complete(*chat), cut=True)


def test_an_answer_at_its_limit_says_so() -> None:
    with open_store("memory:") as store:
        outcome, _ = asked(store, Cut("Thought: I", final("Par")))
        assert outcome.answer == "Par"
        run = trace(store, outcome.uri)
        (step,) = steps_of(store, outcome.uri)
        assert str(step.error).endswith("; it is cut off at the most tokens that it may write")
        assert [node.termination_reason for node in run.nodes][-1] == "length"
