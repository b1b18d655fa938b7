"""Read ChatGPT's export: `conversations.json`, a list of chats with a tree of messages each."""

import re
from typing import Any

import msgspec

from chat.import_export import json_text
from chat.import_export.foreign.chatgpt_citations import cited_text
from chat.import_export.foreign.chatgpt_tools import chatgpt_call, chatgpt_result
from chat.import_export.foreign.files import ForeignFile, of_answer, of_question
from chat.import_export.foreign.message import ForeignChat, ForeignMessage
from chat.import_export.foreign.values import (
    Odd,
    field_of,
    items_of,
    moment,
    paragraphs,
    reference,
    struct_of,
    text_of,
)
from chat.import_export.import_report import INSTRUCTIONS, RECORDING, TOOLS, ImportReport

# Tuples, because values of other types are looked up in them, which a set may refuse.
TEXTS = ("text", "multimodal_text")
ROLES = ("assistant", "tool", "critic", "developer")  # besides those of questions and instructions
IMAGES = ("image_asset_pointer",)
RECORDINGS = ("audio_asset_pointer", "video_container_asset_pointer")  # the text has their words
#: What stands for a file's content: `file-service://file-<letters>` or `sediment://file_<digits>`.
POINTER = re.compile(r"(?:file-service|sediment)://(file[-_][0-9A-Za-z]{1,80})")


class Author(msgspec.Struct):
    role: Any = None
    name: Any = None


class Details(msgspec.Struct):
    model_slug: Any = None
    attachments: Any = None
    is_visually_hidden_from_conversation: Any = None
    citations: Any = None
    content_references: Any = None
    search_result_groups: Any = None
    quoted: Any = msgspec.field(name="_cite_metadata", default=None)


class Said(msgspec.Struct):
    author: Author | Odd = None
    content: Any = None
    create_time: Any = None
    recipient: Any = None
    metadata: Details | Odd = None


class ChatgptNode(msgspec.Struct):
    message: Said | Odd | msgspec.UnsetType = msgspec.UNSET
    parent: Any = None
    children: Any = None


class Exported(msgspec.Struct):
    mapping: dict[str, ChatgptNode | Odd]
    title: Any = None
    create_time: Any = None
    update_time: Any = None
    current_node: Any = None
    default_model_slug: Any = None
    is_archived: Any = None
    is_starred: Any = None


def read_chatgpt(data: bytes, report: ImportReport) -> ForeignChat:
    chat = json_text.decode(data, Exported)
    model = text_of(chat.default_model_slug)
    return ForeignChat(
        title=text_of(chat.title),
        created_at=moment(chat.create_time),
        updated_at=moment(chat.update_time),
        place="archived" if chat.is_archived else "pinned" if chat.is_starred else "listed",
        messages=[_message(key, node, model, report) for key, node in chat.mapping.items()],
        current=text_of(chat.current_node),
    )


def _message(key: str, node: ChatgptNode | Odd, model: str, report: ImportReport) -> ForeignMessage:
    known = struct_of(node, ChatgptNode)
    message = ForeignMessage(key, reference(known.parent), "", children=items_of(known.children))
    if isinstance(known.message, Said):
        _read(known.message, message, model, report)
    else:  # only the first node, which is before all messages, has none
        message.is_damaged = known is not node or known.message is not None or bool(known.parent)
    return message


def _read(source: Said, message: ForeignMessage, model: str, report: ImportReport) -> None:
    """Put into `message` what the chat shows of `source`."""
    details, author = struct_of(source.metadata, Details), struct_of(source.author, Author)
    content, role = _content(source), author.role
    is_of_tool = role == "tool" or (role == "assistant" and not _is_for_all(source))
    is_hidden = details.is_visually_hidden_from_conversation and not is_of_tool
    if is_hidden or role == "system":
        report.left_out[INSTRUCTIONS] += bool(_text(content))
        return
    kind = content.get("content_type")
    report.leave_out(RECORDING, sum(each in RECORDINGS for each in _kinds(content)))
    message.at = moment(source.create_time)
    if role == "user":
        message.role = "user"
        files = _files(content, items_of(details.attachments))
        message.text, message.files = of_question(_text(content), files, report)
    elif not content or role not in ROLES:
        message.is_damaged = True
    elif is_of_tool:
        message.role = "assistant"
        _read_step(source, message, author, details)
        message.text = of_answer("", _images(content), report)
    elif role == "assistant" and kind == "thoughts":
        thoughts = items_of(content.get("thoughts"))
        message.role = "assistant"
        message.reasoning = paragraphs(text_of(field_of(each, "content")) for each in thoughts)
    elif role == "assistant" and kind in TEXTS:
        message.role = "assistant"
        text = of_answer(_text(content), _images(content), report)
        message.text, message.sources = cited_text(
            text, details.content_references, details.citations
        )
        message.model = text_of(details.model_slug) or model
    elif role == "assistant" and kind == "code":
        message.role = "assistant"
        message.text = _code(content)
        message.model = text_of(details.model_slug) or model
    elif kind != "reasoning_recap":
        report.left_out[TOOLS] += 1


def _is_for_all(source: Said) -> bool:
    """Return whether a message is for the person, not for a tool."""
    return source.recipient in ("all", None) or not isinstance(source.recipient, str)


def _read_step(source: Said, message: ForeignMessage, author: Author, details: Details) -> None:
    """Put a call of a tool into `message`, or what one returned."""
    content = _content(source)
    text = _text(content)
    if author.role == "tool":
        groups, name = details.search_result_groups, text_of(author.name)
        message.steps = [chatgpt_result(name, content, text, groups, details.quoted)]
    else:
        message.steps = [chatgpt_call(text_of(source.recipient), content, text)]


def _content(source: Said) -> dict[str, Any]:
    """Return the content. A text alone is taken for the only part of a text."""
    if isinstance(source.content, str) and source.content:
        return {"content_type": "text", "parts": [source.content]}
    return source.content if isinstance(source.content, dict) else {}


def _files(content: dict[str, Any], attachments: list[Any]) -> list[ForeignFile]:
    """Return the files of a question. An image is a part of it as well, mostly without a name."""
    files = [
        ForeignFile(
            text_of(field_of(each, "name")),
            text_of(field_of(each, "mime_type", "mimeType")).startswith("image/"),
            entry=text_of(field_of(each, "id")),
        )
        for each in attachments
    ]
    known = {each.entry for each in files}
    parts = _images(content)
    if len(parts) <= len(files):  # those whose identifier is missing are among them
        known.add("")
    return files + [each for each in parts if each.entry not in known]


def _text(content: dict[str, Any]) -> str:
    """Return the text of the parts; spoken words are a part of their own kind."""
    parts = (
        each if isinstance(each, str) else text_of(field_of(each, "text"))
        for each in items_of(content.get("parts"))
    )
    return paragraphs(parts)


def _code(content: dict[str, Any]) -> str:
    language = text_of(content.get("language"))
    return f"```{language if language.isalnum() else ''}\n{text_of(content.get('text'))}\n```"


def _images(content: dict[str, Any]) -> list[ForeignFile]:
    parts = zip(items_of(content.get("parts")), _kinds(content), strict=True)
    return [
        ForeignFile("", is_image=True, entry=_id_in(field_of(part, "asset_pointer")))
        for part, kind in parts
        if kind in IMAGES
    ]


def _kinds(content: dict[str, Any]) -> list[Any]:
    return [field_of(each, "content_type") for each in items_of(content.get("parts"))]


def _id_in(pointer: Any) -> str:
    match = POINTER.match(text_of(pointer))
    return match[1] if match else ""
