"""Cut a conversation to the context window of a model. Pure functions.

The system message is always kept and comes first (several are merged, because some models refuse
one anywhere else), followed by the newest turns that fit, with alternating roles (some models
refuse two messages of one role in a row). The last message is never cut: if it does not fit by
itself, the user is told. Once the turns fill much of the window, a summary replaces the oldest.

Tokens are estimated from UTF-8 bytes, erring on the high side for every script: a token has about 4
bytes in English and 2 to 3 in most other languages, so 3 are assumed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import msgspec

from chat.errors import PersonaTooLong, PromptTooLong

BYTES_PER_TOKEN = 3
TOKENS_PER_MESSAGE = 4  # the template's markers around each message
MARGIN_TOKENS = 32
#: A prompt that takes more of the window than this is compacted: see `_compacted`.
FULL_SHARE = 0.65
#: What providers such as Google want back with a tool call.
EXTRA_CONTENT = "extra_content"
#: Replaces an answer that failed or was empty. Many models refuse two questions in a row, and one
#: that gets both in one turn answers the old one again.
NO_ANSWER = "(no answer)"


@dataclass(frozen=True, slots=True)
class PromptImage:
    """An image of a question. Its content is a `data:` URL; empty until it is loaded."""

    name: str
    digest: str
    tokens: int = 0
    size_bytes: int = 0
    url: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PromptDocument:
    """A file that a program sends, before its text is read."""

    name: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """A message as a model sees it. `role` is system, user, assistant or tool.

    An answer may have tool calls, as OpenAI's clients write them; a tool's result names its call.
    With `covers`, it is a summary of so many messages of the chat, up to the one before it.
    A question `is_by_other` if somebody else wrote it, in a shared chat that was copied.
    """

    role: str
    content: str
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    tool_call_id: str = ""
    reasoning: str = ""
    images: tuple[PromptImage, ...] = ()
    name: str = ""  # of the participant, for providers that tell them apart
    documents: tuple[PromptDocument, ...] = ()  # none once a model is asked
    covers: int = 0
    is_by_other: bool = False

    @property
    def is_plain(self) -> bool:
        """Return whether it is text only, so that it may be merged with its neighbour."""
        return not (self.tool_calls or self.tool_call_id or self.role == "tool")

    def as_dict(self, reasoning_name: str) -> dict[str, Any]:
        """Return the message as a provider reads it.

        Without a `reasoning_name`, it reads no reasoning.
        """
        value: dict[str, Any] = {"role": self.role, "content": self._content()}
        if self.tool_calls:
            value["tool_calls"] = list(self.tool_calls)
        if self.tool_call_id:
            value["tool_call_id"] = self.tool_call_id
        if self.name:
            value["name"] = self.name
        if self.reasoning and reasoning_name:
            value[reasoning_name] = self.reasoning
        return value

    def _content(self) -> str | list[dict[str, Any]]:
        """Return the text, or content parts in OpenAI's form if there are images."""
        if not self.images:
            return self.content
        text = [{"type": "text", "text": self.content}] if self.content else []
        pictures = [{"type": "image_url", "image_url": {"url": each.url}} for each in self.images]
        return [*text, *pictures]

    def without_extensions(self) -> "PromptMessage":
        """Return the message without what Workers AI doesn't know."""
        calls = tuple(
            {name: value for name, value in call.items() if name != EXTRA_CONTENT}
            for call in self.tool_calls
        )
        return replace(self, tool_calls=calls, name="")

    def without_images(self) -> "PromptMessage":
        """Return the message with a note in the text for each image, for models without vision."""
        if not self.images:
            return self
        notes = [f"[image: {each.name}]" for each in self.images]
        text = "\n".join([self.content, *notes] if self.content else notes)
        return replace(self, content=text, images=())


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
    messages: list[PromptMessage], window_tokens: int, answer_tokens: int, missing_messages: int = 0
) -> ModelPrompt:
    """Return the system message and the newest messages that fit, without the earlier ones.

    In a window of `window_tokens`, they leave room for `answer_tokens`. A summary may replace the
    oldest, including `missing_messages` that are not among `messages`. Raise `PersonaTooLong` or
    `PromptTooLong` if the system message and the last message alone do not fit.
    """
    system, turns = _split(messages)
    taken = sum(map(_cost, system))
    room = window_tokens - answer_tokens - MARGIN_TOKENS - taken
    start, compacted = _compacted(turns, room, taken)
    kept = _newest(compacted, room - sum(map(_cost, start)))
    said = _without_summaries(turns)
    if start and not kept:
        start, kept = [], _newest(said, room)
    if said and not kept:
        raise PersonaTooLong if room + taken >= _cost(said[-1]) else PromptTooLong
    omitted = missing_messages + len(said) - len(kept) - sum(each.covers for each in start)
    return ModelPrompt(system + merge_consecutive(start + kept), max(0, omitted))


