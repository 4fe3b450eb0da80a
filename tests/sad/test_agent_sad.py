"""What an agent meets when things around it fail."""

from __future__ import annotations

import asyncio
import io
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyoxigraph as ox
import pytest
from agent_cases import KG, QUESTION, Scripted, asked, call, final, knowledge

from trustgraph_prov.agent import AgentService, EventReader, OpenAiModel, SparqlQuery, Tools
from trustgraph_prov.agent import DocumentQuery as Documents
from trustgraph_prov.agent import sparql_child as child
from trustgraph_prov.agent.outlet import CallbackTarget
from trustgraph_prov.agent.threads import from_thread, in_thread
from trustgraph_prov.errors import (
    InvalidValueError,
    MissingExtraError,
    QueryTimeoutError,
    StoreError,
    ToolError,
)
from trustgraph_prov.explain import trace
from trustgraph_prov.messages import AgentRequest, AgentResponse, Flow, Triple
from trustgraph_prov.recorder import Recorder
from trustgraph_prov.stores import open_store
from trustgraph_prov.stores.base import QueryResult


def turn(flow: Any, respond: Any = lambda response: None, **options: Any) -> None:
    service = AgentService(Scripted(final()), **options)
    request = AgentRequest(question=QUESTION, session_id="7")
    asyncio.run(service.agent_request(request, respond, lambda request: None, flow))


def test_a_flow_without_the_producer() -> None:
    with pytest.raises(
        InvalidValueError, match='expected a flow with an "explainability" producer'
    ):
        turn(Flow())


def test_no_iterations() -> None:
    with pytest.raises(InvalidValueError, match="max_iterations is 0; expected a whole number"):
        AgentService(Scripted(), max_iterations=0)


def test_a_producer_that_fails_is_heard() -> None:
    class Full:
        def send(self, message: object) -> None:
            raise StoreError("store", "the disk is full")

    with pytest.raises(StoreError, match="the disk is full"):
        turn(Flow(explainability=Full()))


def test_a_listener_that_fails_ends_the_run() -> None:
    sent: list[Any] = []

    class Producer:
        def send(self, message: Any) -> None:
            sent.extend(message.triples)

    def respond(response: AgentResponse) -> None:
        if response.message_type == "thought":
            raise ConnectionError("gone")

    with pytest.raises(ConnectionError, match="gone"):
        turn(Flow(explainability=Producer()), respond)
    assert "ConnectionError: gone" in {triple.o.value for triple in sent}


def test_a_store_that_cannot_be_asked_is_heard() -> None:
    class Away:
        def insert(self, quads: object) -> None:
            raise AssertionError("never reached")

        def query(self, query: str) -> QueryResult:
            raise StoreError("store", "is out of reach")

        def update(self, update: str) -> None:
            raise AssertionError("never reached")

    with pytest.raises(StoreError, match="is out of reach"):
        turn(Flow(explainability=object()), store=Away())


def test_a_tool_that_returns_nothing() -> None:
    tools = Tools()
    tools.add(lambda: None, name="quiet")
    tools.add(lambda: {"a": [1]}, name="object")
    with open_store("memory:") as store:
        model = Scripted(call("quiet"), call("object"), final())
        outcome, _ = asked(store, model, tools)
        steps = trace(store, outcome.uri).steps
    assert '{"a": [1]}' in model.chats[2][-1]["content"]
    assert outcome.answer == "Paris"
    assert len(steps) == 3


def test_an_event_that_says_nothing_for_people() -> None:
    reader = EventReader()
    node = "urn:trustgraph:agent:7"
    silent = Triple(node, "http://www.w3.org/ns/prov#wasDerivedFrom", "urn:other")
    other = Triple("urn:other", "https://trustgraph.ai/ns/query", "Why?")
    response = AgentResponse("explain", explain_id=node, explain_triples=[silent, other])
    assert reader.read(response) == []
    assert reader.read(AgentResponse("thought", "Hm.")) == []


