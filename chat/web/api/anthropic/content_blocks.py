"""Read the messages of a request: their content blocks become text, images and tool calls.

Blocks of tools that only Anthropic's servers run are left out, as are blocks of answers that only
its models understand.
"""

from typing import Any, Literal

from msgspec import Raw, Struct

from chat.conversations.prompt import PromptImage, PromptMessage
from chat.conversations.sizes.limits import require_capacity
from chat.errors import BadRequest
from chat.upstream.chunks import NOTHING
from chat.web.api.message_content import Content, content_with, document_of, image_at
from chat.web.http.json_body import UnsupportedParameter, decode_part

#: Begins a block of Claude Code's instructions that is new in each call, and would defeat caches.
BILLING = "x-anthropic-billing-header:"
#: Ends the name of a block with the result of a tool; those of servers are left out.
RESULT = "_tool_result"
BREAK = "\n\n"


class Block(Struct):
    """A content block of any type, with the fields of all."""

    type: str
    text: str = ""
    thinking: str = ""
    id: str = ""
    name: str = ""
    input: Raw = NOTHING
    tool_use_id: str = ""
    tool_name: str = ""
    content: Raw = NOTHING
    is_error: bool | None = None
    source: Raw = NOTHING
    title: str | None = None
    context: str | None = None


class Message(Struct):
    role: Literal["user", "assistant", "system"]
    content: str | list[Block]


class _Source(Struct):
    type: str = ""
    media_type: str | None = None
    data: str = ""
    content: Raw = NOTHING


def prompt_messages(
    system: str | list[Block] | None, messages: list[Message]
) -> list[PromptMessage]:
    """Return what a model reads. Raise `BadRequest` for what this site can't read."""
    # A block may become a message of its own.
    require_capacity(sum(_length(each.content) for each in messages))
    prompt = _system(system or "")
    for place, each in enumerate(messages):
        where = f"messages[{place}].content"
        if each.role == "system":
            prompt += _system(each.content)
        elif each.role == "assistant":
            prompt.append(_answer(each.content, where))
        else:
            prompt += _question(each.content, where)
    if all(each.role == "system" for each in prompt):
        raise BadRequest("messages: there is no message to answer.").at("messages")
    return prompt


def _length(content: str | list[Block]) -> int:
    return 1 if isinstance(content, str) else len(content)


def _system(content: str | list[Block]) -> list[PromptMessage]:
    texts = [content] if isinstance(content, str) else [each.text for each in content]
    return [PromptMessage("system", each) for each in texts if each and not _is_billing(each)]


def _is_billing(text: str) -> bool:
    return text.startswith(BILLING)


def _answer(content: str | list[Block], where: str) -> PromptMessage:
    if isinstance(content, str):
        return PromptMessage("assistant", content)
    return PromptMessage(
        "assistant",
        "".join(each.text for each in content if each.type == "text"),
        tuple(
            _call(each, f"{where}[{place}]")
            for place, each in enumerate(content)
            if each.type == "tool_use"
        ),
        reasoning="".join(each.thinking for each in content if each.type == "thinking"),
    )


def _call(block: Block, where: str) -> dict[str, Any]:
    if not block.name:
        raise BadRequest(f"{where}.name: name the tool.").at(f"{where}.name")
    arguments = bytes(block.input).decode() if block.input else "{}"
    if not arguments.startswith("{"):
        raise BadRequest(f"{where}.input: expected an object.").at(f"{where}.input")
    function = {"name": block.name, "arguments": arguments}
    return {"id": block.id, "type": "function", "function": function}


def _question(content: str | list[Block], where: str) -> list[PromptMessage]:
    """Return the results of tools, which have to follow their calls, and then what is asked."""
    if isinstance(content, str):
        return [PromptMessage("user", content)]
    results: list[PromptMessage] = []
    asked: list[Content] = []
    for place, each in enumerate(content):
        at = f"{where}[{place}]"
        if each.type == "tool_result":
            results.append(_result(each, at))
        elif not each.type.endswith(RESULT):
            asked.append(_part(each, at))
    said = _joined(asked, where)
    if results and not any(said):
        return results
    question = PromptMessage("user", said.text, images=said.images, documents=said.documents)
    return [*results, question]


def _result(block: Block, where: str) -> PromptMessage:
    if not block.tool_use_id:
        words = f"{where}: a tool's result needs a tool_use_id."
        raise BadRequest(words).at(f"{where}.tool_use_id")
    said = _parts(block.content, f"{where}.content")
    text = f"Error: {said.text}" if block.is_error else said.text
    return PromptMessage(
        "tool",
        text,
        tool_call_id=block.tool_use_id,
        images=said.images,
        documents=said.documents,
    )


def _parts(raw: Raw, where: str) -> Content:
    """Read content inside a block: a text, or blocks."""
    content: str | list[Block] = decode_part(raw, str | list[Block], where) if raw else ""
    if isinstance(content, str):
        return Content(content)
    parts = [_part(each, f"{where}[{place}]") for place, each in enumerate(content)]
    return _joined(parts, where)


def _part(block: Block, where: str) -> Content:
    match block.type:
        case "text":
            return Content(block.text)
        case "image":
            return Content("", (_image(block, where),))
        case "document":
            return _document(block, where)
        case "search_result":
            source = decode_part(block.source, str, f"{where}.source") if block.source else ""
            found = _parts(block.content, f"{where}.content")
            return Content(_lines(block.title, source, found.text))
        case "tool_reference":
            return Content(f"[tool: {block.tool_name}]")
    words = f"{where}: blocks of the type {block.type[:40]} are not supported."
    raise UnsupportedParameter(words).at(where)


def _image(block: Block, where: str) -> PromptImage:
    source = _source(block, where)
    if source.type != "base64":
        words = f"{where}.source: send pictures as base64. This site fetches none by itself."
        raise UnsupportedParameter(words).at(f"{where}.source")
    return image_at(f"data:{source.media_type or 'image/png'};base64,{source.data}", where)


def _document(block: Block, where: str) -> Content:
    source = _source(block, where)
    if source.type == "text":
        return Content(_lines(block.title, block.context, source.data))
    if source.type == "content":
        said = _parts(source.content, f"{where}.source.content")
        return said._replace(text=_lines(block.title, block.context, said.text))
    if source.type == "base64":
        name = block.title or f"document.{(source.media_type or '').rpartition('/')[2]}"
        document = document_of(source.data, name, f"{where}.source")
        return Content(_lines(block.context), (), (document,))
    words = f"{where}.source: send documents as base64 or text. This site fetches none by itself."
    raise UnsupportedParameter(words).at(f"{where}.source")


def _source(block: Block, where: str) -> _Source:
    source: _Source = decode_part(block.source or Raw(b"{}"), _Source, f"{where}.source")
    return source


def _joined(parts: list[Content], where: str) -> Content:
    """Put the parts of one message together. Raise `TooManyImages`."""
    images = [image for each in parts for image in each.images]
    documents = [document for each in parts for document in each.documents]
    text = BREAK.join(each.text for each in parts if each.text)
    return content_with(text, images, documents, where)


def _lines(*texts: str | None) -> str:
    return "\n".join(filter(None, texts))