def is_full(messages: list[PromptMessage], window_tokens: int, answer_tokens: int) -> bool:
    """Return whether the messages fill so much of a window that older ones should be summarised."""
    system, turns = _split(messages)
    taken = sum(map(_cost, system))
    room = window_tokens - answer_tokens - MARGIN_TOKENS - taken
    start, compacted = _compacted(turns, room, taken)
    return taken + sum(map(_cost, start + compacted)) > FULL_SHARE * (room + taken)


def _compacted(
    turns: list[PromptMessage], room: int, taken: int
) -> tuple[list[PromptMessage], list[PromptMessage]]:
    """Return the summary to use, or none, and the turns to send with it.

    It is the first one with which the prompt is not full, else the last. So the prompt begins the
    same with each message until it is full again, which lets the provider reuse what it has read.
    Leaving out the oldest message each time would change the beginning each time.
    """
    start: list[PromptMessage] = []
    rest = _without_summaries(turns)
    for at, summary in enumerate(turns):
        if not summary.covers:
            continue
        if taken + sum(map(_cost, start + rest)) <= FULL_SHARE * (room + taken):
            break
        start, rest = [summary], _without_summaries(turns[at + 1 :])
    return start, rest


def _without_summaries(turns: list[PromptMessage]) -> list[PromptMessage]:
    return [each for each in turns if not each.covers]


def whole_prompt(messages: list[PromptMessage]) -> list[PromptMessage]:
    """Return the prompt with nothing left out, in an order that all models accept."""
    system, turns = _split(messages)
    return system + merge_consecutive(turns)


def _split(messages: list[PromptMessage]) -> tuple[list[PromptMessage], list[PromptMessage]]:
    """Return the system messages, merged into one, and the others."""
    system = _merged([each.content for each in messages if each.role == "system"])
    return system, without_empty_answers(each for each in messages if each.role != "system")


def without_empty_answers(messages: Iterable[PromptMessage]) -> list[PromptMessage]:
    """Return the messages without empty answers.

    An empty answer to a question becomes `NO_ANSWER`.
    """
    kept: list[PromptMessage] = []
    for each in messages:
        if each.role != "assistant" or each.content.strip() or each.tool_calls:
            kept.append(each)
        elif kept and kept[-1].role == "user":
            kept.append(PromptMessage("assistant", NO_ANSWER))
    return kept


def merge_consecutive(messages: list[PromptMessage]) -> list[PromptMessage]:
    """Merge consecutive messages of the same role and name, so that roles alternate."""
    merged: list[PromptMessage] = []
    kinds = groupby(messages, key=lambda each: (each.role, each.name, each.is_plain))
    for (role, name, is_plain), turn in kinds:
        same_role = list(turn)
        if is_plain and len(same_role) > 1:
            text = "\n\n".join(each.content for each in same_role if each.content)
            images = tuple(image for each in same_role for image in each.images)
            merged.append(PromptMessage(role, text, images=images, name=name))
        else:
            merged += same_role
    return merged


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
    text = estimate_tokens(message.content + message.reasoning)
    if message.tool_calls:
        text += -(-len(msgspec.json.encode(message.tool_calls)) // BYTES_PER_TOKEN)
    return text + sum(each.tokens for each in message.images) + TOKENS_PER_MESSAGE


def after_question(messages: list[PromptMessage], block: str) -> list[PromptMessage]:
    """Return the messages with a block of text after the last question."""
    last = max(at for at, each in enumerate(messages) if each.role == "user")
    content = f"{messages[last].content}\n\n{block}"
    return [*messages[:last], replace(messages[last], content=content), *messages[last + 1 :]]
