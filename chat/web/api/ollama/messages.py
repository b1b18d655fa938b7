"""Read the messages of a request: bare images, and calls of tools that have no ids."""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct

from chat.conversations.prompt import PromptImage, PromptMessage
from chat.conversations.sizes.limits import require_capacity
from chat.errors import BadRequest
from chat.upstream.chunks import NOTHING
from chat.upstream.decoding.tool_calls import MAX_CALLS
from chat.web.api.chat_messages import answerable, called
from chat.web.api.message_content import content_with, image_at

Images = list[str] | None


class _Function(Struct):
    name: Annotated[str, Meta(min_length=1)]
    arguments: Raw = NOTHING


class _Call(Struct):
    function: _Function
    id: str | None = None
    extra_content: dict[str, Any] | None = None


class Message(Struct):
    """A message. `tool_name` is the tool whose result it is; older programs write `name`."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    thinking: str | None = None
    images: Images = None
    tool_calls: Annotated[list[_Call], Meta(max_length=MAX_CALLS)] | None = None
    tool_name: str | None = None
    name: str | None = None
    tool_call_id: str | None = None


class _OpenCalls:
    """The calls whose results have not come yet, in their order, also by the name of the tool."""

    def __init__(self) -> None:
        self._names: OrderedDict[str, str] = OrderedDict()  # by id
        self._of_tool: dict[str, OrderedDict[str, None]] = {}

    def open(self, call_id: str, name: str) -> None:
        self._close(call_id)
        self._names[call_id] = name
        self._of_tool.setdefault(name, OrderedDict())[call_id] = None

    def answered_by(self, message: Message) -> str:
        """Return the id of the call that `message` answers; empty if there is no such call.

        Without a known id, it is the first call of the tool. Without a name, it is the first call.
        """
        wanted, found = message.tool_name or message.name, message.tool_call_id or ""
        if found not in self._names:
            calls = self._of_tool.get(wanted, ()) if wanted else self._names
            found = next(iter(calls), found)
        self._close(found)
        return found

    def _close(self, call_id: str) -> None:
        if name := self._names.pop(call_id, ""):
            del self._of_tool[name][call_id]


def prompt_messages(messages: list[Message]) -> list[PromptMessage]:
    """Return `messages` as a model reads them. Raise `BadRequest` for what it can't read."""
    require_capacity(len(messages))
    open_calls = _OpenCalls()
    prompt = [
        _message(each, f"messages[{place}]", place, open_calls)
        for place, each in enumerate(messages)
    ]
    return answerable(prompt, "messages")


def images_in(images: Images, where: str) -> tuple[PromptImage, ...]:
    """Return the images of one message. Raise `BadRequest` or `TooManyImages`."""
    read = [
        image_at(_data_url(each), f"{where}[{place}]") for place, each in enumerate(images or ())
    ]
    return content_with("", read, (), where).images


def _message(message: Message, where: str, place: int, open_calls: _OpenCalls) -> PromptMessage:
    result_of = ""
    if message.role == "tool":
        result_of = open_calls.answered_by(message)
        if not result_of:
            words = f"{where}: this result has no call before it. Send the answer with the call."
            raise BadRequest(words).at(where)
    return PromptMessage(
        role=message.role,
        content=message.content or "",
        tool_calls=tuple(_calls(message, where, place, open_calls)),
        tool_call_id=result_of,
        reasoning=message.thinking or "",
        images=images_in(message.images, f"{where}.images"),
    )


def _calls(
    message: Message, where: str, place: int, open_calls: _OpenCalls
) -> Iterator[dict[str, Any]]:
    """Yield the calls. Ids are made here if the program has not sent those of the answer."""
    for number, each in enumerate(message.tool_calls or ()):
        at = f"{where}.tool_calls[{number}].function.arguments"
        arguments = bytes(each.function.arguments).decode() or "{}"
        if not arguments.startswith("{"):
            raise BadRequest(f"{at}: expected an object.").at(at)
        call_id = each.id or f"call_{place}_{number}"
        open_calls.open(call_id, each.function.name)
        yield called(call_id, each.function.name, arguments, each.extra_content)


def _data_url(image: str) -> str:
    """Return bare base64 as an address; its type doesn't matter, because the bytes decide."""
    return image if image.startswith("data:") else f"data:image/png;base64,{image}"
