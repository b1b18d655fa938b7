"""The text of a file, as the process that read it reports it."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

Problem = Literal["", "unsupported", "encrypted", "damaged", "no_text", "too_complex"]


class DocumentText(Struct, omit_defaults=True):
    """The text of a file, or why there is none.

    `pages` are those of a PDF, of which the text has the first `pages_read`; 0 for other files.
    `is_cut` says that it is not all of the file.
    """

    text: str = ""
    pages: int = 0
    pages_read: int = 0
    is_cut: bool = False
    problem: Problem = ""


def has_words(parts: Iterable[str]) -> bool:
    """Return whether there is anything to read: not for the pages of a scanned document."""
    return any(character.isalnum() for part in parts for character in part)


def within(text: str, most_characters: int) -> DocumentText:
    """Return a text that has no pages, cut at the end of a line if it is too long."""
    if len(text) <= most_characters:
        return DocumentText(text) if has_words([text]) else DocumentText(problem="no_text")
    cut = text[:most_characters]
    return DocumentText(cut[: cut.rfind("\n") + 1] or cut, is_cut=True)
