"""Draw images for an answer, and name to models those that earlier answers have drawn."""

from collections.abc import Sequence

from django.conf import settings

from chat.accounts.principals import Principal
from chat.conversations.images import store
from chat.conversations.images.errors import ImageTooLarge, NotAnImage
from chat.conversations.prompt import PromptMessage, after_question
from chat.conversations.sizes.storage import require_room
from chat.conversations.tool_calls.models import StoredToolCall
from chat.database import threads
from chat.generations.send.media import generate_images
from chat.knowledge.given import earlier_images_block
from chat.lib.pictures.picture_metadata import without_metadata
from chat.tools.generate_image import GENERATE_IMAGE, description_in
from chat.tools.tool import Draw, ToolFailed
from chat.upstream import available_models
from chat.upstream.media.image_client import ImageRequest

#: Of one answer.
MAX_DRAWN = 4
#: Messages of a branch that are looked at, and descriptions that are named: the newest.
MAX_MESSAGES, MAX_DESCRIPTIONS = 40, 4


def drawer(principal: Principal, calls: Sequence[StoredToolCall]) -> Draw:
    """Return what draws the images of an answer that has made these `calls` before."""
    left = MAX_DRAWN - sum(each.tool == GENERATE_IMAGE.name for each in calls)

    async def draw(prompt: str) -> bytes:
        nonlocal left
        if left <= 0:
            raise ToolFailed(f"An answer has at most {MAX_DRAWN} images.", "too_many")
        left -= 1
        return await _drawn(principal, prompt)

    return draw


async def _drawn(principal: Principal, prompt: str) -> bytes:
    """Return an image that can be stored. Raise `ToolFailed` or `ChatError`."""
    model = available_models.find_media_model(settings.IMAGE_MODEL, "image")
    size = model.sizes[0] if model.sizes else ""
    request = ImageRequest(prompt[: model.max_characters], size, model.default_steps)
    await threads.readers.run(require_room, principal.user_id, "", 0)  # else it is paid in vain
    (image,) = await generate_images(principal, model, request, 1, is_message=False)
    try:
        store.checked(image)
    except (NotAnImage, ImageTooLarge):
        raise ToolFailed("The model has returned no image that can be shown.") from None
    kept = without_metadata(image)
    await threads.readers.run(require_room, principal.user_id, "", len(kept))
    return kept


def with_earlier_images(prompt: list[PromptMessage], ids: Sequence[int]) -> list[PromptMessage]:
    """Return the prompt with what earlier images show, on a branch of messages with these ids."""
    descriptions = _descriptions_before(ids)
    return after_question(prompt, earlier_images_block(descriptions)) if descriptions else prompt


def _descriptions_before(ids: Sequence[int]) -> list[str]:
    calls = StoredToolCall.objects.filter(
        message__in=ids[-MAX_MESSAGES:],
        message__hidden_at=None,
        tool=GENERATE_IMAGE.name,
        state=StoredToolCall.State.DONE,
    ).order_by("-message", "-place")
    return list(filter(None, map(description_in, calls[:MAX_DESCRIPTIONS])))
