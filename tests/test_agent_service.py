"""The agent service does what its specification says, iteration by iteration."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from agent_cases import QUESTION, Scripted, asked, call, final, texts

from trustgraph_prov.agent import AgentService, Outcome, StoreProducer, Tools, converse
from trustgraph_prov.errors import ModelError
from trustgraph_prov.explain import Analysis, trace
from trustgraph_prov.explain.listing import list_traces
from trustgraph_prov.messages import (
    AgentRequest,
    AgentResponse,
    AgentResponseTranslator,
    AgentStep,
    Flow,
    Metadata,
    ProducerSpec,
    Triples,
    to_quads,
)
from trustgraph_prov.namespaces import (
    GRAPH_RETRIEVAL,
    PROV_WAS_DERIVED_FROM,
    TG_ANALYSIS,
    TG_CONCLUSION,
    TG_QUERY,
    TG_QUESTION,
)
from trustgraph_prov.stores import Store, open_store
from trustgraph_prov.trustgraph import ingest
from trustgraph_prov.validate import validate


@pytest.fixture
def tools() -> Tools:
    found = Tools()

    @found.add
    def search(q: str) -> str:
        """Search."""
        return f"{q}: Paris"

    @found.add
    def broken() -> str:
        """Break."""
        raise ValueError("too deep")

    return found


class Producer:
    """Keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[Triples] = []

    def send(self, message: Triples) -> None:
        self.sent.append(message)

    @property
    def quads(self) -> list[Any]:
        return [q for m in self.sent for q in to_quads(m.triples, GRAPH_RETRIEVAL)]


def one_turn(
    service: AgentService, request: AgentRequest, producer: Any
) -> tuple[list[AgentRequest], list[AgentResponse]]:
    following: list[AgentRequest] = []
    responses: list[AgentResponse] = []
    flow = Flow(explainability=producer)
    asyncio.run(service.agent_request(request, responses.append, following.append, flow))
    return following, responses


def test_it_registers_its_producer() -> None:
    (spec,) = AgentService(Scripted()).specifications
    assert isinstance(spec, ProducerSpec)
    assert (spec.name, spec.schema) == ("explainability", Triples)


def test_the_first_iteration_asks_and_the_session_goes_on(tools: Tools) -> None:
    service = AgentService(Scripted(call("search", '{"q": "capital"}')), tools)
    producer = Producer()
    request = AgentRequest(question=QUESTION, user="ana", collection="atlas", state="s")
    (after,), _ = one_turn(service, request, producer)
    session = f"urn:trustgraph:agent:{after.session_id}"
    assert after.history == [AgentStep("Look it up.", "search", {"q": "capital"}, "capital: Paris")]
    assert (after.user, after.collection, after.state) == ("ana", "atlas", "s")
    assert [m.metadata for m in producer.sent] == [Metadata(session, "ana", "atlas")] * 3
    kinds = {(q.subject.value, q.object.value) for q in producer.quads}
    assert {(session, TG_QUESTION), (f"{session}/i1", TG_ANALYSIS)} <= kinds


def test_later_iterations_do_not_ask_again(tools: Tools) -> None:
    service = AgentService(Scripted(final()), tools)
    producer = Producer()
    history = [AgentStep("t", "search", {}, "o"), AgentStep("t", "search", {}, "o")]
    request = AgentRequest(question=QUESTION, session_id="7", history=history)
    following, _ = one_turn(service, request, producer)
    assert following == []
    made = {(q.subject.value, q.predicate.value, q.object.value) for q in producer.quads}
    end = "urn:trustgraph:agent:7/final"
    assert (end, PROV_WAS_DERIVED_FROM, "urn:trustgraph:agent:7/i2") in made
    assert TG_QUERY not in {predicate for _, predicate, _ in made}
    assert TG_CONCLUSION in {value for _, _, value in made}


