"""What a store on a server needs besides its URL, from the environment; secrets from there alone.

Command lines are seen by every user of a machine, and kept in histories.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .numeric import decimal, whole

if TYPE_CHECKING:
    from trustgraph_prov import Auth

__all__ = ["server_options", "variable_of"]

_HEADER = re.compile(r"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(?P<value>\S.*)")


def _at_least_64(text: str) -> int:
    limit = whole(text)
    if limit < 64:
        raise ValueError(text)
    return limit


_OPTIONS: dict[str, tuple[str, Callable[[str], object], str]] = {
    "TG_PROV_UPDATE_URL": ("update_url", str, "a URL"),
    "TG_PROV_TIMEOUT": ("timeout", decimal, "a number of seconds"),
    "TG_PROV_MAX_BYTES": ("max_bytes", whole, "a whole number, 1 or more"),
    "TG_PROV_MAX_TEXT": ("max_text", _at_least_64, "a whole number, 64 or more"),
    "TG_PROV_MAX_ANSWER": ("max_answer", whole, "a whole number, 1 or more"),
}
"""Variable: what it sets, how it is read, what it may be."""


def server_options(name: str) -> dict[str, Any]:
    """Read what the environment says about servers; nothing of it concerns other stores.

    Raises:
        InvalidValueError: a variable holds something else; never with a secret in it.
    """
    from trustgraph_prov import InvalidValueError, is_endpoint

    if not is_endpoint(name):
        return {}
    found: dict[str, Any] = {}
    for variable, (option, read, expected) in _OPTIONS.items():
        text = os.environ.get(variable)
        if text:
            try:
                found[option] = read(text)
            except ValueError:
                raise InvalidValueError(variable, text, expected) from None
    auth = _auth()
    return found if auth is None else {**found, "auth": auth}


def variable_of(option: str) -> str:
    """The variable that sets an option, for messages about it.

    Example:
        >>> variable_of("timeout")
        'TG_PROV_TIMEOUT'
    """
    return next((name for name, (sets, *_) in _OPTIONS.items() if sets == option), option)


def _auth() -> Auth | None:
    """One way of telling who asks, or none."""
    from trustgraph_prov import BasicAuth, BearerAuth, DigestAuth, HeaderAuth, InvalidValueError

    user, password, token, header, scheme = (
        os.environ.get(f"TG_PROV_{name}", "")
        for name in ("USER", "PASSWORD", "TOKEN", "HEADER", "AUTH")
    )
    if sum(map(bool, (user or password, token, header))) > 1:
        ways = "one of TG_PROV_USER with TG_PROV_PASSWORD, TG_PROV_TOKEN and TG_PROV_HEADER"
        raise InvalidValueError("environment", "…", ways)
    if token:
        return BearerAuth(token)
    if header:
        match = _HEADER.fullmatch(header)
        if not match:
            raise InvalidValueError("TG_PROV_HEADER", "…", "a header field, as in `X-Key: value`")
        return HeaderAuth(match["name"], match["value"])
    if not user and not password:
        return None
    if not user:
        raise InvalidValueError("TG_PROV_USER", user, "a name, to go with TG_PROV_PASSWORD")
    kinds: dict[str, Callable[[str, str], Auth]] = {
        "": BasicAuth,
        "basic": BasicAuth,
        "digest": DigestAuth,
    }
    if scheme.lower() not in kinds:
        raise InvalidValueError("TG_PROV_AUTH", scheme, "basic or digest")
    return kinds[scheme.lower()](user, password)
