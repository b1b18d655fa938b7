"""Read the messages of a chat completion request."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from chat.conversations.prompt import EXTRA_CONTENT, PromptMessage
from chat.conversations.sizes.limits import require_capacity
from chat.errors import BadRequest
from chat.generations.delivery.encoders.called_tools import INPUT
from chat.upstream.decoding.tool_calls import MAX_CALLS
from chat.web.api.message_content import ContentPiece, content_of

SEES_IMAGES = frozenset({"user", "tool"})


class _CalledFunction(Struct):
    name: str
    arguments: str | None = None


class _CalledCustom(Struct):
    name: str
    input: str = ""


class _Call(Struct):
    function: _CalledFunction | None = None
    custom: _CalledCustom | None = None
    id: str | None = None
    extra_content: dict[str, Any] | None = None


class ApiMessage(Struct):
    """A message. The role `function` and `function_call` are of the form before tools."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[ContentPiece] | None = None
    tool_calls: Annotated[list[_Call], Meta(max_length=MAX_CALLS)] | None = None
    tool_call_id: str | None = None
    function_call: _CalledFunction | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    name: str | None = None


def prompt_messages(messages: list[ApiMessage]) -> list[PromptMessage]:
    """Return `messages` as a model reads them. Raise `BadRequest` for what it can't read."""
    require_capacity(len(messages))
    prompt: list[PromptMessage] = []
    call_id = ""  # of the last call in the old form, which has none
    for place, each in enumerate(messages):
        if each.function_call:
            call_id = f"call_{place}"
        prompt.append(_message(each, f"messages[{place}]", call_id))
    return answerable(prompt, "messages")


def answerable(prompt: list[PromptMessage], where: str) -> list[PromptMessage]:
    """Return a prompt that has a question: if there are only instructions, the last of them.

    Most models answer only a user. Raise `BadRequest` if there is nothing at all.
    """
    if any(each.role != "system" for each in prompt):
        return prompt
    if not prompt or not prompt[-1].content.strip():
        raise BadRequest(f"{where}: there is no message to answer.").at(where)
    return [*prompt[:-1], PromptMessage("user", prompt[-1].content)]


def _message(message: ApiMessage, where: str, call_id: str) -> PromptMessage:
    role = {"developer": "system", "function": "tool"}.get(message.role, message.role)
    result_of = message.tool_call_id or (call_id if message.role == "function" else "")
    if role == "tool" and not result_of:
        at = f"{where}.tool_call_id"
        raise BadRequest(f"{where}: a tool's result needs a tool_call_id.").at(at)
    calls = [_call(each, where) for each in message.tool_calls or ()]
    if message.function_call:
        calls.append(_call(_Call(message.function_call, id=call_id), where))
    if role == "assistant" and message.content is None and not calls:
        words = f"{where}: an answer needs content or tool_calls."
        raise BadRequest(words).at(f"{where}.content")
    said = content_of(
        message.content,
        f"{where}.content",
        has_images=role in SEES_IMAGES,
        is_result=role == "tool",
    )
    return PromptMessage(
        role=role,
        content=said.text,
        tool_calls=tuple(calls),
        tool_call_id=result_of,
        reasoning=message.reasoning_content or message.reasoning or "",
        images=said.images,
        documents=said.documents,
        name="" if message.role == "function" else message.name or "",
    )


def _call(call: _Call, where: str) -> dict[str, Any]:
    call_id, extra = call.id or "", call.extra_content
    if call.function:
        return called(call_id, call.function.name, call.function.arguments or "{}", extra)
    if call.custom:
        return called_with_text(call_id, call.custom.name, call.custom.input, extra)
    at = f"{where}.tool_calls"
    raise BadRequest(f"{at}: a call needs a function.").at(at)


def called(
    call_id: str, name: str, arguments: str, extra: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return a tool call as a model reads it."""
    function = {"name": name, "arguments": arguments}
    call = {"id": call_id, "type": "function", "function": function}
    return call | ({EXTRA_CONTENT: extra} if extra else {})


def called_with_text(
    call_id: str, name: str, text: str, extra: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the call of a tool that takes text, which is a function to the model."""
    return called(call_id, name, msgspec.json.encode({INPUT: text}).decode(), extra)