@pytest.mark.parametrize(
    ("module", "make"),
    [
        ("openai", lambda folder: OpenAiModel("m", "k")),
        ("bm25s", lambda folder: Documents(folder, Scripted())),
    ],
)
def test_without_the_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, module: str, make: Callable[[Any], object]
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'trustgraph-prov\[agent\]'"):
        make(tmp_path)


def test_what_is_sent_is_not_taken_back() -> None:
    with pytest.raises(NotImplementedError, match="is not resumed"):
        CallbackTarget(print).update("DELETE WHERE { ?s ?p ?o }")


def test_a_loop_that_is_closed_takes_nothing() -> None:
    loop = asyncio.new_event_loop()
    loop.close()

    async def never() -> None:
        raise AssertionError("never reached")

    with pytest.raises(RuntimeError, match="the event loop that was to take this is closed"):
        from_thread(loop, never)


def test_what_a_thread_raises_is_raised() -> None:
    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(in_thread(fail))


LIMIT = 30.0


class Server:
    """A store behind a URL."""

    name = "http://127.0.0.1:1/sparql"
    read_only = False

    def __init__(self, error: Exception | None = None) -> None:
        self.engine = ox.Store()
        self.engine.extend(knowledge())
        self.error = error
        self.asked: list[float | None] = []

    def insert(self, quads: Iterable[ox.Quad]) -> None:
        self.engine.extend(quads)

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        self.asked.append(timeout)
        if self.error:
            raise self.error
        return self.engine.query(query)


def server_query(server: Server, **options: Any) -> SparqlQuery:
    return SparqlQuery(server, **options)  # type: ignore[arg-type]  # a server is only queried


def test_a_server_gets_the_limit_and_queries_alone() -> None:
    server = Server()
    ask = server_query(server, timeout=LIMIT, rows=1)
    assert ask("ASK { ?s ?p ?o }") == {"answer": True}
    found = ask(f"SELECT ?is {{ ?of <{KG}capital> ?is }} ORDER BY ?is")
    assert found == {"columns": ["is"], "rows": [[f"<{KG}Lima>"]], "more": True}
    constructed = ask(f"CONSTRUCT WHERE {{ <{KG}Paris> ?p ?o }}")
    assert constructed["columns"] == ["subject", "predicate", "object"]
    assert all(seconds is not None and 0 < seconds <= LIMIT for seconds in server.asked)
    before = len(server.asked)
    for text in ("DROP ALL", "INSERT DATA { <urn:a> <urn:b> 1 }"):
        with pytest.raises(ToolError, match="sparql-query: error at 1:"):
            ask(text)
    assert len(server.asked) == before


def test_a_server_is_told_of_as_what_it_takes() -> None:
    assert "without GRAPH" in server_query(Server()).description
    assert "DESCRIBE" in SparqlQuery(open_store("memory:")).description


class United(Server):
    """A server whose default graph is the union of all, and that has no name for its own."""

    def query(self, query: str, *, timeout: float | None = None) -> QueryResult:
        return self.engine.query(query, use_default_graph_as_union="FROM <" not in query)


def test_a_server_that_shows_runs_as_knowledge_is_not_asked() -> None:
    server = United()
    queries = "SELECT ?s { ?s ?p ?o }"
    assert server_query(server)(queries)["rows"]  # there is nothing yet that is no knowledge
    Recorder(server, user="ana").agent("Why?")  # type: ignore[arg-type]  # it inserts and queries
    with pytest.raises(ToolError, match="default graph holds the runs and sources of agents too"):
        server_query(server)(queries)
    server.engine.extend(knowledge("<urn:a> <urn:b> 1 .", "urn:kg"))
    assert server_query(server, graph="urn:kg")(queries)["rows"] == [["<urn:a>"]]


@pytest.mark.parametrize("word", ["bif:exec", "sql:x", "<bif:exec>", "<java:java.lang.System>"])
def test_functions_of_a_server_s_own_are_not_called(word: str) -> None:
    with pytest.raises(ToolError, match="is not allowed: it is of one engine alone"):
        server_query(Server())(f"SELECT * {{ FILTER({word}('x')) }}")


