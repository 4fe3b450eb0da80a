"""`tg-invoke-agent`: ask an agent, and see what it does recorded as it happens."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failures import FINDINGS, UNREACHABLE, USAGE, fail, note
from .naming import run_alias
from .numeric import whole_from
from .options import DEFAULT_COLLECTION, DEFAULT_USER, LongStore, Workspace, of_workspace
from .stores import writing
from .text import visible

if TYPE_CHECKING:
    from trustgraph_prov import agent, messages

__all__ = ["invoke_agent"]

_VERBOSE = ("thought", "action", "observation")


def invoke_agent() -> None:
    """Run `tg-invoke-agent`."""
    run_alias("tg-invoke-agent", _invoke)


def _invoke(
    question: Annotated[str, typer.Option("--question", "-q", help="What to ask.", metavar="TEXT")],
    user: Annotated[
        str | None, typer.Option("--user", "-U", help="Who asks.", show_default=DEFAULT_USER)
    ] = None,
    collection: Annotated[
        str, typer.Option("--collection", "-C", help="Where the run is recorded.")
    ] = DEFAULT_COLLECTION,
    workspace: Workspace = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print thoughts, actions and observations.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", "-x", help="Print each explain event as it comes.")
    ] = False,
    group: Annotated[
        list[str] | None,
        typer.Option("--group", "-g", help="Only tools of this group; several may be given."),
    ] = None,
    state: Annotated[
        str, typer.Option("--state", "-s", help="Carried along with the request.")
    ] = "",
    session_id: Annotated[
        str, typer.Option("--session-id", help="Name of the run. Default: a new one.")
    ] = "",
    max_iterations: Annotated[
        int,
        typer.Option(
            "--max-iterations",
            parser=whole_from(1),
            metavar="N",
            help="Steps before it gives up, 1 or more.",
        ),
    ] = 10,
    graph: Annotated[
        str,
        typer.Option(
            "--graph",
            help="Graph that holds the knowledge. Default: the default graph.",
            metavar="IRI",
            show_default=False,
        ),
    ] = "",
    documents: Annotated[
        Path | None,
        typer.Option("--documents", help="Folder of text files to search.", show_default=False),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", envvar="OPENAI_MODEL", help="The model.", show_default=False),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url",
            envvar="OPENAI_BASE_URL",
            metavar="URL",
            show_default=False,
            help="An endpoint that speaks chat completions. Default: OpenAI's.",
        ),
    ] = None,
    api_key: Annotated[
        str | None,
        typer.Option(
            "--api-key",
            envvar="OPENAI_API_KEY",
            metavar="KEY",
            show_default=False,
            help="Its key; an endpoint of your own may need none.",
        ),
    ] = None,
    store: LongStore = None,
) -> None:
    """Ask an agent, and record what it does."""
    if not question.strip():
        fail("the question of -q is empty")
    if not model or not (api_key or base_url):
        unset = [] if model else ["OPENAI_MODEL"]
        if not (api_key or base_url):
            unset.append("OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint of your own")
        fail(f"no model is configured: set {' and '.join(unset)}")
    from trustgraph_prov import agent

    with _model(model, api_key or "none", base_url) as asked, writing(store) as opened:
        tools = agent.built_in_tools(opened, asked, graph=graph, documents=documents)
        service = agent.AgentService(asked, tools, store=opened, max_iterations=max_iterations)
        try:
            outcome = agent.ask(
                service,
                question,
                opened,
                user=of_workspace(user, workspace) or DEFAULT_USER,
                collection=collection,
                session_id=session_id,
                state=state,
                group=group or None,
                respond=_printer(explain, verbose),
            )
        except _ReaderGone as gone:
            raise gone.error from None
    if outcome.error is not None:
        if session_id and outcome.error.type == "RunExistsError":
            fail(f"{outcome.uri} already has a run; give --session-id another id, or leave it out")
        codes = {"ModelError": UNREACHABLE, agent.MAX_ITERATIONS: FINDINGS}
        if outcome.error.type in codes:
            _tell_where(outcome, explain)
        fail(outcome.error.message, codes.get(outcome.error.type, USAGE))
    _print(outcome.answer or "")
    _tell_where(outcome, explain)


class _ReaderGone(BaseException):
    """Nobody reads the output any more: to a run that is a cancellation, and no failure.

    Attributes:
        error: what writing raised.
    """

    def __init__(self, error: BrokenPipeError) -> None:
        self.error = error
        super().__init__(str(error))


def _model(name: str, api_key: str, base_url: str | None) -> agent.OpenAiModel:
    from trustgraph_prov import InvalidValueError, agent

    try:
        return agent.OpenAiModel(name, api_key, base_url)
    except InvalidValueError as error:
        if error.name != "api_key":
            raise
        fail("the key of OPENAI_API_KEY or --api-key has characters that no HTTP header can carry")


def _tell_where(outcome: agent.Outcome, explain: bool) -> None:
    if not explain:  # else it was printed
        note(f"recorded as {outcome.uri}")


def _printer(explain: bool, verbose: bool) -> Callable[[messages.AgentResponse], None]:
    from trustgraph_prov import agent

    reader = agent.EventReader()

    def respond(response: messages.AgentResponse) -> None:
        try:
            if explain:
                for event in reader.read(response):
                    _print(f"{event.kind}  {event.node}")
                    for name, value in event.fields:
                        _print(f"  {name}: {value}", indent="    ")
                    _print("")
            if verbose and response.message_type in _VERBOSE and response.content:
                _print(f"{response.message_type.capitalize()}: {response.content}", indent="  ")
                _print("")
        except BrokenPipeError as error:
            raise _ReaderGone(error) from error

    return respond


def _print(text: str, indent: str = "") -> None:
    """Print what is not ours to trust, at once."""
    lines = visible(text).split("\n")
    sys.stdout.write(f"\n{indent}".join(lines) + "\n")
    sys.stdout.flush()
