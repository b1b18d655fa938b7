"""How the calls of tools are part of a prompt, and how long a model may go on calling. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import msgspec

from chat.conversations.prompt import BYTES_PER_TOKEN, EXTRA_CONTENT, PromptImage, PromptMessage
from chat.conversations.tool_calls.models import StoredToolCall
from chat.knowledge.given import CITING, FOREIGN, GivenPassage, block_of

#: Requests to the model for one answer, each of which may call tools.
MAX_ROUNDS = 8
MAX_CALLS = 24
MAX_CALLS_AT_ONCE = 6
#: The same call again says that the model doesn't get further.
MAX_REPEATED = 2
#: For all rounds of an answer.
MAX_SECONDS = 240.0
MAX_ARGUMENTS_CHARS = 20_000
MAX_RESULT_CHARS = 12_000
#: All results of an answer, whatever the model's window.
MAX_RESULT_TOKENS = 24_000
#: With less room than this for results, the model has to answer.
MIN_RESULT_TOKENS = 400

State = StoredToolCall.State
#: Images that calls have returned, by the calls' ids.
Images = Mapping[UUID, Sequence[PromptImage]]
NO_IMAGES: Images = {}
NO_MORE = "No more tools can be used for this answer. Answer with what there is."
REPEATED = "You have made this call before; its result is above."
TOO_MANY = "Too many calls at once. This one was not made."
PROBLEMS = {
    "interrupted": "It is unknown whether this call had an effect. Don't assume either.",
    "copied": "This call was not made in this copy of the chat.",
}


@dataclass(slots=True)
class ToolBounds:
    """What is left for one answer. `room_tokens` are those for results."""

    room_tokens: int
    rounds: int = 0
    calls: int = 0
    repeated: int = 0
    made: set[tuple[str, str]] = field(default_factory=set)

    def may_repeat(self, tool: str, arguments: str) -> bool:
        """Note a call; return False if it was made before."""
        key = (tool, canonical(arguments))
        if key in self.made:
            self.repeated += 1
            return False
        self.made.add(key)
        return True

    @property
    def is_last_round(self) -> bool:
        """Return whether the model has to answer now, without tools."""
        return (
            self.rounds >= MAX_ROUNDS
            or self.calls >= MAX_CALLS
            or self.repeated >= MAX_REPEATED
            or self.room_tokens < MIN_RESULT_TOKENS
        )

    def take(self, tokens: int) -> bool:
        """Take room for an image; return False if there isn't enough."""
        if tokens > self.room_tokens:
            return False
        self.room_tokens -= tokens
        return True

    def cut(self, result: str) -> str:
        """Return as much of a result as there is room for, and take that room."""
        most = max(0, min(MAX_RESULT_CHARS, self.room_tokens * BYTES_PER_TOKEN))
        kept = result.encode()[:most].decode(errors="ignore")
        self.room_tokens -= -(-len(kept.encode()) // BYTES_PER_TOKEN)
        return kept if len(kept) == len(result) else f"{kept}\n(The rest was left out.)"


def canonical(arguments: str) -> str:
    """Return arguments in one form, however a model spelled them."""
    try:
        return msgspec.json.encode(msgspec.json.decode(arguments), order="sorted").decode()
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return arguments


def result_text(text: str, passages: Sequence[GivenPassage]) -> str:
    """Return what the model reads of a result. Passages are foreign text, and marked as such."""
    if not passages:
        return text
    parts = [text] if text else []
    return "\n".join([*parts, f"{CITING} {FOREIGN}", block_of(passages)])


def prompt_of(
    text: str, calls: Sequence[StoredToolCall], images: Images = NO_IMAGES
) -> list[PromptMessage]:
    """Return an answer so far as the model reads it: its text, its calls and their results.

    What it has written after the last result is the last message, if there is any.
    """
    messages: list[PromptMessage] = []
    rounds: dict[int, list[StoredToolCall]] = {}
    for call in calls:
        rounds.setdefault(call.round, []).append(call)
    begin = 0
    for made in rounds.values():
        end = made[0].text_length
        messages += round_messages(text[begin:end].strip(), made, images=images)
        begin = end
    if rest := text[begin:].strip():
        messages.append(PromptMessage("assistant", rest))
    return messages


def round_messages(
    text: str,
    calls: Sequence[StoredToolCall],
    reasoning: str = "",
    images: Images = NO_IMAGES,
) -> list[PromptMessage]:
    """Return the calls of one request, and their results."""
    asked = PromptMessage("assistant", text, tuple(map(_requested, calls)), reasoning=reasoning)
    return [asked, *(result_message(each, images) for each in calls)]


def result_message(call: StoredToolCall, images: Images) -> PromptMessage:
    """Return the result of a call, with those of the images that it has returned."""
    shown = tuple(images.get(call.pk, ()))
    return PromptMessage("tool", result_of(call), tool_call_id=provider_id(call), images=shown)


def result_of(call: StoredToolCall) -> str:
    """Return what the model reads as the result of a call."""
    if call.state == State.REFUSED:
        said = f" They said: {call.refusal}" if call.refusal else ""
        return f"The user refused this call.{said}"
    note = "The user changed the arguments.\n" if call.is_edited else ""
    return note + (call.result or PROBLEMS.get(call.problem, ""))


def provider_id(call: StoredToolCall) -> str:
    """Return an id for the provider: nine letters and digits, which all accept.

    Models number their calls as they like, some all alike.
    """
    return f"call{call.place:05d}"


def _requested(call: StoredToolCall) -> Mapping[str, Any]:
    function = {"name": call.tool, "arguments": _as_object(call.arguments)}
    value: dict[str, Any] = {"id": provider_id(call), "type": "function", "function": function}
    return value | ({EXTRA_CONTENT: call.extra_content} if call.extra_content else {})


def _as_object(arguments: str) -> str:
    """Return the arguments; an empty object if they are none, which providers refuse."""
    try:
        is_object = isinstance(msgspec.json.decode(arguments), dict)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        is_object = False
    return arguments if is_object else "{}"
