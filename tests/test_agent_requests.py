"""Requests of TrustGraph's own class are served like ours."""

from __future__ import annotations

import asyncio
from typing import Any

from agent_cases import Scripted, call, final
from trustgraph import schema

from trustgraph_prov.agent import AgentService, StoreProducer
from trustgraph_prov.explain import trace
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.messages import AgentResponse, Flow
from trustgraph_prov.stores import Store


def test_a_request_of_trustgraph_s_own_class_is_answered(here: Store) -> None:
    history = [schema.AgentStep("t", "search", {"q": "x"}, "o", step_type="react")]
    first = schema.AgentRequest(question="Why?", session_id="7", pattern="react", history=history)
    following: list[Any] = []
    service = AgentService(Scripted(call("no-tool"), final()), store=here, user="ana")
    flow = Flow(explainability=StoreProducer(here))

    def take(request: Any) -> None:
        asyncio.run(service.agent_request(request, lambda response: None, following.append, flow))

    take(first)
    (second,) = following
    take(second)
    assert (type(second), second.pattern, len(second.history)) == (type(first), "react", 2)
    assert second.history[0] == history[0]
    (listed,) = list_traces(here).traces
    assert (listed.user, trace(here, listed.uri).answer) == ("ana", "Paris")


def test_a_request_of_no_class_of_messages_is_answered_with_an_error(here: Store) -> None:
    request: Any = {"question": "Why?"}
    responses: list[AgentResponse] = []
    flow = Flow(explainability=StoreProducer(here))
    service = AgentService(Scripted())
    asyncio.run(service.agent_request(request, responses.append, lambda request: None, flow))
    assert [response.error.message for response in responses if response.error] == [
        "request is {'question': 'Why?'}; expected a request of the agent service"
    ]
