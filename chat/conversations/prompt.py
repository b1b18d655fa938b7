"""Cutting a conversation to what a model can read: pure.

The system message is always kept and always first (several are merged: some models refuse one
anywhere else); then the newest turns that fit, of one side and the other (some models refuse two of
one side in a row). The last message is never cut: if it does not fit
by itself, that is the person's to know.

Tokens are estimated from UTF-8 bytes, on the safe side for every script: about 4 bytes make a token
in English, 2 to 3 in most others, so 3 are counted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from chat.errors import PersonaTooLong, PromptTooLong

BYTES_PER_TOKEN = 3
TOKENS_PER_MESSAGE = 4  # the template's marks around each message
MARGIN_TOKENS = 32
#: What stands for an answer that failed or was empty. Many models refuse two questions in a row,
#: and one that gets both in one turn answers the old one again.
NO_ANSWER = "(no answer)"


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One turn as a model sees it; `role` is system, user, assistant or tool."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ModelPrompt:
    """What is sent, and how many earlier messages were left out to make it fit."""

    messages: list[PromptMessage]
    omitted_messages: int


def estimate_tokens(text: str) -> int:
    return -(-len(text.encode()) // BYTES_PER_TOKEN)


def tokens_of(messages: list[PromptMessage]) -> int:
    """About how many tokens a model reads in all of `messages`."""
    return sum(map(_cost, messages))


def fit(messages: list[PromptMessage], window_tokens: int, answer_tokens: int) -> ModelPrompt:
    """The prompt that leaves room for `answer_tokens` in a window of `window_tokens`.

    Raises `PromptTooLong` when system message and last message alone are too long.
    """
    system = _merged([each.content for each in messages if each.role == "system"])
    said = spoken(each for each in messages if each.role != "system")
    room = window_tokens - answer_tokens - MARGIN_TOKENS - sum(map(_cost, system))
    kept = _newest(said, room)
    if said and not kept:
        fits_alone = room + sum(map(_cost, system)) >= _cost(said[-1])
        raise PersonaTooLong if fits_alone else PromptTooLong
    return ModelPrompt(system + in_turns(kept), len(said) - len(kept))


def spoken(messages: Iterable[PromptMessage]) -> list[PromptMessage]:
    """Return what was said: an empty answer is left out, or is `NO_ANSWER` to a question."""
    said: list[PromptMessage] = []
    for each in messages:
        if each.role != "assistant" or each.content.strip():
            said.append(each)
        elif said and said[-1].role == "user":
            said.append(PromptMessage("assistant", NO_ANSWER))
    return said


def in_turns(said: list[PromptMessage]) -> list[PromptMessage]:
    """Return the same so that both sides take turns: what one says twice in a row is one turn."""
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
    if start:  # after a cut begin with a question, not with half an exchange
        while start < len(turns) - 1 and turns[start].role != "user":
            start += 1
    return turns[start:]


def _cost(message: PromptMessage) -> int:
    return estimate_tokens(message.content) + TOKENS_PER_MESSAGE
