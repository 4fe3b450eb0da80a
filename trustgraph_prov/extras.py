"""Ask for what only some need, before work begins that ends without it."""

from __future__ import annotations

from importlib.util import find_spec

from .errors import MissingExtraError

__all__ = ["require"]


def require(extra: str, module: str, what: str) -> None:
    """Refuse to go on without a module; it is looked for, and not imported.

    Args:
        extra: that installs it.
        module: its name.
        what: wants it, for the message.

    Raises:
        MissingExtraError: it is not installed.

    Example:
        >>> require("moon", "no_such_module", "flying")
        Traceback (most recent call last):
        trustgraph_prov.errors.MissingExtraError: flying needs: pip install 'trustgraph-prov[moon]'
    """
    if find_spec(module) is None:
        raise MissingExtraError(extra, what)
