"""Write a chat, or one of its answers, as a .docx file while it is sent."""

from collections.abc import Iterator
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from chat.conversations.models import Conversation
from chat.import_export.collection_files import ArchiveFile
from chat.import_export.docx import parts
from chat.import_export.docx.elements import Numbering, plain_paragraph
from chat.import_export.docx.markup import answer_markup
from chat.import_export.export_archive import zipped
from chat.import_export.exported_turns import ExportedTurn, exported_turns, when


def conversation_docx(conversation: Conversation, only_id: int | None = None) -> Iterator[bytes]:
    """Yield the branch used last, or one answer, as a document in pieces; some are empty."""
    return zipped(_files(conversation, only_id))


def _files(conversation: Conversation, only_id: int | None) -> Iterator[ArchiveFile]:
    """Yield the parts; the links and lists come after the text that has them."""
    now, numbering = datetime.now(UTC), Numbering()
    title = conversation.title or _("Untitled")
    yield "[Content_Types].xml", now, _part(parts.CONTENT_TYPES)
    yield "_rels/.rels", now, _part(parts.PACKAGE_RELATIONS)
    yield "docProps/core.xml", now, _part(parts.facts_part(title, conversation.created_at))
    yield "word/styles.xml", now, _part(parts.STYLES)
    yield "word/document.xml", now, _text(conversation, title, only_id, numbering)
    yield "word/_rels/document.xml.rels", now, _part(parts.document_relations(numbering))
    yield "word/numbering.xml", now, _part(parts.lists_part(numbering))


def _part(text: str) -> Iterator[bytes]:
    yield text.encode()


def _text(
    conversation: Conversation, title: str, only_id: int | None, numbering: Numbering
) -> Iterator[bytes]:
    yield (parts.DOCUMENT_START + plain_paragraph(title, "Title")).encode()
    yield plain_paragraph(when(conversation.created_at), "Moment").encode()
    for batch in exported_turns(conversation, only_id):
        for turn in batch:
            yield "".join(_turn(turn, numbering)).encode()
    yield parts.DOCUMENT_END.encode()


def _turn(turn: ExportedTurn, numbering: Numbering) -> Iterator[str]:
    yield plain_paragraph(turn.author, "Heading1")
    yield plain_paragraph(turn.moment, "Moment")
    for each in turn.drawn:
        yield plain_paragraph(f"[image: {each}]")
    if turn.is_question:
        for line in turn.text.splitlines():
            yield plain_paragraph(line, "Question")
    else:
        yield answer_markup(turn.text, numbering)
    for number, name, page in turn.sources:
        where = _("{name}, page {page}").format(name=name, page=page) if page else name
        yield plain_paragraph(f"[{number}] {where}")
