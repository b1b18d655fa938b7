"""The tool that keeps a fact for later chats: see `chat/accounts/memories.py`."""

from typing import Annotated

from msgspec import Meta, Struct

from chat.accounts.memories import MAX_MEMORY, MemoryFull, MemoryOff, remember
from chat.database import threads
from chat.lib.text import one_line
from chat.tools.tool import ChatTool, ToolContext, ToolFailed, ToolResult


class RememberArguments(Struct):
    text: Annotated[
        str,
        Meta(
            description="One fact in a sentence, such as: The user is a vegetarian.",
            min_length=1,
            max_length=MAX_MEMORY,
        ),
    ]

    def __post_init__(self) -> None:
        if not one_line(self.text):
            raise ValueError("there is nothing to remember - at `$.text`")


async def _run(context: ToolContext, arguments: RememberArguments) -> ToolResult:
    try:
        await threads.writer.run(remember, context.principal.user_id, arguments.text)
    except MemoryOff:
        raise ToolFailed("The user has switched memory off.", "switched_off") from None
    except MemoryFull:
        raise ToolFailed("The memory is full. The user can remove something first.") from None
    return ToolResult("Kept for later chats.")


REMEMBER = ChatTool(
    "remember",
    "Keeps a fact about the user for later chats. Use it only if the user asks you to remember "
    "something.",
    RememberArguments,
    _run,
    has_effects=True,
)
