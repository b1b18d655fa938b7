"""The images that a model has drawn for the answers of a shared link."""

from collections.abc import Iterator
from typing import Any

from chat.conversations.models import Message
from chat.conversations.tool_calls.calls import calls_of
from chat.conversations.tool_calls.models import StoredToolCall
from chat.tools.generate_image import GENERATE_IMAGE, drawn_by


def drawn_for(message: Message) -> list[dict[str, Any]]:
    """Return the images of an answer as a link keeps them: what they show, and their digests.

    The message's calls have been prefetched.
    """
    return [
        {"arguments": each.arguments, "images": list(images)}
        for each in calls_of(message)
        if (images := drawn_by(each))
    ]


def calls_in(turn: dict[str, Any], message: Message) -> Iterator[StoredToolCall]:
    """Yield the calls that have drawn a turn's images, for the copy of it that is `message`."""
    if "hidden" in turn:
        return
    for place, each in enumerate(turn.get("drawn", ())):
        yield StoredToolCall(
            message=message,
            place=place,
            round=place,
            tool=GENERATE_IMAGE.name,
            state=StoredToolCall.State.DONE,
            **each,
        )
