"""Cut a conversation to the context window of a model. Pure functions.

The system message is always kept and comes first (several are merged, because some models refuse
one anywhere else), followed by the newest turns that fit, with alternating roles (some models
refuse two messages of one role in a row). The last message is never cut: if it does not fit by
itself, the user is told.

Tokens are estimated from UTF-8 bytes, erring on the high side for every script: a token has about 4
bytes in English and 2 to 3 in most other languages, so 3 are assumed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from chat.errors import PersonaTooLong, PromptTooLong

BYTES_PER_TOKEN = 3
TOKENS_PER_MESSAGE = 4  # the template's markers around each message
MARGIN_TOKENS = 32
#: Replaces an answer that failed or was empty. Many models refuse two questions in a row, and one
#: that gets both in one turn answers the old one again.
NO_ANSWER = "(no answer)"


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """A message as a model sees it. `role` is system, user, assistant or tool."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ModelPrompt:
    """The messages to send, and how many earlier ones were left out to make them fit."""

    messages: list[PromptMessage]
    omitted_messages: int


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of the tokens in `text`."""
    return -(-len(text.encode()) // BYTES_PER_TOKEN)


def estimate_prompt_tokens(messages: list[PromptMessage]) -> int:
    """Return an estimate of the tokens that a model reads for all `messages`."""
    return sum(map(_cost, messages))


def fit_to_window(
    messages: list[PromptMessage], window_tokens: int, answer_tokens: int
) -> ModelPrompt:
    """Return the prompt that leaves room for `answer_tokens` in a window of `window_tokens`.

    Raise `PersonaTooLong` or `PromptTooLong` if the system message and the last message alone do
    not fit.
    """
    system = _merged([each.content for each in messages if each.role == "system"])
    said = without_empty_answers(each for each in messages if each.role != "system")
    room = window_tokens - answer_tokens - MARGIN_TOKENS - sum(map(_cost, system))
    kept = _newest(said, room)
    if said and not kept:
        fits_alone = room + sum(map(_cost, system)) >= _cost(said[-1])
        raise PersonaTooLong if fits_alone else PromptTooLong
    return ModelPrompt(system + merge_consecutive(kept), len(said) - len(kept))


def without_empty_answers(messages: Iterable[PromptMessage]) -> list[PromptMessage]:
    """Return the messages without empty answers.

    An empty answer to a question becomes `NO_ANSWER`.
    """
    said: list[PromptMessage] = []
    for each in messages:
        if each.role != "assistant" or each.content.strip():
            said.append(each)
        elif said and said[-1].role == "user":
            said.append(PromptMessage("assistant", NO_ANSWER))
    return said


def merge_consecutive(said: list[PromptMessage]) -> list[PromptMessage]:
    """Merge consecutive messages of the same role, so that roles alternate."""
    return [
        PromptMessage(role, "\n\n".join(each.content for each in turn))
        for role, turn in groupby(said, key=attrgetter("role"))
    ]


def _merged(contents: list[str]) -> list[PromptMessage]:
    return [PromptMessage("system", "\n\n".join(contents))] if contents else []


def _newest(turns: list[PromptMessage], room: int) -> list[PromptMessage]:
    start = len(turns)
    while start and room >= (cost := _cost(turns[start - 1])):
        room -= cost
        start -= 1
    if start:  # after a cut, begin with a question rather than half an exchange
        while start < len(turns) - 1 and turns[start].role != "user":
            start += 1
    return turns[start:]


def _cost(message: PromptMessage) -> int:
    return estimate_tokens(message.content) + TOKENS_PER_MESSAGE
