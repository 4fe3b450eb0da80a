"""Language models behind the chat-completions protocol."""

from __future__ import annotations

import time
import urllib.parse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from ..errors import InvalidValueError, ModelError, ToolError
from ..extras import require
from ..terms import scalars

if TYPE_CHECKING:
    from openai import OpenAI

__all__ = ["Message", "Model", "OpenAiModel", "Reply", "answer_of"]

ENDPOINT = "https://api.openai.com/v1"

CUT = "cut off at the most tokens that it may write"

_NO_COMPLETION = "the endpoint answers, but not with a chat completion"


class Message(TypedDict):
    """One message of a chat: `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True)
class Reply:
    """What a model answered.

    Attributes:
        text: the answer.
        model: the model's name, as the endpoint gives it.
        in_token, out_token: tokens read and written, where the endpoint counts them.
        duration_ms: how long it took, in milliseconds.
        cut: whether it broke off at the most tokens that the model may write.
    """

    text: str
    model: str
    in_token: int | None = None
    out_token: int | None = None
    duration_ms: float | None = None
    cut: bool = False

    @property
    def usage(self) -> dict[str, Any]:
        """What a recorder is told about the call."""
        return {
            "model": self.model,
            "in_token": self.in_token,
            "out_token": self.out_token,
            "llm_duration_ms": self.duration_ms,
        }


def answer_of(reply: Reply, tool: str) -> str:
    """Take a reply for the answer that a tool gives.

    Raises:
        ToolError: it broke off, or has no words.
    """
    if reply.cut:
        raise ToolError(tool, f"the model's answer is {CUT}")
    text = reply.text.strip()
    if not text:
        raise ToolError(tool, "the model answered without a word")
    return text


class Model(Protocol):
    """Anything that goes on with a chat; called from any thread."""

    @property
    def name(self) -> str:
        """What it is called."""

    def complete(
        self, messages: Sequence[Message], on_text: Callable[[str], None] | None = None
    ) -> Reply:
        """Go on with a chat.

        Args:
            messages: the chat so far.
            on_text: gets the reply in pieces, as it comes.

        Returns:
            The reply; one without a word is one too.

        Raises:
            ModelError: there is no reply.
        """


class OpenAiModel:
    """A model at an endpoint that speaks chat completions.

    Args:
        name: the model.
        api_key: the endpoint's key; one that needs none takes any text.
        base_url: the endpoint; None for OpenAI's.
        timeout: seconds to wait for the endpoint.
        retries: how often a busy or failing endpoint (429, 5xx) is asked again.

    Raises:
        InvalidValueError: `base_url` is no URL with http:// or https:// and a host, or `api_key`
            has characters that no HTTP header can carry.
        MissingExtraError: the extra `agent` is not installed.
        ModelError: the endpoint, or a proxy that the environment names, cannot be used.
    """

    def __init__(
        self,
        name: str,
        api_key: str,
        base_url: str | None = None,
        *,
        timeout: float = 120.0,
        retries: int = 2,
    ) -> None:
        require("agent", "openai", "asking a language model")
        import openai

        if not (api_key.isascii() and api_key.isprintable()):
            raise InvalidValueError("api_key", "…", "printable ASCII characters")
        self.name = name
        self._endpoint = _shown(base_url or ENDPOINT)
        try:
            self._client: OpenAI = openai.OpenAI(
                api_key=api_key, base_url=base_url or ENDPOINT, timeout=timeout, max_retries=retries
            )
        except Exception as error:  # of a URL or a proxy that is none
            raise ModelError(name, self._why(error)) from error

    def complete(
        self, messages: Sequence[Message], on_text: Callable[[str], None] | None = None
    ) -> Reply:
        """Go on with a chat; a lone surrogate in it is sent as U+FFFD."""
        began = time.monotonic()
        chat: list[Any] = [{**each, "content": scalars(each["content"])} for each in messages]
        try:
            text, usage, model, reason = (
                self._whole(chat) if on_text is None else self._pieces(chat, on_text)
            )
        except ModelError:
            raise
        except Exception as error:  # the client lets through what a broken endpoint makes it raise
            raise ModelError(self.name, self._why(error)) from error
        if not isinstance(text, str):
            raise ModelError(self.name, "the endpoint sent something else than text")
        return Reply(
            text=text,
            model=model if isinstance(model, str) and model else self.name,
            in_token=_count(usage, "prompt_tokens"),
            out_token=_count(usage, "completion_tokens"),
            duration_ms=(time.monotonic() - began) * 1000,
            cut=reason == "length",
        )

    def close(self) -> None:
        """Let go of the endpoint."""
        self._client.close()

    def __enter__(self) -> OpenAiModel:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _why(self, error: Exception) -> str:
        status = getattr(error, "status_code", None)
        words = " ".join(str(error).split())[:300] or type(error).__name__
        if status is not None:
            told = words.removeprefix(f"Error code: {status}").removeprefix(" - ")
            return f"{self._endpoint} answered {status}{f' ({told})' if told else ''}"
        hint = "; see that the server runs" if _refused(error) else ""
        return f"{self._endpoint} cannot be used ({type(error).__name__}: {words}){hint}"

    def _whole(self, messages: list[Any]) -> tuple[Any, Any, Any, Any]:
        answer: Any = self._client.chat.completions.create(model=self.name, messages=messages)
        choice = _choice(answer)
        message = getattr(choice, "message", None)
        if message is None:
            raise ModelError(self.name, _NO_COMPLETION)
        text = "" if message.content is None else message.content
        return text, answer.usage, answer.model, choice.finish_reason

    def _pieces(
        self, messages: list[Any], on_text: Callable[[str], None]
    ) -> tuple[Any, Any, Any, Any]:
        pieces: list[str] = []
        usage: Any = None
        model: Any = None
        reason: Any = None
        chosen = False
        with self._client.chat.completions.create(
            model=self.name,
            messages=messages,
            stream=True,
            stream_options={"include_usage": True},
        ) as stream:
            for chunk in stream:
                usage, model = chunk.usage or usage, chunk.model or model
                choice = _choice(chunk)
                chosen = chosen or choice is not None
                reason = getattr(choice, "finish_reason", None) or reason
                piece = getattr(getattr(choice, "delta", None), "content", None)
                if piece:
                    pieces.append(piece)
                    on_text(piece)
        if not chosen:
            raise ModelError(self.name, _NO_COMPLETION)
        if reason is None and usage is None:  # both are sent at the end
            raise ModelError(self.name, "the endpoint broke off its reply")
        return "".join(pieces), usage, model, reason


def _choice(answer: Any) -> Any:
    """The one choice of an answer, or of a piece of it; None where it has none."""
    choices = getattr(answer, "choices", None)
    return choices[0] if choices else None


def _refused(error: BaseException | None) -> bool:
    """Tell whether nothing listens where the endpoint is to be."""
    while error is not None and not isinstance(error, ConnectionRefusedError):
        error = error.__cause__ or error.__context__
    return error is not None


def _count(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    right = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if right else None


def _shown(base_url: str) -> str:
    """An endpoint without what may be secret in its URL."""
    try:
        url = urllib.parse.urlsplit(base_url)
        host, port = url.hostname, url.port
    except ValueError:
        url, host, port = urllib.parse.urlsplit(""), None, None
    if url.scheme not in ("http", "https") or not host:
        bare = base_url.partition("?")[0].rpartition("@")[2]
        raise InvalidValueError("base_url", bare, "a URL with http:// or https:// and a host")
    return f"{url.scheme}://{host}{f':{port}' if port else ''}{url.path}"
