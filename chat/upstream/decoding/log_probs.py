"""Read how likely tokens were, which some providers tell on request."""

import msgspec
from msgspec import Raw, Struct

from chat.upstream.chunks import NOTHING, object_of
from chat.upstream.events import LogProb

#: With twenty alternatives, a token has about 2 KB.
MAX_TOKEN_BYTES = 8 * 1024
#: Of one answer. What follows is left out.
MAX_BYTES = 32 * 1024 * 1024


class _Token(Struct):
    token: str
    logprob: float
    bytes: list[int] | None = None


class _TokenWithOthers(_Token):
    top_logprobs: list[_Token] = []


class _LogProbs(Struct):
    content: Raw = NOTHING


class LogProbs:
    """The tokens of one answer, in OpenAI's form only. Anything else is left out."""

    def __init__(self) -> None:
        self._bytes_left = MAX_BYTES

    def read(self, raw: Raw) -> list[LogProb]:
        """Return the tokens of a chunk."""
        found = object_of(raw, _LogProbs) or _LogProbs()
        try:
            tokens = msgspec.json.decode(found.content, type=list[_TokenWithOthers] | None)
        except (msgspec.DecodeError, RecursionError):
            return []
        return [LogProb(text) for each in tokens or [] if (text := self._within_limits(each))]

    def _within_limits(self, token: _TokenWithOthers) -> str:
        text = msgspec.json.encode(token).decode()
        self._bytes_left -= len(text)
        return text if len(text) <= MAX_TOKEN_BYTES and self._bytes_left >= 0 else ""
