"""Read Claude's export: `conversations.json`, a list of chats with a list of messages each."""

from typing import Any

import msgspec

from chat.import_export.foreign.message_tree import ForeignChat, ForeignMessage
from chat.import_export.foreign.values import (
    fenced_file,
    field_of,
    file_note,
    items_of,
    moment,
    paragraphs,
    text_of,
)
from chat.import_export.import_report import FILES, TOOLS, ImportReport

ROLES = {"human": "user", "assistant": "assistant"}


class ClaudeMessage(msgspec.Struct):
    sender: str
    uuid: str | None = None
    parent_message_uuid: str | None = None
    text: str | None = None
    content: Any = None
    created_at: Any = None
    attachments: Any = None  # their text is in the export
    files: Any = None  # only their names are


class ClaudeChat(msgspec.Struct):
    chat_messages: list[ClaudeMessage]
    name: str | None = None
    created_at: Any = None
    updated_at: Any = None
    model: Any = None
    is_starred: Any = None
    current_leaf_message_uuid: str | None = None


def read_claude(data: bytes, report: ImportReport) -> ForeignChat:
    """Return the chat. Older exports are without branches: each message follows the one before."""
    found = msgspec.json.decode(data, type=ClaudeChat)
    said = found.chat_messages
    has_parents = any(each.parent_message_uuid for each in said)
    keys = [each.uuid or f"#{place}" for place, each in enumerate(said)]
    before = [None, *keys]
    messages = [
        _message(each, key, each.parent_message_uuid if has_parents else last, report)
        for each, key, last in zip(said, keys, before, strict=False)
    ]
    for message in messages:
        message.model = text_of(found.model)
    return ForeignChat(
        title=found.name or "",
        created_at=moment(found.created_at),
        updated_at=moment(found.updated_at),
        place="pinned" if found.is_starred else "listed",
        messages=messages,
        current=found.current_leaf_message_uuid,
    )


def _message(
    said: ClaudeMessage, key: str, parent: str | None, report: ImportReport
) -> ForeignMessage:
    blocks = items_of(said.content)
    texts = [text_of(field_of(each, "text")) for each in blocks if _kind(each) == "text"]
    thoughts = (text_of(field_of(each, "thinking")) for each in blocks if _kind(each) == "thinking")
    text = paragraphs(texts) or said.text or ""
    report.left_out[TOOLS] += sum(_kind(each) == "tool_use" for each in blocks)
    return ForeignMessage(
        key,
        parent,
        ROLES.get(said.sender, ""),  # type: ignore[arg-type]
        paragraphs([text, *_files(said, report)]),
        paragraphs(thoughts),
        moment(said.created_at),
    )


def _files(said: ClaudeMessage, report: ImportReport) -> list[str]:
    """Return the text of each attached file, or a line that stands for it."""
    found = []
    names = set()
    for each in items_of(said.attachments):
        name, text = text_of(field_of(each, "file_name")), field_of(each, "extracted_content")
        names.add(name)
        if isinstance(text, str):
            found.append(fenced_file(name, text))
        else:
            report.left_out[FILES] += 1
            found.append(file_note(name))
    for each in items_of(said.files):
        name = text_of(field_of(each, "file_name"))
        if name not in names:
            report.left_out[FILES] += 1
            found.append(file_note(name))
    return found


def _kind(block: Any) -> Any:
    return field_of(block, "type")
