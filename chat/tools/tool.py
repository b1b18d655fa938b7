"""Define what a tool is, what it gets, and what it returns."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from chat.accounts.principals import Principal
from chat.knowledge.given import GivenPassage

#: Finds passages of the documents that the chat's answers are based on.
FindPassages = Callable[[str], Awaitable[Sequence[GivenPassage]]]
#: Draws an image from a description; returns it as a file of a format that members upload.
Draw = Callable[[str], Awaitable[bytes]]


class ToolFailed(Exception):
    """A call didn't work. The model reads why, in English, and may try something else."""

    def __init__(self, words: str, problem: str = "failed") -> None:
        super().__init__(words)
        self.words = words
        self.problem = problem


@dataclass(slots=True)
class ToolContext:
    """For whom a tool runs. `addresses` are those that the person or a search has named."""

    principal: Principal
    find_passages: FindPassages | None = None  # None: the chat has no documents
    addresses: set[str] = field(default_factory=set)
    conversation: str = ""  # the id of the chat; empty if it isn't stored
    draw: Draw | None = None  # None: this chat has no place for images


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call returned: a text of ours, and passages that the answer may cite.

    `count` is how many things were found, for people. `images` are foreign and not checked yet.
    """

    text: str = ""
    passages: Sequence[GivenPassage] = ()
    count: int | None = None
    images: Sequence[bytes] = field(default=(), repr=False)


Run = Callable[[ToolContext, Any], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True)
class ChatTool:
    """A tool. Its `description` is for models; what people read is in the web layer.

    One that `has_effects` changes something, so a person has to allow each call. The `arguments`
    of a foreign tool are a JSON schema, which only its server checks. Another one may get its name
    later, so its `identity` says which tool it is. What it costs by itself isn't given up by the
    loop's limit of time: only its provider's count if `waits_for_provider`.
    """

    name: str
    description: str
    arguments: type[msgspec.Struct] | Mapping[str, Any]
    run: Run
    has_effects: bool = False
    identity: str = ""
    returns_images: bool = False
    waits_for_provider: bool = False

    @property
    def needs_stored_chat(self) -> bool:
        """Return whether only a stored chat can wait for a person, or keep what it returns."""
        return self.has_effects or self.returns_images

    @property
    def permission(self) -> str:
        """Return what a person's permission to call the tool is for."""
        return self.identity or self.name

    @property
    def schema(self) -> Mapping[str, Any]:
        """Return the arguments as a JSON schema, without references."""
        if isinstance(self.arguments, Mapping):
            return self.arguments
        _head, parts = msgspec.json.schema_components([self.arguments])
        schema: dict[str, Any] = dict(parts[self.arguments.__name__])
        del schema["title"]
        schema.pop("description", None)
        return schema

    def as_function(self) -> Mapping[str, Any]:
        """Return the tool as a request to a model describes it."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": self.schema,
        }
        return {"type": "function", "function": function}

    def read_arguments(self, text: str) -> msgspec.Struct | msgspec.Raw:
        """Return the arguments that a model wrote, a foreign tool's unchanged. Raise `ToolFailed`.

        Many models write numbers in quotes.
        """
        try:
            if isinstance(self.arguments, Mapping):
                msgspec.json.decode(text or "{}", type=dict[str, msgspec.Raw])
                return msgspec.Raw((text or "{}").encode())
            values = msgspec.json.decode(text or "{}")
            return msgspec.convert(values, self.arguments, strict=False)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise ToolFailed(f"The arguments don't fit: {error}", "arguments") from None
