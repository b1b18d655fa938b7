"""Why the text of a file could not be read."""

from collections.abc import Mapping

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.functional import Promise, lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from chat.documents.reader.document_text import Problem
from chat.errors import BadRequest

_size = lazy(filesizeformat, str)

WORDS: Mapping[Problem, Promise] = {
    "unsupported": _(
        "Files of this kind can't be read here. Use a PDF, Word, Excel, PowerPoint or "
        "OpenDocument file, an email, an e-book (EPUB) or text."
    ),
    "encrypted": _("This file has a password. Save it without one, then add it again."),
    "damaged": _("This file is damaged, so it can't be read."),
    "no_text": _("There's no text in this file. If it was scanned, add pictures of its pages."),
    "too_complex": _("This file is too complex to be read here. Add only the part that matters."),
}


class DocumentUnreadable(BadRequest):
    """The file has no text that can be read (422)."""

    code, status = "document_unreadable", 422


class DocumentTooLarge(BadRequest):
    code, status = "document_too_large", 413


def unreadable(problem: Problem) -> DocumentUnreadable:
    return DocumentUnreadable(WORDS[problem], detail=problem)


def too_large(most_bytes: int | None = None) -> DocumentTooLarge:
    words = _("The file is too large. The limit is {most}.")
    most = settings.MAX_DOCUMENT_BYTES if most_bytes is None else most_bytes
    return DocumentTooLarge(format_lazy(words, most=_size(most)))
