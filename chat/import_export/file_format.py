"""The export format, version 1: docs/export_format.md.

Writing and reading share one definition. Reading is strict: an unknown key, or a value of the wrong
type or length, is an error that names its location.
"""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from chat.conversations.follow_ups import MAX_FOLLOW_UP_CHARS, MAX_FOLLOW_UPS
from chat.conversations.images.message_images import MAX_FILES
from chat.conversations.models import COMMENT_LENGTH, TITLE_LENGTH
from chat.conversations.tool_calls.models import REFUSAL_LENGTH, TOOL_NAME_LENGTH
from chat.knowledge.models import DOCUMENT_NAME_LENGTH
from chat.projects.models import MAX_TAGS, NAME_LENGTH, TAG_LENGTH

FORMAT = "runnel"
VERSION = 1

MAX_ATTEMPTS = 100  # at one answer
MAX_IMAGES = 20  # of one question, or of one answer's tools
MAX_SOURCES = 999  # of one answer
MAX_TOOLS = 200  # calls for one answer
MAX_TOOL_CHARS = 25_000
MAX_ADDRESS_CHARS = 2000

Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Quantity = Annotated[float, Meta(ge=0)]
Moment = Annotated[datetime, Meta(tz=True)]
Key = str | int | float | bool | None
State = Literal["complete", "stopped", "interrupted", "failed"]
PlaceName = Literal["archived", "listed", "pinned"]
FollowUp = Annotated[str, Meta(min_length=1, max_length=MAX_FOLLOW_UP_CHARS)]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]
ProjectName = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
TagName = Annotated[str, Meta(min_length=1, max_length=TAG_LENGTH)]


class ExportedShape(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A struct whose keys are in the order of its fields; default values are left out."""


class ExportedUsage(ExportedShape):
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    total_tokens: Count | None = None
    neurons: Quantity | None = None
    cost_usd: Quantity | None = None
    cached_tokens: Count | None = None


class ExportedProblem(ExportedShape):
    code: Annotated[str, Meta(min_length=1, max_length=40)]
    message: Annotated[str, Meta(min_length=1, max_length=300)]
    retryable: bool = False


class Attempt(ExportedShape):
    """An attempt to write or continue an answer."""

    state: State
    model: Annotated[str, Meta(max_length=200)]
    started_at: Moment
    ended_at: Moment | None = None
    base_length: Count = 0
    length: Count = 0
    omitted_messages: Count = 0
    reasoning_effort: Literal["none", "low", "medium", "high", ""] = ""
    max_tokens: Count | None = None
    finish_reason: Annotated[str, Meta(max_length=40)] = ""
    milliseconds: Count | None = None
    first_token_milliseconds: Count | None = None
    usage: ExportedUsage | None = None
    error: ExportedProblem | None = None


class ExportedOpinion(ExportedShape):
    value: Literal[-1, 1]
    rated_at: Moment
    reason: Literal["", "wrong", "misunderstood", "incomplete", "too_long", "harmful", "other"] = ""
    comment: Annotated[str, Meta(max_length=COMMENT_LENGTH)] = ""


class ExportedSource(ExportedShape):
    """A passage of a document that an answer may cite by its number."""

    number: Annotated[int, Meta(ge=1, le=999)]
    name: Annotated[str, Meta(max_length=DOCUMENT_NAME_LENGTH)]
    page: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    address: Annotated[str, Meta(max_length=MAX_ADDRESS_CHARS)] = ""


class ExportedTool(ExportedShape):
    """A call of a tool that a model made for an answer, and how it ended."""

    tool: Annotated[str, Meta(min_length=1, max_length=TOOL_NAME_LENGTH)]
    state: Literal["done", "failed", "refused"]
    arguments: Annotated[str, Meta(max_length=MAX_TOOL_CHARS)] = "{}"
    result: Annotated[str, Meta(max_length=MAX_TOOL_CHARS)] = ""
    count: Count | None = None
    problem: Annotated[str, Meta(max_length=20)] = ""
    refusal: Annotated[str, Meta(max_length=REFUSAL_LENGTH)] = ""
    round: Annotated[int, Meta(ge=0, le=1000)] = 0
    text_length: Count = 0
    #: Digests of the images that it returned, which the file has among those of a message.
    images: Annotated[list[Digest], Meta(max_length=MAX_IMAGES)] = []


class ExportedMessage(ExportedShape):
    """A message. `id` is its number in this file, `parent` that of the message it follows."""

    id: Annotated[int, Meta(ge=1)]
    parent: int | None
    role: Literal["user", "assistant"]
    created_at: Moment
    text: str = ""
    reasoning: str = ""
    person: bool = False  # whether a staff member, not a model, wrote this answer
    attempts: Annotated[list[Attempt], Meta(max_length=MAX_ATTEMPTS)] = []
    rating: ExportedOpinion | None = None
    #: Passages of documents; none were found if it is empty.
    sources: Annotated[list[ExportedSource], Meta(max_length=MAX_SOURCES)] | None = None
    tools: Annotated[list[ExportedTool], Meta(max_length=MAX_TOOLS)] = []
    #: Questions that were suggested after an answer.
    follow_ups: Annotated[list[FollowUp], Meta(max_length=MAX_FOLLOW_UPS)] = []
    #: In base64: those of a question, or of an answer's tools, that no earlier message has.
    images: Annotated[list[str], Meta(max_length=MAX_IMAGES)] = []
    #: In the same way, the originals of files. Last, because they are written one by one.
    files: Annotated[list[str], Meta(max_length=MAX_FILES)] = []

    @property
    def tool_images(self) -> list[str]:
        """Return the digests of the images that an answer's tools returned."""
        return [digest for each in self.tools for digest in each.images]


class Stamp(Struct):
    """The keys that identify a file. Anything may follow.

    They are no lists or objects, which would be decoded before anybody could count their values.
    """

    format: Key = None
    version: Key = None
    kind: Key = None


class Head(Struct, kw_only=True):
    """A conversation without its messages."""

    format: Literal["runnel"] = "runnel"
    version: Literal[1] = 1
    kind: Literal["conversation"] = "conversation"
    title: Annotated[str, Meta(max_length=TITLE_LENGTH)]
    place: PlaceName
    created_at: Moment
    updated_at: Moment
    project: ProjectName | UnsetType = UNSET
    tags: Annotated[list[TagName], Meta(max_length=MAX_TAGS)] | UnsetType = UNSET


class ConversationFile(Head, kw_only=True, forbid_unknown_fields=True):
    messages: list[ExportedMessage]
