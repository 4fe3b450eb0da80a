"""Let slow calls run beside an event loop, and call back into it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar, cast

__all__ = ["from_thread", "in_thread"]

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Run `work` on a daemon thread, which no ending program waits for.

    Args:
        work: takes nothing; what it raises is raised here.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(cast("T", value))  # None is T's where work returns it

    def run() -> None:
        value: T | None = None
        error: BaseException | None = None
        try:
            value = work()
        except StopIteration as stop:  # no future can hold it
            error = RuntimeError(f"StopIteration: {stop}")
        except BaseException as failure:  # handed to who waits, whatever it is
            error = failure
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=run, name="trustgraph-prov agent", daemon=True).start()
    return await future


def from_thread(loop: asyncio.AbstractEventLoop, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine in a loop of another thread, and wait for it.

    Args:
        loop: the loop.
        work: makes the coroutine.

    Raises:
        RuntimeError: the loop is closed.
    """
    if loop.is_closed():
        raise RuntimeError("the event loop that was to take this is closed")
    return asyncio.run_coroutine_threadsafe(work(), loop).result()
