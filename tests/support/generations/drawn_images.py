"""An answer for which a model has drawn an image."""

import json

from chat.conversations.images import message_images, store
from chat.conversations.images.models import StoredImage
from chat.conversations.models import Message
from chat.conversations.tool_calls.models import StoredToolCall
from tests.support.widget.pictures import png

PROMPT = "A lighthouse at night"


def plant_drawn_image(answer: Message, content: bytes | None = None) -> StoredImage:
    """Store an image, and the call that has drawn it for a stored answer."""
    owner_id = answer.conversation.owner_id
    image = store.add_checked(owner_id, png(40, 30) if content is None else content)
    message_images.attach(answer, [image.pk])
    StoredToolCall.objects.create(
        message=answer,
        place=0,
        round=0,
        tool="generate_image",
        arguments=json.dumps({"prompt": PROMPT}),
        state=StoredToolCall.State.DONE,
        images=[image.digest],
    )
    return image
