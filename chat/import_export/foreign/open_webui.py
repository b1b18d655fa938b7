"""Read Open WebUI's export: a list of chats with a tree of messages each."""

from typing import Any

import msgspec

from chat.import_export import json_text
from chat.import_export.foreign.files import ForeignFile, of_answer, of_question
from chat.import_export.foreign.message import ForeignChat, ForeignMessage
from chat.import_export.foreign.open_webui_blocks import read_answer, webui_sources
from chat.import_export.foreign.values import (
    Odd,
    continued,
    field_of,
    items_of,
    moment,
    reference,
    struct_of,
    text_of,
)
from chat.import_export.import_report import FAILURES, INSTRUCTIONS, ImportReport

DATA = "data:"
#: Of messages that aren't shown. A tuple, because values of other types are looked up in it.
OTHER_ROLES = ("system", "developer", "tool", "function")


class WebuiMessage(msgspec.Struct):
    role: Any = None
    content: Any = None
    parent: Any = msgspec.field(name="parentId", default=None)
    children: Any = msgspec.field(name="childrenIds", default=None)
    timestamp: Any = None
    model: Any = None
    files: Any = None
    error: Any = None
    output: Any = None
    sources: Any = None


class WebuiHistory(msgspec.Struct):
    messages: dict[str, WebuiMessage | Odd] | Odd = None
    current: Any = msgspec.field(name="currentId", default=None)


class WebuiContent(msgspec.Struct):
    title: Any = None
    models: Any = None
    timestamp: Any = None
    history: WebuiHistory | Odd = None
    messages: list[WebuiMessage | Odd] | dict[str, Any] | str | int | float | bool | None = None


class WebuiChat(msgspec.Struct):
    chat: WebuiContent
    title: Any = None
    created_at: Any = None
    updated_at: Any = None
    archived: Any = None
    pinned: Any = None


def read_open_webui(data: bytes, report: ImportReport) -> ForeignChat:
    """Return the chat. The first versions exported a list of messages, without branches."""
    chat = json_text.decode(data, WebuiChat)
    content = chat.chat
    models = [each for each in items_of(content.models) if isinstance(each, str)]
    model = models[0] if len(models) == 1 else ""
    history = struct_of(content.history, WebuiHistory)
    tree = history.messages if isinstance(history.messages, dict) else {}
    listed = items_of(content.messages)
    if any(map(_is_known, tree.values())) or not any(map(_is_known, listed)):
        messages = {key: struct_of(each, WebuiMessage) for key, each in tree.items()}
    else:
        messages = {f"#{at}": struct_of(each, WebuiMessage) for at, each in enumerate(listed)}
        for before, key in zip(messages, list(messages)[1:], strict=False):
            messages[key].parent = before
    return ForeignChat(
        title=text_of(chat.title) or text_of(content.title),
        created_at=moment(chat.created_at) or moment(content.timestamp),
        updated_at=moment(chat.updated_at),
        place="archived" if chat.archived else "pinned" if chat.pinned else "listed",
        messages=[_message(key, each, model, report) for key, each in messages.items()],
        current=text_of(history.current),
    )


def _is_known(value: Any) -> bool:
    """Return whether a message says who wrote it."""
    return bool(text_of(struct_of(value, WebuiMessage).role))


def _message(key: str, source: WebuiMessage, model: str, report: ImportReport) -> ForeignMessage:
    message = ForeignMessage(
        key,
        reference(source.parent),
        "",
        at=moment(source.timestamp),
        children=items_of(source.children),
    )
    if source.role == "user":
        message.role = "user"
        message.text, message.files = of_question(_text(source.content), _files(source), report)
    elif source.role == "assistant":
        message.role = "assistant"
        read = read_answer(_text(source.content), source.output)
        message.reasoning, message.steps = read.reasoning, read.steps
        message.text = of_answer(read.text, _files(source), report)
        message.sources = webui_sources(source.sources)
        message.model = text_of(source.model) or model
        report.left_out[FAILURES] += bool(source.error) and not message.has_content
    elif source.role in OTHER_ROLES:
        report.left_out[INSTRUCTIONS] += 1
    else:
        message.is_damaged = True
    return message


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    kinds = ((field_of(each, "type"), field_of(each, "text")) for each in items_of(content))
    return continued(text_of(text) if kind == "text" else None for kind, text in kinds)


def _files(source: WebuiMessage) -> list[ForeignFile]:
    """Return the attached files, and the images among the parts of a message."""
    parts = (each for each in items_of(source.content) if field_of(each, "type") == "image_url")
    urls = (text_of(field_of(field_of(each, "image_url"), "url")) for each in parts)
    shown = [ForeignFile("", is_image=True, url=url) for url in urls if url.startswith(DATA)]
    return [*map(_file, items_of(source.files)), *shown]


def _file(value: Any) -> ForeignFile:
    """Return a file with what the export has of it: its text, or an image in its address."""
    stored = field_of(value, "file")
    name = text_of(field_of(value, "name")) or text_of(field_of(stored, "filename"))
    text, url = field_of(field_of(stored, "data"), "content"), text_of(field_of(value, "url"))
    is_image = field_of(value, "type") == "image"
    return ForeignFile(
        name,
        is_image,
        text if isinstance(text, str) else None,
        url if url.startswith(DATA) else "",
    )
