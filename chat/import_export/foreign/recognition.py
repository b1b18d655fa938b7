"""Recognize exports of other programs by their content, and read their chats one at a time."""

from collections.abc import Callable, Iterator

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _

from chat.import_export import json_text
from chat.import_export.foreign.chatgpt import read_chatgpt
from chat.import_export.foreign.claude import read_claude
from chat.import_export.foreign.json_elements import (
    VALUES_PER_MESSAGE,
    TooManyBrackets,
    elements,
    has_more_values,
    has_too_many_brackets,
)
from chat.import_export.foreign.librechat import read_librechat
from chat.import_export.foreign.message import ForeignChat
from chat.import_export.foreign.message_tree import (
    DAMAGED_CHAT,
    ForeignConversation,
    NotImportable,
    conversation_from,
)
from chat.import_export.foreign.open_webui import read_open_webui
from chat.import_export.import_report import ImportReport
from chat.import_export.json_text import Source
from chat.import_export.tree_validation import tree_problem

Reader = Callable[[bytes, ImportReport], ForeignChat]

FIRST_ELEMENTS = 20  # of a list, one of which must be a chat
#: What decoding raises for text that isn't JSON or not as expected.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, ValueError)


class _Keys(msgspec.Struct):
    """The keys that identify a program; the raw values aren't decoded."""

    mapping: msgspec.Raw = msgspec.Raw()
    chat_messages: msgspec.Raw = msgspec.Raw()
    chat: msgspec.Raw = msgspec.Raw()
    conversation: msgspec.Raw = msgspec.field(name="conversationId", default=msgspec.Raw())
    messages: msgspec.Raw = msgspec.Raw()
    tree: msgspec.Raw = msgspec.field(name="messagesTree", default=msgspec.Raw())
    title: msgspec.Raw = msgspec.Raw()
    name: msgspec.Raw = msgspec.Raw()


class NotAnExport(Exception):
    """A file isn't an export of a known program."""


def foreign_conversations(stream: Source, report: ImportReport) -> Iterator[ForeignConversation]:
    """Yield the chats that can be imported; those that can't are in the report.

    Raise `NotAnExport` if none of the first elements is a chat, and `ValueError` if the file ends
    too early.
    """
    unknown: list[str] = []
    is_known = False
    try:
        for element in elements(stream):
            reader, title = _reader(element)
            if not is_known and not reader:
                unknown.append(title)
                if len(unknown) == FIRST_ELEMENTS:
                    raise NotAnExport
                continue
            if not is_known:
                is_known = True
                for each in unknown:
                    report.refuse(each, str(DAMAGED_CHAT))
            try:
                yield _conversation(element, reader, report)
            except NotImportable as refusal:
                report.refuse(title, str(refusal))
    except TooManyBrackets:
        if is_known:
            raise
    if not is_known:
        raise NotAnExport


def _conversation(
    element: bytes, reader: Reader | None, report: ImportReport
) -> ForeignConversation:
    if not reader:
        raise NotImportable(DAMAGED_CHAT)
    if has_more_values(element, settings.MAX_CONVERSATION_MESSAGES * VALUES_PER_MESSAGE):
        raise NotImportable(_("It's too large."))
    seen = ImportReport()
    try:
        conversation = conversation_from(reader(element, seen), seen)
    except RecursionError:
        raise NotImportable(
            _("Its messages are nested too deeply. Export it again without “Recursive”.")
        ) from None
    except UNREADABLE:
        raise NotImportable(DAMAGED_CHAT) from None
    problem = tree_problem(conversation)
    if problem:
        raise NotImportable(problem)
    report.left_out.update(seen.left_out)
    report.files.update(seen.files)
    return conversation


def _reader(element: bytes) -> tuple[Reader | None, str]:
    """Return what reads this chat, if it is one, and its title."""
    if has_too_many_brackets(element):
        return None, ""
    try:
        keys = json_text.decode(element, _Keys)
    except RecursionError:
        return (read_librechat if _has_message_ids(element) else None), ""
    except UNREADABLE:
        return None, ""
    title = next(filter(None, map(_text_in, (keys.title, keys.name))), "")
    if bytes(keys.mapping)[:1] == b"{":
        return read_chatgpt, title
    if bytes(keys.chat_messages)[:1] == b"[":
        return read_claude, title
    if bytes(keys.chat)[:1] == b"{":
        return read_open_webui, title
    has_messages = b"[" in (bytes(keys.messages)[:1], bytes(keys.tree)[:1])
    if bytes(keys.conversation)[:1] == b'"' or (has_messages and _has_message_ids(element)):
        return read_librechat, title
    return None, title


def _has_message_ids(element: bytes) -> bool:
    return b'"messageId"' in element[:100_000]


def _text_in(value: msgspec.Raw) -> str:
    """Return a text; empty for a value of another type."""
    try:
        return json_text.decode(bytes(value), str) if bytes(value)[:1] == b'"' else ""
    except UNREADABLE:
        return ""
