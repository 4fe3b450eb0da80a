"""The `tg-prov` application: its commands, in the order in which one meets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from .commands.delete import delete
from .commands.demo import demo
from .commands.doctor import doctor
from .commands.export import export
from .commands.import_ import import_
from .commands.index import index
from .commands.init import init
from .commands.list import list_
from .commands.outbox import outbox
from .commands.queries import queries
from .commands.query import query
from .commands.record import record
from .commands.show import show
from .commands.sources import sources
from .commands.stats import stats
from .commands.validate import validate
from .failures import help_without_command
from .naming import as_command

__all__ = ["app"]

app = typer.Typer(
    name="tg-prov",
    help="Record RAG and agent runs as PROV-O in a triplestore, list them and explain them.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"tg-prov {version('trustgraph-prov')}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Record RAG and agent runs as PROV-O in a triplestore, list them and explain them."""
    help_without_command(context)


_COMMANDS: dict[str, Callable[..., None]] = {
    "demo": demo,
    "list": list_,
    "show": show,
    "sources": sources,
    "query": query,
    "queries": queries,
    "record": record,
    "import": import_,
    "export": export,
    "validate": validate,
    "stats": stats,
    "index": index,
    "init": init,
    "doctor": doctor,
    "delete": delete,
}

for _name, _command in _COMMANDS.items():
    app.command(_name)(as_command(_command))

app.add_typer(outbox, name="outbox")
