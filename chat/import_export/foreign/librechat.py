"""Read LibreChat's export: one chat, with a flat or nested list of messages."""

from typing import Any

import msgspec

from chat.import_export import json_text
from chat.import_export.foreign.files import ForeignFile, of_answer, of_question
from chat.import_export.foreign.librechat_tools import LibreCitations, call_in
from chat.import_export.foreign.message import ForeignChat, ForeignMessage
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
)
from chat.import_export.import_report import FAILURES, TOOLS, ImportReport

NO_TOOLS = ("text", "think", "error")
NoList = dict[str, Any] | str | int | float | bool | None


class LibreMessage(msgspec.Struct):
    key: Any = msgspec.field(name="messageId", default=None)
    parent: Any = msgspec.field(name="parentMessageId", default=None)
    is_question: Any = msgspec.field(name="isCreatedByUser", default=None)
    sender: Any = None
    text: Any = None
    content: Any = None
    model: Any = None
    created_at: Any = msgspec.field(name="createdAt", default=None)
    error: Any = None
    files: Any = None
    attachments: Any = None
    children: "list[LibreMessage | Odd] | NoList" = None


class LibreOptions(msgspec.Struct):
    model: Any = None


class LibreChat(msgspec.Struct):
    messages: list[LibreMessage | Odd] | NoList = None
    tree: list[LibreMessage | Odd] | NoList = msgspec.field(name="messagesTree", default=None)
    title: Any = None
    created_at: Any = msgspec.field(name="createdAt", default=None)
    updated_at: Any = msgspec.field(name="updatedAt", default=None)
    options: LibreOptions | Odd = None


def read_librechat(data: bytes, report: ImportReport) -> ForeignChat:
    chat = json_text.decode(data, LibreChat)
    model = text_of(struct_of(chat.options, LibreOptions).model)
    tree, listed = items_of(chat.tree), items_of(chat.messages)
    originals, parents = _flat(tree if any(map(_is_known, tree)) else listed or tree)
    keys = keys_of(each.key for each in originals)
    above = [
        reference(each.parent) if parent is None else keys[parent]
        for each, parent in zip(originals, parents, strict=True)
    ]
    known = set(keys)
    return ForeignChat(
        title=text_of(chat.title),
        created_at=moment(chat.created_at),
        updated_at=moment(chat.updated_at),
        messages=[
            _message(each, key, parent, model, report, is_first=parent not in known)
            for each, key, parent in zip(originals, keys, above, strict=True)
        ],
    )


def _flat(messages: list[Any]) -> tuple[list[LibreMessage], list[int | None]]:
    """Return nested messages as a flat list, and the place of the message around each."""
    originals: list[LibreMessage] = []
    parents: list[int | None] = []
    stack: list[tuple[Any, int | None]] = [(each, None) for each in reversed(messages)]
    while stack:
        value, parent = stack.pop()
        message = struct_of(value, LibreMessage)
        stack += [(each, len(originals)) for each in reversed(items_of(message.children))]
        originals.append(message)
        parents.append(parent)
    return originals, parents


def _message(
    source: LibreMessage,
    key: str,
    parent: str | None,
    model: str,
    report: ImportReport,
    *,
    is_first: bool,
) -> ForeignMessage:
    message = ForeignMessage(key, parent, "", at=moment(source.created_at))
    parts = items_of(source.content)
    if not _is_known(source):
        message.is_damaged = True
        return message
    has_flag = isinstance(source.is_question, bool)
    is_question = source.is_question if has_flag else is_first or source.sender == "User"
    if source.error and not is_question:
        report.left_out[FAILURES] += 1
        return message
    cited = LibreCitations([] if is_question else source.attachments)
    read = _parts(parts, cited, report)
    text = cited.in_text(text_of(source.text)) or read.text
    files = [_file(each) for each in items_of(source.files)]
    message.role = "user" if is_question else "assistant"
    if is_question:
        message.text, message.files = of_question(text, files, report)
        report.left_out[TOOLS] += len(read.steps)
    else:
        made = (each for each in items_of(source.attachments) if field_of(each, "filename"))
        files += map(_file, made)
        message.text = of_answer(text, files, report)
        message.reasoning = paragraphs(_part(each, "think") for each in parts)
        message.steps, message.sources = read.steps, cited.sources
        message.model = text_of(source.model) or model
    return message


def _parts(parts: list[Any], cited: LibreCitations, report: ImportReport) -> Parts:
    read = Parts()
    for each in parts:
        match _kind(each):
            case "text":
                read.add_text(cited.in_text(_part(each, "text")))
            case "tool_call":
                read.add_step(call_in(each))
            case kind:
                report.left_out[TOOLS] += kind not in NO_TOOLS
                read.end_paragraph()
    return read


def _file(value: Any) -> ForeignFile:
    """Return a file. The export has its text if LibreChat gave that to the model."""
    text = field_of(value, "text")
    return ForeignFile(
        text_of(field_of(value, "filename")),
        text_of(field_of(value, "type")).startswith("image/"),
        text if isinstance(text, str) else None,
    )


def _is_known(value: Any) -> bool:
    """Return whether a message says who wrote it."""
    message = struct_of(value, LibreMessage)
    return isinstance(message.is_question, bool) or bool(text_of(message.sender))


def _part(part: Any, kind: str) -> str:
    """Return the text of a part of this kind; empty for other parts."""
    if _kind(part) != kind:
        return ""
    value = field_of(part, kind)
    return text_of(value) or text_of(field_of(value, "value"))


def _kind(part: Any) -> Any:
    return field_of(part, "type")
