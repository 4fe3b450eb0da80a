"""Ways to tell a server who asks. None shows its secret in `repr` or in an error."""

from __future__ import annotations

import base64
import re
import urllib.request
from collections.abc import Mapping
from typing import Any, Protocol

from ..errors import InvalidValueError

__all__ = [
    "Auth",
    "BasicAuth",
    "BearerAuth",
    "DigestAuth",
    "HeaderAuth",
    "is_field",
    "secrets_of_value",
]

_FIELD_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_FIELD_VALUE = re.compile(r"[\x20-\x7e\x80-\xff]*\Z")
_PARAMETER = re.compile(r"""[^\s,;="']+=(?:"([^"]*)"|'([^']*)'|([^\s,;="'][^\s,;]*))""")
"""In a header's value, such as `token=abc` or `key="abc"`; not the `=` that Base64 ends with."""


class Auth(Protocol):
    """What a request needs to be let in."""

    def headers(self) -> Mapping[str, str]:
        """Header fields to send with each request."""

    def handlers(self, url: str) -> list[urllib.request.BaseHandler]:
        """Handlers that answer a challenge."""

    def secrets(self) -> tuple[str, ...]:
        """Texts that no message may hold."""


class BasicAuth:
    """User and password, sent with each request (RFC 7617): over https only, or to this machine.

    Example:
        >>> BasicAuth("admin", "secret")
        BasicAuth('admin', '…')
    """

    def __init__(self, user: str, password: str) -> None:
        if ":" in user:
            raise InvalidValueError("user", user, "a name without a colon")
        _check_text(user, password)
        self._user, self._password = user, password
        self._pair = base64.b64encode(f"{user}:{password}".encode()).decode()

    def headers(self) -> Mapping[str, str]:
        """Header fields to send with each request."""
        return {"Authorization": f"Basic {self._pair}"}

    def handlers(self, url: str) -> list[urllib.request.BaseHandler]:
        """None: there is no challenge to wait for."""
        return []

    def secrets(self) -> tuple[str, ...]:
        """Texts that no message may hold: a user without a password is a key."""
        return (self._pair, self._password or self._user)

    def __repr__(self) -> str:
        return f"BasicAuth({_shown_user(self._user, self._password)}, '…')"


class DigestAuth:
    """User and password, proved without sending the password (RFC 7616).

    Example:
        >>> DigestAuth("dba", "secret")
        DigestAuth('dba', '…')
    """

    def __init__(self, user: str, password: str) -> None:
        _check_text(user, password)
        self._user, self._password = user, password

    def headers(self) -> Mapping[str, str]:
        """None: the server asks first."""
        return {}

    def handlers(self, url: str) -> list[urllib.request.BaseHandler]:
        """A handler that answers the challenge once."""
        passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        passwords.add_password(None, url, self._user, self._password)
        return [_DigestOnce(passwords)]

    def secrets(self) -> tuple[str, ...]:
        """Texts that no message may hold: a user without a password is a key."""
        return (self._password or self._user,)

    def __repr__(self) -> str:
        return f"DigestAuth({_shown_user(self._user, self._password)}, '…')"


class HeaderAuth:
    """A header field of the server's own, such as an API key.

    Example:
        >>> HeaderAuth("X-API-Key", "secret")
        HeaderAuth('X-API-Key', '…')
    """

    def __init__(self, name: str, value: str) -> None:
        if not _FIELD_NAME.match(name):
            raise InvalidValueError("header", name, "the name of a header field")
        if not _FIELD_VALUE.match(value):
            raise InvalidValueError(f"value of {name}", "…", "text that a header may hold")
        self._name, self._value = name, value

    def headers(self) -> Mapping[str, str]:
        """Header fields to send with each request."""
        return {self._name: self._value}

    def handlers(self, url: str) -> list[urllib.request.BaseHandler]:
        """None: there is no challenge to wait for."""
        return []

    def secrets(self) -> tuple[str, ...]:
        """Texts that no message may hold: the value, and its parts that may be a key."""
        return secrets_of_value(self._value)

    def __repr__(self) -> str:
        return f"HeaderAuth({self._name!r}, '…')"


class BearerAuth(HeaderAuth):
    """A token (RFC 6750).

    Example:
        >>> BearerAuth("secret")
        BearerAuth('…')
    """

    def __init__(self, token: str) -> None:
        super().__init__("Authorization", f"Bearer {token}")
        self._token = token

    def secrets(self) -> tuple[str, ...]:
        """Texts that no message may hold."""
        return (self._token,)

    def __repr__(self) -> str:
        return "BearerAuth('…')"


def is_field(name: object, value: object) -> bool:
    """Whether a header may hold such a field."""
    if not (isinstance(name, str) and isinstance(value, str)):
        return False
    return bool(_FIELD_NAME.match(name) and _FIELD_VALUE.match(value))


def secrets_of_value(value: str) -> tuple[str, ...]:
    """The value of a header field, and what stands in it behind a scheme or a `=`.

    Example:
        >>> secrets_of_value("Token key=abc")
        ('Token key=abc', 'key=abc', 'abc')
    """
    behind_scheme = [word.strip(",;") for word in value.split()[1:]]
    return (value, *behind_scheme, *("".join(found) for found in _PARAMETER.findall(value)))


def _shown_user(user: str, password: str) -> str:
    return repr(user if password else "…")


def _check_text(user: str, password: str) -> None:
    """Refuse what UTF-8 cannot hold, such as bytes of another encoding in the environment."""
    for name, value in (("user", user), ("password", password)):
        if value.encode(errors="ignore").decode() != value:
            raise InvalidValueError(name, "…", "text in UTF-8")


class _DigestOnce(urllib.request.HTTPDigestAuthHandler):
    """Answers one challenge: urllib's own sends a wrong password six times; accounts get locked."""

    def retry_http_digest_auth(self, req: urllib.request.Request, auth: str) -> Any:
        """Send the request again with an answer, unless it carries one already."""
        if req.has_header("Authorization"):
            return None
        return super().retry_http_digest_auth(req, auth)
