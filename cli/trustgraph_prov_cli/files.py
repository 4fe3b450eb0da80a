"""Write a file whole or not at all, and read one argument as a file or as stdin."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, TextIO, TypeVar

from .failures import fail

__all__ = ["STDIN", "binary_input", "ending", "whole", "whole_binary"]

STDIN = "-"


_Format = TypeVar("_Format")


def ending(
    output: Path | None, known: Callable[[str], _Format | None], names: str
) -> _Format | None:
    """Choose a format by the name of the file that is to be written.

    Args:
        output: the file.
        known: the format of an ending, in small letters and without its dot; None if it has none.
        names: of the formats, for people.

    Returns:
        None where the name has no ending; one that tells no format ends the command.
    """
    if output is None or not output.suffix:
        return None
    found = known(output.suffix[1:].lower())
    if found is None:
        fail(f"{output}: its name tells no format; give one with --format ({names})")
    return found


@contextmanager
def whole(path: Path) -> Iterator[TextIO]:
    """Open a text file that takes its place only once all of it is written."""
    with (
        whole_binary(path) as raw,
        open(raw.fileno(), "w", encoding="utf-8", newline="\n", closefd=False) as file,
    ):
        yield file


@contextmanager
def whole_binary(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes its place only once all of it is written.

    What is no ordinary file (`/dev/stdout`, a pipe) is written as it is.
    """
    if path.exists() and not path.is_file():
        with _naming(path), path.open("wb") as file:
            yield file
        return
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with _naming(path, part):
            with part.open("wb") as file:
                yield file
            part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink()


@contextmanager
def _naming(path: Path, part: Path | None = None) -> Iterator[None]:
    """Name the file that cannot be written as it was given: Python names its part, or none."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None or Path(error.filename) == part:
            error.filename = path
        raise


@contextmanager
def binary_input(path: str) -> Iterator[IO[bytes]]:
    """Open a file, or stdin for `-`."""
    if path == STDIN:
        yield sys.stdin.buffer
        return
    with Path(path).open("rb") as file:
        yield file
