"""The tool that draws an image from a description."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from chat.conversations.tool_calls.models import StoredToolCall
from chat.tools.tool import ChatTool, ToolContext, ToolFailed, ToolResult

#: What all models of Workers AI's catalogue take.
MAX_PROMPT_CHARS = 2000


class ImageArguments(Struct):
    prompt: Annotated[
        str,
        Meta(
            description="What the whole image shows: subject, surroundings, style and colours",
            min_length=1,
            max_length=MAX_PROMPT_CHARS,
        ),
    ]

    def __post_init__(self) -> None:
        if not self.prompt.strip():
            raise ValueError("there is nothing to draw - at `$.prompt`")


async def _run(context: ToolContext, arguments: ImageArguments) -> ToolResult:
    if context.draw is None:
        raise ToolFailed("No images can be drawn here.", "tool_off")
    image = await context.draw(arguments.prompt)
    return ToolResult("The user sees the image above your answer.", images=(image,))


GENERATE_IMAGE = ChatTool(
    "generate_image",
    "Draws an image from a description and shows it to the user. Use it if the user asks for a "
    "picture, or for a change of one that was drawn: then describe the whole image again.",
    ImageArguments,
    _run,
    returns_images=True,
    waits_for_provider=True,
)


def drawn_by(call: StoredToolCall) -> tuple[str, ...]:
    """Return the digests of the images that a call has drawn, which the answer shows."""
    return tuple(call.images or ()) if call.tool == GENERATE_IMAGE.name else ()


def description_in(call: StoredToolCall) -> str:
    """Return what the images of a call show; empty if its arguments, from an import, don't say."""
    try:
        return msgspec.json.decode(call.arguments, type=ImageArguments).prompt
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""
