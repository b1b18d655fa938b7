"""The images that a model has drawn for the answers of a shared link."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from chat.conversations.models import Message
from chat.conversations.tool_calls.calls import calls_of
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.send.drawn_images import MAX_DRAWN
from chat.tools.generate_image import GENERATE_IMAGE, description_in, drawn_by


def drawn_for(message: Message) -> list[dict[str, str]]:
    """Return the images of an answer as a link keeps them: digests, and what they show.

    An imported answer has no more of them than a written one. The calls have been prefetched.
    """
    drawn = (
        {"image": image, "description": description_in(call)}
        for call in calls_of(message)
        for image in drawn_by(call)
    )
    return list(islice(drawn, MAX_DRAWN))


def calls_in(turn: dict[str, Any], message: Message) -> Iterator[StoredToolCall]:
    """Yield the calls that have drawn a turn's images, for the copy of it that is `message`."""
    if "hidden" in turn:
        return
    for place, drawn in enumerate(turn.get("drawn", ())):
        yield StoredToolCall(
            message=message,
            place=place,
            round=place,
            tool=GENERATE_IMAGE.name,
            arguments=json.dumps({"prompt": drawn["description"]}),
            images=[drawn["image"]],
            state=StoredToolCall.State.DONE,
        )
