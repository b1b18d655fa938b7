"""Read LibreChat's export: one chat, with a flat or nested list of messages."""

from typing import Any

import msgspec

from chat.import_export.foreign.message_tree import ForeignChat, ForeignMessage
from chat.import_export.foreign.values import (
    field_of,
    file_note,
    items_of,
    moment,
    paragraphs,
    text_of,
)
from chat.import_export.import_report import FAILURES, FILES, TOOLS, ImportReport

NO_TOOLS = ("text", "think", "error")


class LibreMessage(msgspec.Struct):
    key: str = msgspec.field(name="messageId")
    parent: str | None = msgspec.field(name="parentMessageId", default=None)
    is_question: bool | None = msgspec.field(name="isCreatedByUser", default=None)
    sender: Any = None
    text: Any = None
    content: Any = None
    model: Any = None
    created_at: Any = msgspec.field(name="createdAt", default=None)
    error: Any = None
    files: Any = None
    attachments: Any = None
    children: "list[LibreMessage] | None" = None


class LibreOptions(msgspec.Struct):
    model: Any = None


class LibreChat(msgspec.Struct):
    messages: list[LibreMessage] | None = None
    tree: list[LibreMessage] | None = msgspec.field(name="messagesTree", default=None)
    title: str | None = None
    created_at: Any = msgspec.field(name="createdAt", default=None)
    updated_at: Any = msgspec.field(name="updatedAt", default=None)
    options: LibreOptions | None = None


def read_librechat(data: bytes, report: ImportReport) -> ForeignChat:
    chat = msgspec.json.decode(data, type=LibreChat)
    model = text_of(chat.options.model) if chat.options else ""
    return ForeignChat(
        title=chat.title or "",
        created_at=moment(chat.created_at),
        updated_at=moment(chat.updated_at),
        messages=[
            _message(each, model, report) for each in _flat(chat.tree or chat.messages or [])
        ],
    )


def _flat(messages: list[LibreMessage]) -> list[LibreMessage]:
    """Return nested messages as a flat list, parents first."""
    ordered = []
    stack = messages[::-1]
    while stack:
        message = stack.pop()
        ordered.append(message)
        children = message.children or []
        for child in children:
            child.parent = message.key
        stack += children[::-1]
    return ordered


def _message(source: LibreMessage, model: str, report: ImportReport) -> ForeignMessage:
    message = ForeignMessage(source.key, source.parent, "", at=moment(source.created_at))
    if source.error:
        report.left_out[FAILURES] += 1
        return message
    parts = items_of(source.content)
    is_question = source.sender == "User" if source.is_question is None else source.is_question
    text = text_of(source.text) or paragraphs(_part(each, "text") for each in parts)
    names = [text_of(field_of(each, "filename")) for each in items_of(source.files)]
    report.left_out[FILES] += len(names)
    report.left_out[TOOLS] += sum(field_of(each, "type") not in NO_TOOLS for each in parts)
    message.role = "user" if is_question else "assistant"
    message.text = paragraphs([text, "\n".join(map(file_note, names))])
    if not is_question:
        message.reasoning = paragraphs(_part(each, "think") for each in parts)
        message.model = text_of(source.model) or model
    return message


def _part(part: Any, kind: str) -> str:
    """Return the text of a part of this kind; empty for other parts."""
    if field_of(part, "type") != kind:
        return ""
    value = field_of(part, kind)
    return text_of(value) or text_of(field_of(value, "value"))