def test_a_session_id_given_is_kept() -> None:
    producer = Producer()
    one_turn(
        AgentService(Scripted(final())), AgentRequest(question=QUESTION, session_id="a b"), producer
    )
    assert producer.sent[0].metadata == Metadata(
        "urn:trustgraph:agent:a%20b", "trustgraph", "default"
    )


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.usefixtures("engine")
def test_a_run_is_recorded_shown_and_valid(store: Store, tools: Tools, streaming: bool) -> None:
    model = Scripted(
        call("search", '{"q": "France"}'), "I have no idea.", call("broken"), final("Paris\nit is.")
    )
    outcome, responses = asked(store, model, tools, streaming=streaming)
    assert (outcome.answer, outcome.error) == ("Paris\nit is.", None)
    run = trace(store, outcome.uri)
    assert (run.question.query, run.answer, run.status) == (QUESTION, "Paris\nit is.", "finished")
    steps = [node for node in run.nodes if isinstance(node, Analysis)]
    assert [step.action for step in steps] == ["search", None, "broken"]
    assert [step.observation for step in steps] == ["France: Paris", None, None]
    assert [step.error for step in steps] == [
        None,
        "ReplyError: the reply has neither an `Action:` nor a `Final Answer:`",
        "ValueError: too deep",
    ]
    assert texts(responses, "thought") == ["Look it up.", "Look it up.", "I know."]
    assert texts(responses, "answer") == ["Paris\nit is."]
    assert responses[-1].end_of_dialog
    assert (responses[-1].in_token, responses[-1].model) == (11, "scripted-1")
    assert validate(store).conforms


def test_the_model_reads_what_went_wrong(tools: Tools) -> None:
    model = Scripted("Hm.", call("nothing"), call("search", '{"x": 1}'), final())
    asked(open_store("memory:"), model, tools)
    last = [message["content"] for message in model.chats[-1]]
    assert "neither an `Action:` nor a `Final Answer:`" in last[3]
    assert "nothing: there is no such tool; there are: search, broken" in last[5]
    assert "search: needs the argument 'q'" in last[7]


def test_what_is_explained_is_what_is_recorded(tools: Tools) -> None:
    with open_store("memory:") as store, open_store("memory:") as copy:
        outcome, responses = asked(
            store, Scripted(call("search", '{"q": "France"}'), final()), tools, streaming=True
        )
        explained = [q for r in responses for q in to_quads(r.explain_triples, GRAPH_RETRIEVAL)]
        assert set(explained) == set(store.quads())
        wire = map(AgentResponseTranslator().from_pulsar, responses)
        ingest(wire, copy)
        assert set(copy.quads()) >= set(store.quads())
        assert trace(copy, outcome.uri).answer == trace(store, outcome.uri).answer == "Paris"
        ids = [r.explain_id for r in responses if r.message_type == "explain"]
    step = f"{outcome.uri}/i1"
    assert ids == [outcome.uri, step, step, f"{outcome.uri}/final"]


def test_a_producer_may_be_any_object_with_send(tools: Tools) -> None:
    class Late(Producer):
        async def send(self, message: Triples) -> None:  # type: ignore[override]  # a coroutine is what is tried here
            await asyncio.sleep(0)
            self.sent.append(message)

    for producer in (Producer(), Late()):
        request = AgentRequest(question=QUESTION, session_id="7")
        one_turn(AgentService(Scripted(final()), tools), request, producer)
        assert [m.metadata.id for m in producer.sent if m.metadata] == [
            "urn:trustgraph:agent:7"
        ] * 2


def test_respond_and_next_may_be_coroutines(tools: Tools) -> None:
    heard: list[object] = []

    async def listen(thing: object) -> None:
        heard.append(thing)

    service = AgentService(Scripted(call("search", '{"q": "x"}')), tools)
    request = AgentRequest(question=QUESTION)
    asyncio.run(service.agent_request(request, listen, listen, Flow(explainability=Producer())))
    assert isinstance(heard[-1], AgentRequest)
    assert isinstance(heard[0], AgentResponse)


def test_groups_choose_the_tools(tools: Tools) -> None:
    tools.add(lambda: "4", name="sums", groups=["maths"])
    model = Scripted(final())
    service = AgentService(model, tools)
    one_turn(service, AgentRequest(question=QUESTION, group=["maths"]), Producer())
    assert "- sums:" in model.chats[0][0]["content"]
    assert tools.of(["words"]).names == ["search", "broken"]


def test_a_mask_sees_every_text(tools: Tools) -> None:
    def hide(text: str) -> str:
        return text.replace("France", "[country]")

    with open_store("memory:") as store:
        model = Scripted(call("search", '{"q": "France"}', "France!"), final("In France"))
        outcome, _ = asked(store, model, tools, mask=hide)
        assert outcome.answer == "In France"
        assert not [q for q in store.quads() if "France" in str(q)]


