"""Define the shape of a message in JSON and templates, and each audience's fields."""

from datetime import datetime
from enum import Enum, auto
from typing import Self

import msgspec
from msgspec import UNSET, UnsetType


class Audience(Enum):
    """Kind of reader of a message."""

    MEMBER = auto()  # owner of the conversation
    VISITOR = auto()  # of a widget site; owner of the conversation
    STAFF = auto()
    SHARED_READER = auto()  # anyone with a shared link


class ErrorOut(msgspec.Struct, frozen=True):
    """Why an answer failed. `message` is in the reader's language."""

    code: str
    message: str
    retryable: bool


class UsageOut(msgspec.Struct, frozen=True):
    """Usage of an answer, as far as the provider reported it."""

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
    """The owner's rating of an answer: `value` is 1 or -1."""

    value: int
    reason: str
    comment: str


class SourceOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """A passage that an answer may cite by its number.

    `document` and `passage`, from where to where, are for readers who may open it. `address` is
    that of the public web page that it is from, if it is.
    """

    number: int
    name: str
    page: int = 0
    address: str = ""
    document: str = ""
    passage: str = ""
    is_cited: bool = False
    #: The answer isn't based on it, but it may help.
    is_related: bool = False


class ToolOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tool's call for an answer: `title` and `outcome` are words for people.

    The state is that of `StoredToolCall`, or `unknown` if its process died while it ran. A person
    decides about those and the `proposed` ones.
    """

    id: str
    tool: str
    state: str
    arguments: str
    count: int | None = None
    problem: str = ""
    is_edited: bool = False
    refusal: str = ""
    #: A person was asked, and allowed it.
    was_allowed: bool = False
    #: Digests of those that the answer shows.
    images: tuple[str, ...] = ()
    title: str = ""
    outcome: str = ""


class PairOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """The pair in which an answer is compared with another one, its `side`, and the other answer.

    `beside` and `model` are the other's: 0 if it isn't there, and empty while models are hidden
    (`is_blind`). `verdict` and `chosen` are those of `AnswerPair`.
    """

    id: int
    side: str
    beside: int = 0
    model: str = ""
    is_blind: bool = False
    verdict: str = ""
    chosen: str = ""


class MessageOut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message as its reader gets it. JSON omits fields at their default.

    Only `presenters.py` fills it; `static/js/types.d.ts` declares its type.
    """

    role: str
    text: str
    reasoning: str
    id: int | UnsetType = UNSET
    parent: int | UnsetType | None = UNSET
    created_at: datetime | UnsetType = UNSET
    is_person: bool = False
    #: Of the person, if visitors may know it.
    person_name: str = ""
    person_picture: str = ""
    is_by_email: bool = False
    is_imported: bool = False
    is_hidden: bool = False
    #: State of the latest generation; "awaiting_staff" if a staff member is to answer.
    state: str = ""
    generation: str = ""
    model: str = ""
    finish_reason: str = ""
    reasoning_effort: str = ""
    omitted_messages: int = 0
    #: Length of the text, in characters, that the latest generation continued from.
    base_length: int = 0
    error: ErrorOut | None = None
    usage: UsageOut | None = None
    timing: TimingOut | None = None
    rating: RatingOut | None = None
    #: Passages of documents; none were found if it is empty.
    sources: tuple[SourceOut, ...] | None = None
    #: Calls of tools, in their order.
    tools: tuple[ToolOut, ...] = ()
    #: Of the chat up to this message, which models get in place of it.
    summary: str = ""
    #: IDs of all versions of a question or answer, if there are several.
    versions: tuple[int, ...] = ()
    #: What could be asked next, if it is the last answer of a branch.
    follow_ups: tuple[str, ...] = ()
    #: The pair of the last answer of a branch.
    pair: PairOut | None = None
    #: Members don't learn the model, which they compare without knowing it.
    hides_model: bool = False
    #: The staff member who wrote it; empty for a model.
    author: str | UnsetType = UNSET
    #: `created_at`, formatted for display.
    moment: str = ""
    #: What the website said with the question: names and values.
    page_context: tuple[tuple[str, str], ...] = ()
    is_deleted: bool = False

    @property
    def related_sources(self) -> tuple[SourceOut, ...]:
        return tuple(each for each in self.sources or () if each.is_related)

    @property
    def cited_sources(self) -> tuple[SourceOut, ...]:
        return tuple(each for each in self.sources or () if each.is_cited)

    def seen_by(self, audience: Audience) -> Self:
        """Return the message with only the fields that the audience may see."""
        hidden = _OF_MODEL if self.hides_model and audience is not Audience.STAFF else ()
        names = FIELDS[audience].difference(hidden)
        return type(self)(**{name: getattr(self, name) for name in names})


#: What may tell which model has written an answer.
_OF_MODEL = frozenset({"model", "reasoning_effort", "usage", "timing"})
#: Of the calls of tools, a shared link has those only that have drawn images.
_SHARED = frozenset({
    "role", "text", "reasoning", "state", "model", "is_imported", "is_hidden", "sources", "tools",
})  # fmt: skip
_VISITOR = frozenset({
    "id", "parent", "role", "text", "reasoning", "created_at", "state", "generation",
    "finish_reason", "error", "rating", "is_person", "person_name",
    "person_picture", "is_by_email", "is_hidden", "sources", "follow_ups",
})  # fmt: skip
_MEMBER = (_VISITOR - {"person_name", "person_picture", "is_by_email"}) | {
    "is_imported", "model", "reasoning_effort", "omitted_messages", "base_length", "usage",
    "timing", "tools", "versions", "summary", "pair",
}  # fmt: skip
#: Staff see every rating beside the message, the owner's among them.
_STAFF = (_MEMBER - {"rating", "pair", "follow_ups"}) | {
    "author", "moment", "page_context", "is_by_email", "is_deleted",
}  # fmt: skip

FIELDS = {
    Audience.MEMBER: _MEMBER,
    Audience.VISITOR: _VISITOR,
    Audience.STAFF: _STAFF,
    Audience.SHARED_READER: _SHARED,
}
