"""The one shape of a message in JSON and templates, and which of its fields each audience sees."""

from datetime import datetime
from enum import Enum, auto
from typing import Self

import msgspec
from msgspec import UNSET, UnsetType


class Audience(Enum):
    """Who reads a message."""

    MEMBER = auto()  # whose conversation it is
    VISITOR = auto()  # of a widget site, whose conversation it is
    STAFF = auto()
    SHARED_READER = auto()  # whoever holds a shared link


class ErrorOut(msgspec.Struct, frozen=True):
    """Why an answer failed. `message` is in the reader's language."""

    code: str
    message: str
    retryable: bool


class UsageOut(msgspec.Struct, frozen=True):
    """What an answer took of the model, as far as its provider said."""

    prompt_tokens: int | None
    completion_tokens: int | None
    total_tokens: int | None
    cached_tokens: int | None
    neurons: float | None
    cost_usd: float | None


class TimingOut(msgspec.Struct, frozen=True):
    first_token_milliseconds: int | None
    milliseconds: int


class RatingOut(msgspec.Struct, frozen=True):
    """What the conversation's owner thinks of an answer: `value` is 1 or -1."""

    value: int
    reason: str
    comment: str


class MessageOut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message as somebody reads it. JSON has no key for a field at its default.

    `presenters.py` is the only place that fills it; `static/js/stream/stored.js` has its type.
    """

    role: str
    text: str
    reasoning: str
    id: int | UnsetType = UNSET
    parent: int | UnsetType | None = UNSET
    created_at: datetime | UnsetType = UNSET
    is_person: bool = False
    is_imported: bool = False
    is_hidden: bool = False
    #: Of the latest generation; "for_person" where one of the staff is to answer.
    state: str = ""
    generation: str = ""
    model: str = ""
    finish_reason: str = ""
    reasoning_effort: str = ""
    omitted_messages: int = 0
    #: How many characters stood there already when the latest generation went on from them.
    base_length: int = 0
    error: ErrorOut | None = None
    usage: UsageOut | None = None
    timing: TimingOut | None = None
    rating: RatingOut | None = None
    #: The ids of all wordings of a question, or of all answers to it, where there are several.
    versions: tuple[int, ...] = ()
    #: Who of the staff wrote it; empty for a model.
    author: str | UnsetType = UNSET
    #: `created_at` in words.
    moment: str = ""
    is_deleted: bool = False

    def seen_by(self, audience: Audience) -> Self:
        """Return the same message with only those fields that the audience may see."""
        return type(self)(**{name: getattr(self, name) for name in FIELDS[audience]})


_SHARED = frozenset({"role", "text", "reasoning", "state", "model", "is_imported", "is_hidden"})
_VISITOR = frozenset({
    "id", "parent", "role", "text", "reasoning", "created_at", "state", "generation",
    "finish_reason", "error", "rating", "is_person", "is_hidden",
})  # fmt: skip
_MEMBER = _VISITOR | {
    "is_imported", "model", "reasoning_effort", "omitted_messages", "base_length", "usage",
    "timing", "versions",
}  # fmt: skip
#: The staff sees what each person thinks of an answer beside it, and the owner's like anybody's.
_STAFF = (_MEMBER - {"rating"}) | {"author", "moment", "is_deleted"}

FIELDS = {
    Audience.MEMBER: _MEMBER,
    Audience.VISITOR: _VISITOR,
    Audience.STAFF: _STAFF,
    Audience.SHARED_READER: _SHARED,
}