def test_whose_run_it_is(tools: Tools) -> None:
    with open_store("memory:") as store:
        asked(store, Scripted(final()), user="ana")
        (run,) = list_traces(store).traces
    assert (run.user, run.collection, run.type) == ("ana", "default", "Agent")


def test_a_cancelled_iteration_is_recorded_as_cancelled() -> None:
    async def main(store: Store) -> None:
        reached = asyncio.Event()
        tools = Tools()

        async def wait() -> str:
            reached.set()
            await asyncio.sleep(60)
            return "never"

        tools.add(wait, name="wait", description="Wait.")
        service = AgentService(Scripted(call("wait")), tools)
        task = asyncio.ensure_future(
            service.agent_request(
                AgentRequest(question=QUESTION, session_id="7"),
                lambda response: None,
                lambda request: None,
                Flow(explainability=StoreProducer(store)),
            )
        )
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with open_store("memory:") as store:
        asyncio.run(main(store))
        assert trace(store, "urn:trustgraph:agent:7").status == "cancelled"


def test_threads_do_not_hold_a_cancelled_iteration_up() -> None:
    release, begun = threading.Event(), threading.Event()

    def slow() -> str:
        begun.set()
        release.wait(30)
        return "late"

    async def main() -> None:
        service = AgentService(Scripted(call("slow")), Tools())
        service.tools.add(slow)
        request = AgentRequest(question=QUESTION)
        flow = Flow(explainability=Producer())
        task = asyncio.ensure_future(
            service.agent_request(request, lambda r: None, lambda r: None, flow)
        )
        while not begun.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    release.set()


def converse_after(store: Store, tools: Tools, session_id: str, reply: str) -> Outcome:
    """Go on after one step, in a session or in none."""
    service = AgentService(Scripted(reply, final()), tools, store=store)
    step = AgentStep("Look.", "search", {"q": "x"}, "x: Paris")
    request = AgentRequest(question=QUESTION, history=[step], session_id=session_id)
    flow = Flow(explainability=StoreProducer(store))
    return asyncio.run(converse(service, request, flow))


def test_a_history_without_a_session_is_a_run_with_its_question(tools: Tools) -> None:
    with open_store("memory:") as store:
        outcome = converse_after(store, tools, "", call("search", '{"q": "y"}'))
        assert [each.uri for each in list_traces(store).traces] == [outcome.uri]
        run = trace(store, outcome.uri)
        steps = [node for node in run.nodes if isinstance(node, Analysis)]
        assert [step.observation for step in steps] == ["x: Paris", "y: Paris"]
        assert (run.question.query, run.answer, run.status) == (QUESTION, "Paris", "finished")
        assert validate(store).conforms


def test_a_conversation_that_goes_on_is_named_by_its_run(tools: Tools) -> None:
    with open_store("memory:") as store:
        outcome = converse_after(store, tools, "7", final())
    assert outcome.uri == "urn:trustgraph:agent:7"


@pytest.mark.parametrize(("limit", "taken"), [(1, "1 iteration"), (3, "3 iterations")])
def test_a_run_without_end_is_ended_for_max_iterations(
    tools: Tools, limit: int, taken: str
) -> None:
    with open_store("memory:") as store:
        model = Scripted(*[call("search", '{"q": "x"}')] * limit)
        outcome, responses = asked(store, model, tools, max_iterations=limit)
        assert outcome.error is not None
        assert outcome.error.type == "max-iterations"
        assert outcome.error.message == f"max-iterations: no answer after {taken}"
        run = trace(store, outcome.uri)
        assert [answer.text for answer in run.answers] == [f"No answer after {taken}."]
        assert run.steps[-1].termination_reason == "max-iterations"
        assert run.steps[-1].parents == (f"{outcome.uri}/i{limit}",)
        assert len([node for node in run.nodes if isinstance(node, Analysis)]) == limit
        assert validate(store).conforms
    assert responses[-1].end_of_dialog


def test_a_model_that_fails_ends_the_run_after_its_last_step(tools: Tools) -> None:
    with open_store("memory:") as store:
        model = Scripted(call("search", '{"q": "x"}'), ModelError("scripted", "away"))
        outcome, _ = asked(store, model, tools)
        run = trace(store, outcome.uri)
    assert outcome.error is not None
    assert (outcome.error.type, outcome.error.message) == ("ModelError", "scripted: away")
    assert (run.status, run.steps[-1].parents) == ("failed", (f"{outcome.uri}/i1",))
