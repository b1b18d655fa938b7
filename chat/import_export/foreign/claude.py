"""Read Claude's export: `conversations.json`, a list of chats with a list of messages each."""

from typing import Any

import msgspec

from chat.import_export import json_text
from chat.import_export.foreign.calls import call_of, result_of
from chat.import_export.foreign.claude_citations import BlockCitations
from chat.import_export.foreign.files import ForeignFile, of_answer, of_question
from chat.import_export.foreign.message import ForeignChat, ForeignMessage, Role
from chat.import_export.foreign.parts import Parts
from chat.import_export.foreign.values import (
    Odd,
    field_of,
    items_of,
    keys_of,
    moment,
    paragraphs,
    reference,
    struct_of,
    text_of,
    without_nul,
)
from chat.import_export.import_report import TOOLS, ImportReport

#: What the text of a message has in the place of a tool's block.
UNSUPPORTED = "```\nThis block is not supported on your current device yet.\n```"
ROLES: dict[str, Role] = {"human": "user", "assistant": "assistant"}


class ClaudeMessage(msgspec.Struct):
    sender: Any = None
    uuid: Any = None
    parent_message_uuid: Any = None
    text: Any = None
    content: Any = None
    created_at: Any = None
    attachments: Any = None  # their text is in the export
    files: Any = None  # only their names are


class ClaudeChat(msgspec.Struct):
    chat_messages: list[ClaudeMessage | Odd]
    name: Any = None
    created_at: Any = None
    updated_at: Any = None
    model: Any = None
    is_starred: Any = None
    current_leaf_message_uuid: Any = None


def read_claude(data: bytes, report: ImportReport) -> ForeignChat:
    """Return the chat. Older exports are without branches: each message follows the one before."""
    chat = json_text.decode(data, ClaudeChat)
    originals = [struct_of(each, ClaudeMessage) for each in chat.chat_messages]
    has_parents = any(text_of(each.parent_message_uuid) for each in originals)
    keys = keys_of(each.uuid for each in originals)
    before = [None, *keys]
    messages = [
        _message(each, key, reference(each.parent_message_uuid) if has_parents else last, report)
        for each, key, last in zip(originals, keys, before, strict=False)
    ]
    for message in messages:
        message.model = text_of(chat.model)
    return ForeignChat(
        title=text_of(chat.name),
        created_at=moment(chat.created_at),
        updated_at=moment(chat.updated_at),
        place="pinned" if chat.is_starred else "listed",
        messages=messages,
        current=text_of(chat.current_leaf_message_uuid),
    )


def _message(
    source: ClaudeMessage, key: str, parent: str | None, report: ImportReport
) -> ForeignMessage:
    blocks = items_of(source.content)
    thoughts = (text_of(field_of(each, "thinking")) for each in blocks if _kind(each) == "thinking")
    role: Role = ROLES.get(text_of(source.sender), "")
    message = ForeignMessage(key, parent, role, at=moment(source.created_at), is_damaged=not role)
    cited = BlockCitations(blocks if role == "assistant" else [])
    parts = _parts(blocks, cited)
    text = parts.text or without_nul(text_of(source.text)).replace(UNSUPPORTED, "")
    files = _files(source)
    message.reasoning = paragraphs(thoughts)
    if role == "user":
        message.text, message.files = of_question(text, files, report)
        report.left_out[TOOLS] += len(parts.steps)
    else:
        message.text = of_answer(text, files, report)
        message.steps, message.sources = parts.steps, cited.sources
    return message


def _parts(blocks: list[Any], cited: BlockCitations) -> Parts:
    parts = Parts()
    for block in blocks:
        name = field_of(block, "name")
        match _kind(block):
            case "text":
                parts.add_text(cited.in_block(block))
            case "tool_use":
                parts.add_step(call_of(name, field_of(block, "input"), field_of(block, "id"), name))
            case "tool_result":
                is_failure = field_of(block, "is_error") is True
                keys = (field_of(block, "tool_use_id"), name)
                result = result_of(field_of(block, "content"), *keys, is_failure=is_failure)
                parts.add_step(result)
            case _:
                parts.end_paragraph()
    return parts


def _files(source: ClaudeMessage) -> list[ForeignFile]:
    """Return the attached files: with their text if it was read, else only their names."""
    files = [
        ForeignFile(text_of(field_of(each, "file_name")), text=_extracted(each))
        for each in items_of(source.attachments)
    ]
    known = {each.name for each in files}
    names = (text_of(field_of(each, "file_name")) for each in items_of(source.files))
    return files + [ForeignFile(name) for name in names if name not in known]


def _extracted(attachment: Any) -> str | None:
    text = attachment.get("extracted_content") if isinstance(attachment, dict) else None
    return text if isinstance(text, str) else None


def _kind(block: Any) -> Any:
    return field_of(block, "type")
