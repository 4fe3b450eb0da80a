"""Every way a command can end badly, with its exit code: one line on stderr, never a traceback.

0 fine, 1 findings, 2 usage or a missing thing, 3 a store or model out of reach, busy or too slow.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import NoReturn, ParamSpec, TextIO

import typer

from .text import one_line

__all__ = [
    "FINDINGS",
    "UNREACHABLE",
    "USAGE",
    "fail",
    "guarded",
    "help_without_command",
    "leave",
    "note",
    "run",
]

FINDINGS, USAGE, UNREACHABLE, INTERRUPTED = 1, 2, 3, 130

P = ParamSpec("P")


def note(message: str) -> None:
    """Say something beside the output: one line on stderr, if that can be written."""
    with suppress(OSError):
        print(one_line(message), file=sys.stderr)


def fail(message: str, code: int = USAGE) -> NoReturn:
    """End the command: one line on stderr, and the exit code."""
    note(message)
    raise typer.Exit(code)


def help_without_command(context: typer.Context) -> None:
    """End a group of commands that was called without one: its help on stderr, and exit code 2."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(USAGE)


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """Turn what a command raises into its line and its exit code."""

    @wraps(command)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with warnings.catch_warnings():
                warnings.showwarning = _warn
                command(*args, **kwargs)
            sys.stdout.flush()
        except KeyboardInterrupt:
            leave(INTERRUPTED)
        except typer.Exit:
            raise
        except Exception as error:
            _end(error)

    return wrapper


def leave(code: int) -> NoReturn:
    """Leave at once: a query that still runs in a thread would hold the interpreter up."""
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def run(app: typer.Typer, name: str) -> NoReturn:
    """Run an application as a process; usage errors are one line too.

    Args:
        app: the application.
        name: as people type it, for its help and its errors.
    """
    _complete_streams()
    try:
        code = app(prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except (typer.Abort, KeyboardInterrupt):
        leave(INTERRUPTED)
    except SystemExit as error:
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        code = _lose_output(error.__context__)  # rich and typer end the process, as a failure
    except OSError as error:  # of --help and --version; a command has its own guard
        code = _lose_output(error)
    except Exception as error:
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        path = getattr(getattr(error, "ctx", None), "command_path", name)
        said = message().replace("Value error, ", "")  # typer 0.29 passes its validator's words on
        note(f"{said} (see `{path} --help`)")
        code = USAGE
    if code == INTERRUPTED:
        leave(code)
    sys.exit(code or 0)


def _complete_streams() -> None:
    """Give a process what it was started without (`>&-`), and let no character stop its output.

    A store would get the free numbers 0 to 2 for its files, and libraries write there.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            if nothing != number:
                os.dup2(nothing, number)
                os.close(nothing)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
    if isinstance(sys.stdout, io.TextIOWrapper):
        # What is piped is read by programs, as JSON or HTML are: in UTF-8, whatever the locale.
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def _lose_output(error: OSError) -> int:
    """Go on without a stdout that takes nothing more.

    Nothing may be left for the interpreter to flush, or it complains on its way out.

    Returns:
        The exit code; a reader that has what it wanted (`| head`) is no failure.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return 0
    note(f"stdout: {error.strerror}")
    return USAGE


def _end(error: Exception) -> NoReturn:
    from trustgraph_prov import ProvError, QueryTimeoutError, StoreError, StoreMissingError

    if isinstance(error, QueryTimeoutError):
        note(str(error))
        leave(UNREACHABLE)
    if isinstance(error, StoreMissingError):
        fail(str(error), USAGE)
    if isinstance(error, StoreError):
        fail(str(error), UNREACHABLE)
    if isinstance(error, ProvError):
        fail(str(error), USAGE)
    if isinstance(error, OSError) and error.filename is not None:
        fail(f"{error.filename}: {error.strerror}", USAGE)
    if isinstance(error, OSError) and error.errno is not None:
        raise typer.Exit(_lose_output(error))
    raise error


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    note(f"warning: {message}")
