"""Why a document could not be added, or made searchable."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from chat.documents.errors import WORDS
from chat.errors import BadRequest
from chat.knowledge.models import MAX_DOCUMENTS

#: By `Document.problem`. The others are those of reading.
PROBLEMS: Mapping[str, Promise] = {
    **{str(problem): words for problem, words in WORDS.items()},
    "no_text": _("There's no text in this file. Scanned pages can't be read."),
    "storage": _("There's not enough storage left for this file. Delete something and try again."),
    "limit": _("Your limit was reached. The document is found by its words; try again later."),
    "provider": _("The embedding model couldn't be reached. The document is found by its words."),
}


class CollectionFull(BadRequest):
    code = "collection_full"
    text = format_lazy(
        _("This collection is full. It can have {most} documents."), most=MAX_DOCUMENTS
    )


class EmptyDocument(BadRequest):
    code = "document_empty"
    text = _("This file is empty.")


class ArchiveTooLarge(BadRequest):
    code, status = "archive_too_large", 413
    text = _("This ZIP file has too much in it. Unpack it and add the files themselves.")


class EmptyArchive(BadRequest):
    code = "archive_empty"
    text = _("There are no files in this ZIP file.")
