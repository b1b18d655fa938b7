"""Read the input of a response: items become messages, tool calls and their results.

Items that only OpenAI's servers understand, such as its own searches or compacted conversations,
are left out: one of them must not block a conversation for good.
"""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from chat.conversations.prompt import PromptMessage
from chat.conversations.sizes.limits import require_capacity
from chat.errors import BadRequest
from chat.web.api.chat_messages import answerable, called, called_with_text
from chat.web.api.message_content import Content, ContentPiece, content_of
from chat.web.api.request_tools import OfferedTools
from chat.web.http.json_body import decode_part

#: Calls of tools that OpenAI defines and the program runs: the tool, and the field that says what
#: it does.
PROGRAM_TOOLS = {
    "local_shell_call": ("local_shell", "action"),
    "shell_call": ("shell", "action"),
    "apply_patch_call": ("apply_patch", "operation"),
}
CALLS = frozenset({"function_call", "custom_tool_call"})
RESULTS = frozenset(f"{call}_output" for call in (*CALLS, *PROGRAM_TOOLS))
#: Items that declare further tools.
DECLARING = frozenset({"additional_tools", "tool_search_output"})


class _Kind(Struct):
    type: str | None = None
    id: Any = None


class _Message(Struct):
    role: Literal["system", "developer", "user", "assistant"] = "user"
    content: str | list[ContentPiece] | None = None


class _Call(Struct):
    """A call of a function or of a custom tool."""

    name: str
    call_id: str = ""
    namespace: str | None = None
    arguments: str | None = None
    input: str = ""
    extra_content: dict[str, Any] | None = None


class _ProgramCall(Struct):
    id: str | None = None
    call_id: str | None = None
    action: Raw = Raw(b"{}")
    operation: Raw = Raw(b"{}")


class _Result(Struct):
    id: str | None = None
    call_id: str | None = None
    output: Raw = Raw(b'""')


class _ResultPart(ContentPiece, kw_only=True):
    """A part of a result; what has no type is none."""

    type: str


class _Reasoning(Struct):
    content: list[ContentPiece] | None = None


class _Declaring(Struct):
    tools: Raw = Raw(b"[]")


class _Prompt:
    """The messages read so far. Calls made at once, with their reasoning, are one message."""

    def __init__(self, tools: OfferedTools) -> None:
        self.messages: list[PromptMessage] = []
        self._tools = tools
        self._calls: list[dict[str, Any]] = []
        self._reasoning = ""

    def add(self, raw: Raw, where: str) -> None:
        kind = kind_of(raw, where)
        if kind == "reasoning":
            self.end_calls()
            said = decode_part(raw, _Reasoning, where)
            self._reasoning = content_of(said.content, f"{where}.content").text
        elif kind in CALLS:
            self._calls.append(self._call(decode_part(raw, _Call, where), kind))
        elif kind in PROGRAM_TOOLS:
            self._calls.append(_program_call(decode_part(raw, _ProgramCall, where), kind))
        elif kind in RESULTS:
            self.end_calls()
            self.messages.append(_result(decode_part(raw, _Result, where), where))
        elif kind == "message":
            self._add_message(decode_part(raw, _Message, where), where)

    def end_calls(self) -> None:
        """Add the waiting calls as one message."""
        if self._calls:
            calls, self._calls = tuple(self._calls), []
            self.messages.append(PromptMessage("assistant", "", calls, reasoning=self._thought()))

    def _add_message(self, message: _Message, where: str) -> None:
        self.end_calls()
        at = f"{where}.content"
        is_answer = message.role == "assistant"
        if is_answer and message.content is None:
            raise BadRequest(f"{where}: an answer needs content.").at(at)
        role = "system" if message.role == "developer" else message.role
        said = content_of(message.content, at, has_images=role == "user")
        thought = self._thought() if is_answer else ""
        self.messages.append(
            PromptMessage(
                role,
                said.text,
                reasoning=thought,
                images=said.images,
                documents=said.documents,
            )
        )

    def _call(self, call: _Call, kind: str) -> dict[str, Any]:
        name = self._tools.name_of(call.name, call.namespace or "")
        if kind == "custom_tool_call":
            return called_with_text(call.call_id, name, call.input, call.extra_content)
        return called(call.call_id, name, call.arguments or "{}", call.extra_content)

    def _thought(self) -> str:
        thought, self._reasoning = self._reasoning, ""
        return thought


def kind_of(raw: Raw, where: str) -> str:
    """Return the type of an item; one without is a message."""
    return str(decode_part(raw, _Kind, where).type or "message")


def declared_tools(items: Sequence[Raw]) -> list[tuple[Raw, str]]:
    """Return the lists of tools that items declare, and where they are."""
    lists = []
    for place, raw in enumerate(items):
        where = f"input[{place}]"
        if kind_of(raw, where) in DECLARING:
            lists.append((decode_part(raw, _Declaring, where).tools, f"{where}.tools"))
    return lists


def input_messages(
    instructions: str, items: Sequence[Raw], tools: OfferedTools
) -> list[PromptMessage]:
    """Return what the model reads. Raise `BadRequest` for what it can't read."""
    require_capacity(len(items))
    prompt = _Prompt(tools)
    if instructions:
        prompt.messages.append(PromptMessage("system", instructions))
    for place, raw in enumerate(items):
        prompt.add(raw, f"input[{place}]")
    prompt.end_calls()
    return answerable(prompt.messages, "input")


def reference_of(raw: Raw, where: str) -> str:
    """Return the id of the item that this one stands for; empty for any other item."""
    kind = decode_part(raw, _Kind, where)
    return str(kind.id or "") if kind.type == "item_reference" else ""


def text_item(text: str) -> Raw:
    """Return the item that an input of only text stands for."""
    return Raw(msgspec.json.encode({"role": "user", "content": text}))


def _program_call(call: _ProgramCall, kind: str) -> dict[str, Any]:
    name, field = PROGRAM_TOOLS[kind]
    arguments: Raw = getattr(call, field)
    return called(call.call_id or call.id or "", name, bytes(arguments).decode())


def _result(result: _Result, where: str) -> PromptMessage:
    said = _output(result.output, f"{where}.output")
    call_id = result.call_id or result.id or ""
    return PromptMessage(
        "tool", said.text, tool_call_id=call_id, images=said.images, documents=said.documents
    )


def _output(raw: Raw, where: str) -> Content:
    """Return a tool's result: text, parts of a message, or anything else as JSON."""
    try:
        output = msgspec.json.decode(raw, type=str | list[_ResultPart] | None)
    except msgspec.ValidationError:
        return Content(bytes(raw).decode())
    return content_of(output, where, is_result=True)
