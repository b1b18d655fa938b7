"""The files of another program's messages: what an export has of them, and lines for the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import ngettext

from chat.import_export.foreign.values import file_note, image_note, paragraphs
from chat.import_export.import_report import (
    IN_ANSWER,
    NOT_IN_EXPORT,
    TOO_MANY_IN_MESSAGE,
    ImportReport,
)

#: Lines for files that a message names; the others are counted.
MAX_NOTES = 50
#: Files of a message that are looked for.
MAX_WANTED = 100


@dataclass(slots=True, frozen=True)
class ForeignFile:
    """A file of a message. An export has its text, its bytes in a `data:` URL, or neither.

    `entry` identifies it among the files in a ZIP file (chat/import_export/exported_files.py).
    """

    name: str
    is_image: bool = False
    text: str | None = None
    url: str = ""
    entry: str = ""

    @property
    def may_be_there(self) -> bool:
        return self.text is not None or bool(self.url or self.entry)

    @property
    def note(self) -> str:
        """Return the line that stands for it where it isn't imported."""
        return image_note() if self.is_image and not self.name else file_note(self.name)


def of_question(
    text: str, files: Sequence[ForeignFile], report: ImportReport
) -> tuple[str, list[ForeignFile]]:
    """Return a question's text with lines for files that the export lacks, and the other files."""
    there = [each for each in files if each.may_be_there]
    absent = [each for each in files if not each.may_be_there]
    report.leave_out(NOT_IN_EXPORT, len(absent))
    report.leave_out(TOO_MANY_IN_MESSAGE, len(there[MAX_WANTED:]))
    absent += there[MAX_WANTED:]
    return with_notes(text, absent, settings.MAX_MESSAGE_CHARS), there[:MAX_WANTED]


def of_answer(text: str, files: Sequence[ForeignFile], report: ImportReport) -> str:
    """Return an answer's text with lines for its files: here, answers have none."""
    report.leave_out(IN_ANSWER, len(files))
    return with_notes(text, files, settings.MAX_ANSWER_CHARS)


def with_notes(text: str, files: Sequence[ForeignFile], most_chars: int) -> str:
    """Return a text with lines for files; without them if it would be too long."""
    notes = [each.note for each in files[:MAX_NOTES]]
    if more := len(files) - len(notes):
        words = ngettext("{count} more file not imported", "{count} more files not imported", more)
        notes.append("[" + words.format(count=more) + "]")
    noted = paragraphs([text, "\n".join(notes)])
    return noted if len(noted) <= most_chars else text
