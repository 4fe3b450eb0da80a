"""Functions as commands: each with its guard and the options that go with a store."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import typer

from .failures import guarded, run
from .options import on_a_server_too

__all__ = ["as_command", "run_alias"]


def as_command(function: Callable[..., None]) -> Callable[..., None]:
    """Make a function ready to be a command; its arguments are the options."""
    return guarded(on_a_server_too(function))


def run_alias(name: str, function: Callable[..., None]) -> NoReturn:
    """Run a command that has its own name.

    Args:
        name: as people type it.
        function: as for `as_command`.
    """
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(context_settings={"help_option_names": ["-h", "--help"]})(as_command(function))
    run(app, name)