def test_a_query_that_takes_all_time_to_be_read_does_not_reach_a_server() -> None:
    value = "'x'"
    for _ in range(4):
        value = f"REPLACE({value}, 'x', '{'x' * 1000}')"
    server = Server()
    with pytest.raises(ToolError, match=r"took more than it may|did not end within|memory"):
        server_query(server, timeout=LIMIT)(f"ASK {{ FILTER(STRLEN({value}) > 0) }}")
    assert server.asked == []


def test_a_server_that_is_too_slow() -> None:
    ask = server_query(Server(QueryTimeoutError("server", LIMIT)), timeout=LIMIT)
    with pytest.raises(ToolError, match="did not end within 30 s; narrow it"):
        ask("ASK {}")


class Slow:
    """A store in memory whose quads come late, or not at all."""

    name = "memory:"
    read_only = True

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def quads(self, graph: str | None = None) -> Iterator[ox.Quad]:
        if self.error:
            raise self.error
        for quad in knowledge():
            time.sleep(0.2)
            yield quad


def test_a_dump_that_does_not_come_to_its_end() -> None:
    with pytest.raises(ToolError, match="did not end within"):
        SparqlQuery(Slow(), timeout=0.3)("ASK {}")  # type: ignore[arg-type]  # only dumped
    with pytest.raises(StoreError, match="gone"):
        SparqlQuery(Slow(StoreError("s", "gone")))("ASK {}")  # type: ignore[arg-type]  # only dumped


def test_a_child_that_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "__file__", "/nowhere/child.py")
    with pytest.raises(ToolError, match="the query took more than it may, and was ended"):
        SparqlQuery(open_store("memory:"))("ASK {}")


def order(query: str, folder: str | None = None, rows: int = 10) -> dict[str, Any]:
    return {"query": query, "folder": folder, "domain": "", "hidden": [], "rows": rows}


def test_what_the_child_answers(tmp_path: Any) -> None:
    data = ox.serialize(knowledge(), format=ox.RdfFormat.N_QUADS)
    assert data is not None
    assert child.answer(order("ASK { ?s ?p 68000000 }"), io.BytesIO(data)) == {"answer": True}
    rows = child.answer(order("SELECT ?o ?x { ?s ?p ?o }", rows=2), io.BytesIO(data))
    assert (len(rows["rows"]), rows["rows"][0][1], rows["more"]) == (2, None, True)
    with open_store(tmp_path / "store") as store:
        store.insert(knowledge())
    found = child.answer(
        order("CONSTRUCT WHERE { ?s ?p ?o }", str(tmp_path / "store")), io.BytesIO()
    )
    assert (found["columns"], len(found["rows"])) == (["subject", "predicate", "object"], 6)


def test_a_folder_that_a_writer_is_changing_is_opened_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    with pytest.raises(OSError, match="nowhere"):
        child.answer(order("ASK {}", str(tmp_path / "nowhere")), io.BytesIO())
    assert waited == list(child.WAITS)


@pytest.mark.parametrize(("query", "key"), [("ASK {}", "answer"), ("Why?", "error")])
def test_the_child_reads_an_order_and_writes_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], query: str, key: str
) -> None:
    limits: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda *limit: limits.append(limit))
    line = json.dumps({**order(query), "seconds": 2.5}).encode() + b"\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line)))
    child.main()
    assert key in json.loads(capsys.readouterr().out)
    assert [limit for _, limit in limits] == [(child.MEMORY, child.MEMORY), (4, 4)]


def test_the_child_loads_nothing_of_ours() -> None:
    line = json.dumps({**order("ASK {}"), "seconds": 9}).encode() + b"\n"
    code = (
        "import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__');"
        "assert not [name for name in sys.modules if name.startswith('trustgraph')]"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, child.__file__], input=line, capture_output=True, check=True
    )
    assert json.loads(done.stdout) == {"answer": True}
