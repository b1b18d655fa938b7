"""What an import took and what it left out."""

from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

MAX_NAMED = 50  # chats named in a report; more are only counted

#: Kinds of content that are left out of imported chats.
FILES, TOOLS, INSTRUCTIONS, FAILURES = "files", "tools", "instructions", "failures"
LOST, DAMAGED = "lost", "damaged"


@dataclass(slots=True)
class ImportReport:
    total: int = 0  # chats that the file has and that can be imported
    imported: int = 0
    refused: int = 0  # chats that are left out
    chats: list[tuple[UUID, str]] = field(default_factory=list)  # imported ones, with their titles
    reasons: list[tuple[str, str]] = field(default_factory=list)  # titles of refused ones, and why
    left_out: Counter[str] = field(default_factory=Counter)  # content of imported chats, by kind

    def refuse(self, title: str, reason: str) -> None:
        self.refused += 1
        if len(self.reasons) < MAX_NAMED:
            self.reasons.append((title, reason))

    def took(self, conversation_id: UUID, title: str) -> None:
        self.imported += 1
        if len(self.chats) < MAX_NAMED:
            self.chats.append((conversation_id, title))
