"""What an import took and what it left out."""

from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MAX_NAMED = 50  # chats named in a report; more are only counted

#: Kinds of content that are left out of imported chats.
TOOLS, INSTRUCTIONS, FAILURES = "tools", "instructions", "failures"
LOST, DAMAGED = "lost", "damaged"

#: Why a file is left out, after the number of those with the same reason.
NOT_IN_EXPORT = _("Not in the export.")
RECORDING = _("Sound and video can't be imported.")
IN_ANSWER = _("Answers can't have files here.")
TOO_MANY_IN_MESSAGE = _("Too many in one message.")
TOO_MANY = _("Too many in one import.")
TOO_LONG = _("There's no room for the text in the message.")
NO_STORAGE = _("There's no room in your storage.")
ONLY_TEXT = _("Only the text was imported. There's no room for the file in your storage.")
DAMAGED_FILE = _("Damaged in the export.")


@dataclass(slots=True)
class ImportReport:
    total: int = 0  # chats that the file has and that can be imported
    imported: int = 0
    refused: int = 0  # chats that are left out
    chats: list[tuple[UUID, str]] = field(default_factory=list)  # imported ones, with their titles
    reasons: list[tuple[str, str]] = field(default_factory=list)  # titles of refused ones, and why
    left_out: Counter[str] = field(default_factory=Counter)  # content of imported chats, by kind
    files: Counter[str] = field(default_factory=Counter)  # of imported chats, left out, by reason
    size_bytes: int = 0  # of what is stored of the chats, without files

    def refuse(self, title: str, reason: str) -> None:
        self.refused += 1
        if len(self.reasons) < MAX_NAMED:
            self.reasons.append((title, reason))

    def leave_out(self, reason: Promise | str, count: int = 1) -> None:
        """Note that files of imported chats are left out."""
        if count:
            self.files[str(reason)] += count

    def took(self, conversation_id: UUID, title: str) -> None:
        self.imported += 1
        if len(self.chats) < MAX_NAMED:
            self.chats.append((conversation_id, title))
