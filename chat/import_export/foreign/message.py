"""What a reader of another program's file returns: a chat with its messages."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from chat.import_export.file_format import PlaceName
from chat.import_export.foreign.calls import Step
from chat.import_export.foreign.cited import ForeignSource
from chat.import_export.foreign.files import ForeignFile

#: Empty for what only connects the messages before and after it.
Role = Literal["user", "assistant", ""]


@dataclass(slots=True)
class ForeignMessage:
    key: str
    parent: str | None
    role: Role
    text: str = ""
    reasoning: str = ""
    at: datetime | None = None
    model: str = ""
    children: Iterable[Any] = ()  # identifiers of those that follow it, if the file has them
    is_damaged: bool = False  # whether nobody knows what it was
    files: list[ForeignFile] = field(default_factory=list)  # of a question, which may be there
    steps: list[Step] = field(default_factory=list)  # of an answer: calls of tools and results
    sources: list[ForeignSource] = field(default_factory=list)  # which an answer cites

    @property
    def has_content(self) -> bool:
        is_empty = not (self.text.strip() or self.reasoning.strip() or self.steps)
        return self.role == "user" or (self.role == "assistant" and not is_empty)

    @property
    def size(self) -> int:
        return sum(
            (
                len(self.text) + len(self.reasoning),
                *(each.size for each in self.steps),
                *(len(each.key) for each in self.sources),
            )
        )


@dataclass(slots=True, kw_only=True)
class ForeignChat:
    title: str
    created_at: datetime | None = None
    updated_at: datetime | None = None
    place: PlaceName = "listed"
    messages: list[ForeignMessage] = field(default_factory=list)
    current: str | None = None  # the last message of the branch to show
