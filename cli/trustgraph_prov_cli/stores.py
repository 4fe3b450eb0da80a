"""Open the store that a command means."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .options import StoreName
from .servers import server_options, variable_of

if TYPE_CHECKING:
    from trustgraph_prov import OutboxStore, Store

__all__ = ["changing", "default", "making", "outbox_folder", "queueing", "reading", "writing"]


def reading(store: str | None) -> Store:
    """Open a store that must be there; what is running beside it may go on writing."""
    return _open(store, read_only=True)


def writing(store: str | None, *, max_bytes: int | None = None) -> Store:
    """Open a store, made where there is none.

    Args:
        store: its name, or None for one of the user's own.
        max_bytes: of one request to a server.
    """
    given: dict[str, Any] = {} if max_bytes is None else {"max_bytes": max_bytes}
    return _open(store, **given)


@contextmanager
def making(store: str | None) -> Iterator[Store]:
    """Open a store for writing; where there is none, it is made when it is first used.

    So nothing is left of a command that fails before it writes.
    """
    from trustgraph_prov import StoreMissingError

    made: Any
    try:
        reading(store).close()
    except StoreMissingError:
        made = _Later(store)
    else:
        made = writing(store)
    with closing(made):
        yield made


class _Later:
    """A store that is opened when something is asked of it."""

    def __init__(self, named: str | None) -> None:
        self._named = named
        self._opened: Store | None = None

    def __getattr__(self, name: str) -> Any:
        if self._opened is None:
            self._opened = writing(self._named)
        return getattr(self._opened, name)

    def close(self) -> None:
        """Close it, if it was opened."""
        if self._opened is not None:
            self._opened.close()


def changing(store: str | None) -> Store:
    """Open a store for writing that must be there."""
    reading(store).close()
    return writing(store)


def queueing(store: str | None, outbox: str | None) -> OutboxStore | None:
    """Open a store behind an outbox, if there is to be one.

    Args:
        store: its name.
        outbox: a folder; without it, the environment names one for servers.
    """
    from trustgraph_prov import OutboxStore, is_endpoint

    if outbox is None and is_endpoint(store or ""):
        outbox = os.environ.get("TG_PROV_OUTBOX")
    return OutboxStore(writing(store), outbox) if outbox else None


def default() -> str:
    """Say where the store is that nobody named: a folder under the user's data."""
    from platformdirs import user_data_dir

    return os.fspath(Path(user_data_dir("trustgraph-prov", appauthor=False)) / "store")


def outbox_folder(named: str | None) -> str:
    """Say which outbox is meant: the one that was named, or one beside the default store."""
    return named or os.fspath(Path(default()).with_name("outbox"))


def _open(store: str | None, *, read_only: bool = False, **given: Any) -> Store:
    from trustgraph_prov import InvalidValueError, open_store

    name = str(store or default())
    if isinstance(store, StoreName):
        given["update_url"] = store.update_url
    environment = server_options(name)
    try:
        return open_store(name, read_only=read_only, **{**environment, **given})
    except InvalidValueError as error:
        if error.name not in environment or error.name in given:
            raise
        variable = variable_of(error.name)
        raise InvalidValueError(variable, error.value, error.expected) from None
